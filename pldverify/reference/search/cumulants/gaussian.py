"""Cumulants of Gaussian losses."""

from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def gaussian(law: GaussianLaw, theta: float) -> Cumulant:
    v = float(law.variance)
    return v * theta * (theta + 1) / 2, v * (theta + 0.5), v
