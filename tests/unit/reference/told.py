"""A statement that is told its ends: for tests of what follows from statements."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class Told(Proved):
    """``quantity`` of ``loss`` at ``at`` lies between ``low`` and ``high``."""

    low: Fraction
    high: Fraction
    name: str = "told"
    loss: ComposedLoss = ComposedLoss(())  # noqa: RUF009
    quantity: str = "delta"
    at: Fraction = Fraction(1)

    @property
    def engine(self) -> str:
        return self.name

    @property
    def about(self) -> ComposedLoss:
        return self.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return self.quantity, self.at

    def prove(self) -> tuple[Bound, Bound]:
        return self.low, self.high
