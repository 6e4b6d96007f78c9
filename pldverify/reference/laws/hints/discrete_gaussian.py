"""How many terms of a sum of bells count."""

import math

from pldverify.balls import ctx
from pldverify.errors import NoConvergence

MAX_TERMS = 400_000
"""Cap on the terms of a sum over outcomes."""


def reach(rate: float) -> int:
    """Terms on each side of the peak of e^{−rate x²} for the working precision."""
    found = math.ceil(math.sqrt((ctx.prec + 16) * math.log(2) / rate)) + 1
    if found > MAX_TERMS:
        raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
    return found


def dual_reach(variance: float) -> int:
    """The same for the bells of Poisson's other sum, of rate 2π²σ², whose peak is at most some 1/2 away."""
    rate = 2 * math.pi**2 * variance
    return max(0, math.ceil(math.sqrt((ctx.prec + 16) * math.log(2) / rate) - 0.5))
