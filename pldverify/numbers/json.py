"""Numbers in JSON: exact ones as strings, infinity included, and the nearest double beside them."""

import math
from fractions import Fraction

from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import show
from pldverify.numbers.irrational import Irrational


def text(value: Bound | Irrational | None) -> str | None:
    """A string that ``Fraction`` reads back as ``value``; ``inf`` for +∞, None for None, and the expression
    for what is irrational.
    """
    if value is None:
        return None
    if isinstance(value, Irrational):
        return value.text
    return "inf" if value == math.inf else show(Fraction(value))


def double(value: Bound | Irrational | None) -> float | None:
    """The nearest double; None for None, and for +∞ and what overflows, which JSON has no number for."""
    if value is None or value == math.inf:
        return None
    try:
        return float(value)
    except OverflowError:
        return None
