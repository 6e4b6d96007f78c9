"""Cumulants of Laplace losses: derivatives by differences."""

import math

from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def laplace(law: LaplaceLaw, theta: float) -> Cumulant:
    c = float(law.loss)
    step = 1e-3 / max(1.0, c)
    left, centre, right = (_log_moment(theta + d, c) for d in (-step, 0.0, step))
    curvature = (left - 2 * centre + right) / step**2
    return centre, (right - left) / (2 * step), max(curvature, 1e-3 * c * c * math.exp(-c))


def _log_moment(theta: float, c: float) -> float:
    y = abs((2 * theta + 1) * c / 2)
    sinhc = math.log(-math.expm1(-2 * y) / (2 * y)) + y if y > 1e-8 else 0.0
    terms = (
        math.log(0.5) + theta * c,
        math.log(0.5) - (theta + 1) * c,
        math.log(c / 2) - c / 2 + sinhc,
    )
    peak = max(terms)
    return peak + math.log(math.fsum(math.exp(term - peak) for term in terms))
