r"""Gaussian DP by the central limit theorem (Dong, Roth, Su 2019; Bu, Dong, Long, Su 2020): an approximation.

k steps of the Poisson-subsampled Gaussian are taken for :math:`\mu`-GDP, :math:`\mu^2 = q^2 k
(e^{1/\sigma^2} - 1)` (KH21 A.3), and k Gaussians are it exactly, :math:`\mu^2 = k/\sigma^2`. Then GLW21
(10): :math:`\delta(\varepsilon) = \Phi(-\varepsilon/\mu + \mu/2) - e^\varepsilon\Phi(-\varepsilon/\mu -
\mu/2)`. The limit bounds nothing from either side: it can report less than the truth.

Two subjects print the same number: ``gdp/upper`` is the number as it is reported, "training is (ε, δ)-DP",
and ``gdp/estimate`` is what the theorem says of it, that it is right in the limit.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from scipy.optimize import brentq
from scipy.special import log_ndtr

from pldverify.accountants.losses import sigma_and_q
from pldverify.accountants.printed import Printed, Said
from pldverify.accountants.refusals import improper_delta, other_relation
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Direction as ClaimDirection


def mu(sigma: float, q: float, k: int) -> float:
    """μ of k steps by the central limit theorem; exact for q = 1. +∞ where e^{1/σ²} overflows."""
    if q == 1:
        return math.sqrt(k) / sigma
    return q * math.sqrt(k * math.expm1(sigma**-2)) if sigma**-2 < 700 else math.inf


def delta(mu: float, epsilon: float) -> float:
    """δ(ε) of μ-GDP. Raises InvalidInput unless mu > 0."""
    if not mu > 0:
        raise InvalidInput(f"mu must be > 0, got mu={mu!r}")
    if mu == math.inf:
        return 1.0
    first, second = float(log_ndtr(-epsilon / mu + mu / 2)), epsilon + float(log_ndtr(-epsilon / mu - mu / 2))
    return math.exp(first) * -math.expm1(min(0.0, second - first))


def epsilon(mu: float, delta_: float) -> float:
    """ε ≥ 0 with δ(ε) = delta_. Raises InvalidInput unless mu > 0 and 0 < delta_ < 1."""
    if not 0 < delta_ < 1:
        raise InvalidInput(f"delta must be in (0, 1), got delta={delta_!r}")
    if delta(mu, 0.0) <= delta_:
        return 0.0
    if mu == math.inf:
        return math.inf
    high = mu**2 / 2 + mu * math.sqrt(2 * math.log(1 / delta_))
    return float(brentq(lambda x: delta(mu, x) - delta_, 0.0, high, xtol=1e-15 * max(1.0, high), rtol=1e-14))


@dataclass(frozen=True)
class GDP(Printed):
    """The central limit of Gaussian DP (Dong, Roth, Su 2019): an estimate without a promise."""

    name: ClassVar[str] = "gdp/estimate"
    direction: ClassVar[ClaimDirection] = "estimate"

    def supports(self, query: Query) -> str | None:
        """None, or one line: a mechanism without a μ here, or δ outside (0, 1)."""
        for mechanism, _ in query.composition.parts:
            if sigma_and_q(mechanism) is None:
                return f"no central limit formula for {mechanism}"
        return other_relation(query) or improper_delta(query)

    def answer(self, query: Query) -> Said:
        """δ(ε) or ε(δ) at μ = √Σμᵢ²; one number for every adjacency."""
        squares = 0.0
        for mechanism, k in query.composition.parts:
            parameters = sigma_and_q(mechanism)
            if parameters is None:
                raise InvalidInput(f"no central limit formula for {mechanism}")
            squares += mu(*parameters, k) ** 2
        total = math.sqrt(squares)
        at = query.epsilon if query.epsilon is not None else query.delta
        value = (delta if query.epsilon is not None else epsilon)(total, float(at or 0))
        return value, {"mu": repr(total)}, None


@dataclass(frozen=True)
class GDPUpper(GDP):
    """The central limit of Gaussian DP reported as a guarantee, which nothing proves where q < 1."""

    name: ClassVar[str] = "gdp/upper"
    direction: ClassVar[ClaimDirection] = "upper"
