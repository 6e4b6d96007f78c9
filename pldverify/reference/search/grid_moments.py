"""Moments of the masses of a grid, in floats, with numpy: estimates that guide a search."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pldverify.reference.search.golden import golden_section

_FREQUENCIES = 70
"""Frequencies, in a geometric sequence, at which the characteristic function is evaluated."""
_RANGE = 1e7
"""Ratio of the largest frequency to the least."""
_NARROW = 0.05
"""Width in log θ at which the search for the lightest tilt ends."""
Turns = tuple[NDArray[np.float64], list[NDArray[np.complex128]]]


class GridMoments:
    """Single losses on a grid: mean losses and masses of the cells of each law, and a count."""

    def __init__(self, rows: Sequence[tuple[ArrayLike, ArrayLike, int]]) -> None:
        self._rows = []
        for losses, masses, k in rows:
            b, m = (np.asarray(x, float) for x in (losses, masses))
            self._rows.append((b[m > 0], np.log(m[m > 0]), k))
        self.steps = sum(k for *_, k in rows)
        self._turned: dict[float, Turns] = {}

    @np.errstate(all="ignore")  # of what overflows no tilt is chosen
    def singles(self, lam: float) -> list[float]:
        """log Σ mass · e^{λ·loss} of each law; −∞ if it has no mass."""
        return [_log_sum(logs + lam * losses) for losses, logs, _ in self._rows]

    def log_moment(self, lam: float) -> float:
        """log of the moment of the sum of all losses."""
        return float(sum(k * one for (*_, k), one in zip(self._rows, self.singles(lam), strict=True)))

    @np.errstate(all="ignore")
    def log_concentration(self, lam: float, step: float) -> float:
        r"""log of :math:`\int |\varphi(t)|^2 dt / 2\pi` up to t = π/step.

        φ is the characteristic function of the tilted sum of all losses but one: the integral is 1/step for
        an atom, and less the more the sum is spread.
        """
        ends, turns = self._turns(step)
        sizes = np.zeros(len(ends))
        for (b, logs, k), turn, total in zip(self._rows, turns, self.singles(lam), strict=True):
            found = np.einsum("i,ij->j", np.exp(logs + lam * b - total), turn)  # BLAS has threads
            sizes += k * np.log(np.maximum(np.abs(found), 1e-300))
        squares = np.exp(2 * sizes * (1 - 1 / self.steps))
        area = ends[0] + ((squares[1:] + squares[:-1]) / 2 * np.diff(ends)).sum()
        return float(np.log(area / np.pi))

    def _turns(self, step: float) -> Turns:
        if step not in self._turned:
            ends = np.geomspace(np.pi / step / _RANGE, np.pi / step, _FREQUENCIES)
            self._turned[step] = ends, [np.exp(1j * np.outer(b, ends)) for b, _, _ in self._rows]
        return self._turned[step]

    def lightest(self, point: float, low: float, high: float) -> float:
        """Tilt in [low, high] at which log M(tilt) − tilt · ``point`` is least, to about 5 %."""

        def size(log_tilt: float) -> float:
            tilt = math.exp(log_tilt)
            return self.log_moment(tilt) - tilt * point

        return math.exp(golden_section(size, math.log(low), math.log(high), _NARROW))


def _log_sum(terms: NDArray[np.float64]) -> float:
    """log Σ e^term; −∞ of none."""
    top = terms.max() if len(terms) else 0.0
    return float(top + np.log(np.exp(terms - top).sum())) if len(terms) else -math.inf
