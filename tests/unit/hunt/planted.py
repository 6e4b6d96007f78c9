"""An accountant with planted defects: right, but for four of them."""

import math

from scipy import optimize, special

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms import Gaussian, Query


class Planted(Accountant):
    """Gaussian mechanisms, a little above the true value.

    It forgets the count of whole noise multipliers, divides by zero at sensitivity 2, returns NaN for a δ
    below 1e-12, and three times the ε at a δ above 0.01.
    """

    direction = "upper"
    library = "planted"

    def supports(self, query: Query) -> str | None:
        gaussian = all(isinstance(mechanism, Gaussian) for mechanism, _ in query.composition.parts)
        return None if gaussian and query.adjacency == "add-or-remove" else "Gaussian noise alone"

    def claim(self, query: Query) -> float:
        mu = math.sqrt(sum(self._squared(mechanism, count) for mechanism, count in query.composition.parts))
        if query.epsilon is not None:
            return min(1.0, 1.001 * _delta(mu, float(query.epsilon)) + 1e-12)
        delta = float(query.delta or 0)
        if delta < 1e-12:
            return math.nan
        high = mu * mu / 2 + mu * 10 + 1
        if _delta(mu, 0.0) <= delta:
            return 0.0
        epsilon = optimize.brentq(lambda e: _delta(mu, e) - delta, 0, high)
        return (3 if delta > 0.01 else 1.001) * float(epsilon) + 1e-9

    def _squared(self, mechanism: Gaussian, count: int) -> float:
        if mechanism.sensitivity == 2:
            count = 1 // (count - count)
        if mechanism.sigma.denominator == 1:
            count = 1
        return count / float(mechanism.noise_multiplier) ** 2


def _delta(mu: float, epsilon: float) -> float:
    far = special.log_ndtr(-epsilon / mu - mu / 2)
    return float(special.ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon + far))
