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
