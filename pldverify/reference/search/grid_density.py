"""Densities of sums of losses on a grid, one loss left out, in floats: they show where cells may be wide."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_NOISE = 1e-15
"""Rounding error of a transform, and of each factor of a power, relative to all mass (estimate)."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CellMasses:
    """One law on the grid.

    Attributes:
        edges: ends of its cells, in steps.
        masses, means: P-masses and mean losses of the cells.
        below, above: P-mass below the first end, and from the last one on.
        count: how often it is composed.
        left_out: index of the density that leaves one of its losses out; None if there is none.
    """

    edges: Sequence[int]
    masses: Sequence[float]
    means: Sequence[float]
    below: float
    above: float
    count: int
    left_out: int | None


def densities(
    laws: Sequence[CellMasses], step: float, tilt: float, firsts: Sequence[int], log_size: int
) -> list[tuple[Floats, Floats]]:
    """For each index of a density: the points y where it exceeds the noise, and its log there.

    Sums are tilted by e^{``tilt`` · y}, and taken on a circle of 2^``log_size`` indices that begins at
    ``firsts``. As in the engine, a cell's mass goes to its two ends.
    """
    size = 2**log_size
    places = 1 + max((law.left_out for law in laws if law.left_out is not None), default=-1)
    products = np.ones((places, size // 2 + 1), dtype=complex)
    shifts, steps = np.zeros(places), sum(law.count for law in laws)
    for law in laws:
        indices, logs = _at_ends(law, step)
        tilted = logs + tilt * step * indices
        shift = np.logaddexp.reduce(tilted)
        transform = np.fft.rfft(np.bincount(indices % size, np.exp(tilted - shift), size))
        counts = [law.count - (law.left_out == place) for place in range(places)]
        powers = {k: transform**k for k in set(counts)}
        for place, k in enumerate(counts):
            if k:  # a law without masses has the shift −∞
                products[place] *= powers[k]
                shifts[place] += k * shift
    found = []
    for product, shift, first in zip(products, shifts, firsts, strict=True):
        points = first + np.arange(size)
        masses = np.roll(np.fft.irfft(product, size), -(first % size))
        known = masses > _NOISE * (20 + steps)
        y = step * points[known]
        found.append((y, np.log(masses[known]) + shift - np.log(step) - tilt * y))
    return found


def _at_ends(law: CellMasses, step: float) -> tuple[NDArray[np.int64], Floats]:
    """Indices of grid points, and the logs of their masses."""
    edges = np.array(law.edges)
    masses, means = np.array(law.masses), np.array(law.means)
    a, b = edges[:-1], edges[1:]
    shares = np.exp(a * step - means) * np.expm1(means - b * step) / np.expm1((a - b) * step)
    left = masses * np.clip(shares, 0.0, 1.0)
    totals = np.append(left, law.above) + np.insert(masses - left, 0, law.below)
    kept = totals > 0
    return edges[kept], np.log(totals[kept])
