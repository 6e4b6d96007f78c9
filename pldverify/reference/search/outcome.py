"""Outcomes of about a given loss, in floats."""

import math

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw


def outcome(law: GaussianMixtureLaw | SubstituteGaussianLaw | ShiftedGaussianLaw, loss: float) -> float:
    """x with about that loss > 0, in direction ``remove``; of the first component of a batch."""
    if isinstance(law, SubstituteGaussianLaw):
        return _replaced(float(law.shift), float(law.q), loss)
    if isinstance(law, ShiftedGaussianLaw):
        c, q = float(law.shift), float(law.drawn())
    else:
        c, q = 1 / float(law.noise_multiplier), float(law.q)
    return (math.log1p(math.expm1(loss) / q) + c * c / 2) / c


def _replaced(c: float, q: float, loss: float) -> float:
    """X = e^{cx} solves aX² + (1 − q)(1 − e^s)X − ae^s = 0, a = q e^{−c²/2}."""
    half = (1 - q) * math.expm1(loss) / (2 * q) * math.exp(c * c / 2)
    return math.log(half + math.hypot(half, math.exp(loss / 2))) / c
