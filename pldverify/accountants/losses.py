r"""The privacy loss of one step in double precision: tails under P and under Q, and the subsampled
Gaussian's curve.

Notation: :math:`S = \log(p/q)`; direction ``remove`` has the record in P, direction ``add`` in Q. For Poisson
sampling :math:`w(t) = 1 - q + q e^{(2t-1)/2\sigma^2}`, and :math:`g(s) = \sigma^2 \log((e^s-(1-q))/q) +
1/2` inverts :math:`s = \log w(t)` (KJH19 section 5.2).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from pldverify.errors import NotSupported
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import noise_and_q
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Direction

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Loss:
    """One-step loss S, finite almost surely.

    Attributes:
        above: s ↦ P(S > s), vectorised.
        above_q: s ↦ Q(S > s), vectorised.
        knots: ascending losses between which both are smooth.
        most: the greatest loss, or the least bound on it.
    """

    above: Callable[[Vector], Vector]
    above_q: Callable[[Vector], Vector]
    knots: tuple[float, ...]
    most: float = math.inf

    def delta(self, epsilon: float) -> float:
        """δ(ε) = P(S > ε) − e^ε Q(S > ε) of one step, clipped at 0."""
        s = np.array([epsilon])
        return max(0.0, float(self.above(s)[0] - math.exp(epsilon) * self.above_q(s)[0]))


def sigma_and_q(mechanism: Mechanism) -> tuple[float, float] | None:
    """(σ per unit of sensitivity, q) of a Gaussian (q = 1) or a Poisson-subsampled one; None for others."""
    exact = noise_and_q(mechanism)
    return None if exact is None else (float(exact[0]), float(exact[1]))


def log_odds(mechanism: RandomizedResponse) -> float:
    """log(p/r) of randomised response, 0 < p < 1: the loss is this, its negative, or 0."""
    return math.log(mechanism.p / mechanism.other)


def outcome(s: Vector, sigma: float, q: float) -> Vector:
    """g(s); −∞ where s ≤ log(1 − q)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        odds = (np.expm1(s) + q) / q
        return np.where(odds > 0, sigma**2 * np.log(odds) + 0.5, -np.inf)


def loss(mechanism: Mechanism, direction: Direction) -> Loss:
    """The loss of a mechanism. Raises NotSupported where it is not here, or may be infinite."""
    parameters = sigma_and_q(mechanism)
    if parameters is not None:
        return _subsampled(*parameters, direction)
    if isinstance(mechanism, Laplace):
        return _laplace(1 / float(mechanism.noise_multiplier))
    if isinstance(mechanism, RandomizedResponse) and 0 < mechanism.p < 1:
        return _response(mechanism)
    raise NotSupported(f"mechanism must have a finite loss that this accountant knows, got {mechanism}")


def _subsampled(sigma: float, q: float, direction: Direction) -> Loss:
    def mixture(t: Vector) -> Vector:
        return np.asarray((1 - q) * ndtr(-t / sigma) + q * ndtr((1 - t) / sigma))

    def base(t: Vector) -> Vector:
        return np.asarray(ndtr(-t / sigma))

    reach = np.linspace(-12 * sigma, 12 * sigma + 1, 49)
    with np.errstate(divide="ignore"):
        curve = np.logaddexp(np.log1p(-q), np.log(q) + (2 * reach - 1) / (2 * sigma**2))
    if direction == "remove":
        return Loss(
            lambda s: mixture(outcome(s, sigma, q)),
            lambda s: base(outcome(s, sigma, q)),
            tuple(curve),
        )
    return Loss(
        lambda s: np.asarray(ndtr(outcome(-s, sigma, q) / sigma)),
        lambda s: (
            (1 - q) * ndtr(outcome(-s, sigma, q) / sigma) + q * ndtr((outcome(-s, sigma, q) - 1) / sigma)
        ),
        tuple(-curve[::-1]),
        -math.log1p(-q) if q < 1 else math.inf,
    )


def _laplace(a: float) -> Loss:
    def above(s: Vector) -> Vector:
        inner = 1 - 0.5 * np.exp((np.minimum(s, a) - a) / 2)
        return np.where(s < -a, 1.0, np.where(s >= a, 0.0, inner))

    def above_q(s: Vector) -> Vector:
        inner = 0.5 * np.exp(-(np.maximum(s, -a) + a) / 2)
        return np.where(s < -a, 1.0, np.where(s >= a, 0.0, inner))

    return Loss(above, above_q, (-a, a), a)


def _response(mechanism: RandomizedResponse) -> Loss:
    c = abs(log_odds(mechanism))
    p, r = float(mechanism.p), float(mechanism.other)
    high, low = max(p, r), min(p, r)

    def tail(s: Vector, top: float, bottom: float) -> Vector:
        return np.select([s < -c, s < 0, s < c], [1.0, 1 - bottom, top], 0.0)

    return Loss(lambda s: tail(s, high, low), lambda s: tail(s, low, high), (-c, 0.0, c), c)
