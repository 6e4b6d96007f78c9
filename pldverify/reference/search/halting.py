r"""Which queries tell most of Gaussian sparse vectors: a search in floats, with numpy, that proves nothing.

All queries come in levels that rise and fall in turn, each as far as it may: many at once, as what tells is
which of them are above first. Two levels are best for one step, up to 32 for many. Values are evenly
apart; how far, around what, and by how much those that rise are higher is climbed. Monotone queries move one
way at all levels.

**One step** has the ε or δ of its outcomes. **Many** have that of their saddle point,

.. math:: \epsilon = n K'(\theta) - \frac1\theta - \frac1{1 + \theta}, \quad \log\delta = n K(\theta) -
    \theta\epsilon - \log\theta(1 + \theta) - \tfrac12 \log 2\pi \Big(n K''(\theta) + \frac1{\theta^2} +
    \frac1{(1 + \theta)^2}\Big).

Levels are then seen as one where that tells as much, as each outcome costs an integral.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.halting import Level

Floats = NDArray[np.float64]
_FAR = 9.0
"""Deviations of the threshold's noise that are looked at."""
_FINE = 0.08
"""Distance of nodes, in deviations of the threshold's noise."""
_FINE_ANSWER = 0.7
"""The same in deviations of an answer's."""
_NODES = 4000
"""Cap on the nodes."""
_TABLE = np.linspace(-12.0, 12.0, 1537)
"""Where log Φ is tabulated, in deviations."""
_LOG_NORMAL = np.log([math.erfc(-x / math.sqrt(2)) / 2 for x in _TABLE])
_SPLITS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
"""Parts of all queries that rise first where there are two levels; of 1 all but one."""
_OF_MANY = (4, 8, 16, 32)
"""How many levels many steps may have."""
_STARTS = ((0.3, 0.3), (1.2, 0.3), (0.3, 1.2))
"""Where a climb may begin: the distance from the middle to the ends, in units of σ, and half of the one from
values that rise to those that fall, of σ_q.
"""
_SHORTEST = 0.06
"""Where a climb ends: its steps as a part of the first."""
_WORTH = 0.02
"""By what part more levels must be better."""
_INTEGRALS = 32
"""Cap on the levels in all integrals: so many levels have two outcomes, half of them three, …"""
_SEEN = 5
"""Outcomes that are told apart, at most."""
_THETA = 2.0 ** np.arange(-6, 9, 0.25)
"""Saddle points, in units of 1 through the deviation of all losses."""
_LEAST = 1e-14
"""Least probability that is looked at where ε is given."""
_RARE = 0.1
"""The same as a part of δ a step."""
_MOST = Fraction(10**6)
"""The largest ε that is told from larger ones."""
_TINY = 1e-300
"""The smallest δ that is told from smaller ones."""
_GRID = 2**12
"""Values are multiples of σ_q through it."""


@lru_cache(maxsize=256)
def levels(
    asked: GaussianAboveThreshold, moves: int, steps: int, epsilon: Fraction | None, delta: Fraction
) -> tuple[Level, ...]:
    """Those under P, for the largest δ of so many steps at ``epsilon``, or else ε at ``delta``."""
    at, least = None if epsilon is None else float(min(epsilon, _MOST)), max(float(delta), _TINY)
    search = _Search(asked, moves, partial(_one if steps == 1 else partial(_many, steps), at, least))
    with np.errstate(all="ignore"):
        found = [search.climbed(*way) for way in search.divided(steps)]
        best = found[0]
        for other in found[1:]:
            if other[0] > best[0] + (len(other[2]) > len(best[2])) * _WORTH * abs(best[0]):
                best = other
        _, values, counts, ways = best
        seen = search.told_apart(values, counts, ways)
    exact = [asked.query_sigma * Fraction(round(v * _GRID), _GRID) for v in values.tolist()]
    return tuple(map(Level, exact, counts, ways, seen))


