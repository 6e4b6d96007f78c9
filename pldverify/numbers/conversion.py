"""Ends of an interval as numbers of other libraries, rounded outward; each is loaded when it is asked for."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from pldverify.errors import InvalidInput
from pldverify.numbers.ends import Ends, infinite
from pldverify.numbers.exact import brief, count
from pldverify.numbers.scientific import outward
from pldverify.numbers.witness import Bound

Side = Literal["lower", "upper"]
MOST_DIGITS = 4_000
"""Cap on the decimal digits of an end."""


def nearest(value: Bound) -> float:
    """The nearest double; ±∞ for what is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def to_float(ends: Ends, side: Side) -> float:
    """The largest double that is at most the lower end, or the smallest that is at least the upper one."""
    end, beyond = _end(ends, side)
    found = nearest(end)
    exact: Bound = found if math.isinf(found) else Fraction(found)
    enough = exact <= end if beyond < 0 else exact >= end
    return found if enough else math.nextafter(found, beyond * math.inf)


def to_decimal(ends: Ends, side: Side, digits: int) -> Decimal:
    """Raises InvalidInput for more than 4000 digits."""
    end, beyond = _end(ends, side)
    return Decimal(outward(end, count(digits, "digits", cap=MOST_DIGITS), beyond))


def to_mpf(ends: Ends, side: Side, digits: int) -> Any:
    """Raises InvalidInput for more than 4000 digits."""
    from mpmath import mp

    end, beyond = _end(ends, side)
    return mp.make_mpf(_raw(end, beyond, digits))


def to_iv(ends: Ends, digits: int) -> Any:
    """Raises InvalidInput for more than 4000 digits."""
    from mpmath import iv

    return iv.make_mpf((_raw(ends[0], -1, digits), _raw(ends[1], 1, digits)))


def to_arb(ends: Ends, digits: int) -> Any:
    """Raises InvalidInput for more than 4000 digits."""
    from pldverify.balls.ball import hull, working

    with working(_bits(digits)):
        return hull(*ends)


def _raw(end: Bound, beyond: int, digits: int) -> Any:
    """mpmath's tuple of an end, rounded outward."""
    from mpmath import libmp

    if infinite(end):
        return libmp.finf if end > 0 else libmp.fninf
    exact, rounding = Fraction(end), "c" if beyond > 0 else "f"
    return libmp.from_rational(exact.numerator, exact.denominator, _bits(digits), rounding)


def _bits(digits: int) -> int:
    return math.ceil(count(digits, "digits", cap=MOST_DIGITS) * math.log2(10)) + 4


def _end(ends: Ends, side: Side) -> tuple[Bound, int]:
    """An end, and which way is beyond it. Raises InvalidInput."""
    if side not in ("lower", "upper"):
        raise InvalidInput(f"side must be lower or upper, got side={brief(side)}")
    return (ends[0], -1) if side == "lower" else (ends[1], 1)
