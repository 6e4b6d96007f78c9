r"""The least μ (GDP) and the least ρ (zCDP) of a mechanism, from both ends.

Closed forms come first (``concentrated.py``). Where they leave a gap, a curve is enclosed at points: δ(ε) for
μ, D_α for ρ. Every point proves that smaller parameters are too small. Between two points, chords prove that
a parameter is large enough (``everywhere.py``), and what is beyond the last has an argument of its own. Gaps
where that fails for the best lower end and 10⁻⁶ of it more get points, until there are none. So the upper end
is proved for the whole range of ε or α, or there is none.

There is none where the loss is unbounded and its tail has no closed form; with a regret there always is.
"""

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from pldverify.balls.clock import clock, spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import probability
from pldverify.numbers.presentation import number as shown
from pldverify.values.concentrated import least_mu, least_rho
from pldverify.values.divergences import enclosed, largest_loss, last_order, mu, profile
from pldverify.values.everywhere import Point, below_gaussian, below_parabola, is_below, last_flat, mu_below
from pldverify.values.value import End, Value, known, narrower, of_pairs

_CLOSE = Fraction(1, 10**6)
"""Distance of both ends that is enough, relative to the lower one."""
_ROUNDS = 16
"""Cap on the rounds of new points."""
_SPLIT = 3
"""Parts that a gap is split in; any value is right."""
_NEARER = 8
"""Ratio of the points of a gap that begins at 0; any value is right."""
_COARSER = 12
"""Upper ends that are tried where points run out, each four times as far as the last."""
_DIGITS = 10
"""Significant digits of values at points: four more than of what is wanted."""
_NEAR = 64
"""Part of the range that is looked at first; any value is right."""
_SECONDS = 1.5
"""Processor seconds of a stage."""
_STAGES = ((_CLOSE, False), (Fraction(1, 4), True), (Fraction(1, 100), True))
"""Distances that are wanted in turn, and whether by rough values, where the first takes too long."""
_CONVEX = "proved at points, and by convexity between them"


class _Curve(Protocol):
    """What is enclosed at points, and what its values prove of the least parameter."""

    @property
    def name(self) -> str:
        """What is enclosed, and the symbol of its point."""

    def start(self) -> Sequence[Fraction]:
        """The first points: where the range begins, and another one; none where points prove nothing."""

    def beyond(self, point: Fraction) -> Fraction:
        """The next one after the last."""

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        """The values there; ``rough``: to a few digits, which are cheap where a value is tiny."""

    def needed(self, point: Fraction, value: Fraction, known: Fraction) -> Fraction:
        """A parameter that would be too small for the value; ``known``, where that is larger."""

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        """Whether upper bounds at two points prove a parameter large enough between them; None: beyond."""


@dataclass(frozen=True)
class _Profile:
    """δ(ε), the larger of both directions."""

    composition: Composition
    adjacency: Adjacency
    regret: Fraction
    name: str = "δ at ε"

    @cached_property
    def end(self) -> Bound:
        """An ε beyond which nothing is to be proved."""
        largest = largest_loss(self.composition, self.adjacency)
        return min(largest, last_flat(self.regret)) if self.regret else largest

    def start(self) -> Sequence[Fraction]:
        return () if self.end == math.inf else (Fraction(0), Fraction(self.end) / _NEAR)

    def beyond(self, point: Fraction) -> Fraction:
        return min(4 * point, Fraction(self.end))

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        whole, way = self.composition, self.adjacency
        if rough:
            return (profile(whole, way, point) for point in points)
        from pldverify import reference

        found = reference.delta(whole, epsilon=points, adjacency=way, digits=_DIGITS)
        return (
            of_pairs(Query(whole, epsilon=point, adjacency=way), one)
            for point, one in zip(points, found, strict=True)
        )

    def needed(self, point: Fraction, value: Fraction, known: Fraction) -> Fraction:
        better = not known or is_below(known, point, value, self.regret)
        return max(known, mu_below(point, value, self.regret)) if better else known

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        return below_gaussian(most, first, last, self.regret)


@dataclass(frozen=True)
class _Divergences:
    """D_α, the larger of the directions asked for."""

    composition: Composition
    adjacency: Adjacency
    name: str = "a Rényi divergence at α"

    def start(self) -> Sequence[Fraction]:
        return Fraction(1), Fraction(2)

    def beyond(self, point: Fraction) -> Fraction:
        return 4 * point

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        return [enclosed(self.composition, self.adjacency, point, _DIGITS) for point in points]

    def needed(self, point: Fraction, value: Fraction, known: Fraction) -> Fraction:
        return max(known, value / point)

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        if last is None:
            end = last_order(self.composition, self.adjacency, most)
            return end is not None and first[0] >= end
        chord = [(order, (order - 1) * value) for order, value in (first, last)]
        return below_parabola(most, chord[0], chord[1])


