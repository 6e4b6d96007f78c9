"""Outcomes of about a given loss, in floats."""

import math
from fractions import Fraction

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw

Sampled = GaussianMixtureLaw | ShiftedGaussianLaw
"""A law whose losses above 0 are log w(x), w = 1 − q + qe^{cx − c²/2}."""


def shift_and_q(law: Sampled) -> tuple[float, float]:
    """c and q."""
    if isinstance(law, GaussianMixtureLaw):
        return 1 / float(law.noise_multiplier), float(law.q)
    return float(law.shift), float(law.draws) if isinstance(law.draws, Fraction) else 1.0


def outcome(law: Sampled, loss: float) -> float:
    """x with about that loss > 0 in direction ``remove``."""
    c, q = shift_and_q(law)
    return (math.log1p(math.expm1(loss) / q) + c * c / 2) / c
