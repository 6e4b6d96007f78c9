"""Outcomes of about a given loss, in floats."""

import math

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw


def outcome(law: GaussianMixtureLaw | SubstituteGaussianLaw, loss: float) -> float:
    """x with about that loss > 0, in direction ``remove``."""
    c = 1 / float(law.noise_multiplier) if isinstance(law, GaussianMixtureLaw) else float(law.shift)
    return (math.log1p(math.expm1(loss) / float(law.q)) + c * c / 2) / c
