r"""Closed form of a single loss:
:math:`\delta(\epsilon) - \delta_\infty = P(S \ge \epsilon) - e^\epsilon Q(S \ge \epsilon)`.

The losses from ε on are a threshold event, so both probabilities come from distribution functions. A
composition of Gaussian mechanisms is one Gaussian loss (Balle and Wang 2018, Theorem 8).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pldverify.errors import NotSupported
from pldverify.reference.balls import LOG2_10, ball, working
from pldverify.reference.laws.law import Law
from pldverify.reference.product import Product


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
            first, second = self.law.tails(epsilon)
            value = first if self.name == "tail" else first - ball(epsilon).exp() * second
            return value.max(arb(0)).min(arb(1))

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters, for reading."""
        return {"precision": f"{self.bits} bits"}


def build_threshold(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Threshold:
    """Raises NotSupported unless there is exactly one loss."""
    if product.steps != 1:
        raise NotSupported(f"threshold: {product.steps} losses are not one")
    return Threshold(product.factors[0][0], quantity, int(digits * LOG2_10) + 64)
