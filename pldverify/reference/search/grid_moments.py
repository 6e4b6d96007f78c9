"""Moments of the masses of a grid, with numpy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


class GridMoments:
    """Single losses on a grid: lower ends of cells, mean losses and masses of each law, and a count."""

    def __init__(self, rows: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike, int]]) -> None:
        self._rows = []
        for starts, losses, masses, k in rows:
            a, b, m = (np.asarray(x, float) for x in (starts, losses, masses))
            self._rows.append((a[m > 0], b[m > 0], np.log(m[m > 0]), k))
        self.steps = sum(k for *_, k in rows)

    def singles(self, lam: float, cut: float = np.inf) -> list[float]:
        """log Σ mass · e^{λ·loss} of each law, over cells that begin by the cut; −∞ if there are none."""
        found = []
        for a, b, logs, _ in self._rows:
            terms = (logs + lam * b)[a <= cut]
            top = terms.max() if len(terms) else -np.inf
            found.append(float(top + np.log(np.exp(terms - top).sum())) if len(terms) else -np.inf)
        return found

    def log_moment(self, lam: float) -> float:
        """That of all sums."""
        return self.near(lam, np.inf)

    def near(self, lam: float, cut: float) -> float:
        """That of sums of losses up to the cut."""
        return float(sum(k * one for (*_, k), one in zip(self._rows, self.singles(lam, cut), strict=True)))
