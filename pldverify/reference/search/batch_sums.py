"""Events of the batch sums, in floats: one where one look is all, else those of about equal harm."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pldverify.balls.ball import short
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.laws.batch_sums import Cells, Look
from pldverify.reference.search.largest_batch import quantile

Floats = NDArray[np.float64]
_FAR = 1e-300
"""Floor of masses and chances: what is smaller is as good as 0."""
_REACH = 9.0
"""Standard deviations of S that the circle holds on each side."""
_SCAN = 40
"""Intervals between the thresholds log c of a first scan."""
_ZOOMS = 2
"""Number of finer scans around the best threshold, each with a fifth of the spacing."""
_GENTLE = 0.05
"""Least tilt |θ| tried, in units of 1/(standard deviation of S)."""
_RATIO = 1.25
"""Ratio of each tilt tried to the one before."""
_TILTS = 32
"""Number of tilts tried, of each sign."""
_STEEP = 400.0
"""Bound on the tilts tried, per unit of S; below the cap of an event, 500."""
_ROUNDING = 1e-15
"""Estimate of the relative rounding error of a chance in doubles, per batch."""
_FARTHEST = 600.0
"""Bound on |log c|, in nats, while the ends of the losses are looked for."""
_NEAREST = 1e-4
"""First |log c|, in nats, of that search."""
_STRETCH = 1.4
"""Ratio of each |log c| of that search to the one before."""
_LOW = 1e-6
"""Chance below which negative losses are left out of the range of thresholds."""


@dataclass(frozen=True)
class Effort:
    """Numbers of looks, of cells of the line, and of steps in a standard deviation of one term; and log₂ of
    the largest circle.
    """

    looks: int
    cells: int
    steps: int
    log_size: int

    def least(self) -> "Effort":
        """To try events with: the float chances need no more."""
        return replace(self, steps=min(self.steps, 8), log_size=min(self.log_size, 12))


@dataclass(frozen=True)
class Tried:
    """A look, and log of the chances of its event under P and Q, nearly: the former at least, the latter at
    most.
    """

    look: Look
    p: float
    q: float


class StepSums:
    """Looks at T sums, one of mean a or b, in units of the sensitivity."""

    def __init__(
        self, first: int, second: int, batches: int, variance: Fraction, rare: float, effort: Effort
    ) -> None:
        """What is as rare as ``rare`` does not count."""
        self.effort, number = effort, effort.cells
        self.batches, sigma = batches, math.sqrt(variance)
        reach = sigma * (quantile(max(rare, _FAR) / batches) + 1)
        start, end = min(first, second, 0) - reach, max(first, second, 0) + reach
        self.cells = Cells(short(start), short((end - start) / number), number)
        edges = [float(self.cells.start + i * self.cells.width) for i in range(number + 1)]
        self.masses = [_masses([(x - mean) / sigma for x in edges]) for mean in (0, first, second)]

    @np.errstate(all="ignore")  # what overflows is no event
    def best(self, worth: Callable[[float, float], float], rare: float) -> Look:
        """The one look of which (p, q) are worth most, at a c ≥ 1. Raises NoConvergence."""
        effort = self.effort
        _, high = self._range(rare, effort.least())
        points, step = _points(0.0, high, _SCAN), high / _SCAN
        for turn in range(_ZOOMS + 1):
            trial = effort if turn == _ZOOMS else effort.least()
            rows = [(log, found) for log in points if (found := self._tried(log, trial))]
            if not rows:
                raise NoConvergence("batch sums: no look tells anything")
            middle, best = max(rows, key=lambda row: worth(math.exp(row[1].p), math.exp(row[1].q)))
            points, step = _points(middle - step, middle + step, 10), step / 5
        return best.look

    @np.errstate(all="ignore")
    def looks(self, rare: float) -> tuple[Look, ...]:
        r"""Those whose steps on the curve have about equal shares of :math:`\int (p l'^2)^{1/3}`, l the loss.
        Raises NoConvergence.
        """
        effort = self.effort
        logs = _points(*self._range(rare, effort.least()), _SCAN)
        rows = [(log, found) for log in logs if (found := self._tried(log, effort.least()))]
        if len(rows) < 2:
            raise NoConvergence("batch sums: no look tells anything")
        shares = [0.0]
        for (one, left), (two, right) in pairwise(rows):
            mass = sum(abs(math.exp(a) - math.exp(b)) for a, b in ((left.p, right.p), (left.q, right.q)))
            shares.append(shares[-1] + (mass * (two - one) ** 2) ** (1 / 3))
        places = [(i + 0.5) * shares[-1] / effort.looks for i in range(effort.looks)]
        chosen = np.interp(places, shares, [log for log, _ in rows])
        return tuple(made[0] for log in chosen if (made := self._made(float(log), effort)))

    def _range(self, rare: float, effort: Effort) -> tuple[float, float]:
        """Logs between which the losses are, but for what is rare."""
        ends = []
        for sign in (-1, 1):
            end, least = _NEAREST, max(rare, _LOW) if sign < 0 else rare
            share, before = 1.0, math.inf
            while end < _FARTHEST and least < share and not _level(share, before):
                found = self._tried(sign * end, effort)
                if found is None:
                    break
                share, before = math.exp(found.p) if sign > 0 else -math.expm1(found.q), share
                end *= _STRETCH
            ends.append(sign * end / _STRETCH)
        return ends[0], ends[1]

    def _tried(self, log: float, effort: Effort) -> Tried | None:
        """The look at {dP/dQ > e^log}, and what it tells; None where that is no event in floats."""
        made = self._made(log, effort)
        return made and Tried(made[0], *self._chances(*made))

    def _made(self, log: float, effort: Effort) -> tuple[Look, Floats, float] | None:
        """The look, n by cell, and log of the errors, nearly."""
        spend(1e-3)
        zero, one, other = self.masses
        c = math.exp(log)
        g = self._clipped((one - c * other) / np.maximum(zero, _FAR))
        if g is None:
            return None
        _, spread = _moments(g, zero)
        top = float(np.abs(g).max())
        reach = max(2 * top, _REACH * math.sqrt(self.batches) * spread)
        h = max(spread / effort.steps, 2 * reach / 2.0**effort.log_size)
        if not 0 < h < reach < math.inf:
            return None
        n, log_size = np.rint(g / h), math.ceil(math.log2(2 * reach / h))
        first = 1 + round(self.batches * self._off(g / h, n))
        found = self._tilts(n, reach / h, first, log_size)
        if found is None:
            return None
        tilts, error = found
        below, theta, above = (short(tilt) for tilt in tilts)
        look = Look(short(c, 30), short(h), max(1, round(top / h)), first, log_size, (below, theta, above))
        return look, n, error

    def _off(self, g: Floats, n: Floats) -> float:
        """How much more the mean of n is than that of g, where the sum of g is about 0."""
        zero = self.masses[0]
        low, high = -1 / float(np.abs(g).max()), 1 / float(np.abs(g).max())
        for _ in range(12):
            if _moments(g, _tilted(g, zero, low))[0] > 0:
                low *= 2
            elif _moments(g, _tilted(g, zero, high))[0] < 0:
                high *= 2
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (middle, high) if _moments(g, _tilted(g, zero, middle))[0] < 0 else (low, middle)
        return float((n - g) @ _tilted(g, zero, low))

    def _clipped(self, g: Floats) -> Floats | None:
        """Between ± about the least number that outweighs the sum of all others, so clipped."""
        zero, sizes = self.masses[0], np.abs(g)
        order, most = np.argsort(sizes), float(sizes.max())
        half = int(np.searchsorted(np.cumsum(zero[order]), 0.5))
        top = float(sizes[order[min(half, len(g) - 1)]])
        if not 0 < top <= most < math.inf:
            return None
        while top < most:
            mean, spread = _moments(g.clip(-top, top), zero)
            more = abs(self.batches * mean) + _REACH * math.sqrt(self.batches) * spread
            if not more > 1.01 * top:
                break
            top = min(more, most)
        return g.clip(-top, top)

    def _tilts(
        self, n: Floats, reach: float, first: int, log_size: int
    ) -> tuple[tuple[float, float, float], float] | None:
        """λ, θ, κ for which errors are least, and log of what these are, nearly."""
        size, (zero, one, _) = 2.0**log_size, self.masses
        positive = _GENTLE * _REACH / reach * _RATIO ** np.arange(_TILTS)
        tilts = np.concatenate([-positive[::-1], positive])
        tilts = tilts[np.abs(tilts) < _STEEP]
        logs = tilts[:, None] * n
        peaks = logs.max(axis=1)
        table = np.exp(logs - peaks[:, None])
        moments = self.batches * peaks + (self.batches - 1) * np.log(table @ zero) + np.log(table @ one)
        below, above = moments - tilts * (first - size / 2), moments - tilts * (first + size)
        last = len(tilts) - 1
        low, high = np.minimum.accumulate(below), np.minimum.accumulate(above[::-1])[::-1]
        middle = np.arange(len(tilts) // 2, last)
        if not len(middle):
            return None
        theta = tilts[middle]
        rounding = moments[middle] - theta * first + math.log(_ROUNDING * self.batches)
        errors = np.logaddexp.reduce(
            [low[middle - 1] - theta * size / 2, high[middle + 1] + theta * size, rounding]
        )
        if not np.isfinite(errors).any():
            return None
        best = int(np.nanargmin(errors))
        i = int(middle[best])
        chosen = (int(np.argmin(below[:i])), i, i + 1 + int(np.argmin(above[i + 1 :])))
        below_theta, at, above_theta = (float(tilts[j]) for j in chosen)
        return (below_theta, at, above_theta), float(errors[best])

    def _chances(self, look: Look, n: Floats, error: float) -> tuple[float, float]:
        """log of those of the event, less and more by the errors."""
        theta, first, size = float(look.tilts[1]), look.first, 2**look.log_size
        spectra, logs = [], []
        for masses in self.masses:
            logs.append(_log_moment(n, masses, theta))
            tilted = np.exp(theta * n - logs[-1]) * masses
            spectra.append(np.fft.rfft(np.bincount(n.astype(np.int64) % size, tilted, size)))
        places = np.arange(first, first + size // 2)
        base, weights = spectra[0] ** (self.batches - 1), np.exp(-theta * (places - first))
        p, q = (
            _log(float(np.fft.irfft(base * own, size)[places % size] @ weights))
            + (self.batches - 1) * logs[0]
            + log
            - theta * first
            for own, log in zip(spectra[1:], logs[1:], strict=True)
        )
        less = p + math.log1p(-math.exp(error - p)) if p > error else -math.inf
        return min(less, 0.0), min(float(np.logaddexp(q, error)), 0.0)


def _level(share: float, before: float) -> bool:
    """Whether a share of what is rare does not fall any more, as it is what the circle does not hold."""
    return share > (1.2 if share > 0.05 else 0.8) * before


def _points(low: float, high: float, number: int) -> list[float]:
    return [low + (high - low) * i / number for i in range(number + 1)]


def _masses(ends: list[float]) -> Floats:
    """Of a standard normal variable between the ends, and beyond them."""
    root = math.sqrt(2)
    above = np.array([1.0, *(math.erfc(x / root) / 2 for x in ends), 0.0])
    below = np.array([0.0, *(math.erfc(-x / root) / 2 for x in ends), 1.0])
    return np.maximum(np.where(below[1:] < 0.5, np.diff(below), -np.diff(above)), 0.0)


def _moments(x: Floats, masses: Floats) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = float(x @ masses)
    return mean, math.sqrt(max(float((x - mean) ** 2 @ masses), 0.0))


def _log_moment(n: Floats, masses: Floats, tilt: float) -> float:
    logs = tilt * n
    peak = float(logs.max())
    return peak + _log(float(np.exp(logs - peak) @ masses))


def _tilted(n: Floats, masses: Floats, tilt: float) -> Floats:
    """Of sum 1."""
    logs = tilt * n
    row: Floats = np.exp(logs - logs.max()) * masses
    return row / (float(row.sum()) or 1.0)


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf
