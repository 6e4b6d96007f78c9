r"""Conversions of (α, τ)-Rényi DP to (ε, δ)-DP in double precision, elementwise over a grid of orders.

- Mironov 2017, Proposition 3: :math:`\delta = e^{(\alpha-1)(\tau-\varepsilon)}`.
- Canonne, Kamath, Steinke 2020, Proposition 12, which is Balle et al. 2020, Theorem 21, in another form:
  :math:`\delta = \frac{e^{(\alpha-1)(\tau-\varepsilon)}}{\alpha-1}\left(1-\frac1\alpha\right)^\alpha`.
- Asoodeh et al. 2020, Theorem 2: the least δ for which every (α, τ)-RDP mechanism is (ε, δ)-DP. It solves
  :math:`\tau = \varepsilon + \frac{1}{\alpha-1}\log\min_{\delta<p<1}\big[p^\alpha(p-\delta)^{1-\alpha} +
  (1-p)^\alpha(e^\varepsilon-p+\delta)^{1-\alpha}\big]`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from pldverify.accountants.single_step import LEAST

Vector = NDArray[np.float64]

_GOLDEN = (math.sqrt(5) - 1) / 2
"""Part of the interval that is left by a step of golden section."""


def mironov_delta(orders: Vector, rdp: Vector, epsilon: float) -> Vector:
    """δ(ε) by each order, not clipped to [0, 1]."""
    return _bound((orders - 1) * (rdp - epsilon))


def mironov_epsilon(orders: Vector, rdp: Vector, delta: float) -> Vector:
    """ε(δ) by each order, not clipped at 0."""
    return rdp - math.log(delta) / (orders - 1)


def canonne_delta(orders: Vector, rdp: Vector, epsilon: float) -> Vector:
    """δ(ε) by each order, not clipped to [0, 1]."""
    return _bound((orders - 1) * (rdp - epsilon + np.log1p(-1 / orders)) - np.log(orders))


def canonne_epsilon(orders: Vector, rdp: Vector, delta: float) -> Vector:
    """ε(δ) by each order, not clipped at 0."""
    return rdp + np.log1p(-1 / orders) - (math.log(delta) + np.log(orders)) / (orders - 1)


def asoodeh_delta(orders: Vector, rdp: Vector, epsilon: float) -> Vector:
    """δ(ε) by each order: bisection on log δ for the equation above; the upper end."""
    low, high = np.full_like(orders, -745.0), np.zeros_like(orders)
    for _ in range(60):
        middle = (low + high) / 2
        allowed = _least_rdp(orders, np.full_like(orders, epsilon), np.exp(middle)) <= rdp
        low, high = np.where(allowed, middle, low), np.where(allowed, high, middle)
    return _bound(high)


def asoodeh_epsilon(orders: Vector, rdp: Vector, delta: float) -> Vector:
    """ε(δ) ≥ 0 by each order: bisection between 0 and Mironov's ε; the upper end."""
    low, high = np.zeros_like(orders), np.maximum(0.0, mironov_epsilon(orders, rdp, delta))
    finite = np.isfinite(high)
    for _ in range(60):
        middle = np.where(finite, (low + high) / 2, 1.0)
        allowed = _least_rdp(orders, middle, np.full_like(orders, delta)) <= rdp
        low, high = np.where(allowed & finite, middle, low), np.where(allowed | ~finite, high, middle)
    return high


def _bound(logs: Vector) -> Vector:
    """exp, as an upper bound: no δ underflows."""
    with np.errstate(over="ignore"):
        return np.asarray(np.maximum(np.exp(logs), LEAST))


def _least_rdp(orders: Vector, epsilon: Vector, delta: Vector) -> Vector:
    """The least τ at which (ε, δ) can be met with equality; golden section in log odds of p in (δ, 1)."""

    def log_m(u: Vector) -> Vector:
        # p = δ + (1-δ) logistic(u)
        log_rest = -np.logaddexp(0.0, u)
        log_part = -np.logaddexp(0.0, -u)
        with np.errstate(divide="ignore"):
            log_gap = np.log1p(-delta) + log_part  # log(p - δ)
            log_p = np.logaddexp(np.log(delta), log_gap)
            log_other = np.log1p(-delta) + log_rest  # log(1 - p)
            # e^ε - p + δ; where e^ε overflows, ε itself is its log
            log_q_other = np.where(
                epsilon < 700, np.log(np.expm1(np.minimum(epsilon, 700)) + np.exp(log_other) + delta), epsilon
            )
        first = orders * log_p + (1 - orders) * log_gap
        return np.asarray(np.logaddexp(first, orders * log_other + (1 - orders) * log_q_other))

    left, right = np.full_like(orders, -750.0), np.full_like(orders, 40.0)
    for _ in range(50):  # to 3e-8 in u, where the minimum is flat
        a, b = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
        lower = log_m(a) < log_m(b)
        left, right = np.where(lower, left, a), np.where(lower, b, right)
    return epsilon + log_m((left + right) / 2) / (orders - 1)
