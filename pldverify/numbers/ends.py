"""The two ends of an interval: Fractions, or ±∞ as a float."""

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Real

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief, rational
from pldverify.numbers.witness import Bound

Ends = tuple[Bound, Bound]


def infinite(value: Bound) -> bool:
    """Whether an end is ±∞; ``math.isinf`` would make a double of a Fraction, which may overflow."""
    return isinstance(value, float) and math.isinf(value)


def read(lower: object, upper: object) -> Ends:
    """Two ends that a user gives. Raises InvalidInput unless lower <= upper."""
    low, high = _exact(lower, "lower"), _exact(upper, "upper")
    if not low <= high:
        raise InvalidInput(f"lower must be at most upper, got lower={brief(lower)}, upper={brief(upper)}")
    return low, high


def point(value: object) -> Ends | None:
    """A number as an interval; None for what is no number, and for booleans. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, str | Decimal | Real):
        return None
    exact = _exact(value, "operand")
    return exact, exact


def _exact(value: object, name: str) -> Bound:
    """A number, exactly, or ±∞. Raises InvalidInput."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, float) and math.isinf(value):
        return value
    return rational(value, name)


def width(ends: Ends) -> Bound:
    """upper − lower: 0 where both are the same infinity."""
    low, high = ends
    if low == high:
        return Fraction(0)
    return math.inf if infinite(low) or infinite(high) else high - low


def midpoint(ends: Ends) -> Bound:
    """(lower + upper) / 2; the infinite end where one is infinite, 0 where they are −∞ and ∞."""
    low, high = ends
    if infinite(low) or infinite(high):
        return Fraction(0) if low == -high else low if infinite(low) else high
    return (Fraction(low) + Fraction(high)) / 2
