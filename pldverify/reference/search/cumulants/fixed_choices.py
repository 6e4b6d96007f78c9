"""Cumulants of fixed choices by the exponential mechanism: those of k responses of loss ±η/2, next to it."""

import math

from pldverify.reference.laws.fixed_choices import FixedChoicesLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant, of_atoms


@cumulant.register
def fixed_choices(law: FixedChoicesLaw, theta: float) -> Cumulant:
    loss = float(law.range) / 2
    likely = -math.log1p(math.exp(-loss))
    rows = [(likely + theta * loss, loss), (likely - loss - theta * loss, -loss)]
    value, slope, curvature = of_atoms(rows)
    return law.times * value, law.times * slope, law.times * curvature
