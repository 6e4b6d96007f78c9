"""Numbers of a finding as short decimals that claim no more than the finding does."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal


def beyond(exact: str, digits: int = 3) -> str:
    """Rounded down, of the exact text of a number > 0 that no double holds.

    >>> from pldverify.report.numerals import beyond
    >>> beyond("9" * 400), beyond("inf")
    ('9.99e399', 'inf')
    """
    if exact == "inf":
        return exact
    top, _, bottom = exact.partition("/")
    ratio = Context(prec=digits, rounding=ROUND_FLOOR).divide(Decimal(top), Decimal(bottom or 1))
    return _written(ratio, digits)


def at_least(double: float, digits: int = 3) -> str:
    """Rounded down, from below the double, whose exact number may be smaller; 0 is 0, and ∞ is."""
    if double == math.inf:
        return "inf"
    return "0" if double == 0 else _decimal(math.nextafter(double, -math.inf), digits, ROUND_FLOOR)


def at_most(double: float, digits: int = 3) -> str:
    """Rounded up, from above the double; 0 is 0."""
    return "0" if double == 0 else _decimal(math.nextafter(double, math.inf), digits, ROUND_CEILING)


def _decimal(double: float, digits: int, rounding: str) -> str:
    return _written(Context(prec=digits, rounding=rounding).create_decimal(Decimal(double)), digits)


def _written(rounded: Decimal, digits: int) -> str:
    if not rounded:
        return "0"
    if -4 <= rounded.adjusted() < digits:
        text = f"{rounded:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, exponent = f"{rounded:e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{int(exponent)}"
