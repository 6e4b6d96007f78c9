"""Numbers of a finding as short decimals that claim no more than the finding does."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

DIGITS = 9
"""Significant digits of a claim, and of a true value with as many proved."""


def number(exact: str | None, double: float | None, digits: int = DIGITS) -> str:
    """To nearest; the beginning of the exact text where no double holds it.

    >>> from pldverify.report.numerals import number
    >>> number("0.30000000000000004", 0.30000000000000004), number("inf", None), number("1e-400", 0.0)
    ('0.3', 'inf', '1e-400')
    """
    if exact is None and double is None:
        return "–"
    if double is not None and (double or exact in ("0", None)):
        return _decimal(double, digits, ROUND_HALF_EVEN)
    text = str(exact)
    return text if len(text) <= 24 else f"{text[:24]}…"


def at_least(double: float, digits: int = 3) -> str:
    """Rounded down, from below the double, whose exact number may be smaller; 0 is 0."""
    return "0" if double == 0 else _decimal(math.nextafter(double, -math.inf), digits, ROUND_FLOOR)


def at_most(double: float, digits: int = 3) -> str:
    """Rounded up, from above the double; 0 is 0."""
    return "0" if double == 0 else _decimal(math.nextafter(double, math.inf), digits, ROUND_CEILING)


def _decimal(double: float, digits: int, rounding: str) -> str:
    rounded = Context(prec=digits, rounding=rounding).create_decimal(Decimal(double))
    if not rounded:
        return "0"
    if -5 <= rounded.adjusted() < digits:
        text = f"{rounded:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, exponent = f"{rounded:e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{int(exponent)}"
