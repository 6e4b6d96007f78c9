r"""δ at ε < 0 from the other direction: :math:`\int(p - e^\epsilon q)_+ = 1 - e^\epsilon + e^\epsilon \int(q
- e^{-\epsilon}p)_+`, a sum of terms ≥ 0."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, hull, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction, reverse
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved, probability
from pldverify.reference.laws.composed_loss import ComposedLoss, product


@dataclass(frozen=True)
class Backwards(Proved):
    """δ(ε) of one direction from ``other``, δ(−ε) of the other one. ``bits`` of precision."""

    composition: Composition
    direction: Direction
    epsilon: Fraction
    other: Proved
    bits: int

    @property
    def engine(self) -> str:
        return self.other.engine

    @property
    def about(self) -> ComposedLoss:
        return product(self.composition, self.direction)

    @property
    def question(self) -> tuple[str, Bound]:
        return "delta", self.epsilon

    def prove(self) -> tuple[Bound, Bound]:
        asked = product(self.composition, reverse(self.direction)), ("delta", -self.epsilon)
        if (self.other.about, self.other.question) != asked:
            raise NoConvergence("backwards: not δ(−ε) of the other direction")
        with working(self.bits):
            growth = ball(self.epsilon)
            return probability(growth.exp() * hull(*self.other.prove()) - growth.expm1())

    def errors(self) -> dict[str, arb]:
        return self.other.errors()
