"""Moments of a mean of lognormals in floats, by the integrals of ``mean_of_lognormals.py``, real axis."""

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pldverify.balls import arb
from pldverify.balls.ball import short
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.allocation import order, rays
from pldverify.reference.lemmas.mean_of_lognormals import Mean
from pldverify.reference.search.table import Cumulant

Row = NDArray[np.float64]
_HIGHEST = 40
"""Order of a moment of the ratio up to which its integral is taken; beyond, the logarithm of the moment is a
polynomial."""
_PARTS = (1.0, 0.5, 0.25, 0.125)
"""Parts of that order tried as the one from which on."""
_BITS = 50
"""Bits asked of a ray: a double has 53."""
_MOST_POINTS = 1_000_000
"""Cap on the nodes of an integral times the terms of the power, and on a quarter of its products."""
_FEW = 8
"""Factors up to which a power is a product of them."""
_LARGEST = 700.0
"""zW beyond which nothing counts."""


def moment(mean: Mean, w: float) -> Cumulant:
    """log E[R^{−w}] and its derivatives: by the integral, by those of lower orders, or by a bound."""
    spend()
    if order(Fraction(w)) <= _HIGHEST:
        with suppress(NoConvergence):
            return _integrated(mean, w)
    for part in _PARTS:  # an integral may be too dear
        points = part * np.arange(3.0, 0.0, -1.0) * (1 - _HIGHEST / 3) / 3
        with suppress(NoConvergence):
            values = [_integrated(mean, float(x))[0] for x in points]
            return _extrapolated(points, np.array(values), w)
    variance = float(1 / mean.noise_multiplier**2)  # as if the batch were revealed
    return variance * w * (w + 1) / 2, variance * (w + 0.5), variance


@np.errstate(over="ignore")
def _extrapolated(points: Row, values: Row, w: float) -> Cumulant:
    """By the cubic through 0 and these."""
    a = np.linalg.solve(points[:, None] ** np.arange(1, 4), values)
    value, slope = w * (a[0] + w * (a[1] + w * a[2])), a[0] + w * (2 * a[1] + 3 * w * a[2])
    curvature = 2 * a[1] + 6 * w * a[2]
    if not curvature > 0:
        raise NoConvergence(f"allocation: no cumulants at {w:.6g}")
    return float(value), float(slope), float(curvature)


@lru_cache(maxsize=4096)
@np.errstate(all="ignore")
def _integrated(mean: Mean, w: float) -> Cumulant:
    exact = short(w)
    w, found = float(exact), rays(mean, exact, Fraction(0), 0, _BITS)
    n, (ray,) = found.order, found.rays
    c, p = float(1 / mean.noise_multiplier), w + n
    low, unit = ray.first * ray.every - ray.half * ray.across, float(ray.unit)
    high = ray.last * ray.every + ray.half * ray.across
    terms_of_all = (ray.last - ray.first) * ray.half * (n + 1)
    if max((high - low) * (n + 1), terms_of_all / 4) > _MOST_POINTS:
        raise NoConvergence(f"allocation: no cumulants at {w:.6g}")
    z = np.minimum(np.exp(unit * np.arange(low, high + 1) - c * c / 2), _LARGEST)
    ys = unit * ray.across / c * np.arange(-ray.half, ray.half + 1)
    weights = np.exp(-ys * ys / 2)
    weights /= weights.sum()

    def averaged(values: Row) -> Row:
        """Of W, at the nodes of the ray."""
        windows = np.lib.stride_tricks.sliding_window_view(values, 2 * ray.half * ray.across + 1)
        means: Row = windows[:: ray.every, :: ray.across] @ weights
        return means

    missing, density, terms = averaged(-np.expm1(-z)), np.exp(-z), list[Row]()
    head = mean.count * np.where(missing < 0.5, np.log1p(-missing), np.log(averaged(density)))
    for j in range(1, n + 1):
        density = density * z / j
        terms.append(averaged(density))
    logs = unit * ray.every * np.arange(ray.first, ray.last + 1)
    logs += math.log(mean.count)
    log = w * logs + (head if n == 0 else _power(terms, mean.count, head) + math.lgamma(n + 1))
    log = np.nan_to_num(log, nan=-np.inf, neginf=-np.inf)
    top = float(log.max())
    if not math.isfinite(top):
        raise NoConvergence(f"allocation: no cumulants at {w:.6g}")
    shares = np.exp(log - top)
    total = float(shares.sum())
    centre = float(shares @ logs) / total
    variance = float(shares @ (logs - centre) ** 2) / total
    trigamma = float(arb(2).zeta(arb(p)))
    value = top + math.log(total * float(ray.unit * ray.every)) - math.lgamma(p)
    return value, centre - float(arb(p).digamma()), max(variance - trigamma, c * c / mean.count)


def _power(terms: list[Row], count: int, head: Row) -> Row:
    """log of the coefficient n of (Σ A_j x^j)^count, from that of order 0 and the A_j, j = 1 … n."""
    a, n = np.array(terms), len(terms)
    base = np.exp(head / count)
    if count >= max(n, _FEW):  # (Σ a_j x^j)^T = a_0^T Σ b_k x^k, all terms ≥ 0
        b = [np.ones_like(head)]
        for k in range(1, n + 1):
            rates = np.array([count * j - k + j for j in range(1, k + 1)]) / k
            b.append((rates[:, None] * a[:k] / base * np.array(b[::-1])).sum(axis=0))
        return head + np.log(b[n])
    row = np.vstack([base, a])
    found = row
    for _ in range(count - 1):
        found = np.array([(row[: k + 1] * found[k::-1]).sum(axis=0) for k in range(n + 1)])
    logs: Row = np.log(found[n])
    return logs
