"""Numbers in JSON: exact ones as strings, infinity included, and the nearest double beside them."""

import math
from fractions import Fraction

from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import show


def text(value: Bound | None) -> str | None:
    """A string that ``Fraction`` reads back as ``value``; ``inf`` for +∞, None for None."""
    if value is None:
        return None
    return "inf" if value == math.inf else show(Fraction(value))


def double(value: Bound | None) -> float | None:
    """The nearest double; None for None, and for +∞ and what overflows, which JSON has no number for."""
    if value is None or value == math.inf:
        return None
    try:
        return float(value)
    except OverflowError:
        return None
