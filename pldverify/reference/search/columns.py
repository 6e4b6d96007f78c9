"""Tables of many measures side by side, with numpy: a noise schedule has a thousand of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pldverify.reference.search.mixture import MOST, bulk
from pldverify.reference.search.table import KEPT, LARGE, NEAR, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """``logs`` and ``losses`` of shape (measures, nodes), and ``whole`` as of :class:`Table`."""

    logs: Floats
    losses: Floats
    whole: bool = False

    def tilted(self, theta: float) -> tuple[Floats, Floats]:
        """log of the largest tilted mass, and all of them relative to it."""
        tilts = self.logs + theta * self.losses
        peak = tilts.max(axis=1)
        return peak, np.exp(tilts - peak[:, None])

    @np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore")
    def cumulants(self, theta: float) -> Floats:
        """A row (K, K', K'') for each measure."""
        peak, weights = self.tilted(theta)
        total, first = weights.sum(axis=1), (weights * self.losses).sum(axis=1)
        value, mean = peak + np.log(total), first / total
        curvature = (weights * (self.losses - mean[:, None]) ** 2).sum(axis=1) / total
        if self.whole and (near := abs(value) < NEAR).any():
            rest = self._above(1.0)
            more = self._above(theta) - theta * rest
            value = np.where(near, np.log1p(more), value)
            mean = np.where(near, (first * np.exp(peak) - rest) / (1 + more), mean)
        return np.stack([value, mean, curvature], axis=1)

    def _above(self, theta: float) -> Floats:
        """The sum of m (e^{θs} − 1)."""
        powers, masses = theta * self.losses, np.exp(self.logs)
        small = masses * np.expm1(np.minimum(powers, LARGE))
        found: Floats = np.where(powers < LARGE, small, np.exp(self.logs + powers) - masses).sum(axis=1)
        return found


@lru_cache(maxsize=KEPT)
def columns_of(table: Table) -> Columns:
    """One table as a row."""
    return Columns(np.array([table.logs]), np.array([table.losses]), table.whole)


def odds_of_all(c: Sequence[float], q: Sequence[float], p: float) -> Columns | None:
    """The tables of ``mixture.py`` for every c and q, at nodes for all; None where these are many."""
    low, step, count = bulk(max(c), max(q), p)
    if count > MOST:
        return None
    x, shift, rate = low + step * np.arange(count), np.array([c]).T, np.array([q]).T
    exponent = shift * x - shift * shift / 2
    large = np.maximum(exponent, LARGE)
    small = np.log1p(rate * np.expm1(np.minimum(exponent, LARGE)))
    losses = np.where(exponent > LARGE, large + np.log(rate + (1 - rate) * np.exp(-large)), small)
    logs = np.broadcast_to(math.log(step / math.sqrt(2 * math.pi)) - x * x / 2, losses.shape)
    return Columns(logs, losses, whole=True)
