"""Estimate: a number that is believed, not proved."""

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Estimate:
    """A value without a proof.

    >>> import pldverify as pv
    >>> float(pv.quadrature.delta(pv.Gaussian(1), epsilon=1))
    0.1269367375...

    Attributes:
        value: the number itself, exact as it was computed; ``math.inf`` stands for +∞.
        digits: significant digits that it is trusted to.
        method: how it was obtained.
    """

    value: Fraction | float
    digits: int
    method: str

    def __float__(self) -> float:
        return float(self.value)

    def covers(self, value: Fraction | float) -> bool:
        """Whether ``value`` agrees with the estimate to its stated digits.

        >>> Estimate(3.1416, digits=4, method="by hand").covers(3.14159)
        True
        """
        if math.inf in (self.value, value):
            return value == self.value
        exact = Fraction(self.value)
        return abs(Fraction(value) - exact) <= abs(exact) * Fraction(1, 10**self.digits)
