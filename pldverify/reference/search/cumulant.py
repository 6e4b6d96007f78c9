"""K(θ) = log M(θ) with its first two derivatives, in floats: what searches steer by."""

from typing import Protocol


class HasCumulant(Protocol):
    def cumulant(self, theta: float) -> tuple[float, float, float]: ...


def cumulant(loss: HasCumulant, theta: float) -> tuple[float, float, float]:
    """(K, K', K'') of one law or of a composed loss. Raises NoConvergence."""
    return loss.cumulant(theta)
