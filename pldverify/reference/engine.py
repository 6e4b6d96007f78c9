"""Engine choice: one readable function."""

from fractions import Fraction
from typing import Literal, Protocol

from flint import arb

from pldverify.reference.balls import LOG2_10
from pldverify.reference.product import Product
from pldverify.reference.search import build
from pldverify.reference.threshold import Threshold

Quantity = Literal["delta", "tail"]


class Profile(Protocol):
    """An engine at work on one composed loss; answers for every ε, best near the one it was built for."""

    engine: str

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε)."""

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms."""


def profile(product: Product, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Profile:
    """The cheapest engine that applies, set up to give some ``digits`` digits near ``epsilon``.

    One loss: closed form. Else the contour. Raises NoConvergence where it needs too many nodes.
    """
    if len(product.factors) == 1 and product.factors[0][1] == 1:
        law = product.factors[0][0]
        return Threshold(law, quantity, int(digits * LOG2_10) + 64)
    return build(product, quantity, epsilon, digits=digits)
