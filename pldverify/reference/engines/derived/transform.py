r"""M(λ) at one real λ, and with it the Rényi divergence of every order α > 0.

With :math:`M(\lambda) = E[e^{\lambda S}; S < \infty]`,

.. math:: (\alpha - 1) D_\alpha(P\|Q) = \log \int p^\alpha q^{1-\alpha} = \log M(\alpha - 1).

For α < 1 the integrand vanishes where p or q does, so this holds whatever the infinite losses; for α ≥ 1 they
make it +∞. Pairs without common support have
:math:`D_\alpha = \infty` for all α. The limits are :math:`D_1 = E[S]`, the Kullback–Leibler divergence, and
:math:`D_\infty`, the largest loss, as the ess sup of S (van Erven and Harremoës 2014, Theorems 5 and 6).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.moments import mean
from pldverify.reference.engines.derived.question import OfLoss, Proved
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class RenyiDivergence(Proved):
    """Of ``order`` α in (0, ∞], in nats; ``bits`` of precision, and for α = 1 a ``step`` as in the mean's."""

    loss: ComposedLoss
    order: Bound
    bits: int
    step: Fraction = Fraction(0)

    engine = "transform"

    @property
    def about(self) -> ComposedLoss:
        return self.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return "rdp", self.order

    def prove(self) -> tuple[Bound, Bound]:
        if not self.order > 0:
            raise NoConvergence("transform: a Rényi divergence has an order above 0")
        lost = [law.infinite_mass for law, _ in self.loss.factors]
        if 1 in lost or (self.order >= 1 and any(lost)):
            return math.inf, math.inf
        exact = None if self.order == math.inf else self.loss.exact_divergence(Fraction(self.order))
        if exact is not None:
            return exact, exact
        with working(self.bits):
            value = self._value()
        if value is None:
            return math.inf, math.inf
        return max(Fraction(0), lower(value)), upper(value)

    def _value(self) -> arb | None:
        """At the working precision; None for +∞."""
        if self.order == 1:
            return mean(self.loss, self.step)
        if self.order == math.inf:
            return self.loss.largest_finite_loss()
        lam = Fraction(self.order) - 1
        return self.loss.log_moment(lam) / ball(lam)


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
