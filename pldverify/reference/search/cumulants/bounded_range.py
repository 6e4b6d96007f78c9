"""Cumulants of the bounds of choices of bounded range."""

from pldverify.errors import NoConvergence
from pldverify.reference.laws.bounded_range import BoundedRangeBound
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def bounded_range(law: BoundedRangeBound, theta: float) -> Cumulant:
    if not theta > 0:
        raise NoConvergence("bounded range: moments of positive order alone are bounded")
    eta, k = float(law.eta), law.times
    if (theta + 1) * eta < 8:
        v = k * eta * eta / 4
        return v * theta * (theta + 1) / 2, v * (theta + 0.5), v
    return k * theta * eta, k * eta, 1e-9
