"""Cumulants of the Poisson-subsampled Gaussian."""

import math
import operator
from functools import lru_cache
from itertools import chain

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.gaussian_mixture import nodes_for_moments
from pldverify.reference.laws.hints.log_concave import log_w
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

_BLOCK, _REMEMBERED = 16, 256
"""Nodes of a table, and tables."""


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
    first = round(nodes[0] / eta)
    blocks = range(first // _BLOCK, (first + len(nodes)) // _BLOCK + 1)
    rows = list(chain.from_iterable(_table(c, q, eta, block) for block in blocks))
    start = first - blocks[0] * _BLOCK
    logs, halves, bases, rests = zip(*rows[start : start + len(nodes)], strict=True)
    powers = [p * s - half for s, half in zip(logs, halves, strict=True)]
    peak = max(0.0, max(powers) - 500)  # what is subtracted matters only without it
    weights = [math.exp(power - peak) for power in powers]
    scale, total = eta / math.sqrt(2 * math.pi), math.fsum(weights)
    first_moment = math.fsum(map(operator.mul, weights, logs))
    mean = first_moment / total
    curvature = math.fsum([w * (s - mean) ** 2 for w, s in zip(weights, logs, strict=True)]) / total
    if peak or not whole:
        return math.log(total * scale) + peak, mean, curvature
    above = [
        (base * math.expm1(p * s) if abs(p * s) < 1 else w - base) - p * rest
        for w, s, base, rest in zip(weights, logs, bases, rests, strict=True)
    ]
    more = scale * math.fsum(above)
    return math.log1p(more), scale * (first_moment - math.fsum(rests)) / (1 + more), curvature


@lru_cache(maxsize=_REMEMBERED)
def _table(c: float, q: float, eta: float, block: int) -> list[tuple[float, float, float, float]]:
    """At nodes that no p moves: log w, x²/2, e^{−x²/2} and e^{−x²/2}(w − 1)."""
    xs = [eta * i for i in range(block * _BLOCK, (block + 1) * _BLOCK)]
    return [(log_w(c, q, x), x * x / 2, math.exp(-x * x / 2), _excess(c, q, x)) for x in xs]


def _excess(c: float, q: float, x: float) -> float:
    """e^{−x²/2}(w − 1)."""
    exponent = c * x - c * c / 2
    if exponent > 30:
        return q * (math.exp(-((x - c) ** 2) / 2) - math.exp(-x * x / 2))
    return q * math.exp(-x * x / 2) * math.expm1(exponent)
