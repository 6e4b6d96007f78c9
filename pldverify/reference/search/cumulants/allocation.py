"""Cumulants of random allocation."""

from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def allocation(law: AllocationLaw, theta: float) -> Cumulant:
    from pldverify.reference.search.allocation_moments import moment  # numpy is loaded where it is needed

    sign = -1 if law.direction == "remove" else 1
    w = -1 - theta if sign < 0 else theta
    value, slope, curvature = moment(law.mean, w)
    return value, sign * slope, curvature
