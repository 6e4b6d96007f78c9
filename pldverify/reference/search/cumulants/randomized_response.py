"""Cumulants of binary randomised response."""

import math

from pldverify.reference.laws.randomized_response import RandomizedResponseLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def randomized_response(law: RandomizedResponseLaw, theta: float) -> Cumulant:
    size = math.log(law.p / (1 - law.p))
    up, down = math.log(law.p) + theta * size, math.log(1 - law.p) - theta * size
    peak = max(up, down)
    total = math.exp(up - peak) + math.exp(down - peak)
    share = math.exp(up - peak) / total
    return peak + math.log(total), size * (2 * share - 1), 4 * size * size * share * (1 - share)
