"""Cumulants of the discrete Gaussian mechanism."""

import math

from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def discrete_gaussian(law: DiscreteGaussianLaw, theta: float) -> Cumulant:
    s, v = law.sensitivity, float(law.variance)
    total, mean, variance = _bell(s * (theta + 1), v)
    base = _bell(0.0, v)[0]
    value = s * s * theta * (theta + 1) / (2 * v) + math.log(total / base)
    return value, (2 * s * mean - s * s) / (2 * v), (s / v) ** 2 * variance


def _bell(centre: float, v: float) -> tuple[float, float, float]:
    """Sum, mean and variance of exp(−(x − centre)²/2v) over the integers."""
    if v > 9:
        return math.sqrt(2 * math.pi * v), centre, v
    reach = math.ceil(9 * math.sqrt(v)) + 1
    points = range(round(centre) - reach, round(centre) + reach + 1)
    logs = [-((x - centre) ** 2) / (2 * v) for x in points]
    peak = max(logs)
    weights = [math.exp(value - peak) for value in logs]
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, points, strict=True)) / total
    variance = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, points, strict=True)) / total
    return total * math.exp(peak), mean, variance
