"""A number as printed: "8.0" may stand for any number that rounds to it."""

import re
from fractions import Fraction

from pldverify.numbers.exact import real

_DECIMAL = re.compile(r"[+-]?(\d[\d_]*)?(?:\.(\d*))?(?:[eE]([+-]?\d+))?")


def rounded_ends(text: str | int) -> tuple[Fraction, Fraction] | None:
    """The closed interval of what rounds to ``text`` at its last digit: half a unit of it on both sides.

    None for what is no decimal, which means itself. Not below 0.

    >>> [str(end) for end in rounded_ends("8.0")], rounded_ends("1/3")
    (['159/20', '161/20'], None)
    >>> rounded_ends("1.0e-5")[1] == Fraction("1.05e-5")
    True
    """
    parts = _DECIMAL.fullmatch(str(text).strip())
    if parts is None or not (parts[1] or parts[2]):
        return None
    value = real(str(text), "number")
    if not isinstance(value, Fraction):
        return None
    half = Fraction(10) ** (int(parts[3] or 0) - len(parts[2] or "")) / 2
    return max(Fraction(0), value - half), value + half
