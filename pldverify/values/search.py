"""Search for the points of a curve that prove its least parameter, next to the truth.

Gaps where chords do not prove it for the largest parameter that a point needs, and a little more, get points,
until there are none. Nothing here proves anything: what is found is proved by who asks (``least.py``).
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from pldverify.balls.ball import ball, upper, working
from pldverify.balls.clock import clock, spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.numbers.enclosure import Bound
from pldverify.values.curves import Curve, covers, gaps
from pldverify.values.everywhere import Point
from pldverify.values.value import UNKNOWN, Value, narrower
from pldverify.values.verdict import Statement, all_hold, ends, holds

CLOSE = Fraction(1, 10**6)
"""Distance of both ends that is enough, relative to the lower one."""
_ROUNDS = 16
"""Cap on the rounds of new points."""
_POINTS = 1000
"""Cap on the points; most curves take less than 200."""
_SPLIT = 3
"""Parts that a gap is split in; any value is right."""
_NEARER = 8
"""Ratio of the points of a gap that begins at 0; any value is right."""
_NEAR = 64
"""Part of the range that is looked at first, where no parameter is known; any value is right."""
_CLOSER = Fraction(10**6 - 1, 10**6)
"""Factor on a number that a value is claimed to reach: proved to stay below the product, it does not."""
_COARSER = 12
"""Upper ends that are tried where points run out, each four times as far as the last."""
_SECONDS = 1.0
"""Processor seconds of a stage."""
_WHOLE = 2.0
"""Processor seconds of all stages."""
_STAGES = ((CLOSE, False), (Fraction(1, 4), True), (Fraction(1, 100), True))
"""Distances that are wanted in turn, and whether by rough values, where the first takes too long."""
_LARGEST = Fraction(2**300)
"""Parameter from which on no larger one is tried, nor one below its inverse; any value is right."""
_BITS = 53
"""Precision of a hint."""
_DIGITS = 60
"""Bits of a parameter that is found; any value from 30 on is right."""
_STEP = Fraction(1, 2**20)
"""First relative step from a parameter that is needed to the largest; each is four times as long."""
_FINE = Fraction(1, 2**27)
"""Relative error of that: a hundredth of what is wanted."""


def settled(value: Value, claimed: Sequence[Statement]) -> bool:
    """Whether both ends are close, or decide what is claimed."""
    lower, upper = value.ends
    if claimed and all_hold(holds(way, number, value) for way, number in claimed) is not None:
        return True
    return lower is not None and upper is not None and (lower == upper or upper <= lower * (1 + CLOSE))


def needed(
    curve: Curve, rows: Mapping[Fraction, Fraction], known: Fraction
) -> tuple[Fraction, Fraction | None]:
    """The largest parameter that values at points are proved to need, or next to it, and the point; ``known``
    and None, where none needs more.
    """
    most, worst = known, None
    for at in rows.items():
        if at[1] and (not most or curve.needs(most, at)):
            most, worst = max((most, worst), (_bisected(curve, at, most), at[0]), key=lambda found: found[0])
    return most, worst


def _bisected(curve: Curve, at: Point, low: Fraction) -> Fraction:
    """The largest parameter that a value needs, from one that it needs, or 0."""
    if not low:
        low = Fraction(1)
        while low > 1 / _LARGEST and not curve.needs(low, at):
            low /= 2
    step = _STEP
    while low < _LARGEST and curve.needs(low * (1 + step), at):
        low, step = _short(low * (1 + step)), 4 * step
    high = low * (1 + step)
    while high - low > low * _FINE:
        middle = (low + high) / 2
        low, high = (middle, high) if curve.needs(middle, at) else (low, middle)
    return _short(low)


def _short(x: Fraction) -> Fraction:
    """Rounded down to ``_DIGITS`` bits or one more, as each search begins where the last one ended."""
    shift = _DIGITS + x.denominator.bit_length() - x.numerator.bit_length()
    return Fraction(math.floor(x * Fraction(2) ** shift)) / Fraction(2) ** shift


def last_epsilon(loss: Bound, regret: Fraction, value: Value) -> Bound:
    """An ε beyond which nothing is to be looked for, from the largest loss and what is known of μ."""
    if regret:
        return min(loss, last_flat(regret))
    return 4 * max(1, value.ends[0] or 0) if loss == math.inf else loss


def last_flat(regret: Fraction) -> Fraction:
    """An ε next to that from which on E is constant, whatever μ: μz − μ²/2 ≤ z²/2, for Φ(−z) the regret."""
    with working(_BITS):
        return Fraction(upper(ball(2 * regret).erfcinv() ** 2))


class Search:
    """Values at points, and the parameters that they may prove.

    Attributes:
        values: by point.
        least: the largest parameter that is known to be needed.
        worst: the point that needs it; None where it was known before.
    """

    def __init__(self, curve: Curve, known: Bound, end: Bound, claimed: Sequence[Statement]) -> None:
        """``known``: a lower end; ``end``: the last point that is worth a look. Of what is ``claimed`` come
        parameters that are proved to be large enough, if they are, and a lower end that decides all.
        """
        self.curve, self.end = curve, end
        numbers = [(way, *ends(number)) for way, number in claimed]
        self.aims = sorted(Fraction(low) * (1 if way == "<=" else _CLOSER) for way, low, _ in numbers)
        self.enough: Bound = max((high for _, _, high in numbers), default=math.inf)
        self.values: dict[Fraction, Value] = {}
        self.least: Bound = known
        self.worst: Fraction | None = None

    def run(self) -> None:
        """Ask until both ends are close, all is decided, or the time is up."""
        with clock(_WHOLE):
            for close, rough in _STAGES:
                with suppress(NoConvergence, NotSupported), clock(_SECONDS):
                    if self._closes(close, rough) and not rough:
                        return

    def most(self) -> Fraction | None:
        """The first parameter that is proved to be large enough, of those that are tried."""
        if self.least == math.inf:
            return None
        highs = finite(self.values, 1)
        goal, _ = needed(self.curve, highs, Fraction(self.least))
        tried = [self._tried(goal, CLOSE), *(goal * (1 + CLOSE * 4**power) for power in range(1, _COARSER))]
        return next((most for most in tried if covers(self.curve, highs, most)), None)

    def _tried(self, goal: Fraction, close: Fraction) -> Fraction:
        """The least aim that may be large enough, or what is next to the largest parameter that is needed."""
        return next((aim for aim in self.aims if aim > goal), goal * (1 + close))

    def _closes(self, close: Fraction, rough: bool) -> bool:
        """Whether new points close every gap. Raises NoConvergence where the time is up."""
        points, asked = [self.curve.first], set[Fraction]()
        for _ in range(_ROUNDS):
            spend()
            asked.update(points)
            self._ask(points, rough)
            if self.least == math.inf or self.least > self.enough:
                return True
            highs = finite(self.values, 1)
            most = self._tried(needed(self.curve, highs, Fraction(self.least))[0], close)
            left = gaps(self.curve, highs, most)
            points = sorted({at for gap in left for at in self._inside(*gap)} - asked)
            if not points or len(self.values) + len(points) > _POINTS:
                return covers(self.curve, highs, most)
        return False

    def _ask(self, points: Sequence[Fraction], rough: bool) -> None:
        for point, value in zip(points, self.curve.at(points, rough), strict=True):
            self.values[point] = value = narrower(value, self.values.get(point, UNKNOWN))
            if value.ends[0] == math.inf:
                self.least, self.worst = math.inf, point
        if self.least != math.inf:
            self.least, worst = needed(self.curve, finite(self.values, 0), Fraction(self.least))
            self.worst = self.worst if worst is None else worst

    def _inside(self, first: Point, last: Point | None) -> list[Fraction]:
        """Points of a gap, its ends among them; of what is beyond the last point, one more."""
        low = first[0]
        if last is None:
            return [low, Fraction(min(4 * low or self.least or self.end / _NEAR, self.end))]
        if low == 0:  # what decides may be far nearer to 0
            return [low, *(last[0] / _NEARER**i for i in range(_SPLIT))]
        return [low + (last[0] - low) * i / _SPLIT for i in range(_SPLIT + 1)]


def finite(values: Mapping[Fraction, Value], side: int) -> dict[Fraction, Fraction]:
    """Lower (0) or upper (1) ends that are known and finite, by point."""
    found = ((point, value.ends[side]) for point, value in values.items())
    return {point: Fraction(end) for point, end in found if end is not None and end != math.inf}
