r"""Closed form of a single loss:
:math:`\delta(\epsilon) - \delta_\infty = P(S \ge \epsilon) - e^\epsilon Q(S \ge \epsilon)`.

The losses from ε on are a threshold event, so both probabilities come from distribution functions. A
composition of Gaussian mechanisms is one Gaussian loss (Balle and Wang 2018, Theorem 8).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, clamped, working
from pldverify.errors import NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import with_tails


@dataclass(frozen=True)
class Parameters:
    """``bits`` of precision."""

    bits: int


class Threshold(Evaluator):
    """δ or the tail of one law."""

    engine = "threshold"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        if loss.steps != 1:
            raise NotSupported(f"threshold: {loss.steps} losses are not one")
        self.law = loss.factors[0][0]

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            first, second = with_tails(self.law).tails(epsilon)
            return clamped(first if self.quantity == "tail" else first - ball(epsilon).exp() * second)
