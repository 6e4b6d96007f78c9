"""Queries that are looked for may be asked, tell what is claimed of them, and are near the best known."""

import itertools
import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.mechanisms.halting import Halting
from pldverify.reference.search.halting import levels
from pldverify.reference.search.neighbours import chosen

F = Fraction


def outcomes(asked: pv.GaussianAboveThreshold, rows: list[tuple[Fraction, int]]) -> list[Any]:
    """That nothing is above, and that the first one above is at each level, by the definition."""
    s, unit = mpmath.mpf(float(asked.sigma)), mpmath.mpf(float(asked.query_sigma))
    ends = [-12 * s, *(s * j for j in range(-6, 7)), 12 * s]

    def passed(count: int) -> Any:
        def stays(z: Any) -> Any:
            found = mpmath.npdf(z, 0, s)
            for value, n in rows[:count]:
                found *= mpmath.ncdf((z - mpmath.mpf(value.numerator) / value.denominator) / unit) ** n
            return found

        return mpmath.quad(stays, ends)

    left = [passed(j) for j in range(len(rows) + 1)]
    return [left[-1], *(a - b for a, b in itertools.pairwise(left))]


def drawn(seed: int) -> tuple[Any, int, Any, Fraction]:
    draw = random.Random(seed)
    sigma, unit = (F(draw.choice([1, 2, 3, 5, 8]), draw.choice([1, 2])) for _ in range(2))
    steps = 1 + (seed // 4) % 2
    queries = draw.choice([1, 2, 20, 300] if steps == 1 else [1, 2, 5])
    asked = pv.GaussianAboveThreshold(sigma, unit, queries, monotone=seed % 5 == 4)
    relation = ("add", "remove", "add-or-remove", "replace-one")[seed % 4]
    return asked, steps, relation, F(1, 10 ** draw.randint(2, 7))


@pytest.mark.parametrize("seed", range(24))
def test_every_lower_end_is_attained(seed: int) -> None:
    """δ of two data sets that may be asked is at least the target, just below the lower end."""
    asked, steps, relation, delta = drawn(seed)
    found = pv.bracket(steps * asked, delta=delta, adjacency=relation, digits=2, seconds=4)
    ((_, seen),) = chosen(steps * asked, relation, delta=delta)
    assert isinstance(seen, Halting) and 0 < found.lower <= found.upper
    moves = 2 if relation == "replace-one" else 1
    moved = [other.value - level.value for level, other in zip(seen.levels, seen.others, strict=True)]
    assert all(abs(x) <= asked.sensitivity * (1 if asked.monotone else moves) for x in moved)
    assert sum(level.queries for level in seen.levels) <= asked.queries
    assert not (asked.monotone and moves == 1 and min(moved) < 0 < max(moved))
    first, second = ([(x.value, x.queries) for x in side] for side in (seen.levels, seen.others))
    told = [0, *(level.seen for level in seen.levels)]
    sides = []
    with mpmath.workdps(20):
        for rows in (first, second):
            chances = [mpmath.mpf(0)] * (1 + max(told))
            for outcome, chance in zip(told, outcomes(asked, rows), strict=True):
                chances[outcome] += chance
            sides.append(chances)
        if relation == "add":
            sides = sides[::-1]
        epsilon = mpmath.mpf(float(found.lower)) * (1 - mpmath.mpf(10) ** -9)
        true = [
            sum(
                max(0, mpmath.fprod(p) - mpmath.exp(epsilon) * mpmath.fprod(q))
                for p, q in zip(*(itertools.product(side, repeat=steps) for side in way), strict=True)
            )
            for way in ((sides, sides[::-1]) if relation in ("add-or-remove", "replace-one") else (sides,))
        ]
        assert max(true) >= mpmath.mpf(delta.numerator) / delta.denominator


def test_many_rise_then_many_fall() -> None:
    """7.50 is known of (1, 1, 20), found without this search; whoever is added has as much."""
    asked = "gaussian_above_threshold(sigma=1, query_sigma=1, queries=20)"
    for relation in ("add", "remove", "add-or-remove"):
        assert pv.bracket(asked, delta="1e-3", adjacency=relation, digits=2).lower > 7.4  # type: ignore[arg-type]  # a word


@pytest.mark.parametrize(
    ("asked", "steps", "delta", "least"),
    [
        (pv.GaussianAboveThreshold("3.33", "17.1", 1250), 10, F(148, 10**10), 2.69),
        (pv.GaussianAboveThreshold("20.1", 8, 569), 10, F(916, 10**5), 1.93),
        (pv.GaussianAboveThreshold("27.9", "3.36", 202), 1, F(484, 10**6), 1.7),
        (pv.GaussianAboveThreshold(10, 20, 10**12), 10, F(1, 10**5), 2.30),
    ],
)
def test_it_is_near_what_was_known(asked: Any, steps: int, delta: Fraction, least: float) -> None:
    """``least`` is what one that rises and one that falls in turn had, or a search by hand."""
    found = pv.Composition.of((Halting(asked, 1, levels(asked, 1, steps, None, delta)), steps))
    assert pv.epsilon(found, delta=delta, digits=2).lower > least


def test_what_is_asked_decides_which_queries_there_are() -> None:
    asked = pv.GaussianAboveThreshold(5, 5, 100)
    rare, often = (
        pv.delta(1 * Halting(asked, 1, levels(asked, 1, 1, epsilon, F(1, 10))), epsilon=2)
        for epsilon in (F(2), F(1, 10))
    )
    assert rare.lower > 2 * often.upper
