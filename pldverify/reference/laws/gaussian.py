r"""Loss of a composition of Gaussian mechanisms: :math:`S \sim N(\mu^2/2, \mu^2)`,
:math:`\mu^2 = \sum k_i s_i^2/\sigma_i^2`.

Both directions coincide; :math:`M(z) = e^{\mu^2 z(z+1)/2}`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.clock import paced
from pldverify.balls.normal import normal_tail
from pldverify.reference.laws.law import Decay


def gaussian_tails(c: arb, s: arb) -> tuple[arb, arb]:
    """P and Q of the losses from ``s`` on, for μ = ``c`` > 0."""
    first, second = (normal_tail((s + sign * c * c / 2) / c) for sign in (-1, 1))
    return first, second


@dataclass(frozen=True)
class GaussianLaw:
    """``variance`` is μ², exact."""

    variance: Fraction
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        scale = ball(self.variance).sqrt()
        first, second = (normal_tail(ball(s + sign * self.variance / 2) / scale) for sign in (-1, 1))
        return first, second

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        half, real, height = ball(self.variance) / 2, ball(theta), ball(step)
        line = (acb(real, height * j) for j in paced(range(count + 1)))
        return [(half * z * (z + 1)).exp() for z in line]

    def decay(self, theta: Fraction) -> Decay:
        variance = ball(self.variance)
        return Decay(gauss=variance, over_u=1 / (variance * arb(1).exp()).sqrt())  # max of u e^{-vu²/2}

    def exact_divergence(self, order: Fraction) -> Fraction:
        """D_α = log M(α − 1)/(α − 1) = αμ²/2, and E[S] = μ²/2 at α = 1."""
        return order * self.variance / 2
