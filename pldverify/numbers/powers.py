"""Powers of fractions with large exponents, in fixed point, rounded one way."""

from fractions import Fraction
from typing import Literal


def power(x: Fraction, times: int, bits: int, side: Literal["lower", "upper"]) -> Fraction:
    """x^``times`` for x ≥ 0, as a multiple of 2^−``bits`` on that ``side`` of it: so is every product.

    >>> from pldverify.numbers.powers import power
    >>> exact = Fraction(1, 3) ** 100
    >>> power(Fraction(1, 3), 100, 300, "lower") < exact < power(Fraction(1, 3), 100, 300, "upper")
    True
    """
    more = (1 << bits) - 1 if side == "upper" else 0
    factor = (
        -(-(x.numerator << bits) // x.denominator)
        if side == "upper"
        else (x.numerator << bits) // x.denominator
    )
    result = 1 << bits
    while times:
        if times & 1:
            result = (result * factor + more) >> bits
        factor, times = (factor * factor + more) >> bits, times >> 1
    return Fraction(result, 1 << bits)
