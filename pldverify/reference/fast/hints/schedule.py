"""Which laws of a schedule go together, and the nodes of an interpolation."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, near, nearest, rounded, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.fast.hints.gaussian_mixture import rough_log_moment
from pldverify.reference.fast.hints.log_concave import BITS
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Law

_MANY = 24
"""Laws from which on it may pay to interpolate."""
_OVERHEAD = Fraction(6, 5)
"""Price of a node, in laws that are evaluated alone."""
_RADIUS = Fraction(13, 20)
"""Radius of a disc; tuned on 12 schedules of 150 to 1,000 laws: the best of 13 saves some percent at most."""
_INSIDE = Fraction(9, 10)
"""Part of the radius at which a disc of q would reach 1, that it has at most."""
_PIECES = (1, 2, 3, 4, 6, 8, 12)
"""Runs into which a family may be cut."""
_NEAR = Fraction(101, 100)
"""Ratio of parameters up to which laws share a decay: the more they differ, the poorer is a bound for all of
them, and in the end there is none."""
_SHARED = 64
"""Cap, about, on the groups that share a decay: where there would be more, larger ratios are allowed."""
_NARROWEST = arb(2) ** -20
"""Least half-width of the places of a stencil."""
_BEYOND = Fraction(1, 10**6)
"""By how much, relatively, the edge lies beyond the disc; more than it is rounded by."""


@dataclass(frozen=True)
class Stencil:
    """One interpolation in a family: which parameters are ``asked`` for, the disc of ``radius`` around the
    ``centre``, the parameters of the nodes above and below it, and one at the ``edge`` where M is largest.
    """

    asked: tuple[Fraction, ...]
    centre: Fraction
    radius: Fraction
    pairs: tuple[tuple[Fraction, Fraction], ...]
    edge: Fraction


class Interpolated(Protocol):
    """What a family of laws must tell."""

    @property
    def moves(self) -> bool: ...

    def variable(self, parameter: Fraction) -> Fraction: ...

    def law(self, parameter: Fraction) -> GaussianMixtureLaw: ...

    def growth(self, centre: Fraction, radius: Fraction, theta: Fraction, reach: Fraction) -> arb: ...


def runs(laws: Sequence[Law]) -> list[tuple[bool, list[int]]]:
    """Whether σ moves, and places of laws of one direction that differ in σ, or else in q, alone: many."""
    left = {i: law for i, law in enumerate(laws) if isinstance(law, GaussianMixtureLaw)}
    found: list[tuple[bool, list[int]]] = []
    for moves in (True, False):
        groups: dict[tuple[Fraction, str], list[int]] = defaultdict(list)
        for i, law in left.items() if len(left) >= _MANY else ():
            groups[law.q if moves else law.noise_multiplier, law.direction].append(i)
        many = [group for group in groups.values() if len(group) >= _MANY]
        found += [(moves, group) for group in many]
        for i in (i for group in many for i in group):
            del left[i]
    return found


def stencils(
    family: Interpolated, parameters: Sequence[Fraction], theta: Fraction, reach: Fraction
) -> list[Stencil]:
    """Interpolations that are cheaper than every law alone; what none asks for is left alone."""
    ordered = sorted(set(parameters))
    least, best = Fraction(len(ordered)), list[Stencil]()
    for pieces in _PIECES:
        found = [_stencil(family, part, theta, reach) for part in split(ordered, pieces)]
        plans = [plan for plan in found if plan is not None]
        price = Fraction(len(ordered)) - sum(
            len(plan.asked) - 2 * _OVERHEAD * len(plan.pairs) for plan in plans
        )
        if price < least:
            least, best = price, plans
        elif best:
            break
    return best


def split(ordered: list[Fraction], pieces: int) -> list[list[Fraction]]:
    """By equal ratios."""
    with working(BITS):
        width = (ball(ordered[-1]) / ball(ordered[0])).log() / pieces
        starts = [ordered[0] * near((width * i).exp(), 50) for i in range(1, pieces)]
    places = [0, *(bisect_left(ordered, start) for start in starts), len(ordered)]
    return [ordered[first:last] for first, last in pairwise(places) if first < last]


def _stencil(
    family: Interpolated, ordered: list[Fraction], theta: Fraction, reach: Fraction
) -> Stencil | None:
    """Nodes that should do; None where the laws alone are cheaper."""
    most, bits = (len(ordered) - 1) // (2 * _OVERHEAD), ctx.prec - 8
    with working(BITS):
        low, high = (ball(family.variable(t)) for t in (ordered[0], ordered[-1]))
        centre = near((low * high).sqrt())
        middle, goal = ball(centre), bits * arb(2).log()
        width = ((high - middle) / (high + middle)).max(_NARROWEST).mid()
        radius = _RADIUS if family.moves else min(_RADIUS, rounded(_INSIDE * (1 - centre) / (1 + centre)))
        ratio = ball(radius) / width
        if not surely_less(6, 5 * ratio):
            return None
        edge = _edge(centre, radius, family.moves)
        parameter = near(ball(edge).sqrt()) if family.moves else edge
        law, growth = family.law(parameter), family.growth(centre, radius, theta, reach)
        try:
            size = rough_log_moment(1 / law.noise_multiplier, law.q, law.power(theta))
        except NoConvergence:
            return None
        if not growth.is_finite():
            return None
        rate = (ratio + (ratio * ratio - 1).sqrt()).log()
        lost = goal - (-1 / ratio).log1p() + size.max(arb(0)) + growth.log()
        half = max(2, nearest((lost + 1) / rate / 2) + 1)
        if half > most:
            return None
        places = [width * (arb.pi() * (2 * i + 1) / (4 * half)).sin() for i in range(half)]
        ends = [(middle * (1 + x) / (1 - x), middle * (1 - x) / (1 + x)) for x in places]
        pairs = [[near(t.sqrt() if family.moves else t, 50) for t in pair] for pair in ends]
    return Stencil(tuple(ordered), centre, radius, tuple((a, b) for a, b in pairs), parameter)


def _edge(centre: Fraction, radius: Fraction, moves: bool) -> Fraction:
    """A little beyond the disc, at the end where M is largest."""
    k = (1 + radius) / (1 - radius) * (1 + _BEYOND)
    return rounded(centre / k if moves else centre * k)


def neighbours(laws: Sequence[Law]) -> tuple[list[list[int]], list[int]]:
    """Places of laws so near to each other that they may share a decay, and of the others."""
    mixtures = {i: law for i, law in enumerate(laws) if isinstance(law, GaussianMixtureLaw)}
    if len(mixtures) < _MANY:
        return [], list(range(len(laws)))
    sigmas = _places([law.noise_multiplier for law in mixtures.values()])
    qs = _places([law.q for law in mixtures.values()])
    cells: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for (i, law), sigma, q in zip(mixtures.items(), sigmas, qs, strict=True):
        cells[sigma, q, law.direction].append(i)
    groups = [group for group in cells.values() if len(group) > 1]
    grouped = {i for group in groups for i in group}
    return groups, [i for i in range(len(laws)) if i not in grouped]


def _places(values: list[Fraction]) -> list[int]:
    """Values that go together have the same one."""
    ordered = sorted(set(values))
    with working(BITS):
        width = (ball(ordered[-1]) / ball(ordered[0])).log() / _SHARED
        ratio = max(_NEAR, near(width.exp()))
    places, start, place = dict[Fraction, int](), ordered[0], 0
    for value in ordered:
        if value > start * ratio:
            start, place = value, place + 1
        places[value] = place
    return [places[value] for value in values]
