"""Search, in floats, for events of the batch sums: the best single one, or many that lose about as much each.

Any value of the constants below is right: poor ones cost time or width.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pldverify.balls.ball import short
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.mechanisms.hidden_batch import Drawn
from pldverify.reference.laws.batch_sums import Cells, Look
from pldverify.reference.search.effort import Effort
from pldverify.reference.search.largest_batch import FAR, quantile

Floats = NDArray[np.float64]
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
_SOME = 3.0
"""Standard deviations of one of several terms that the circle holds besides."""
_THETAS = tuple(x * abs(x) for x in (i / 20 - 1 for i in range(41)))
"""Tilts of the losses, in units of the largest, from rare events of the one side to those of the other."""
_FAR_OUT = 40.0
"""The largest tilt, in units of 1/(standard deviation of the sum)."""
_C_RANGE = 50.0
"""Bound on |log c| of a sum of losses."""
_C_DIGITS = 1e-4
"""Accuracy of log c of a sum of losses."""
_LOW = 1e-6
"""Chance below which negative losses are left out of the range of thresholds."""


@dataclass(frozen=True)
class Tried:
    """A look, and logarithms of the chances of its event, with an estimate of their errors: ``p`` of P, less
    them, and ``q`` of Q, plus them.
    """

    look: Look
    p: float
    q: float


class StepSums:
    """Finds looks at T normal sums, k of mean a, or b, all others of mean 0, in units of the sensitivity."""

    def __init__(self, drawn: Drawn, rare: float, effort: Effort) -> None:
        """``rare`` is the chance below which events need not be told apart; it sets the ends of the cells."""
        self.effort, number = effort, effort.cells
        self.batches, self.counts = (
            drawn.batches,
            (drawn.batches - drawn.participations, drawn.participations),
        )
        first, second, sigma = drawn.first, drawn.second, math.sqrt(drawn.variance)
        self.rises = first > second
        reach = sigma * (quantile(max(rare, FAR) / drawn.batches) + 1)
        start, end = min(first, second, 0) - reach, max(first, second, 0) + reach
        self.cells = Cells(short(start), short((end - start) / number), number)
        edges = [float(self.cells.start + i * self.cells.width) for i in range(number + 1)]
        zero, *others = (_masses([(x - mean) / sigma for x in edges]) for mean in (0, first, second))
        rho = float(drawn.kept)
        self.masses = [zero, *(rho * row + (1 - rho) * zero for row in others)]

    @np.errstate(all="ignore")  # what overflows is no event
    def best(self, worth: Callable[[float, float], float], rare: float) -> Look:
        """The look whose chances under P and Q have the greatest ``worth``, of those with c ≥ 1.

        ``rare`` is the chance below which an event does not count. Raises NoConvergence if none is found.
        """
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
        r"""Looks between whose thresholds :math:`\int (p l'^2)^{1/3}` is about the same each time, l the loss
        and p the density at a place.

        ``rare`` is the chance below which an event does not count. Raises NoConvergence if none is found.
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
        """The values of log c between which the losses lie, except for a chance below about ``rare``."""
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
        """The look near {dP/dQ > e^log} with its chances; None if none is found in floats."""
        made = self._made(log, effort)
        return made and Tried(made[0], *self._chances(*made))

    def _made(self, log: float, effort: Effort) -> tuple[Look, Floats, float] | None:
        """The look near {dP/dQ > e^log}, its steps n by cell, and log of its estimated error."""
        spend(1e-3)
        zero, one, other = self.masses
        several = self.counts[1] > 1
        c, start = self._chosen(log) if several else (math.exp(log), 0.0)
        g = self._losses(c) if several else self._clipped((one - c * other) / np.maximum(zero, FAR))
        if g is None:
            return None
        rows = [_moments(g, masses) for masses in self.masses]
        spread, top = rows[0][1], float(np.abs(g).max())
        reach = max(2 * top, _REACH * math.sqrt(self.batches) * spread)
        if several:
            reach += sum(
                self.counts[1] * abs(mean - rows[0][0]) + _SOME * deviation for mean, deviation in rows
            )
        h = max(spread / effort.steps, 2 * reach / 2.0**effort.log_size)
        if not 0 < h < reach < math.inf:
            return None
        n, log_size = np.rint(g / h), math.ceil(math.log2(2 * reach / h))
        off = float((n - g / h) @ zero) if several else self._off(g / h, n)
        first = (0 if several else 1) + round(start / h + self.batches * off)
        found = self._tilts(n, reach / h, first, log_size)
        if found is None:
            return None
        tilts, error = found
        below, theta, above = (short(tilt) for tilt in tilts)
        look = Look(short(c, 30), short(h), max(1, round(top / h)), first, log_size, (below, theta, above))
        return look, n, error

    def _losses(self, c: float) -> Floats:
        """log((c + W)/(c + 1)), W the ratio of P or Q to what all other terms have, or minus that."""
        zero, one, other = (masses.clip(FAR) for masses in self.masses)
        losses: Floats = np.log((c * zero + one) / (c * zero + other))
        return losses

    def _chosen(self, log: float) -> tuple[float, float]:
        """c > 0 and the sum of the losses at which log(dP/dQ) is about ``log``."""
        logs, log_c, sums = self._curve
        return math.exp(np.interp(log, logs, log_c)), float(np.interp(log, logs, sums))

    @cached_property
    def _curve(self) -> Floats:
        """log(dP/dQ), log c and sums S of losses, the losses tilted by ever greater θ.

        R = dP/dQ, or dQ/dP, is the mean product of k of the T ratios W, and Π(c + W)/(1 + c)^T the mean of
        such R for k of binomial chances at the rate 1/(1 + c). The sum is mostly its term k where the
        W/(c + W) add up to k: by that c is chosen. They are the chances of terms in a Poisson binomial
        variable, and the normal limit of it and of the binomial chance give R from the sum.
        """
        rest, k = self.counts
        zero, one, other = (masses.clip(FAR) for masses in self.masses)
        ratio = (one if self.rises else other) / zero
        choose = math.lgamma(self.batches + 1) - math.lgamma(k + 1) - math.lgamma(rest + 1)
        found, usual = [], rest / k
        _, spread = _moments(np.log((usual + ratio) / (usual + 1)), zero)
        for part in _THETAS:
            theta = 0.5 + part * _FAR_OUT / (math.sqrt(self.batches) * spread)
            low, high = -_C_RANGE, _C_RANGE
            while high - low > _C_DIGITS:
                c = math.exp(middle := (low + high) / 2)
                logs = np.log((c + ratio) / (c + 1))
                row = _tilted(logs, zero, theta)
                drawn = self.batches * float(row @ (ratio / (c + ratio)))
                low, high = (middle, high) if drawn > k else (low, middle)
            total = self.batches * float(row @ logs)
            variance = self.batches * float(row @ (c * ratio / (c + ratio) ** 2))
            chance = choose + rest * (middle - math.log1p(c)) - k * math.log1p(c)
            found.append((total - math.log(2 * math.pi * max(variance, FAR)) / 2 - chance, middle, total))
        ordered: Floats = np.array(found).T
        return ordered if self.rises else ordered[:, ::-1] * [[-1], [1], [-1]]

    def _off(self, g: Floats, n: Floats) -> float:
        """How much the rounding of g to n moves the mean of a term, tilted so that the mean of g is 0.

        T times that is S where the sum of all g is about 0: the event begins there.
        """
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
        """g clipped to ± about the least size that the sum of all other terms, so clipped, hardly exceeds.

        None if g is 0 in half of the mass, or not finite.
        """
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

    @np.errstate(all="ignore")
    def _tilts(
        self, n: Floats, reach: float, first: int, log_size: int
    ) -> tuple[tuple[float, float, float], float] | None:
        """The tilts (λ, θ, κ) with the least error (estimate), and the log of that; None if there are none.

        The circle holds about 2 ``reach`` values of S; ``first`` is the first one of the event.
        """
        size, (zero, one, _) = 2.0**log_size, self.masses
        positive = _GENTLE * _REACH / reach * _RATIO ** np.arange(_TILTS)
        tilts = np.concatenate([-positive[::-1], positive])
        tilts = tilts[np.abs(tilts) < _STEEP]
        logs = tilts[:, None] * n
        peaks = logs.max(axis=1)
        table = np.exp(logs - peaks[:, None])
        some, drawn = self.counts
        moments = self.batches * peaks + some * np.log(table @ zero) + drawn * np.log(table @ one)
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
        """log of the event's chances: P's less e^``error``, and Q's plus it."""
        theta, first, size = float(look.tilts[1]), look.first, 2**look.log_size
        spectra, logs = [], []
        for masses in self.masses:
            logs.append(_log_moment(n, masses, theta))
            tilted = np.exp(theta * n - logs[-1]) * masses
            spectra.append(np.fft.rfft(np.bincount(n.astype(np.int64) % size, tilted, size)))
        places = np.arange(first, first + size // 2)
        some, drawn = self.counts
        base, weights = spectra[0] ** some, np.exp(-theta * (places - first))
        p, q = (
            _log(float(np.fft.irfft(base * own**drawn, size)[places % size] @ weights))
            + some * logs[0]
            + drawn * log
            - theta * first
            for own, log in zip(spectra[1:], logs[1:], strict=True)
        )
        less = p + math.log1p(-math.exp(error - p)) if p > error else -math.inf
        return min(less, 0.0), min(float(np.logaddexp(q, error)), 0.0)


def _level(share: float, before: float) -> bool:
    """Whether the chance of an event has stopped falling as |log c| grows: it is mostly error then, from what
    the circle does not hold.
    """
    return share > (1.2 if share > 0.05 else 0.8) * before


def _points(low: float, high: float, number: int) -> list[float]:
    """The ends of ``number`` equal intervals."""
    return [low + (high - low) * i / number for i in range(number + 1)]


def _masses(ends: list[float]) -> Floats:
    """Masses of N(0, 1) below the first edge, between edges, and above the last, from the smaller tails."""
    root = math.sqrt(2)
    above = np.array([1.0, *(math.erfc(x / root) / 2 for x in ends), 0.0])
    below = np.array([0.0, *(math.erfc(-x / root) / 2 for x in ends), 1.0])
    return np.maximum(np.where(below[1:] < 0.5, np.diff(below), -np.diff(above)), 0.0)


def _moments(x: Floats, masses: Floats) -> tuple[float, float]:
    """Mean and standard deviation of x under these masses."""
    mean = float(x @ masses)
    return mean, math.sqrt(max(float((x - mean) ** 2 @ masses), 0.0))


def _log_moment(n: Floats, masses: Floats, tilt: float) -> float:
    """log E[e^{tilt · n}]."""
    logs = tilt * n
    peak = float(logs.max())
    return peak + _log(float(np.exp(logs - peak) @ masses))


def _tilted(n: Floats, masses: Floats, tilt: float) -> Floats:
    """The masses tilted by e^{tilt · n}, normalised to sum 1."""
    logs = tilt * n
    row: Floats = np.exp(logs - logs.max()) * masses
    return row / (float(row.sum()) or 1.0)


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf
