"""Exponents of rationals."""

import math
from fractions import Fraction


def exponent(power: Fraction, root: Fraction) -> int:
    """The j for which root^j may be ``power``; 0 where floats can't tell ``root`` from 1."""
    size = _log(root)
    return round(_log(power) / size) if size else 0


def _log(x: Fraction) -> float:
    """Of a number that may be beyond doubles."""
    return math.log(x.numerator) - math.log(x.denominator)
