"""Numbers in JSON: exact ones as strings, infinity included, and the nearest double beside them."""

import math
import sys
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


def exact(**numbers: Bound | Irrational | None) -> dict[str, str | float | None]:
    """Every number by its name, and then the nearest doubles by the same names with ``_float``.

    >>> exact(lower=Fraction(1, 4), upper=math.inf)
    {'lower': '0.25', 'upper': 'inf', 'lower_float': 0.25, 'upper_float': None}
    """
    return {
        **{name: text(value) for name, value in numbers.items()},
        **{f"{name}_float": double(value) for name, value in numbers.items()},
    }


def double(value: Bound | Irrational | None) -> float | None:
    """The nearest double; None for None, and for +∞ and what overflows, which JSON has no number for."""
    if value is None or value == math.inf:
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def size(exact: str | None, double: float | None) -> float | None:
    """What a number that was written by :func:`exact` counts as in an order: its double; ∞ has none, nor has
    what is beyond doubles, which counts as the largest. None for what is not known.

    >>> size("0.25", 0.25), size("inf", None), size("1e999", None), size(None, None)
    (0.25, inf, 1.7976931348623157e+308, None)
    """
    if exact is None or double is not None:
        return double
    return math.inf if exact == "inf" else sys.float_info.max
