"""Cumulants under replace-one: as of a step up to a cut beyond which nothing counts, with numpy."""

import math
from fractions import Fraction

from pldverify.errors import NoConvergence
from pldverify.reference.laws.near_batch import NearBatchLaw
from pldverify.reference.laws.near_substitute import NearSubstituteLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant
from pldverify.reference.search.cumulants.smooth import smooth

_REACH, _FARTHEST = 10.0, 1e4
"""Deviations beyond the mode of the largest losses, and the farthest cut."""


@cumulant.register
def substitute(law: SubstituteGaussianLaw, theta: float) -> Cumulant:
    if theta < -0.5:  # x → −x turns θ into −1 − θ, and losses into their negatives
        return _turned(substitute(law, -1 - theta))
    return cumulant(NearSubstituteLaw(law, _cut(float(law.shift), theta)), theta)


@cumulant.register
def batch(law: ShiftedGaussianLaw, theta: float) -> Cumulant:
    if not isinstance(law.draws, Fraction):
        return smooth(law, theta)
    if theta < -0.5:
        return _turned(batch(law, -1 - theta))
    return cumulant(NearBatchLaw(law, _cut(float(law.shift), theta)), theta)


def _turned(of_other: Cumulant) -> Cumulant:
    value, slope, curvature = of_other
    return value, -slope, curvature


def _cut(c: float, theta: float) -> Fraction:
    """A power of √2 beyond all that counts, so that its nodes serve many tilts."""
    least = c * (theta + 1) + c + _REACH
    if least > _FARTHEST:
        raise NoConvergence(f"tilt {theta:.3g} is too large for this law")
    return Fraction(2.0 ** (math.ceil(2 * math.log2(least)) / 2))
