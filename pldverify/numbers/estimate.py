"""Estimate: a number that is believed, not proved."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Estimate:
    """A value without a proof.

    Attributes:
        value: the number itself, exact as it was computed.
        digits: significant digits that it is trusted to.
        method: how it was obtained.
    """

    value: Fraction
    digits: int
    method: str

    def __float__(self) -> float:
        return float(self.value)

    def covers(self, value: Fraction) -> bool:
        """Whether ``value`` agrees with the estimate to its stated digits."""
        return abs(value - self.value) <= abs(self.value) * Fraction(1, 10**self.digits)
