"""Estimate: a number that is believed, not proved."""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.numbers.scientific import scientific


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        """The digits that it is trusted to, from 1 to 30 of them.

        >>> Estimate(Fraction(2, 3), digits=4, method="by hand")
        Estimate(0.6667, digits=4, method='by hand')
        """
        known = math.isfinite(self.value) if isinstance(self.value, float) else True
        shown = scientific(Fraction(self.value), min(max(1, self.digits), 30)) if known else self.value
        return f"Estimate({shown}, digits={self.digits}, method={self.method!r})"

    def covers(self, value: Fraction | float) -> bool:
        """Whether ``value`` agrees with the estimate to its stated digits.

        >>> Estimate(3.1416, digits=4, method="by hand").covers(3.14159)
        True
        """
        if math.inf in (self.value, value):
            return value == self.value
        exact = Fraction(self.value)
        return abs(Fraction(value) - exact) <= abs(exact) * Fraction(1, 10**self.digits)
