r"""Closed form of a single loss:
:math:`\delta(\epsilon) - \delta_\infty = P(S \ge \epsilon) - e^\epsilon Q(S \ge \epsilon)`.

The losses from ε on are a threshold event, so both probabilities come from distribution functions. A
composition of Gaussian mechanisms is one Gaussian loss (Balle and Wang 2018, Theorem 8).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, ball, clamped, working
from pldverify.errors import NotSupported
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.law import Law, with_tails
from pldverify.reference.search.offer import Offer


@dataclass(frozen=True)
class Threshold:
    """δ or the tail of one law, at ``bits`` bits."""

    law: Law
    name: str
    bits: int
    limit = math.inf
    engine = "threshold"

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε)."""
        with working(self.bits):
            return clamped(self._value(epsilon))

    def _value(self, epsilon: Fraction) -> arb:
        first, second = with_tails(self.law).tails(epsilon)
        return first if self.name == "tail" else first - ball(epsilon).exp() * second

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and the only error term, for reading."""
        with working(self.bits):
            return {
                "precision": f"{self.bits} bits",
                "rounding": self._value(epsilon).rad().str(3, radius=False),
            }


def offer_threshold(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """Raises NotSupported unless there is exactly one loss."""
    if product.steps != 1:
        raise NotSupported(f"threshold: {product.steps} losses are not one")
    threshold = Threshold(product.factors[0][0], quantity, int(digits * LOG2_10) + 64)
    return Offer(0.0, lambda: threshold)
