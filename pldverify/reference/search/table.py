"""One table a measure, in floats: logarithms of masses, and losses, at nodes. All else are sums over it."""

import math
import operator
from collections.abc import Sequence

Cumulant = tuple[float, float, float]
"""K(θ), K'(θ), K''(θ)."""
NEAR = 1.0
"""|K| below which a table of two whole laws gives it from its difference from 0."""
LARGE = 30.0
"""Exponent from which on 1 does not count beside the exponential."""
REACH = 8.0
"""Distance, in standard deviations of the noise, beyond which nothing counts."""
KEPT = 128
"""Tables that are remembered."""
_WIDEST = 1000.0
"""Tilt up to which the nodes of one tilt serve others."""


class Table:
    """log of the mass, and the loss s, at nodes.

    ``whole``: masses m and m e^s both have the sum 1. Then M(θ) − 1 is the sum of
    m (e^{θs} − 1 − θ(e^s − 1)), whose terms have one sign: a few nodes give it accurately however near to 0
    it is. Likewise M'(θ) is the sum of m (s e^{θs} − (e^s − 1)).
    """

    def __init__(self, logs: Sequence[float], losses: Sequence[float], whole: bool = False) -> None:
        self.logs, self.losses, self.whole = logs, losses, whole

    def tilted(self, theta: float) -> tuple[float, list[float]]:
        """log of the largest tilted mass, and all of them relative to it."""
        tilts = [log + theta * s for log, s in zip(self.logs, self.losses, strict=True)]
        peak = max(tilts)
        return peak, [math.exp(tilt - peak) for tilt in tilts]

    def cumulant(self, theta: float) -> Cumulant:
        """K, K', K'' of the measure."""
        peak, weights = self.tilted(theta)
        total, first = math.fsum(weights), math.fsum(map(operator.mul, weights, self.losses))
        value, mean = peak + math.log(total), first / total
        squares = (w * (s - mean) ** 2 for w, s in zip(weights, self.losses, strict=True))
        curvature = math.fsum(squares) / total
        if self.whole and abs(value) < NEAR:
            rest = math.fsum(self._above(1.0))
            more = math.fsum(self._above(theta)) - theta * rest
            return math.log1p(more), (first * math.exp(peak) - rest) / (1 + more), curvature
        return value, mean, curvature

    def _above(self, theta: float) -> list[float]:
        """m (e^{θs} − 1)."""
        return [
            math.exp(log) * math.expm1(theta * s)
            if theta * s < LARGE
            else math.exp(log + theta * s) - math.exp(log)
            for log, s in zip(self.logs, self.losses, strict=True)
        ]


def wider(theta: float) -> float:
    """A tilt whose nodes serve ``theta`` too, one for many: a power of 2 beyond it."""
    if -1 < theta < 0 or abs(theta) > _WIDEST:
        return theta
    return math.copysign(2.0 ** max(0, math.ceil(math.log2(max(1.0, abs(theta))))), theta)
