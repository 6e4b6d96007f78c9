r"""The slope engine: a tail from δ alone, where an engine has δ and no tail.

In :math:`x = e^\epsilon` the finite part g of δ is convex, as a supremum of P(A) − xQ(A) over events A, and
its slope on the left is −Q(S ≥ ε). So over finite S, :math:`P(S \ge \epsilon) = g(\epsilon) + xQ(S \ge
\epsilon)` lies between what the secants to ε + h and from ε − h say:

.. math:: g(\epsilon) + \frac{g(\epsilon) - g(\epsilon+h)}{e^h - 1} \le P(S \ge \epsilon) \le
   g(\epsilon) + \frac{g(\epsilon-h) - g(\epsilon)}{1 - e^{-h}}

for every h > 0. Half of the digits of δ are left; where ε is an atom, the lower
bound stays below by its mass.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, clamped, working
from pldverify.errors import NoConvergence
from pldverify.reference.engines.evaluator import Evaluator, Quantity, Work
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class Parameters:
    """How δ is enclosed, h, and ``bits`` of precision."""

    delta: Work
    h: Fraction
    bits: int


class Slope(Evaluator):
    """The tail of one composed loss, from its δ."""

    engine = "slope"
    quantities = ("tail",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if p.delta.loss != loss or p.delta.quantity != "delta" or p.h <= 0:
            raise NoConvergence("slope: not the δ of the same loss, or no step")

    def value(self, epsilon: Fraction) -> arb:
        p = self.parameters
        with working(p.bits):
            after, here, before = (p.delta.value(epsilon + i * p.h) for i in (1, 0, -1))
            step = ball(p.h)
            low, high = here + (here - after) / step.expm1(), here - (before - here) / (-step).expm1()
            # both hold, and so does a tail of at least δ and at most 1
            least, most = low.lower().max(here.lower()), high.upper().min(arb(1))
            return clamped(least.union(most))

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        return {"secants": self.value(epsilon).rad(), **self.parameters.delta.errors(epsilon)}
