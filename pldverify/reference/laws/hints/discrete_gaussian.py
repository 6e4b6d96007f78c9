"""How many terms of a sum of bells count."""

import math
from fractions import Fraction

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


def peak_of_dual(variance: Fraction, b: Fraction) -> tuple[int, int]:
    """The term next to the peak of Poisson's other sum, and terms on each side of it."""
    v = float(variance)
    return round(float(b) / (2 * math.pi * v)), reach(2 * math.pi**2 * v)
