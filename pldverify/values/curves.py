"""Curves that decide the least μ and the least ρ: δ(ε), and the Rényi divergence of order α.

Each is enclosed at points. Every value proves that smaller parameters are too small; between two points, and
beyond the last, ``everywhere.py`` says what they prove large enough.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pldverify.mechanisms.hidden_batch import hides
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.values.concentrated import least_rho
from pldverify.values.everywhere import Point, below_gaussian, below_parabola, is_below
from pldverify.values.points import enclosed, largest_loss, profile
from pldverify.values.value import End, Value, of_pairs

Gap = tuple[Point, Point | None]
"""Two points next to each other; None: what is beyond the last."""
_DIGITS = 10
"""Significant digits of values at points: four more than of what is wanted."""


@dataclass(frozen=True)
class Profile:
    """δ(ε), the larger of both directions, which decides μ."""

    composition: Composition
    adjacency: Adjacency
    regret: Fraction
    name: str = "δ at ε"
    first: Fraction = Fraction(0)

    @cached_property
    def _asks(self) -> Callable[..., Iterable[Enclosure]]:
        """Of ε and digits; where one composition answers, each round of points uses what others set up."""
        from pldverify import reference
        from pldverify.reference.quantities.profile import Kept

        if self.composition.is_exact and not hides(self.composition):
            return Kept(self.composition, self.adjacency).delta
        return lambda points, digits: reference.delta(
            self.composition, epsilon=list(points), adjacency=self.adjacency, digits=digits
        )

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        """The values there; ``rough``: to a few digits, which are cheap where a value is tiny."""
        whole, way = self.composition, self.adjacency
        if rough:
            return (profile(whole, way, point) for point in points)
        found = self._asks(points, digits=_DIGITS)
        return (
            of_pairs(Query(whole, epsilon=point, adjacency=way), one)
            for point, one in zip(points, found, strict=True)
        )

    def needs(self, least: Fraction, at: Point) -> bool:
        """Whether the value at a point is proved to need a parameter of at least ``least``."""
        return is_below(least, at[0], at[1], self.regret)

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        """Whether upper bounds at two points prove a parameter large enough between them; None: beyond."""
        return below_gaussian(most, first, last, self.regret)


@dataclass(frozen=True)
class Divergences:
    """D_α, the larger of the directions asked for, which decides ρ."""

    composition: Composition
    adjacency: Adjacency
    name: str = "a Rényi divergence at α"
    first: Fraction = Fraction(1)

    def at(self, points: Sequence[Fraction], rough: bool) -> Iterable[Value]:
        """The values there, to as many digits if ``rough``."""
        return [enclosed(self.composition, self.adjacency, point, _DIGITS) for point in points]

    def needs(self, least: Fraction, at: Point) -> bool:
        """Whether the value at a point is proved to need a parameter of at least ``least``."""
        return at[1] >= least * at[0]

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        """Whether upper bounds at two points prove a parameter large enough between them; None: beyond."""
        if last is None:
            end = last_order(self.composition, self.adjacency, most)
            return end is not None and first[0] >= end
        chord = [(order, (order - 1) * value) for order, value in (first, last)]
        return below_parabola(most, chord[0], chord[1])


def last_order(composition: Composition, adjacency: Adjacency, most: Fraction) -> Fraction | None:
    """An order from which on D_α ≤ ``most`` α, if one is known.

    By the largest loss of the parts where that is finite, as D_α is no more, and by ρ of the other parts.
    """
    losses = [largest_loss(Composition.of(part), adjacency) for part in composition.parts]
    loss = sum((Fraction(x) for x in losses if x != math.inf), Fraction(0))
    others = [part for part, x in zip(composition.parts, losses, strict=True) if x == math.inf]
    rest = least_rho(Composition.of(*others), adjacency).upper if others else End(Fraction(0), "")
    return None if rest is None or rest.at >= most or not loss else loss / (most - Fraction(rest.at))


Curve = Profile | Divergences
"""A curve, from its ``first`` point on; its ``name`` says what is enclosed, and the symbol of the point."""


def gaps(curve: Curve, highs: Mapping[Fraction, Fraction], most: Fraction) -> list[Gap]:
    """Where upper bounds at points do not prove a parameter large enough."""
    rows = sorted(highs.items())
    every: list[Gap] = [*pairwise(rows), *((row, None) for row in rows[-1:])]
    return [gap for gap in every if not (most and curve.keeps(most, *gap))]


def covers(curve: Curve, highs: Mapping[Fraction, Fraction], most: Fraction) -> bool:
    """Whether they prove it on the whole range."""
    return curve.first in highs and not gaps(curve, highs, most)
