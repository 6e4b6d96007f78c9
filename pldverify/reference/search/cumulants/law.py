"""The function that every file of this folder teaches one law, and what they share."""

import math
from functools import singledispatch

Cumulant = tuple[float, float, float]
"""K(θ), K'(θ), K''(θ)."""


@singledispatch
def cumulant(loss: object, theta: float) -> Cumulant:
    """K, K', K'' of one law or of a composed loss, in floats. Raises NoConvergence."""
    raise TypeError(f"no cumulant of {type(loss).__name__}")


def of_atoms(rows: list[tuple[float, float]]) -> Cumulant:
    """K, K', K'' of a measure with log of the tilted mass and loss in ``rows``."""
    peak = max(log for log, _ in rows)
    weights = [math.exp(log - peak) for log, _ in rows]
    total = math.fsum(weights)
    mean = math.fsum(w * s for w, (_, s) in zip(weights, rows, strict=True)) / total
    squares = (w * (s - mean) ** 2 for w, (_, s) in zip(weights, rows, strict=True))
    return peak + math.log(total), mean, math.fsum(squares) / total
