"""Which laws of a schedule go together, and the nodes of an interpolation, in floats."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from pldverify.balls import arb, ctx
from pldverify.balls.ball import BOUND_BITS, short, working
from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.gaussian_mixture import nodes_for_moments
from pldverify.reference.laws.hints.log_concave import log_w
from pldverify.reference.laws.law import Law

_MANY = 24
"""Laws from which on it may pay to interpolate."""
_OVERHEAD = 1.2
"""Price of a node, in laws that are evaluated alone."""
_RADII = (0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
"""Radii of discs that are tried."""
_PIECES = (1, 2, 3, 4, 6, 8, 12)
"""Runs into which a family may be cut."""
_NEAR = math.log(1.01)
"""Logarithm of the ratio of parameters up to which laws share a decay: the more they differ, the poorer is a
bound for all of them, and in the end there is none."""
_SHARED = 64
"""Cap, about, on the groups that share a decay: where there would be more, larger ratios are allowed."""


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
    least, best = float(len(ordered)), list[Stencil]()
    for pieces in _PIECES:
        found = [_stencil(family, part, theta, reach) for part in split(ordered, pieces)]
        plans = [plan for plan in found if plan is not None]
        price = len(ordered) - sum(len(plan.asked) - 2 * _OVERHEAD * len(plan.pairs) for plan in plans)
        if price < least:
            least, best = price, plans
        elif best:
            break
    return best


def split(ordered: list[Fraction], pieces: int) -> list[list[Fraction]]:
    """By equal ratios."""
    low, high = math.log(ordered[0]), math.log(ordered[-1])
    parts: list[list[Fraction]] = [[] for _ in range(pieces)]
    for t in ordered:
        place = int(pieces * (math.log(t) - low) / (high - low)) if high > low else 0
        parts[min(place, pieces - 1)].append(t)
    return [part for part in parts if part]


def _stencil(
    family: Interpolated, ordered: list[Fraction], theta: Fraction, reach: Fraction
) -> Stencil | None:
    """The fewest nodes that should do; None where the laws alone are cheaper."""
    root = 2 if family.moves else 1
    low, high = float(ordered[0]) ** root, float(ordered[-1]) ** root
    centre = short(math.sqrt(low * high))
    width = max((high - float(centre)) / (high + float(centre)), 1e-6)
    goal = (ctx.prec - 8) * math.log(2)
    choices: list[tuple[int, float, Fraction]] = []
    most = (len(ordered) - 1) // (2 * _OVERHEAD)
    for radius in (r for r in _RADII if r > 1.2 * width):
        rate = math.log(radius / width + math.sqrt((radius / width) ** 2 - 1))
        if math.ceil((goal - math.log1p(-width / radius) + 1) / rate / 2) > most:
            continue  # too many, however small M is on the disc
        k = (1 + radius) / (1 - radius)
        edge = float(centre) / k * (1 - 1e-6) if family.moves else float(centre) * k * (1 + 1e-6)
        if edge >= 1 and not family.moves:
            break
        parameter = short(edge ** (1 / root))
        with working(BOUND_BITS):
            growth = family.growth(centre, short(radius), theta, reach)
        law = family.law(parameter)
        try:
            size = _log_moment(1 / float(law.noise_multiplier), float(law.q), float(law.power(theta)))
        except (NoConvergence, OverflowError):
            continue
        if growth.is_finite():
            room = goal + max(0.0, size) + float(growth.log().mid()) - math.log1p(-width / radius)
            choices.append((max(2, math.ceil((room + 1) / rate / 2)), radius, parameter))
    if not choices or min(choices)[0] > most:
        return None
    half, radius, parameter = min(choices)
    places = [width * math.sin(math.pi * (2 * i + 1) / (4 * half)) for i in range(half)]
    pairs = tuple((_back(centre, x, root), _back(centre, -x, root)) for x in places)
    return Stencil(tuple(ordered), centre, short(radius), pairs, parameter)


def _log_moment(c: float, q: float, p: float) -> float:
    """log E[w^p]."""
    nodes, eta, _ = nodes_for_moments(c, q, p)
    logs = [p * log_w(c, q, x) - x * x / 2 for x in nodes]
    peak = max(logs)
    return math.log(eta / math.sqrt(2 * math.pi) * math.fsum(math.exp(log - peak) for log in logs)) + peak


def _back(centre: Fraction, place: float, root: int) -> Fraction:
    """The parameter at (t − a)/(t + a) = ``place``."""
    return short((float(centre) * (1 + place) / (1 - place)) ** (1 / root), 50)


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
    logs = [math.log(value) for value in values]
    width = max(_NEAR, (max(logs) - min(logs)) / _SHARED)
    return [math.floor(log / width) for log in logs]
