"""δ(ε) or P(S ≥ ε) of a composed loss, δ_∞ included, by one engine."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.balls.clock import spend
from pldverify.balls.memory import remembered
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved, probability
from pldverify.reference.engines.evaluator import VALUE, Work, uncounted
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
        spend(VALUE)  # also for what is remembered, or the work would depend on what was asked before
        return _ends(self.work, self.epsilon, self.bits)

    def errors(self) -> dict[str, arb]:
        with working(self.bits):
            return self.work.errors(self.epsilon)


@remembered(256)
def _ends(work: Work, epsilon: Fraction, bits: int) -> tuple[Bound, Bound]:
    """What is proved, remembered: a search looks at the ends of each point many times."""
    with working(bits):
        return probability(work.loss.infinite_mass() + uncounted(work, epsilon))