class _Search:
    """Values are in units of σ_q."""

    def __init__(
        self, asked: GaussianAboveThreshold, moves: int, worth: Callable[[Floats, Floats], float]
    ) -> None:
        self._queries, self._worth = asked.queries, worth
        self._one_way = asked.monotone and moves == 1
        self._rise = float(asked.sensitivity * (1 if asked.monotone else moves) / asked.query_sigma)
        self._ratio = float(asked.sigma / asked.query_sigma)
        nodes = min(_NODES, math.ceil(2 * _FAR / min(_FINE, _FINE_ANSWER / self._ratio)))
        z = np.linspace(-_FAR, _FAR, nodes)
        chances = np.exp(-(z**2) / 2)
        self._places, self._chances = self._ratio * z, chances / chances.sum()

    def divided(self, steps: int) -> Iterator[tuple[list[int], list[int]]]:
        """How many queries each level has, and which way they move."""
        k = self._queries
        if k == 1:
            yield from (([1], [way]) for way in ((-1, 1) if self._one_way else (-1,)))
            return
        first = sorted({max(1, min(k - 1, int(part * k))) for part in _SPLITS})
        if steps > 1 or self._one_way:
            first = first[len(first) // 2 :][:1]
        found = [[n, k - n] for n in first]
        if steps > 1 or self._one_way:
            found += [[k // size + (j < k % size) for j in range(size)] for size in _OF_MANY if size <= k]
        for counts in found:
            if self._one_way:
                yield from ((counts, [way] * len(counts)) for way in (-1, 1))
            else:
                yield counts, [1 - 2 * (j % 2) for j in range(len(counts))]

    def climbed(self, counts: list[int], ways: list[int]) -> tuple[float, Floats, list[int], list[int]]:
        """The values that are best, and what they are worth."""
        size, moves = len(counts), np.array(ways)
        spread = (2 * np.arange(size) + 1 - size) / size
        turns = len(set(ways)) > 1

        def values(x: Floats) -> Floats:
            return np.asarray(x[0] + x[1] * spread + x[2] * moves)

        def worth(x: Floats) -> float:
            return self._worth(*self.outcomes(values(x), counts, ways))

        middle = np.interp(-math.log1p(size / self._queries), _LOG_NORMAL, _TABLE)
        unit = max(1.0, self._ratio)
        steps = np.array([unit, self._ratio if size > 2 or not turns else 0.0, unit if turns else 0.0])
        starts = [np.array([-middle, far * steps[1], apart]) * (1, 1, turns) for far, apart in _STARTS]
        best, x = max(((worth(x), x) for x in starts), key=lambda found: found[0])
        length = 1.0
        while length > _SHORTEST:
            before = best
            for move in np.diag(steps * length)[steps > 0]:
                for step in (move, -move):
                    while (there := worth(x + step)) > best:
                        best, x = there, x + step
            if best == before:
                length /= 2
        return best, values(x), counts, ways

    def outcomes(self, values: Floats, counts: list[int], ways: list[int]) -> tuple[Floats, Floats]:
        """The probabilities of nothing above, and of the first one above at each level, under P and Q."""
        sides = []
        for moved in (0.0, self._rise):
            left, found = self._chances, [0.0]
            for value, count, way in zip(values, counts, ways, strict=True):
                log = count * _log_normal(self._places - value - moved * way)
                found.append(float(-left @ np.expm1(log)))
                left = left * np.exp(log)
            sides.append(np.array([left.sum(), *found[1:]]))
        return sides[0], sides[1]

    def told_apart(self, values: Floats, counts: list[int], ways: list[int]) -> list[int]:
        """The number of the outcome at each level; 0 is also that of nothing above."""
        sides = self.outcomes(values, counts, ways)
        groups = [[j] for j in np.argsort(sides[0] / sides[1]).tolist()]
        most = min(_SEEN, 1 + max(1, _INTEGRALS // len(values)))
        while len(groups) > most:  # neighbours are joined
            fewer = [[*groups[:i], a + b, *groups[i + 2 :]] for i, (a, b) in enumerate(pairwise(groups))]
            groups = max(
                fewer, key=lambda g: self._worth(*(np.array([x[j].sum() for j in g]) for x in sides))
            )
        groups.sort(key=lambda group: 0 not in group)
        return [next(i for i, group in enumerate(groups) if j in group) for j in range(1, len(values) + 1)]


def _sums(chances: Floats, groups: list[list[int]]) -> Floats:
    return np.array([chances[group].sum() for group in groups])


def _log_normal(x: Floats) -> Floats:
    """log Φ."""
    low = np.minimum(x, _TABLE[0])
    beyond = -(low**2) / 2 - np.log(-low * math.sqrt(2 * math.pi))
    return np.where(x < _TABLE[0], beyond, np.interp(x, _TABLE, _LOG_NORMAL))


def _one(epsilon: float | None, delta: float, p: Floats, q: Floats) -> float:
    """log δ at ε, or ε at δ, of one step."""
    order = np.argsort(-p / q)
    first, second = np.cumsum(p[order]), np.cumsum(q[order])
    if epsilon is not None:
        most = (first - math.exp(min(epsilon, 700.0)) * second).max()
        return math.log(most) if most > _LEAST else (np.log(p / q)[p > _LEAST]).max() - 1e3
    return float(np.log((first - delta) / second)[(first > delta) & (second > _LEAST)].max())


def _many(steps: int, epsilon: float | None, delta: float, p: Floats, q: Floats) -> float:
    """The same of many."""
    there = (p > (_LEAST if epsilon is not None else _RARE * delta / steps)) & (q > 0)
    p, losses = p[there], np.log(p[there] / q[there])
    mean = p @ losses
    if not (variance := steps * float(p @ (losses - mean) ** 2)) > 0:
        return -math.inf
    theta = _THETA / math.sqrt(variance)
    tilted = np.log(p) + np.outer(theta, losses)
    largest = tilted.max(axis=1, keepdims=True)
    weights = np.exp(tilted - largest)
    total = weights.sum(axis=1)
    weights /= total[:, None]
    mean = weights @ losses
    at = steps * mean - 1 / theta - 1 / (1 + theta)
    spread = steps * (weights @ losses**2 - mean**2) + theta**-2.0 + (1 + theta) ** -2.0
    log_delta = steps * (np.log(total) + largest[:, 0]) - theta * at - np.log(theta * (1 + theta))
    log_delta -= np.log(2 * math.pi * spread) / 2
    if epsilon is not None:
        return float(np.interp(epsilon, at, log_delta))
    return float(np.interp(-math.log(delta), -log_delta, at, left=-math.inf))
