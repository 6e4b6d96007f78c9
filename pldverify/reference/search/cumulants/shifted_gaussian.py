"""Cumulants of a batch of fixed size under replace-one."""

from fractions import Fraction

from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant
from pldverify.reference.search.cumulants.smooth import smooth


@cumulant.register
def shifted_gaussian(law: ShiftedGaussianLaw, theta: float) -> Cumulant:
    if not isinstance(law.draws, Fraction):
        return smooth(law, theta)
    from pldverify.reference.search.cumulants.near_steps import batches  # loads numpy

    return batches(law, theta)
