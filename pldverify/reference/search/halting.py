r"""Which queries tell most of Gaussian sparse vectors: a search in floats, with numpy, that proves nothing.

It begins at neighbours that are known, and at levels that rise and fall in turn, evenly apart, with many
queries at each: what tells is which of them are above first. Two levels are best for one step, up to 32 for
many. Monotone queries move one way, or stay. From each start it is climbed: all values are moved, spread, and
those that rise are moved against those that fall.

**Few outcomes** in few steps are added up. **Many** have the ε or δ of their saddle point,

.. math:: \epsilon = n K'(\theta) - \frac1\theta - \frac1{1 + \theta}, \quad \log\delta = n K(\theta) -
    \theta\epsilon - \log|\theta|(1 + \theta) - \tfrac12 \log 2\pi \Big(n K''(\theta) + \frac1{\theta^2} +
    \frac1{(1 + \theta)^2}\Big),

and likewise 1 − δ for θ in (−1, 0), which counts where δ is large; at the end δ = 0 and ε = n max log(p/q).
Probabilities are counted as a proof would have them, less and
more by its width. Levels are then seen as one where that tells as much, as each outcome costs an integral.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from pldverify.balls.clock import late
from pldverify.errors import NoConvergence
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.halting import Halting, Level

Floats = NDArray[np.float64]
Worth = Callable[[Floats, Floats], float]
"""What rises with the ε or δ of outcomes of P against Q."""
_FAR = 12.0
"""Deviations of the threshold's noise that are looked at."""
_FINE = 0.08
"""Distance of nodes, in deviations of the threshold's noise."""
_FINE_ANSWER = 0.7
"""The same in deviations of an answer's."""
_NODES = 1000
"""Cap on nodes that are evenly apart: up to σ = 29 σ_q."""
_PANELS = 24
"""How many there are where noise on the threshold is wider, before values are looked at."""
_NEAR_VALUE = 9.0
"""Deviations of an answer from each value within which panels are narrow."""
_NARROW = 2.0
"""Their width, in deviations of an answer."""
_MOST_NARROW = 32
"""Cap on them, of a value."""
_WIDEST = 1e9
"""σ/σ_q from which panels would be too narrow."""
_GAUSS = np.polynomial.legendre.leggauss(4)
"""Nodes in a panel, and their weights."""
_TABLE = np.linspace(-12.0, 12.0, 24577)
"""Where log Φ is tabulated, in deviations."""
_TAIL = np.array([math.erfc(abs(x) / math.sqrt(2)) / 2 for x in _TABLE])
_LOG_NORMAL = np.where(_TABLE < 0, np.log(_TAIL), np.log1p(-_TAIL))
_SPLITS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
"""Parts of all queries that come first where there are two levels; of 1 all but one."""
_OF_MANY = (4, 8, 16, 32)
"""How many levels many steps may have."""
_STARTS = ((0.3, 0.3), (1.2, 0.3), (0.3, 1.2))
"""Where a climb may begin: the distance from the middle to the ends, in units of σ, and half of the one from
values that rise to those that fall, of σ_q.
"""
_CLIMBED = 3
"""Known neighbours from which it is climbed."""
_KEPT = 2
"""Those that are tried as they are; but for the first one where they are next to the best."""
_NEAR = 0.05
"""By what part ε may be less."""
_NEAR_LOG = 0.5
"""By how much log δ/(1 − δ) may be less."""
_SHORTEST = 0.06
"""Where a climb ends: its steps as a part of the first."""
_TRIES = 120
"""Cap on the steps of a climb."""
_TOLD_APART = 2
"""Those of all climbs that are looked at as a proof would see them."""
_INTEGRALS = 32
"""Cap on the levels in all integrals: so many levels have two outcomes, half of them three, …"""
_SEEN = 5
"""Outcomes that are told apart, at most."""
_LEAST_THETA = 0.015
"""The least saddle point, in units of 1 through the largest loss or the deviation of all losses."""
_MOST_THETA = 500.0
"""The largest, in units of 1 through the deviation of all losses."""
_HIGHEST = 1e6
"""Cap on saddle points."""
_POINTS = 60
"""How many they are."""
_WIDTH = 1e-32
"""About how wide a proved probability is."""
_RARE = 0.1
"""Least probability that is looked at, as a part of δ a step."""
_NONE = 1e6
"""By how much log δ = −∞ is worth less than its largest loss."""
_COMBINED = 6000
"""How many combinations of outcomes are added up."""
_LEAST = 1e-16
"""The least 1 − δ that is told from smaller ones."""
_MOST = Fraction(10**6)
"""The largest ε that is told from larger ones."""
_GRID = 2**12
"""Values are multiples of σ_q through it."""


