"""Exponents of rationals."""

import math
from fractions import Fraction


def exponent(power: Fraction, root: Fraction) -> int:
    """The j for which root^j may be ``power``; 0 where floats can't tell ``root`` from 1."""
    size = math.log(root)
    return round(math.log(power) / size) if size else 0
