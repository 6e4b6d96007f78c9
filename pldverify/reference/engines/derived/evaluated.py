"""δ(ε) or P(S ≥ ε) of a composed loss, δ_∞ included, by one engine."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved, probability
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class Evaluated(Proved):
    """``work`` at ``epsilon``; ``bits`` is the precision of δ_∞."""

    work: Work
    epsilon: Fraction
    bits: int

    @property
    def engine(self) -> str:
        return self.work.name

    @property
    def about(self) -> ComposedLoss:
        return self.work.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return self.work.quantity, self.epsilon

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            return probability(self.work.loss.infinite_mass() + self.work.value(self.epsilon))

    def errors(self) -> dict[str, arb]:
        with working(self.bits):
            return self.work.errors(self.epsilon)
