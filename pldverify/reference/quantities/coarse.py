"""ε(δ) to a few per cent: δ at a few points to one digit, by the cheapest engine.

A point proves something whenever its δ excludes the target, so engines need no more than one digit. Floats
choose the points; counted work decides which engine answers.

Any value of the constants below is right: poor ones cost time or width.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from pldverify.balls.ball import rounded
from pldverify.balls.clock import allowance, spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import ENGINES, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.between import between
from pldverify.reference.engines.derived.dominated import Dominated
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.quantities.root import Search, log_of
from pldverify.reference.search.epsilon import in_floats, saddle_guess
from pldverify.reference.search.grouped import grouped

_FIRST = 0.3
"""Counted seconds allowed to the engine with the lowest predicted price."""
_WORK = (0.1, 0.5, 2.5)
"""Counted seconds allowed to each engine alone, in each round until one answers."""
_APART = 0.03
"""Distance, relative to ε, from the estimate of ε to a point that is to prove one side of it."""
_NARROW = 0.08
"""Relative width at which the search ends: 2 ``_APART``, and some room."""
_GROUPS = 24
"""Groups into which the laws are put if there are more than ``_MANY``."""
_MANY = 40
"""Laws up to which each is evaluated by itself."""
_POINTS = 16
"""Cap on the points at which δ is enclosed."""
_FAR = 1000.0
"""Ratio of the ends of the bracket beyond which the lower end is ignored."""
Seen = tuple[Enclosure, Proved]
Side = Literal["upper", "lower"]
_OTHER: dict[Side, Side] = {"upper": "lower", "lower": "upper"}


@dataclass
class Looks:
    """δ of one loss at single points; the engine that answered last is asked first."""

    loss: ComposedLoss
    target: Fraction | None
    favourite: str | None = None
    work: Work | None = None
    groups: dict[Side, "Looks"] = field(default_factory=dict)

    @property
    def many(self) -> bool:
        """Whether there are so many laws that they are put into groups."""
        laws = [law for law, _ in self.loss.factors]
        return len(laws) > _MANY and not all(isinstance(law, GaussianMixtureLaw) for law in laws)

    def by_groups(self, point: Fraction, first: Side) -> Seen:
        """δ of the loss, bounded on the side ``first`` by that of a loss with few laws.

        The other side is bounded, too, unless the first bound excludes the target.
        """
        parts: list[Proved] = []
        for side in (first, _OTHER[first]):
            other, places = grouped(self.loss, _GROUPS, side)
            looks = self.groups.setdefault(side, Looks(other, self.target))
            parts.append(Dominated(self.loss, point, places, looks.at(point)[1], side))
            statement = between(*parts)
            found = look(statement)
            if self.target is None or self.target not in found:
                break
        return found, statement

    def at(self, point: Fraction) -> Seen:
        """δ to one digit, or with fewer if that excludes the target. Raises NoConvergence."""
        trouble = NoConvergence("no engine is left")
        for work, names in self._turns():
            spend()
            try:
                with allowance(work):
                    found = settle(
                        self.loss, "delta", point, 1, names=names, excludes=self.target, last=self.work
                    )
            except (NoConvergence, ArithmeticError, ValueError) as reason:
                trouble, self.work = NoConvergence(str(reason)), None
                continue
            self.favourite, self.work = found.enclosure.engine, found.work
            return found.enclosure, found.statement
        raise trouble

    def _turns(self) -> Iterator[tuple[float, Sequence[str]]]:
        """Counted seconds, and the engines that may take them: the last one, or that of many laws; then the
        cheapest one; then each alone.
        """
        if self.favourite in ENGINES:
            yield _WORK[1], (self.favourite,)
        elif len(self.loss.factors) > _MANY:
            yield _WORK[-1], tuple(name for name, engine in ENGINES.items() if engine.many_laws)
        yield _FIRST, tuple(ENGINES)
        for work in _WORK:
            for name in ENGINES:
                yield work, (name,)


def points(looks: Looks, low: Fraction, high: Fraction) -> Iterator[Seen]:
    """δ at the points that narrow the bracket [low, high] of ε(target) most. Raises NoConvergence."""
    target = looks.target
    assert target is not None  # ε is asked for
    found = Search(looks.loss, target, low=low, high=high)
    found.point, found.rate = _first(looks.loss, log_of(target), float(low), float(high))
    for _ in range(_POINTS):
        point = _next(float(found.point), float(low), float(high))
        if point is None:
            return
        at = rounded(Fraction(point), 40)
        side: Side = "upper" if at > found.point else "lower"
        yield (seen := looks.by_groups(at, side) if looks.many else looks.at(at))
        value, found.point = seen[0], at
        if value.lower > target:
            low = max(low, at)
        elif value.upper <= target:
            high = min(high, at)
        if target not in value:  # else it is near
            found.low, found.high, found.last = low, high, None
            found.move(value, 0)


def _first(loss: ComposedLoss, goal: float, low: float, high: float) -> tuple[Fraction, float | None]:
    """Estimate of ε in (low, high), and −d log δ/dε there (None: unknown).

    By a saddle point, or by convolution in floats where sampling is rare.
    """
    point, rate = Fraction(0), 0.0
    with suppress(NoConvergence, NotSupported, ArithmeticError, ValueError):
        point, rate = saddle_guess(loss, goal)
        point, rate = in_floats(loss, goal, point, rate) or (point, rate)
    if max(low, high / _FAR) < point < high:
        return point, rate
    return Fraction(_middle(low, high)), None


def _middle(low: float, high: float) -> float:
    return math.sqrt(max(low, high / _FAR) * high)


def _next(root: float, low: float, high: float) -> float | None:
    """A point on that side of the root where the bracket is wider; None if it is narrow enough."""
    if high - low <= _NARROW * high:
        return None
    if not low < root < high:
        root = _middle(low, high)
    below, above = root * (1 - _APART), root * (1 + _APART)
    if below - low < high - above and high - above > _APART * root:
        return above
    return below if below > low else above if above < high else _middle(low, high)