def gdp(composition: Composed, *, regret: object = 0, adjacency: Adjacency | None = None) -> Value:
    r"""The least μ for which a composition is μ-GDP, that is :math:`T \ge G_\mu`, from both ends.

    Args:
        composition: a composition, a mechanism, or an expression of them in a string.
        regret: r in [0, 1]. The least μ with :math:`G_\mu(x + r) - r \le T(x)` for 0 ≤ x ≤ 1 − r: moved by
            r in both errors, G_μ is nowhere above the trade-off. So its Δ-divergence from T is at most r
            (Kaissis and others 2024), in which Gomez, Kulynych and others (2025) measure regret.
        adjacency: as for :func:`pldverify.delta`; ``add`` and ``remove`` have the μ of both, as T ≥ G_μ says
            the same of a pair and its reverse.

    The answer has a ``lower`` and an ``upper`` end, some six digits apart: each an exact number ``at``, with
    what proves it, ``by``; None where nothing is proved. Where both are ``math.inf``, no μ is large enough.
    Without a regret tails decide: Gaussian noise has the same μ with and without Poisson sampling.

    Raises InvalidInput.

    >>> import pldverify as pv
    >>> print(pv.gdp("4 * gaussian(2)"))
    = 1
    >>> run = "1000 * poisson(gaussian(2), q=0.02)"
    >>> print(pv.gdp(run, regret="1e-3"), pv.gdp(run), sep="; ")
    = 0.331202…; = 15.8113…
    """
    whole, shift = as_composition(composition), probability(regret, "regret")
    way = relation(adjacency or whole.adjacency)
    value = least_mu(whole, way)
    if shift:
        value = value.above_alone
        found = profile(whole, way, Fraction(0))
        if found.upper is not None and found.upper.at <= 2 * shift:
            return known(Fraction(0), Fraction(0), "δ(0) ≤ 2r")
    elif largest_loss(whole, way) == math.inf and not _close(value):
        value = mu(whole, way, ())
    return _narrowed(value, _Profile(whole, way, shift))


def zcdp(composition: Composed, *, adjacency: Adjacency | None = None) -> Value:
    r"""The least ρ for which a composition is ρ-zCDP: :math:`\sup_{\alpha > 1} D_\alpha / \alpha`.

    Arguments and answer as of :func:`gdp`; here the direction counts.

    >>> import pldverify as pv
    >>> print(pv.zcdp("4 * gaussian(2)"), pv.zcdp("laplace(b=1)"), sep="; ")  # the latter 1/e
    = 0.5; = 0.367879…
    """
    whole = as_composition(composition)
    way = adjacency or whole.adjacency
    return _narrowed(least_rho(whole, way), _Divergences(whole, way))


def _close(value: Value) -> bool:
    lower, upper = value.ends
    return lower is not None and upper is not None and (lower == upper or upper <= lower * (1 + _CLOSE))


def _narrowed(value: Value, curve: _Curve) -> Value:
    """``value``, narrowed by points of the curve until its ends are close, or the time is up."""
    search = _Search(curve, value)
    for close, rough in _STAGES:
        if _close(search.value) or search.value.ends[0] == math.inf:
            break
        with suppress(NoConvergence, NotSupported), clock(_SECONDS):
            if search.closes(close, rough) and not rough:
                break
    return search.concluded()


@dataclass
class _Search:
    """A search for both ends: the best lower one, and what is proved at points from above."""

    curve: _Curve
    value: Value
    highs: dict[Fraction, Fraction] = field(default_factory=dict)
    """Upper bounds by point."""
    most: Fraction = Fraction(0)
    """The parameter that is tried."""

    def ask(self, points: Sequence[Fraction], rough: bool) -> None:
        """Learn what the values at the points prove."""
        for point, found in zip(points, self.curve.at(points, rough), strict=True):
            if found.lower is not None:
                raised = _raised(self.curve, point, found.lower, self.value.ends[0])
                self.value = narrower(self.value, Value(lower=raised))
            if found.upper is not None and found.upper.at != math.inf:
                high = Fraction(found.upper.at)
                self.highs[point] = min(high, self.highs.get(point, high))

    def gaps(self, close: Fraction) -> list[tuple[Point, Point | None]]:
        """Those where the largest parameter that is needed, and ``close`` of it more, may be too small."""
        goal, rows = Fraction(0), sorted(self.highs.items())
        for point, high in self.highs.items():
            goal = self.curve.needed(point, high, goal)
        self.most = goal * (1 + close)
        every = [*pairwise(rows), *((row, None) for row in rows[-1:])]
        return [gap for gap in every if not (goal and self.curve.keeps(self.most, *gap))]

    @property
    def covers(self) -> bool:
        """Whether there is an upper bound where the range begins."""
        return self.highs.keys() >= set(self.curve.start()[:1]) and bool(self.highs)

    def closes(self, close: Fraction, rough: bool) -> bool:
        """Whether new points close every gap. Raises NoConvergence where the time is up."""
        points, asked = self.curve.start(), set[Fraction]()
        for _ in range(_ROUNDS):
            spend()
            asked.update(points)
            self.ask(points, rough)
            gaps = self.gaps(close)
            points = sorted({at for gap in gaps for at in self._inside(*gap)} - asked)
            if not points or self.value.ends[0] == math.inf:
                return self.covers and not gaps
        return False

    def _inside(self, first: Point, last: Point | None) -> list[Fraction]:
        """Points of a gap, its ends among them; of what is beyond the last point, one more."""
        low = first[0]
        if last is None:
            return [low, self.curve.beyond(low)]
        if low == 0:  # what decides may be far nearer to 0
            return [low, *(last[0] / _NEARER**i for i in range(_SPLIT))]
        return [low + (last[0] - low) * i / _SPLIT for i in range(_SPLIT + 1)]

    def concluded(self) -> Value:
        """Both ends; the upper one is the first that has no gap, or +∞, where the lower one is."""
        if self.value.ends[0] == math.inf:
            return replace(self.value, upper=self.value.lower)
        for power in range(_COARSER if self.covers else 0):
            if not self.gaps(_CLOSE * 4**power):
                return narrower(self.value, Value(upper=End(self.most, _CONVEX)))
        return self.value


def _raised(curve: _Curve, point: Fraction, low: End, known: Bound | None) -> End | None:
    """The lower end that a proved value at a point gives, if it is more than is known."""
    by = f"{curve.name} = {shown(point)}: {low.by}"
    if math.inf in (low.at, known):
        return End(math.inf, by) if low.at == math.inf else None
    least = Fraction(known or 0)
    better = curve.needed(point, Fraction(low.at), least)
    return End(better, by) if better > least else None