@dataclass(frozen=True)
class _Family:
    """Levels, in turns of so many; values are in units of σ_q. ``number`` is that of the known neighbours."""

    values: Floats
    counts: tuple[int, ...]
    ways: tuple[int, ...]
    turn: int = 1
    times: int = 1
    seen: tuple[int, ...] = ()
    number: int = -1


def best(
    asked: GaussianAboveThreshold,
    known: tuple[Halting, ...],
    steps: int,
    epsilon: Fraction | None,
    delta: Fraction | None,
    way: int,
) -> tuple[Halting, ...]:
    """Neighbours with a large δ of so many steps at ``epsilon``, or ε at ``delta``: those that were found,
    then the best of those ``known``, one in any case. What counts is P against Q (``way`` 1), Q
    against P (−1), or either (0). Where the time is up no other climb begins; a later demand goes on from
    there. Raises NoConvergence where noise is too wide for the search.
    """
    search = _search(asked, known, steps, epsilon, delta)
    with np.errstate(all="ignore"):
        while not late() and search.climb():
            pass
        return tuple(exchanged(seen) if way * side < 0 else seen for seen, side in search.found())


@lru_cache(maxsize=256)
def _search(
    asked: GaussianAboveThreshold,
    known: tuple[Halting, ...],
    steps: int,
    epsilon: Fraction | None,
    delta: Fraction | None,
) -> "_Search":
    with np.errstate(all="ignore"):
        return _Search(asked, known, steps, epsilon, delta)


def exchanged(seen: Halting) -> Halting:
    """The same neighbours, P and Q exchanged."""
    return replace(seen, turns=tuple(tuple(x._replace(way=-x.way) for x in turn) for turn in seen.others))


