"""Sums over outcomes: one step by its defining integral, a few atoms by all their multisets."""

from __future__ import annotations

import math
from typing import Any

from pldverify.quadrature.arithmetic import Clock, Real
from pldverify.quadrature.law import Law, Row

MOST_SUMS = 20_000
"""Cap on the multisets of losses that are listed."""


def total(mp: Any, rows: list[Row], epsilon: Real) -> tuple[Real, Real]:
    """Σ m (1 − e^{ε−L}) and Σ m over losses from ε on."""
    tie = mp.mpf(10) ** (-mp.dps // 2) * max(1, abs(epsilon))
    reached = [(mass, loss) for mass, loss in rows if loss >= epsilon - tie]
    gains = (-mass * mp.expm1(epsilon - loss) for mass, loss in reached if loss > epsilon)
    return mp.fsum(gains), mp.fsum(mass for mass, _ in reached)


class OneStep:
    """The defining integrals and sums of one step, from where the loss reaches ε."""

    method = "mpmath: ∫ (p − e^ε q)_+"

    def __init__(self, mp: Any, law: Law, order: int, splits: int) -> None:
        self._mp, self._law, self._order, self._splits = mp, law, order, splits

    def at(self, epsilon: Real) -> tuple[Real, Real]:
        rows = self._law.above(epsilon, order=self._order, splits=self._splits)
        return total(self._mp, rows, epsilon)


class Multisets:
    """All sums of finitely many losses, with their probabilities."""

    method = "mpmath: the sum over all multisets of losses"

    def __init__(self, mp: Any, parts: list[tuple[list[Row], int]], clock: Clock) -> None:
        self._mp = mp
        self._rows: list[Row] = [(mp.mpf(1), mp.mpf(0))]
        for rows, count in parts:
            folded = _folded(mp, rows, count)
            clock.check("the sum over multisets")
            self._rows = [(a * b, x + y) for a, x in self._rows for b, y in folded]

    def at(self, epsilon: Real) -> tuple[Real, Real]:
        return total(self._mp, self._rows, epsilon)


def multisets(parts: list[tuple[list[Row], int]]) -> int:
    """How many sums there are."""
    return math.prod(math.comb(k + len(rows) - 1, len(rows) - 1) if rows else 1 for rows, k in parts)


def _folded(mp: Any, rows: list[Row], count: int) -> list[Row]:
    """(probability, sum) of every multiset of ``count`` losses."""
    found: list[tuple[int, Real, Real]] = [(count, mp.mpf(1), mp.mpf(0))]
    for index, (mass, loss) in enumerate(rows):
        last = index == len(rows) - 1
        grown = []
        for left, weight, total_loss in found:
            for taken in [left] if last else range(left + 1):
                ways = mp.mpf(math.comb(left, taken))
                grown.append((left - taken, weight * ways * mass**taken, total_loss + taken * loss))
        found = grown
    return [(weight, loss) for _, weight, loss in found]
