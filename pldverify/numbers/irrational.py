"""Numbers that no fraction is known to equal, such as √2 and 1/(50000 ln 50000): enclosed, never rounded.

Balls enclose such a number between two fractions, some 2^−300 of it apart (``functions.py``), and whoever
asks with it is answered for both.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput


@dataclass(frozen=True, repr=False)
class Irrational:
    """A real number, written as ``text``, with ``lower`` < it < ``upper``.

    It can be compared with rationals; where both ends don't say the same, that raises InvalidInput.
    """

    lower: Fraction
    upper: Fraction
    text: str

    @property
    def middle(self) -> Fraction:
        """A fraction next to it, for estimates."""
        return (self.lower + self.upper) / 2

    def __add__(self, other: Fraction | int) -> "Irrational":
        if not isinstance(other, Fraction | int):
            return NotImplemented  # the ends of a sum with a float would be rounded
        return Irrational(self.lower + other, self.upper + other, f"{self.text} + ({other})")

    def __sub__(self, other: Fraction | int) -> "Irrational":
        return self + -other

    def __float__(self) -> float:
        return float(self.middle)

    def __lt__(self, other: Fraction | int) -> bool:
        return self._is_below(other)

    def __le__(self, other: Fraction | int) -> bool:
        return self._is_below(other)

    def __gt__(self, other: Fraction | int) -> bool:
        return not self._is_below(other)

    def __ge__(self, other: Fraction | int) -> bool:
        return not self._is_below(other)

    def _is_below(self, other: Fraction | int) -> bool:
        if self.lower < other < self.upper:
            raise InvalidInput(f"{self.text[:40]} must be told from a number that is too near to it")
        return self.upper <= other

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Irrational({self.text!r})"
