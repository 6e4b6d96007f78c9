"""Exact numbers as decimal text, rounded to nearest or outward."""

import math
import operator
from fractions import Fraction

from pldverify.numbers.witness import Bound


def order(ratio: Fraction) -> int:
    """floor(log10(ratio)) of a positive rational, exactly."""
    guess = math.floor((ratio.numerator.bit_length() - ratio.denominator.bit_length()) * math.log10(2))
    while operator.lt(*_shifted(ratio, -guess)):
        guess -= 1
    while operator.ge(*_shifted(ratio, -guess - 1)):
        guess += 1
    return guess


def _shifted(ratio: Fraction, places: int) -> tuple[int, int]:
    """ratio · 10^places, not reduced: an end of 10⁵ digits takes minutes to reduce."""
    if places >= 0:
        return ratio.numerator * 10**places, ratio.denominator
    return ratio.numerator, ratio.denominator * 10**-places


def scientific(value: Fraction, digits: int, *, up: bool = False, down: bool = False) -> str:
    """``value`` in scientific notation with ``digits`` digits, to nearest, away from zero if ``up``, or
    towards it if ``down``.
    """
    if value == 0:
        return "0"
    sign, size = ("-" if value < 0 else ""), abs(value)
    exponent = order(size)
    numerator, denominator = _shifted(size, digits - 1 - exponent)
    integer, rest = divmod(numerator, denominator)
    half_even = (2 * rest, integer % 2) > (denominator, 0)
    integer += rest > 0 if up else half_even and not down
    if integer >= 10**digits:
        integer, exponent = integer // 10, exponent + 1
    text = str(integer)
    mantissa = text[0] + ("." + text[1:] if digits > 1 else "")
    if -4 <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{text}"
    if 0 <= exponent < digits:
        return f"{sign}{text[: exponent + 1]}{'.' + text[exponent + 1 :] if exponent + 1 < digits else ''}"
    return f"{sign}{mantissa}e{exponent}"


def outward(value: Bound, digits: int, side: int) -> str:
    """:func:`scientific` rounded up for ``side`` 1, down for −1; ``inf`` and ``-inf`` are themselves."""
    if value in (math.inf, -math.inf):
        return str(value)
    exact = Fraction(value)
    away = (exact > 0) == (side > 0)
    return scientific(exact, digits, up=away, down=not away)
