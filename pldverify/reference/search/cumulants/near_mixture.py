"""Cumulants of a step up to a cut."""

from pldverify.reference.laws.near_batch import NearBatchLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.laws.near_substitute import NearSubstituteLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def near_mixture(law: NearMixtureLaw | NearSubstituteLaw | NearBatchLaw, theta: float) -> Cumulant:
    from pldverify.reference.search.cumulants.near_steps import near_steps  # loads numpy

    return near_steps(law, theta)
