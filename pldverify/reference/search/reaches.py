"""How far sums of losses reach, and which losses of one step count, in floats, with numpy.

Losses of rare events have tails like log-normal ones: Chernoff's bound of the whole sum is far off. That of
the losses up to some t is not, and a loss beyond t is nearly all of its sum.

Any value of the constants below is right: poor ones cost time or width.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pldverify.balls.ball import short, working
from pldverify.balls.clock import spend
from pldverify.balls.memory import remembered
from pldverify.reference.engines.convolution.grid import PREC
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Law, with_tails

_OCTAVES = 32
"""Octaves of losses tabulated, besides those between ``scale`` and ``large``."""
_BELOW = 20
"""Octaves below ``scale`` at which the table begins."""
_PART = 4
"""Losses tabulated in one octave."""
_RATES = 2.0 ** np.arange(0.0, 11.0, 0.5)
"""Tilts tried in Chernoff's bound, as multiples of 1/end."""
_CUTS = (1.0, 0.5, 0.25, 0.1)
"""Cuts t tried for the losses in Chernoff's bound, as parts of the end."""


class Reaches:
    """Tails of a composed loss, tabulated from far below ``scale`` to far above ``large`` (nats)."""

    def __init__(self, product: ComposedLoss, scale: float, large: float) -> None:
        count = _PART * math.ceil(_OCTAVES + math.log2(large / scale))
        ends = [short(scale / 2**_BELOW * 2 ** (j / _PART)) for j in range(count)]
        self._ends = np.array([float(end) for end in ends])
        self._counts = [k for _, k in product.factors]
        self._above = [np.array([_mass(law, s)[0] for s in ends]) for law, _ in product.factors]
        self._below = [np.array([_mass(law, -s)[1] for s in ends]) for law, _ in product.factors]
        self._losses = np.concatenate([-self._ends[::-1], [0.0], self._ends])
        self._rows = {side: [self._logs(i, side) for i in range(len(self._counts))] for side in (1, -1)}
        self._beyond: dict[tuple[float, int], float] = {}

    def _logs(self, i: int, side: int) -> NDArray[np.float64]:
        """log of the masses of ``side`` · loss of law i, each moved up to the next loss of the table."""
        up, down = (self._above[i], self._below[i])[::side]
        high = np.append(0.0, -np.diff(up)).clip(0)
        high[-1] += up[-1]
        low = np.append(-np.diff(down), down[-1]).clip(0)
        masses = np.concatenate([low[::-1], [max(0.0, 1 - low.sum() - high.sum())], high])
        with np.errstate(divide="ignore"):
            logs: NDArray[np.float64] = np.log(masses)
        return logs

    def beyond(self, end: float, side: int) -> float:
        """Estimate of P(side · sum ≥ end), rather too large."""
        if end <= 0:
            return 1.0
        if (end, side) not in self._beyond:
            spend()
            self._beyond[end, side] = self._chernoff(end, side)
        return self._beyond[end, side]

    def _chernoff(self, end: float, side: int) -> float:
        found = 1.0
        for part in _CUTS:
            cut, rates = part * end, _RATES / end
            kept = self._losses < cut
            far = sum(k * self.one(i, cut, side) for i, k in enumerate(self._counts))
            sizes = -rates * end
            for k, logs in zip(self._counts, self._rows[side], strict=True):
                terms = logs[kept] + rates[:, None] * self._losses[kept]
                top = np.maximum(terms.max(axis=1), -1e300)
                with np.errstate(divide="ignore"):
                    sizes = sizes + k * (top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))
            found = min(found, far + math.exp(min(0.0, float(sizes.min()))))
        return found

    def one(self, i: int, end: float, side: int) -> float:
        """Estimate of P(side · loss ≥ end) of law i."""
        place = int(np.searchsorted(self._ends, end * (1 + 1e-9)))
        return float((self._above if side > 0 else self._below)[i][max(0, place - 1)])

    def of(self, i: int, epsilon: float, goal: float) -> tuple[float, float]:
        """Ends, in nats, of the losses of law i that count.

        A sum with a loss below the lower end stays below ε, one with a loss above the upper end does not,
        but for events of a probability of about ``goal`` at most.
        """
        k = self._counts[i]

        def first(side: int) -> float:
            start, stop = 0, len(self._ends) - 1
            while start < stop:
                middle = (start + stop) // 2
                s = float(self._ends[middle])
                rest = self.beyond(epsilon + s, 1) if side < 0 else self.beyond(s - epsilon, -1)
                if k * self.one(i, s, side) * rest <= goal:
                    stop = middle
                else:
                    start = middle + 1
            return float(self._ends[start])

        return -first(-1), first(1)


@remembered(100_000)
def _mass(law: Law, s: Fraction) -> tuple[float, float]:
    """P(S ≥ s) and P(S < s); the middle of a ball around 0 can be below it."""
    spend()
    with working(PREC):
        above, _ = with_tails(law).tails(s)
        return max(0.0, float(above)), max(0.0, float(1 - above))
