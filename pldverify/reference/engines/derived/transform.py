r"""M(λ) at one real λ, and with it the Rényi divergence :math:`D_\alpha = \log M(\alpha - 1)/(\alpha -
1)`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss


@dataclass(frozen=True)
class RenyiDivergence(OfLoss):
    """Of ``order`` α > 1, in nats; +∞ where the loss is infinite with positive probability."""

    bits: int

    asks = "rdp"
    engine = "transform"

    def prove(self) -> tuple[Bound, Bound]:
        if self.at <= 1:
            raise NoConvergence("transform: a Rényi divergence has an order above 1")
        if any(law.infinite_mass for law, _ in self.loss.factors):
            return math.inf, math.inf
        with working(self.bits):
            value = self.loss.log_moment(self.at - 1) / ball(self.at - 1)
        return max(Fraction(0), lower(value)), upper(value)


@dataclass(frozen=True)
class Moment(OfLoss):
    """M(λ) = E[e^{λS}; S < ∞] at λ = ``order``."""

    bits: int

    asks = "mgf"
    engine = "transform"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            value = self.loss.log_moment(self.at).exp()
        return max(Fraction(0), lower(value)), upper(value)
