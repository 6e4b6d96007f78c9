r"""M(λ) at one real λ, and with it the Rényi divergence :math:`D_\alpha = \log M(\alpha - 1)/(\alpha -
1)`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class RenyiDivergence(Proved):
    """Of ``order`` α > 1, in nats; +∞ where the loss is infinite with positive probability."""

    loss: ComposedLoss
    order: Fraction
    bits: int

    engine = "transform"

    @property
    def about(self) -> ComposedLoss:
        return self.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return "rdp", self.order

    def prove(self) -> tuple[Bound, Bound]:
        if self.order <= 1:
            raise NoConvergence("transform: a Rényi divergence has an order above 1")
        if any(law.infinite_mass for law, _ in self.loss.factors):
            return math.inf, math.inf
        with working(self.bits):
            value = self.loss.log_moment(self.order - 1) / ball(self.order - 1)
        return max(Fraction(0), lower(value)), upper(value)


@dataclass(frozen=True)
class Moment(Proved):
    """M(λ) = E[e^{λS}; S < ∞] at λ = ``order``."""

    loss: ComposedLoss
    order: Fraction
    bits: int

    engine = "transform"

    @property
    def about(self) -> ComposedLoss:
        return self.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return "mgf", self.order

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            value = self.loss.log_moment(self.order).exp()
        return max(Fraction(0), lower(value)), upper(value)