class _Search:
    def __init__(
        self,
        asked: GaussianAboveThreshold,
        known: tuple[Halting, ...],
        steps: int,
        epsilon: Fraction | None,
        delta: Fraction | None,
    ) -> None:
        self._asked, self._moves, self._steps = asked, known[0].moves, steps
        at = None if epsilon is None else float(min(epsilon, _MOST))
        self._worth: Worth = partial(worth, steps, at, float(delta or 0))
        self._one_way = asked.monotone and self._moves == 1
        self._rise = float(asked.sensitivity * (1 if asked.monotone else self._moves) / asked.query_sigma)
        self._ratio = float(asked.sigma / asked.query_sigma)
        nodes = math.ceil(2 * _FAR / min(_FINE, _FINE_ANSWER / self._ratio))
        if nodes > _NODES and not self._ratio < _WIDEST:
            raise NoConvergence(f"sparse vectors: sigma must be below {_WIDEST:g} query_sigma")
        self._evenly = nodes <= _NODES
        self._edges = np.linspace(-_FAR, _FAR, nodes if self._evenly else _PANELS + 1)
        self._known, self._epsilon = known, epsilon
        self._ranked = sorted(starmap(self.read, enumerate(known)), key=self.value, reverse=True)
        starts: list[tuple[list[_Family], float]] = [([start], 1.0) for start in self._ranked[:_CLIMBED]]
        self._starts = iter([*starts, *self.evenly()])
        self._climbed: list[_Family] = []
        self._found: list[tuple[Halting, int]] = []

    def climb(self) -> bool:
        """Climbs from one more start; whether there was one."""
        if (start := next(self._starts, None)) is None:
            return False
        self._climbed.append(self.climbed(*start))
        self._found = []
        return True

    def found(self) -> list[tuple[Halting, int]]:
        """The best of all climbs, then of those known, with the side that is worth more."""
        if not self._found:
            climbed = sorted(self._climbed, key=self.value, reverse=True)[:_TOLD_APART]
            families = sorted(map(self.told_apart, climbed), key=self.value, reverse=True)[:1]
            value = self.value(families[0]) if families else -math.inf
            least = value - (_NEAR * abs(value) if self._epsilon is None else _NEAR_LOG)
            kept = self._ranked[:1] + [x for x in self._ranked[1:_KEPT] if self.value(x) >= least]
            pairs = [*((x, self.written(x)) for x in families), *((x, self._known[x.number]) for x in kept)]
            self._found = [(seen, self.side(x)) for x, seen in pairs]
        return self._found

    def read(self, number: int, seen: Halting) -> _Family:
        """Known neighbours."""
        values = np.array([float(level.value / self._asked.query_sigma) for level in seen.levels])
        _, counts, ways, told = zip(*seen.levels, strict=True)
        return _Family(values, counts, ways, len(seen.turns[0]), seen.times, told, number)

    def written(self, family: _Family) -> Halting:
        """The neighbours, exactly."""
        exact = (self._asked.query_sigma * Fraction(round(v * _GRID), _GRID) for v in family.values.tolist())
        levels = tuple(map(Level, exact, family.counts, family.ways, family.seen))
        turns = tuple(levels[j : j + family.turn] for j in range(0, len(levels), family.turn))
        return Halting(self._asked, self._moves, turns, family.times)

    def evenly(self) -> Iterator[tuple[list[_Family], float]]:
        """Where climbs begin, and with which step."""
        k, unit = self._asked.queries, max(1.0, self._ratio)
        first = sorted({max(1, min(k - 1, int(part * k))) for part in _SPLITS})
        if self._steps > 1:
            first = first[len(first) // 2 :][:1]
        found: list[tuple[int, ...]] = [(n, k - n) for n in first if k > 1]
        if self._steps > 1 or self._one_way:
            sizes = (size for size in _OF_MANY if size <= k)
            found += [tuple(k // size + (j < k % size) for j in range(size)) for size in sizes]
        for counts in found:
            size = len(counts)
            middle = np.interp(-math.log1p(size / k), _LOG_NORMAL, _TABLE)
            turns = ((1, 1), (1, 0), (0, 1)) if self._one_way else ((1, -1),)
            for ways in turns:
                every = ways * (size // 2)
                starts = [
                    far * self._ratio * _spread(size) + apart * _against(every) - middle
                    for far, apart in _STARTS
                ]
                yield [_Family(x, counts, every) for x in starts], unit

    def climbed(self, starts: list[_Family], unit: float) -> _Family:
        """The best values; steps are from ``unit`` down."""
        best, family = max(((self.value(x), x) for x in starts), key=lambda found: found[0])
        size, turn = len(family.counts), family.turn
        moves = [np.ones(size)]
        if len(set(family.ways)) > 1:
            moves.append(_against(family.ways))
        if size > max(2, turn) or (size == 2 and len(moves) == 1):
            moves.append(np.repeat(_spread(size // turn), turn))
        length, end, tries = unit, _SHORTEST * (unit if size > 2 else min(1.0, unit)), 0
        while length > end and tries < _TRIES:
            before = best
            for move in moves:
                for step in (move * length, -move * length):
                    while tries < _TRIES:
                        tries += 1
                        other = replace(family, values=family.values + step)
                        if (there := self.value(other)) <= best:
                            break
                        best, family = there, other
            if best == before:
                length /= 2
        return family

    def value(self, family: _Family) -> float:
        """What P and Q are worth, whichever comes first."""
        p, q = self.outcomes(family)
        return max(self._worth(p, q), self._worth(q, p))

    def side(self, family: _Family) -> int:
        """1 where P against Q is worth more, else −1."""
        p, q = self.outcomes(family)
        return 1 if self._worth(p, q) >= self._worth(q, p) else -1

    def outcomes(self, family: _Family) -> tuple[Floats, Floats]:
        """The probabilities of nothing above, and of the first one above at each level, under P and Q; or of
        what is seen.
        """
        counts, ways = np.array(family.counts), np.array(family.ways)
        z, chances = self._nodes(family)
        first, second = (
            self._side(counts * _log_normal(self._ratio * z - family.values - moved * ways), chances, family)
            for moved in (0.0, self._rise)
        )
        if not family.seen:
            return first, second
        told = [0, *family.seen]
        return np.bincount(told, first).astype(float), np.bincount(told, second).astype(float)

    def _nodes(self, family: _Family) -> tuple[Floats, Floats]:
        """Nodes, as a column, and the chances of the threshold's noise at each. Wide noise has panels, which
        are narrow next to all values, under P and Q.
        """
        if self._evenly:
            z, widths = self._edges, np.ones(len(self._edges))
        else:
            near = _NEAR_VALUE + self._rise / 2
            cuts = near * np.linspace(-1.0, 1.0, 1 + min(_MOST_NARROW, math.ceil(2 * near / _NARROW)))
            middles = family.values + self._rise * np.array(family.ways) / 2
            inner = np.clip((middles[:, None] + cuts).ravel() / self._ratio, -_FAR, _FAR)
            edges = np.unique(np.concatenate([self._edges, inner]))
            nodes, weights = _GAUSS
            half = np.diff(edges)[:, None] / 2
            z, widths = ((edges[:-1, None] + half) + half * nodes).ravel(), (half * weights).ravel()
        chances = widths * np.exp(-(z**2) / 2)
        return z[:, None], chances / chances.sum()

    def _side(self, log: Floats, chances: Floats, family: _Family) -> Floats:
        log = log.reshape(len(log), -1, family.turn)
        turns = log.sum(axis=2, keepdims=True)
        before = family.times * (turns.cumsum(axis=1) - turns) + (log.cumsum(axis=2) - log)
        again = np.expm1(family.times * turns) / np.expm1(turns) if family.times > 1 else 1.0
        above = -np.exp(before) * np.expm1(log) * np.where(turns < 0, again, family.times)
        nothing = np.exp(family.times * turns.sum(axis=(1, 2)))
        return np.array([chances @ nothing, *(chances @ above.reshape(len(log), -1))])

    def told_apart(self, family: _Family) -> _Family:
        """With the number of the outcome at each level; 0 is also that of nothing above."""
        if family.seen:
            return family
        p, q = self.outcomes(family)
        groups = [[j] for j in np.argsort(p / q).tolist()]
        most = 2 if self._steps == 1 else min(_SEEN, 1 + max(1, _INTEGRALS // len(family.counts)))

        def worth(groups: list[list[int]]) -> float:
            first, second = (np.array([x[group].sum() for group in groups]) for x in (p, q))
            return max(self._worth(first, second), self._worth(second, first))

        while len(groups) > most:  # neighbours are joined
            fewer = ([*groups[:i], a + b, *groups[i + 2 :]] for i, (a, b) in enumerate(pairwise(groups)))
            groups = max(fewer, key=worth)
        groups.sort(key=lambda group: 0 not in group)
        seen = [next(i for i, group in enumerate(groups) if j in group) for j in range(1, len(p))]
        return replace(family, seen=tuple(seen))


def _spread(size: int) -> Floats:
    return np.asarray((2 * np.arange(size) + 1 - size) / size)


def _against(ways: Sequence[int]) -> Floats:
    """Those that rise against the others."""
    found = np.array(ways) - np.mean(ways)
    return np.asarray(found / (abs(found).max() or 1.0))


def _log_normal(x: Floats) -> Floats:
    """log Φ."""
    low = np.minimum(x, _TABLE[0])
    beyond = -(low**2) / 2 - np.log(-low * math.sqrt(2 * math.pi))
    return np.asarray(np.where(x < _TABLE[0], beyond, np.interp(x, _TABLE, _LOG_NORMAL)))


def worth(steps: int, epsilon: float | None, delta: float, p: Floats, q: Floats) -> float:
    """log δ/(1 − δ) at ε, or ε at δ."""
    p, q = p - _WIDTH, q + _WIDTH
    there = p > (0 if epsilon is not None else _RARE * delta / steps)
    if not there.any():
        return -math.inf
    p, losses = p[there], np.log(p[there] / q[there])
    most = steps * float(losses.max())
    if epsilon is None and delta == 0:
        return most
    if epsilon is not None and epsilon >= most:
        return most - _NONE
    if math.comb(steps + len(p) - 1, len(p) - 1) > _COMBINED:
        return _many(steps, epsilon, delta, p, losses)
    how_often, ways = _combined(steps, len(p))
    log_chances, losses = how_often @ np.log(p) + ways, how_often @ losses
    if epsilon is not None:
        found = float(np.exp(log_chances) @ np.maximum(0.0, -np.expm1(epsilon - losses)))
        return math.log(found / max(1 - found, _LEAST)) if found > 0 else -_NONE
    order = np.argsort(-losses)
    first = np.cumsum(np.exp(log_chances[order]))
    log_second = np.logaddexp.accumulate((log_chances - losses)[order])
    more = first > delta
    return float((np.log(first[more] - delta) - log_second[more]).max(initial=-math.inf))


@lru_cache(maxsize=64)
def _combined(steps: int, size: int) -> tuple[Floats, Floats]:
    """How often each outcome may be seen in so many steps, and the log of in how many orders."""
    bars = np.array(list(combinations(range(steps + size - 1), size - 1)), dtype=float)
    fences = np.full((len(bars), 1), -1.0), bars, np.full((len(bars), 1), steps + size - 1.0)
    how_often = np.diff(np.hstack(fences), axis=1) - 1
    log_factorial = np.cumsum([0.0, *np.log(np.arange(1, steps + 1))])
    return how_often, log_factorial[steps] - log_factorial[how_often.astype(int)].sum(axis=1)


def _many(steps: int, epsilon: float | None, delta: float, p: Floats, losses: Floats) -> float:
    """The same by saddle points."""
    deviation = math.sqrt(steps * float(p @ (losses - p @ losses) ** 2))
    if not deviation > 0:
        return -math.inf
    low = _LEAST_THETA / max(deviation, losses.max())
    theta = np.geomspace(min(low, 1.0), min(_MOST_THETA / deviation, _HIGHEST), _POINTS)
    at, log_delta = _saddle(steps, theta, p, losses)
    at = np.append(at, steps * losses.max())
    log_delta = np.append(log_delta, steps * np.log(p[losses.argmax()]))
    less, log_rest = _saddle(steps, -theta / (1 + theta), p, losses)
    log_odds = log_delta - np.interp(at, less[::-1], log_rest[::-1], right=0.0)
    if epsilon is not None:
        return float(np.interp(epsilon, at, log_odds))
    return float(np.interp(math.log(1 / delta - 1), np.maximum.accumulate(-log_odds), at, left=-math.inf))


def _saddle(steps: int, theta: Floats, p: Floats, losses: Floats) -> tuple[Floats, Floats]:
    """ε and log δ at saddle points θ > 0, or log(1 − δ) at those in (−1, 0)."""
    tilted = np.log(p) + np.outer(theta, losses)
    largest = tilted.max(axis=1, keepdims=True)
    weights = np.exp(tilted - largest)
    total = weights.sum(axis=1)
    weights /= total[:, None]
    mean = weights @ losses
    at = steps * mean - 1 / theta - 1 / (1 + theta)
    spread = steps * (weights @ losses**2 - mean**2) + theta**-2.0 + (1 + theta) ** -2.0
    found = steps * (np.log(total) + largest[:, 0]) - theta * at - np.log(abs(theta) * (1 + theta))
    return at, np.minimum(found - np.log(2 * math.pi * spread) / 2, 0.0)
