r"""Where a strictly monotone loss passes a value, without a formula for the inverse: a proved bracket.

With :math:`A = \{t : L(t) \ge s\}` the *threshold* τ is the end of A inside the region: the lower end of A
if L increases, the upper end if L decreases; the region's own end if A is all of it, the other one if
A is empty. So τ always lies in the closed region, and a point t of the region with a proved sign of L(t) − s
cuts off the side on which τ is not. A point whose sign is not decided cuts nothing off.

Proof: L is strictly monotone on the region (an obligation of the derivation), so A is an interval that
reaches one end of the region. On the integers A is a run of integers, τ its first or last one (one step
outside the region if A is empty), and only integers are asked: between them L need not be monotone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import sympy as sp

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, dyadic
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.symbolic.lowering.to_arb import to_arb
from pldverify.symbolic.model.densities import Region

_SHARES = (Fraction(1, 2), Fraction(3, 8), Fraction(5, 8), Fraction(1, 8), Fraction(7, 8))
"""Where a bracket is split: at the first of these points whose sign is decided."""

_DOUBLINGS = 200
"""Power of 2 up to which an infinite end is searched."""

_SPARE = 600
"""Splits allowed besides one for each bit of the precision."""

Reached = Callable[[Fraction], bool | None]
"""Whether L(t) ≥ s at a point of the region; None if the precision does not tell."""


@dataclass(frozen=True)
class Bracket:
    """Points with ``low`` ≤ τ ≤ ``high``; None where nothing better than an infinite end is proved."""

    low: Fraction | None
    high: Fraction | None


def bracket(region: Region, reached: Reached, trend: int) -> Bracket:
    """The bracket of τ for real outcomes, at the working precision; ``trend`` is +1 where L increases.

    A poor start costs width, never truth: where no sign is decided the region itself comes back.
    """
    return _Search(region, reached, trend).run()


def integer_bracket(region: Region, reached: Reached, trend: int) -> Bracket:
    """The bracket of τ for integer outcomes."""
    return _IntegerSearch(region, reached, trend).run()


class _Search:
    """A bracket that only proved signs make smaller."""

    def __init__(self, region: Region, reached: Reached, trend: int) -> None:
        self.reached, self.trend = reached, trend
        self.ends = (_end(region.lower), _end(region.upper))
        self.low, self.high = _outward(self.ends[0], -1), _outward(self.ends[1], 1)

    def run(self) -> Bracket:
        for side in (-1, 1):
            self._close(side)
        for _ in range(ctx.prec + _SPARE):
            if not any(self._cut(point) for point in self._points()):
                break
        return Bracket(self.low, self.high)

    def _cut(self, point: Fraction) -> bool:
        """Use the sign at a point of the region; whether it was decided."""
        reached = self.reached(point) if self._inside(point) else None
        if reached is None:
            return False
        if reached is (self.trend == 1):
            self.high = self._high(point) if self.high is None else min(self.high, self._high(point))
        else:
            self.low = self._low(point) if self.low is None else max(self.low, self._low(point))
        return True

    def _high(self, point: Fraction) -> Fraction:
        """The largest τ, if it is not above ``point``."""
        return point

    def _low(self, point: Fraction) -> Fraction:
        """The smallest τ, if it is not below ``point``."""
        return point

    def _inside(self, point: Fraction) -> bool:
        """Whether the point is certainly inside the open region."""
        lower, upper = self.ends
        return (lower is None or surely_less(lower, ball(point))) and (
            upper is None or surely_less(ball(point), upper)
        )

    def _close(self, side: int) -> None:
        """A finite end in place of an infinite one, by steps that double, from the other end or from 0."""
        start = Fraction(0)
        if self.low is not None:
            start = Fraction(ceil(self.low))
        elif self.high is not None:
            start = Fraction(floor(self.high))
        step = Fraction(1)
        for _ in range(_DOUBLINGS):
            if (self.low if side == -1 else self.high) is not None:
                return
            self._cut(start + side * step)
            step *= 2

    def _points(self) -> Iterator[Fraction]:
        """Points strictly inside a finite bracket."""
        if self.low is not None and self.high is not None and self.low < self.high:
            low, width = self.low, self.high - self.low
            yield from (low + share * width for share in _SHARES)


class _IntegerSearch(_Search):
    """The same for the first (L increases) or last integer of A, the ends of the region among them."""

    def __init__(self, region: Region, reached: Reached, trend: int) -> None:
        super().__init__(region, reached, trend)
        if trend == 1 and self.high is not None:
            self.high += 1
        if trend == -1 and self.low is not None:
            self.low -= 1

    def _high(self, point: Fraction) -> Fraction:
        return point if self.trend == 1 else point - 1

    def _low(self, point: Fraction) -> Fraction:
        return point + 1 if self.trend == 1 else point

    def _inside(self, point: Fraction) -> bool:
        lower, upper = self.ends
        return (lower is None or surely_at_most(lower, ball(point))) and (
            upper is None or surely_at_most(ball(point), upper)
        )

    def _points(self) -> Iterator[Fraction]:
        """Integers that are not known to be in A or not; each cuts the bracket if its sign is decided."""
        if self.low is None or self.high is None:
            return
        first, last = (self.low, self.high - 1) if self.trend == 1 else (self.low + 1, self.high)
        if first <= last:
            yield from (first + floor(share * (last - first)) for share in _SHARES)
            yield last


def _end(end: sp.Expr) -> arb | None:
    return None if end.is_infinite else to_arb(end, [])()


def _outward(end: arb | None, side: int) -> Fraction | None:
    """A dyadic number at or outside a finite end."""
    if end is None:
        return None
    return dyadic(end.lower() if side == -1 else end.upper())
