"""What a proved value x lacks of 1, or a share of that."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound, Statement


@dataclass(frozen=True)
class Complement:
    """``share`` × (1 − x), where ``part`` encloses x; the share is > 0."""

    part: Statement
    share: Fraction

    @property
    def engine(self) -> str:
        return self.part.engine

    @property
    def two_sided(self) -> bool:
        """As of ``part``."""
        return bool(getattr(self.part, "two_sided", False))

    def prove(self) -> tuple[Bound, Bound]:
        low, high = self.part.prove()
        if self.share <= 0 or not 0 <= low <= high <= 1:
            raise NoConvergence("complement: not a positive share of what a probability lacks of 1")
        return self.share * (1 - Fraction(high)), self.share * (1 - Fraction(low))
