"""Cumulants of Gaussian mixtures: up to a cut, or whole, which is up to a cut beyond which nothing counts."""

import math
from fractions import Fraction

from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_pair import Draws, GaussianPairLaw, Mixture
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant
from pldverify.reference.search.cumulants.smooth import smooth

_REACH = 10.0
"""Distance, in standard deviations of the noise, of the cut from the mode of the largest losses."""
_FARTHEST = 1e4
"""Cap on the cut, in standard deviations of the noise: bounds the nodes up to it."""


@cumulant.register
def near(law: NearLaw, theta: float) -> Cumulant:
    from pldverify.reference.search.pair_table import near_table, of_table  # loads numpy

    return of_table(*near_table(law), theta)


@cumulant.register
def pair(law: GaussianPairLaw, theta: float) -> Cumulant:
    if theta < -0.5:  # x → −x turns θ into −1 − θ, and losses into their negatives
        return _turned(pair(GaussianPairLaw(law.shift, law.second, law.first), -1 - theta))
    return near(NearLaw(law, _cut(float(law.shift) * _top(law.first), theta)), theta)


@cumulant.register
def batch(law: ShiftedGaussianLaw, theta: float) -> Cumulant:
    if not isinstance(law.draws, Fraction):
        return smooth(law, theta)
    if theta < -0.5:
        return _turned(batch(law, -1 - theta))
    return near(NearLaw(law, _cut(float(law.shift), theta)), theta)


def _turned(of_other: Cumulant) -> Cumulant:
    value, slope, curvature = of_other
    return value, -slope, curvature


def _top(mixture: Mixture) -> int:
    return mixture.m if isinstance(mixture, Draws) else mixture[-1][0]


def _cut(top: float, theta: float) -> Fraction:
    """A power of √2 beyond all that counts, so that its nodes serve many tilts."""
    least = top * (theta + 1) + top + _REACH
    if least > _FARTHEST:
        raise NoConvergence(f"tilt {theta:.3g} is too large for this law")
    return Fraction(2.0 ** (math.ceil(2 * math.log2(least)) / 2))
