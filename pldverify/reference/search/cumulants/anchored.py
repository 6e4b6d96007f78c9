"""Cumulants of a law that is seen from an anchor."""

from pldverify.reference.laws.anchored import Anchored
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def anchored(law: Anchored, theta: float) -> Cumulant:
    value, slope, curvature = cumulant(law.law, theta)
    return value - theta * float(law.anchor), slope - float(law.anchor), curvature
