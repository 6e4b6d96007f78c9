"""Cumulants of a pair of densities that a user wrote."""

from pldverify.reference.laws.density_pair import DensityPairLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def density_pair(law: DensityPairLaw, theta: float) -> Cumulant:
    return law.balls().cumulant(theta)
