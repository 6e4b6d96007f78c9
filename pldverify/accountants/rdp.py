r"""The Rényi DP accountant: MTZ19 for the sampled Gaussian, additive composition, conversion to (ε, δ).

A_α dominates B_α (MTZ19 Corollary 7), so one curve serves both directions. The order α runs over a grid and
the best (ε, δ) is kept.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, log_ndtr, logsumexp

from pldverify.accountants import rdp_to_dp
from pldverify.accountants.losses import log_odds, sigma_and_q
from pldverify.accountants.printed import Printed, Said
from pldverify.accountants.refusals import other_relation, out_of_range
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse

Vector = NDArray[np.float64]

ORDERS = (*(1 + x / 10 for x in range(1, 100)), *range(11, 65), 80, 96, 128, 192, 256, 384, 512, 1024)
"""Orders α from 1.1 to 1024: dense where the curve bends, sparse where it is straight."""

_SERIES_CAP = 2**17
"""Cap on the terms of the series of A_α."""


def log_a_integer(sigma: float, q: float, alpha: int) -> float:
    r"""log A_α for integer α ≥ 2: :math:`\sum_j \binom\alpha j (1-q)^{\alpha-j} q^j e^{(j^2-j)/2\sigma^2}`
    (MTZ19 3.3).
    """
    j = np.arange(alpha + 1)
    terms = _log_binomial(alpha, j) + j * math.log(q) + (j**2 - j) / (2 * sigma**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = terms + np.where(j < alpha, (alpha - j) * np.log1p(-q), 0.0)
    return float(logsumexp(terms))


def log_a_fractional(sigma: float, q: float, alpha: float) -> float:
    r"""log A_α for real α > 1 and q < 1, by the two series of MTZ19 3.3, summed with signs in log space.

    For j > α the terms alternate and decrease, so that the first one left out bounds what is left out; the
    sum stops where it is below 1e-15 of the total. Raises NoConvergence after 2**17 terms.
    """
    z = sigma**2 * math.log(1 / q - 1) + 0.5
    logs: list[Vector] = []
    signs: list[Vector] = []
    first, size = 0, max(64, 2 * math.ceil(alpha))
    while first < _SERIES_CAP:
        j = np.arange(first, first + size)
        binomial, sign = _log_binomial(alpha, j), _binomial_sign(alpha, j)
        i = alpha - j
        with np.errstate(over="ignore"):
            low = (
                i * math.log1p(-q) + j * math.log(q) + (j**2 - j) / (2 * sigma**2) + log_ndtr((z - j) / sigma)
            )
            high = (
                j * math.log1p(-q) + i * math.log(q) + (i**2 - i) / (2 * sigma**2) + log_ndtr((i - z) / sigma)
            )
        terms = binomial + np.logaddexp(low, high)
        logs.append(terms)
        signs.append(sign)
        total, total_sign = logsumexp(np.concatenate(logs), b=np.concatenate(signs), return_sign=True)
        if total_sign > 0 and terms[-1] <= total + math.log(1e-15):
            return float(total)
        first, size = first + size, first + size
    raise NoConvergence(
        f"series of A_alpha: goal 1e-15 of the sum, {_SERIES_CAP} terms, alpha={alpha}, q={q}"
    )


def closed_form(sigma: float, q: float, alpha: float) -> float:
    r"""MTZ19 Theorem 11: RDP of order α is at most :math:`2q^2\alpha/\sigma^2`; +∞ where its conditions fail.

    Conditions: q ≤ 1/5, σ ≥ 4, α > 1, and with :math:`\ell = \ln(1 + 1/(q(\alpha-1)))`,
    :math:`\alpha \le \sigma^2\ell/2 - 2\ln\sigma` and
    :math:`\alpha \le (\sigma^2\ell^2/2 - \ln 5 - 2\ln\sigma)/(\ell + \ln(q\alpha) + 1/(2\sigma^2))`.
    """
    if not (0 < q <= 0.2 and sigma >= 4 and alpha > 1):
        return math.inf
    ell = math.log1p(1 / (q * (alpha - 1)))
    first = sigma**2 * ell / 2 - 2 * math.log(sigma)
    second = (sigma**2 * ell**2 / 2 - math.log(5) - 2 * math.log(sigma)) / (
        ell + math.log(q * alpha) + 1 / (2 * sigma**2)
    )
    return 2 * q**2 * alpha / sigma**2 if alpha <= first and alpha <= second else math.inf


def renyi_divergence(mechanism: Mechanism, alpha: float) -> float:
    """RDP of order α > 1 of one step (nats).

    Gaussian and Laplace: Mironov 2017, Table II; randomised response: the same with KH21 6.1; sampled
    Gaussian: MTZ19. Raises InvalidInput for α ≤ 1 and for other mechanisms.
    """
    if not 1 < alpha < math.inf:
        raise InvalidInput(f"alpha must be > 1 and finite, got alpha={alpha!r}")
    parameters = sigma_and_q(mechanism)
    if parameters is not None:
        sigma, q = parameters
        if q == 1:
            return alpha / (2 * sigma**2)
        whole = float(alpha).is_integer()
        log_a = log_a_integer(sigma, q, int(alpha)) if whole else log_a_fractional(sigma, q, alpha)
        return max(0.0, log_a / (alpha - 1))
    if isinstance(mechanism, Laplace):
        a = 1 / float(mechanism.noise_multiplier)
        weights = [math.log(alpha / (2 * alpha - 1)), math.log((alpha - 1) / (2 * alpha - 1))]
        return float(np.logaddexp(weights[0] + (alpha - 1) * a, weights[1] - alpha * a)) / (alpha - 1)
    if isinstance(mechanism, RandomizedResponse):
        if not 0 < mechanism.p < 1:
            return math.inf
        p, r, tilt = float(mechanism.p), float(mechanism.other), (alpha - 1) * log_odds(mechanism)
        rest = math.log(1 - mechanism.p - mechanism.other) if mechanism.categories > 2 else -math.inf
        return max(0.0, float(logsumexp([math.log(p) + tilt, math.log(r) - tilt, rest])) / (alpha - 1))
    raise InvalidInput(f"mechanism must be one whose Rényi divergence this accountant knows, got {mechanism}")


def curve(query: Query, orders: Sequence[float]) -> Vector:
    """RDP of the composition at each order: additive (Mironov 2017, Proposition 1)."""
    return np.array(
        [
            sum(k * renyi_divergence(mechanism, alpha) for mechanism, k in query.composition.parts)
            for alpha in orders
        ]
    )


def _log_binomial(alpha: float, j: NDArray[np.int64]) -> Vector:
    """log |C(α, j)|; −∞ for integer α < j."""
    value = gammaln(alpha + 1) - gammaln(j + 1) - gammaln(alpha - j + 1)
    return np.asarray(value, dtype=np.float64)


def _binomial_sign(alpha: float, j: NDArray[np.int64]) -> Vector:
    """Sign of C(α, j): + up to j = ⌈α⌉, then alternating."""
    beyond = np.maximum(0, j - math.ceil(alpha))
    return np.where(beyond % 2 == 0, 1.0, -1.0)


@dataclass(frozen=True)
class RDP(Printed):
    """Rényi accountant over an order grid, with the conversion of Canonne, Kamath, Steinke 2020.

    Attributes:
        orders: the grid of α.
    """

    orders: tuple[float, ...] = ORDERS

    name: ClassVar[str] = "rdp/canonne-2020"
    to_delta = staticmethod(rdp_to_dp.canonne_delta)
    """δ(ε) by each order, of the orders, their divergences, and ε."""
    to_epsilon = staticmethod(rdp_to_dp.canonne_epsilon)
    """ε(δ) by each order."""

    def supports(self, query: Query) -> str | None:
        """None, or one line: a mechanism without a Rényi divergence here, ε < 0, or δ outside (0, 1)."""
        for mechanism, _ in query.composition.parts:
            if not isinstance(mechanism, Laplace | RandomizedResponse) and sigma_and_q(mechanism) is None:
                return f"no Rényi divergence for {mechanism}"
        return other_relation(query) or out_of_range(query)

    def answer(self, query: Query) -> Said:
        """The best over the orders; one number for every adjacency."""
        orders = np.array(self.orders, dtype=np.float64)
        rdp = curve(query, self.orders)
        if query.epsilon is not None:
            values = np.clip(self.to_delta(orders, rdp, float(query.epsilon)), 0.0, 1.0)
        else:
            values = np.maximum(0.0, self.to_epsilon(orders, rdp, float(query.delta or 0)))
        best = int(np.argmin(values))
        settings = {
            "orders": f"{len(orders)} from {orders.min():g} to {orders.max():g}",
            "order": f"{orders[best]:g}",
        }
        return float(values[best]), settings, None


@dataclass(frozen=True)
class RDPMironov(RDP):
    """Rényi accountant over an order grid, with the conversion of Mironov 2017, Proposition 3."""

    name: ClassVar[str] = "rdp/mironov-2017"
    to_delta = staticmethod(rdp_to_dp.mironov_delta)
    to_epsilon = staticmethod(rdp_to_dp.mironov_epsilon)


@dataclass(frozen=True)
class RDPAsoodeh(RDP):
    """Rényi accountant over an order grid, with the optimal conversion of one order, Asoodeh et al. 2020."""

    name: ClassVar[str] = "rdp/asoodeh-2020"
    to_delta = staticmethod(rdp_to_dp.asoodeh_delta)
    to_epsilon = staticmethod(rdp_to_dp.asoodeh_epsilon)
