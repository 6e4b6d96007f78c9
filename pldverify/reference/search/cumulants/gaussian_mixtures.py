"""Cumulants of many Gaussian mixtures at once: a noise schedule has a thousand of them.

What ``gaussian_mixture.py`` does for one law, with numpy, and with nodes that suit all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

Floats = NDArray[np.float64]
_BLOCK = 100
"""Laws at a time: their table of nodes stays small."""
_MOST_NODES = 2000
"""Nodes up to which all laws share them."""


@dataclass(frozen=True)
class Mixtures:
    """Laws of one direction, with columns of their 1/σ and q: to make floats of Fractions takes its time."""

    laws: Sequence[GaussianMixtureLaw]
    c: Floats
    q: Floats

    @staticmethod
    def of(laws: Sequence[GaussianMixtureLaw]) -> "Mixtures":
        columns = np.array([(1 / float(law.noise_multiplier), float(law.q)) for law in laws])
        return Mixtures(laws, columns[:, :1], columns[:, 1:])


def gaussian_mixtures(mixtures: Mixtures, theta: float) -> Floats:
    """Rows (K, K', K''), one for each law, all of one direction. Raises NoConvergence."""
    remove = mixtures.laws[0].direction == "remove"
    p = theta + 1 if remove else -theta
    low, high, eta = _bulk(float(mixtures.c.max()), float(mixtures.q.max()), p)
    if high - low > _MOST_NODES * eta:  # too many if they are to suit all laws
        return np.array([cumulant(law, theta) for law in mixtures.laws])
    x = np.arange(low, high + eta, eta)
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(mixtures.laws), _BLOCK)]
    rows = np.concatenate([_cumulants(mixtures.c[block], mixtures.q[block], p, x, eta) for block in blocks])
    return rows if remove else rows * (1.0, -1.0, 1.0)


def at_nodes(c: float, q: float, p: float, nodes: Sequence[float], eta: float) -> Cumulant:
    """log E[w^p] and its derivatives in p, from many equally spaced nodes over the bulk of φw and φw^p."""
    with np.errstate(over="ignore", under="ignore"):
        row = _cumulants(np.array([[c]]), np.array([[q]]), p, np.array(nodes), eta)
    value, slope, curvature = row[0].tolist()
    return value, slope, curvature


def _cumulants(c: Floats, q: Floats, p: float, x: Floats, eta: float) -> Floats:
    """log E[w^p] and its derivatives in p; as E[w] = 1, w − 1 may be subtracted where that helps."""
    exponent = c * x - c * c / 2
    low = np.minimum(exponent, 30.0)
    tiny = np.exp(-np.maximum(exponent, 30.0))
    logs = np.where(exponent > 30, exponent + np.log(q + (1 - q) * tiny), np.log1p(q * np.expm1(low)))
    powers = p * logs - x * x / 2
    peak = np.maximum(0.0, powers.max(axis=1, keepdims=True) - 500)
    weights, base = np.exp(powers - peak), np.exp(-x * x / 2)
    total, scale = weights.sum(axis=1, keepdims=True), eta / math.sqrt(2 * math.pi)
    first = (weights * logs).sum(axis=1, keepdims=True)
    curvature = (weights * (logs - first / total) ** 2).sum(axis=1, keepdims=True) / total
    rests = q * np.where(exponent > 30, np.exp(-((x - c) ** 2) / 2) - base, base * np.expm1(low))
    small = abs(p * logs) < 1
    above = np.where(small, base * np.expm1(np.where(small, p * logs, 0.0)), weights - base) - p * rests
    more = scale * above.sum(axis=1, keepdims=True)
    near = peak == 0
    value = np.where(near, np.log1p(np.where(near, more, 0.0)), np.log(total * scale) + peak)
    mean = np.where(near, scale * (first - rests.sum(axis=1, keepdims=True)) / (1 + more), first / total)
    return np.hstack([value, mean, curvature])


def _bulk(c: float, q: float, p: float) -> tuple[float, float, float]:
    """Ends of the bulk of φw and φw^p for every c and q up to these, and the distance of nodes there.

    For p < 0 the share y/w of w, which grows with x, is at most q at the mode pc·y/w of φw^p, as that is
    negative: that bounds the mode from below, and the curvature there.
    """
    low, high, eta = min(0.0, p * c * q) - 6.5, c * max(1.0, p) + 6.5, min(0.9, 1.2 / c)
    if p < 0:
        eta = min(eta, 0.4 / math.sqrt(1 - p * c * c * min(q, 0.25)))
    return low, high, eta
