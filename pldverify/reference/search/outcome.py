"""Outcomes of about a given loss, in floats."""

import math
from fractions import Fraction

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.sampled import Sampled

Jumping = Sampled | PoissonDiscreteGaussianLaw
"""Laws with rare losses that may be large."""


def shift_and_q(law: Jumping) -> tuple[float, float]:
    """Shift c, in standard deviations of the noise, and sampling probability q."""
    if isinstance(law, PoissonDiscreteGaussianLaw):
        return law.sensitivity / math.sqrt(law.variance), float(law.q)
    if isinstance(law, GaussianMixtureLaw):
        return 1 / float(law.noise_multiplier), float(law.q)
    if isinstance(law, GaussianPairLaw):
        return float(law.shift), float(law.drawn or 1)
    return float(law.shift), float(law.draws) if isinstance(law.draws, Fraction) else 1.0


def outcome(law: Jumping, loss: float) -> float:
    """x whose loss is about ``loss`` > 0 nats, in direction ``remove``."""
    c, q = shift_and_q(law)
    if not isinstance(law, GaussianPairLaw):
        return (math.log1p(math.expm1(loss) / q) + c * c / 2) / c
    # X = e^{cx} solves aX² + (1 − q)(1 − e^s)X − ae^s = 0, a = q e^{−c²/2}
    half = (1 - q) * math.expm1(loss) / (2 * q) * math.exp(c * c / 2)
    return math.log(half + math.hypot(half, math.exp(loss / 2))) / c
