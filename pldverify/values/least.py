r"""The least μ (GDP) and the least ρ (zCDP) of a mechanism, from both ends.

Closed forms come first (``concentrated.py``). Where they leave a gap, a curve is enclosed at points: δ(ε) for
μ, D_α for ρ. Every point proves that smaller parameters are too small. Between two points, chords prove that
a parameter is large enough, and what is beyond the last has an argument of its own (``everywhere.py``). So
the upper end is proved for the whole range of ε or α, or there is none. Which points is a search
(``search.py``): any are right.

There is none where the loss is unbounded and its tail has no closed form; with a regret there always is.
There μ is at least √(2 D_α/α) at some orders, too, as μ-GDP is μ²/2-zCDP.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.hidden_batch import hides
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import probability
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.presentation import number as shown
from pldverify.values.concentrated import least_mu, least_rho, root
from pldverify.values.everywhere import Curve, Point, below_gaussian, below_parabola, covers, is_below
from pldverify.values.points import enclosed, largest_loss, last_order, profile
from pldverify.values.search import CLOSE, Search, finite, last_flat
from pldverify.values.value import End, Value, known, narrower, of_pairs
from pldverify.values.verdict import Relation, all_hold, ends, holds

Statement = tuple[Relation, Fraction | Irrational]
"""How the true value stands to a number."""
_DIGITS = 10
"""Significant digits of values at points: four more than of what is wanted."""
_NEAR = 64
"""Part of the range that is looked at first, where no μ is known; any value is right."""
_ORDERS = (Fraction(4), Fraction(64), Fraction(1024))
"""Orders that bound μ from below where the loss is unbounded; any are right."""
_CLOSER = Fraction(10**6 - 1, 10**6)
"""Factor on a number that a value is claimed to reach: proved to stay below the product, it does not."""
_CONVEX = "proved at points, and by convexity between them"


@dataclass(frozen=True)
class Profile:
    """δ(ε), the larger of both directions: the :class:`Curve` of μ."""

    composition: Composition
    adjacency: Adjacency
    regret: Fraction
    name: str = "δ at ε"
    first: Fraction = Fraction(0)

    @cached_property
    def end(self) -> Fraction:
        """An ε beyond which nothing is to be looked for."""
        largest = largest_loss(self.composition, self.adjacency)
        if self.regret:
            return Fraction(min(largest, last_flat(self.regret)))
        least = least_mu(self.composition, self.adjacency).lower
        return Fraction(4 * max(1, least.at if least else 0) if largest == math.inf else largest)

    @cached_property
    def _asks(self) -> Callable[..., Iterable[Enclosure]]:
        """Of ε and digits; where one composition answers, each round of points uses what others set up."""
        from pldverify import reference
        from pldverify.reference.quantities.profile import Kept

        if self.composition.is_exact and not hides(self.composition):
            return Kept(self.composition, self.adjacency).delta
        whole, way = self.composition, self.adjacency
        return lambda points, digits: reference.delta(
            whole, epsilon=list(points), adjacency=way, digits=digits
        )

    def beyond(self, point: Fraction, least: Fraction) -> Fraction:
        return min(4 * point or least or self.end / _NEAR, self.end)

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        whole, way = self.composition, self.adjacency
        if rough:
            return (profile(whole, way, point) for point in points)
        found = self._asks(points, digits=_DIGITS)
        return (
            of_pairs(Query(whole, epsilon=point, adjacency=way), one)
            for point, one in zip(points, found, strict=True)
        )

    def needs(self, least: Fraction, at: Point) -> bool:
        return is_below(least, at[0], at[1], self.regret)

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        return below_gaussian(most, first, last, self.regret)


@dataclass(frozen=True)
class Divergences:
    """D_α, the larger of the directions asked for: the :class:`Curve` of ρ."""

    composition: Composition
    adjacency: Adjacency
    name: str = "a Rényi divergence at α"
    first: Fraction = Fraction(1)

    def beyond(self, point: Fraction, least: Fraction) -> Fraction:
        return 4 * point

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        return [enclosed(self.composition, self.adjacency, point, _DIGITS) for point in points]

    def needs(self, least: Fraction, at: Point) -> bool:
        return at[1] >= least * at[0]

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
    return mu(whole, relation(adjacency or whole.adjacency), (), shift)


def zcdp(composition: Composed, *, adjacency: Adjacency | None = None) -> Value:
    r"""The least ρ for which a composition is ρ-zCDP: :math:`\sup_{\alpha > 1} D_\alpha / \alpha`.

    Arguments and answer as of :func:`gdp`; here the direction counts.

    >>> import pldverify as pv
    >>> print(pv.zcdp("4 * gaussian(2)"), pv.zcdp("laplace(b=1)"), sep="; ")  # the latter 1/e
    = 0.5; = 0.367879…
    """
    whole = as_composition(composition)
    return rho(whole, adjacency or whole.adjacency, ())


def mu(
    whole: Composition, way: Adjacency, claimed: Sequence[Statement], regret: Fraction = Fraction(0)
) -> Value:
    """The least μ, as far as it takes to decide what is ``claimed`` of it. Raises InvalidInput for an
    adjacency without pairs.
    """
    value = least_mu(whole, way)
    if regret:
        if 2 * regret >= 1:
            return known(Fraction(0), Fraction(0), "δ(0) ≤ 1 ≤ 2r")
        value = value.above_alone
        found = profile(whole, way, Fraction(0))
        if found.upper is not None and found.upper.at <= 2 * regret:
            return known(Fraction(0), Fraction(0), "δ(0) ≤ 2r")
    elif largest_loss(whole, way) == math.inf:
        for order in _ORDERS:
            low = None if _settled(value, claimed) else enclosed(whole, way, order).lower
            if low is not None:
                least = root(2 * low.at / order)[0]
                end = End(least, f"μ² ≥ 2ρ, and D_α at α = {shown(order)}: {low.by}")
                value = narrower(value, Value(lower=end))
    return _narrowed(value, Profile(whole, way, regret), claimed)


def rho(whole: Composition, way: Adjacency, claimed: Sequence[Statement]) -> Value:
    """The least ρ, likewise."""
    return _narrowed(least_rho(whole, way), Divergences(whole, way), claimed)


def _settled(value: Value, claimed: Sequence[Statement]) -> bool:
    """Whether both ends are close, or decide what is claimed."""
    lower, upper = value.ends
    if claimed and all_hold(holds(way, number, value) for way, number in claimed) is not None:
        return True
    return lower is not None and upper is not None and (lower == upper or upper <= lower * (1 + CLOSE))


def _narrowed(value: Value, curve: Curve, claimed: Sequence[Statement]) -> Value:
    """``value``, narrowed by points of the curve until that is settled, or the time is up."""
    if value.ends[0] == math.inf:
        return Value(value.lower, value.lower)
    if _settled(value, claimed):
        return value
    numbers = [ends(number) for _, number in claimed]
    aims = [
        Fraction(low) * (1 if way == "<=" else _CLOSER)
        for (way, _), (low, _) in zip(claimed, numbers, strict=True)
    ]
    search = Search(
        curve, value.ends[0] or Fraction(0), aims, max((high for _, high in numbers), default=math.inf)
    )
    search.run()
    return narrower(value, _proved(curve, search))


def _proved(curve: Curve, search: Search) -> Value:
    """What the points that were found prove."""
    lower = upper = None
    at, most = search.worst, search.most()
    low = None if at is None else search.values[at].lower
    if at is not None and low is not None:
        end = End(search.least, f"{curve.name} = {shown(at)}: {low.by}")
        if low.at == math.inf:
            end = End(low.at, end.by)
            return Value(end, end)
        if curve.needs(Fraction(search.least), (at, Fraction(low.at))):
            lower = end
    if most is not None and covers(curve, finite(search.values, 1), most):
        upper = End(most, _CONVEX)
    return Value(lower, upper)
