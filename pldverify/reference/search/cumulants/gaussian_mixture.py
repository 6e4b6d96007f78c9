"""Cumulants of the Poisson-subsampled Gaussian."""

import math
import operator
from functools import lru_cache
from itertools import chain

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant
from pldverify.reference.search.mixture import log_w, nodes_for_moments

_BLOCK = 16
"""Nodes of a table."""
_REMEMBERED = 256
"""Tables that are remembered."""
_LARGE = 500.0
"""p log w from which on 1 does not count beside w^p."""
_MANY = 500
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
    first = round(nodes[0] / eta)
    blocks = range(first // _BLOCK, (first + len(nodes)) // _BLOCK + 1)
    rows = list(chain.from_iterable(_table(c, q, eta, block) for block in blocks))
    start = first - blocks[0] * _BLOCK
    logs, halves, bases, rests = zip(*rows[start : start + len(nodes)], strict=True)
    scale = eta / math.sqrt(2 * math.pi)
    tilts = [p * s for s in logs]
    if whole and (max(tilts) < _LARGE or max(map(operator.sub, tilts, halves)) < _LARGE):
        above = [
            base * math.expm1(tilt) if tilt < _LARGE else math.exp(tilt - half) - base
            for tilt, half, base in zip(tilts, halves, bases, strict=True)
        ]
        _, curvature, _, products = _weighed([a + base for a, base in zip(above, bases, strict=True)], logs)
        rest = math.fsum(rests)
        more = scale * (math.fsum(above) - p * rest)
        return math.log1p(more), scale * (products - rest) / (1 + more), curvature
    powers = list(map(operator.sub, tilts, halves))
    peak = max(powers)
    mean, curvature, total, _ = _weighed([math.exp(power - peak) for power in powers], logs)
    return math.log(total * scale) + peak, mean, curvature


def _weighed(weights: list[float], logs: tuple[float, ...]) -> tuple[float, float, float, float]:
    """Mean and variance of the losses with these weights, the sum of the weights, and of their products."""
    total, first = math.fsum(weights), math.fsum(map(operator.mul, weights, logs))
    mean = first / total
    return (
        mean,
        math.fsum([w * (s - mean) ** 2 for w, s in zip(weights, logs, strict=True)]) / total,
        total,
        first,
    )


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
