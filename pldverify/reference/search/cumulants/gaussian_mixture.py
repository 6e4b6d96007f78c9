"""Cumulants of the Poisson-subsampled Gaussian."""

import math
import operator

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.gaussian_mixture import nodes_for_moments
from pldverify.reference.laws.hints.log_concave import log_w
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

_MANY = 150
"""Nodes that are worth loading numpy for."""


@cumulant.register
def gaussian_mixture(law: GaussianMixtureLaw, theta: float) -> Cumulant:
    c, q = 1 / float(law.noise_multiplier), float(law.q)
    if law.direction == "remove":
        return of_power(c, q, theta + 1)
    value, slope, curvature = of_power(c, q, -theta)
    return value, -slope, curvature


def of_power(c: float, q: float, p: float) -> Cumulant:
    """log E[w^p] and its derivatives in p.

    As E[w] = 1, E[w^p] − 1 = E[w^p − 1 − p(w − 1)], whose integrand has one sign: a few nodes give it
    accurately however near to 0 it is. Likewise E[w^p log w] = E[w^p log w − (w − 1)].
    """
    nodes, eta, whole = nodes_for_moments(c, q, p)
    if whole and len(nodes) > _MANY:
        from pldverify.reference.search.cumulants.gaussian_mixtures import at_nodes  # loads numpy

        return at_nodes(c, q, p, nodes, eta)
    logs = [log_w(c, q, x) for x in nodes]
    powers = [p * s - x * x / 2 for s, x in zip(logs, nodes, strict=True)]
    peak = max(0.0, max(powers) - 500)  # what is subtracted matters only without it
    weights = [math.exp(power - peak) for power in powers]
    scale, total = eta / math.sqrt(2 * math.pi), math.fsum(weights)
    first = math.fsum(map(operator.mul, weights, logs))
    mean = first / total
    curvature = math.fsum(w * (s - mean) ** 2 for w, s in zip(weights, logs, strict=True)) / total
    if peak or not whole:
        return math.log(total * scale) + peak, mean, curvature
    rests = [_excess(c, q, x) for x in nodes]
    above = [
        (math.exp(-x * x / 2) * math.expm1(p * s) if abs(p * s) < 1 else w - math.exp(-x * x / 2)) - p * rest
        for w, s, x, rest in zip(weights, logs, nodes, rests, strict=True)
    ]
    more = scale * math.fsum(above)
    return math.log1p(more), scale * (first - math.fsum(rests)) / (1 + more), curvature


def _excess(c: float, q: float, x: float) -> float:
    """e^{−x²/2}(w − 1)."""
    exponent = c * x - c * c / 2
    if exponent > 30:
        return q * (math.exp(-((x - c) ** 2) / 2) - math.exp(-x * x / 2))
    return q * math.exp(-x * x / 2) * math.expm1(exponent)
