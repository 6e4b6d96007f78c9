"""Intervals as decimal text that claims nothing beyond them."""

import math
import sys
from fractions import Fraction

from pldverify.numbers.ends import Ends, infinite, midpoint, width
from pldverify.numbers.exact import show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.scientific import order, outward, scientific
from pldverify.numbers.witness import Bound

_MOST_SHOWN = 1000
"""Cap on the digits of a midpoint."""
_ENDS = 6
"""Digits of the ends in ``[lower, upper]``."""
_TELLING = 2
"""Digits that both ends must share for a midpoint to be shown instead of them."""
_BRIEF = 17
"""Digits that identify a double."""


def digits(ends: Ends) -> int | float:
    """Significant digits that both ends share: floor(−log10(radius / |midpoint|)), ∞ if exact, ≥ 0."""
    if ends[0] == ends[1]:
        return math.inf
    middle, gap = midpoint(ends), width(ends)
    if infinite(gap) or not middle:
        return 0
    return max(0, order(2 * abs(Fraction(middle)) / Fraction(gap)))


def decimal(ends: Ends) -> str:
    """Text whose interval contains [lower, upper]: ``m ± r`` with the proved digits, 1000 at most; both ends
    where fewer than two are proved, unless 0 lies between them.
    """
    return centred(ends)[0]


def centred(ends: Ends, most: int = _MOST_SHOWN) -> tuple[str, Bound, Bound]:
    """:func:`decimal` with ``most`` digits at most, and the ends that it says."""
    gap, shared = width(ends), digits(ends)
    if infinite(ends[0]) and not gap:
        return str(ends[0]), *ends
    if infinite(gap) or (shared < _TELLING and not ends[0] < 0 < ends[1]):
        low, high = outward(ends[0], _ENDS, -1), outward(ends[1], _ENDS, 1)
        return f"[{low}, {high}]", read(low), read(high)
    lower, upper, middle = Fraction(ends[0]), Fraction(ends[1]), Fraction(midpoint(ends))
    if middle == 0 and gap == 0:
        return "0", Fraction(0), Fraction(0)
    shown = min(30 if math.isinf(shared) else max(1, int(shared)), most)
    text = scientific(middle, shown)
    centre = Fraction(text)
    radius = max(upper - centre, centre - lower)
    if radius == 0:
        return text, centre, centre
    around = scientific(radius, 2, up=True)
    return f"{text} ± {around}", centre - Fraction(around), centre + Fraction(around)


def read(text: str) -> Bound:
    """The number that :func:`outward` has printed."""
    return float(text) if text.endswith("inf") else Fraction(text)


def pair(ends: Ends) -> str:
    """``[lower, upper]``, both rounded outward."""
    return f"[{outward(ends[0], _ENDS, -1)}, {outward(ends[1], _ENDS, 1)}]"


def brief_interval(ends: Ends) -> str:
    """For an error message: one number where the interval is one."""
    if ends[0] != ends[1]:
        return pair(ends)
    return number(ends[0])


def number(value: Bound | Irrational) -> str:
    """Exactly if that is short, else the nearest decimal of 17 digits, as many as a double needs; what is
    irrational as it was given.
    """
    if isinstance(value, Irrational):
        return value.text
    if infinite(value):
        return str(value)
    exact = show(Fraction(value))
    return exact if len(exact) <= _BRIEF else scientific(Fraction(value), _BRIEF)


AS_DOUBLE = " (as a double)"
"""Stands behind a short decimal where the double next to it is meant."""


def told(value: Bound | Irrational) -> str:
    """As :func:`number`; a double that was meant, in the digits that tell it.

    >>> told(Fraction("1e-5")), told(Fraction(1e-5)), told(Fraction(0.5)), told(Fraction(1, 60))
    ('1e-5', '1e-5 (as a double)', '0.5', '1/60')
    """
    meant = as_double(value)
    return number(value) if meant is None else f"{show(meant)}{AS_DOUBLE}"


def as_double(value: Bound | Irrational) -> Fraction | None:
    """The shortest decimal that is read as this double; None for what is no double, or is that decimal.

    >>> as_double(Fraction(0.1)), as_double(Fraction("0.1")), as_double(Fraction(0.5))
    (Fraction(1, 10), None, None)
    """
    if isinstance(value, Irrational) or infinite(value) or abs(Fraction(value)) > sys.float_info.max:
        return None
    double = float(value)
    meant = Fraction(repr(double))
    return None if meant == value or Fraction(double) != value else meant


def error_line(ends: Ends) -> str | None:
    """How far the true value can be from the midpoint; None where nothing is to be said."""
    gap = width(ends)
    if infinite(gap) or not gap:
        return None
    return f"all errors together: at most ±{scientific(Fraction(gap) / 2, 2, up=True)}"
