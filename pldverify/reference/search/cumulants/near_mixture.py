"""Cumulants of a step up to a cut, which bounds the nodes of every tilt."""

from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant
from pldverify.reference.search.cumulants.smooth import with_nodes_of


@cumulant.register
def near_mixture(law: NearMixtureLaw, theta: float) -> Cumulant:
    return with_nodes_of(law, 0.0, theta)
