"""exp and log of an interval, rounded outward: both increase, so their ends are those of balls at the ends.

A ball has 64 bits beyond what the width of the interval is worth, and at least 128: a poor precision would
cost width, never truth.
"""

from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import InvalidInput
from pldverify.numbers.ends import Ends, infinite, width
from pldverify.numbers.presentation import brief_interval
from pldverify.numbers.witness import Bound

_LEAST = 128
"""Least precision, in bits."""
_SPARE = 64
"""Bits beyond those that tell the ends of the interval apart."""
_MOST = 100_000
"""Cap on the precision, in bits; it bounds time."""


def exp(ends: Ends) -> Ends:
    """e^x; 0 at −∞, rounded to what ends of enclosures can be: see ``balls.ball.SMALLEST``."""
    low, high = _increasing(lambda x: x.exp(), ends)
    return max(Fraction(0), low), high


def log(ends: Ends) -> Ends:
    """log x; −∞ at 0. Raises InvalidInput for negative numbers."""
    if ends[0] < 0:
        raise InvalidInput(f"log needs numbers >= 0, got {brief_interval(ends)}")
    return _increasing(lambda x: x.log(), ends)


def _increasing(function: Callable[[arb], arb], ends: Ends) -> Ends:
    with working(_bits(ends)):
        low, high = (_at(function, end) for end in ends)
        return lower(low), upper(high)


def _at(function: Callable[[arb], arb], end: Bound) -> arb:
    if infinite(end):
        return function(arb.pos_inf() if end > 0 else arb.neg_inf())
    return function(ball(Fraction(end)))


def _bits(ends: Ends) -> int:
    """Precision that separates the ends, relative to their size, with ``_SPARE`` bits more."""
    gap = width(ends)
    if not gap or infinite(gap):
        return _LEAST
    ratio = max(Fraction(1), abs(Fraction(ends[0])), abs(Fraction(ends[1]))) / Fraction(gap)
    return min(_MOST, max(_LEAST, ratio.numerator.bit_length() - ratio.denominator.bit_length() + _SPARE))
