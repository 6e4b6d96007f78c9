r"""The optimal composition of k (ε, δ)-DP steps (Kairouz, Oh, Viswanath 2017, Theorem 3.3).

It is the composition of randomised response: with :math:`c = \log p/(1-p)`, :math:`p =
e^\varepsilon/(1+e^\varepsilon)`, the loss of k steps is c(2i − k) with probability :math:`\binom ki
p^i(1-p)^{k-i}`, and :math:`\delta(\varepsilon') = 1 - (1-\delta)^k\,(1 - E[(1-e^{\varepsilon'-S})_+])`.
Optimal for (ε, δ)-DP steps; an upper bound for a mechanism that has more than one such pair. The step's ε
runs over a grid, and for pure DP it is D_∞.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from pldverify.accountants import single_step
from pldverify.accountants.losses import loss
from pldverify.accountants.printed import Printed, Said
from pldverify.accountants.refusals import without_known_losses
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse

Vector = NDArray[np.float64]

MAX_STEPS = 10**6
"""Cap on the steps: time and memory grow with them."""
_ABOVE = 1 + 2.0**-50
"""Factor that covers the rounding of δ in doubles near 1, where its last digit decides between ε = 0 and
hundreds."""

_STEP_EPSILONS = tuple(float(x) for x in np.geomspace(1e-3, 20, 60))


def pure(step: float, k: int, epsilon: float) -> float:
    """δ(epsilon) of k steps of (step, 0)-DP; it does not underflow where it is > 0.

    Above 1/2 it is 1 less the other sum, which is small next to δ = 1: the weights have errors themselves.
    """
    if epsilon >= k * step:
        return 0.0
    s, weights = _losses(step, k)
    below = np.minimum(epsilon - s, 0.0)
    total = float(-np.sum(weights * np.expm1(below)))
    return max(total, single_step.LEAST) if total < 0.5 else 1 - float(np.sum(weights * np.exp(below)))


@lru_cache(maxsize=1)
def _losses(step: float, k: int) -> tuple[Vector, Vector]:
    """The losses of k steps and their probabilities, which every ε has in common."""
    i = np.arange(k + 1)
    log_p, log_r = -np.logaddexp(0.0, -step), -np.logaddexp(0.0, step)
    weights = np.exp(gammaln(k + 1) - gammaln(i + 1) - gammaln(k - i + 1) + i * log_p + (k - i) * log_r)
    return np.asarray(step * (2 * i - k), dtype=np.float64), np.asarray(weights, dtype=np.float64)


def approximate(step: float, step_delta: float, k: int, epsilon: float) -> float:
    """δ(epsilon) of k steps of (step, step_delta)-DP, no less next to 1."""
    if step_delta >= 1:
        return _ABOVE
    log_keep = k * math.log1p(-step_delta)
    return _ABOVE * (math.exp(log_keep) * pure(step, k, epsilon) - math.expm1(log_keep))


def delta(mechanism: Mechanism, k: int, epsilon: float) -> float:
    """Least over the steps (ε, δ(ε)) of the mechanism, at most 1."""
    return min(1.0, *(approximate(step, step_delta, k, epsilon) for step, step_delta in _steps(mechanism)))


def _steps(mechanism: Mechanism) -> list[tuple[float, float]]:
    if isinstance(mechanism, Laplace | RandomizedResponse):
        return [(loss(mechanism, "remove").knots[-1], 0.0)]
    return [(step, single_step.delta(mechanism, step)) for step in _STEP_EPSILONS]


@dataclass(frozen=True)
class KairouzOhViswanath(Printed):
    """Optimal composition of one mechanism's (ε, δ) pairs, k times (Kairouz, Oh, Viswanath 2017)."""

    name: ClassVar[str] = "kairouz-oh-viswanath"

    def supports(self, query: Query) -> str | None:
        """None, or one line: different mechanisms, too many steps, an unknown loss, ε < 0, δ outside (0,
        1).
        """
        if len(query.composition.parts) > 1:
            return "the theorem is for one mechanism, k times"
        if query.composition.steps > MAX_STEPS:
            return f"at most {MAX_STEPS} steps, got {query.composition.steps}"
        return without_known_losses(query)

    def answer(self, query: Query) -> Said:
        """δ, or ε by bisection for each step of the grid."""
        ((mechanism, k),) = query.composition.parts
        if query.epsilon is not None:
            value = delta(mechanism, k, float(query.epsilon))
        else:
            asked, value = query.delta or Fraction(0), math.inf
            target = float(asked) if float(asked) <= asked else math.nextafter(float(asked), 0.0)
            for step, step_delta in _steps(mechanism):
                value = _epsilon(step, step_delta, k, target, value)
        return value, {"steps tried": str(len(_steps(mechanism)))}, None


def _epsilon(step: float, step_delta: float, k: int, target: float, most: float) -> float:
    """The least ε that this step gives, or ``most`` where it gives none below."""
    if approximate(step, step_delta, k, 0.0) <= target:
        return 0.0
    low, high = 0.0, min(most, k * step)
    if approximate(step, step_delta, k, high) > target:
        return most
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if approximate(step, step_delta, k, middle) <= target else (middle, high)
    return high
