"""Term: one step of a decomposition, with what a theorem promises of it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.word import Keeping

Verdict = Literal["INSIDE", "OUTSIDE", "UNDECIDED", "NO BOUND"]


@dataclass(frozen=True)
class Term:
    """One step from one problem to the next.

    Attributes:
        name: ``tail``, ``truncation``, ``periodisation``, ``discretisation``, ``rounding`` or ``margin``.
        observed: signed change of δ, enclosed.
        low, high: what the theorem promises of the change; ±inf where it promises nothing.
        theorem: which one.
    """

    name: str
    observed: Enclosure
    low: Bound
    high: Bound
    theorem: str

    @property
    def verdict(self) -> Verdict:
        """INSIDE and OUTSIDE the promise are proved; NO BOUND where nothing is promised on either side."""
        return Keeping(self._kept)  # type: ignore[return-value]  # of these words

    @property
    def _kept(self) -> Verdict:
        if self.low == -math.inf and self.high == math.inf:
            return "NO BOUND"
        if self.low <= self.observed.lower and self.observed.upper <= self.high:
            return "INSIDE"
        if self.observed.upper < self.low or self.high < self.observed.lower:
            return "OUTSIDE"
        return "UNDECIDED"

    @property
    def size(self) -> Bound:
        """A lower bound on |observed|; 0 where the sign is not known."""
        return max(Fraction(0), self.observed.lower, -self.observed.upper)
