"""Rényi divergences of AboveThreshold with Laplace noise: the worst sum over its ends, and all neighbours."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.mechanism import Composition
from pldverify.reference.laws import halting_bound
from pldverify.reference.laws.composed_loss import product, with_gaussians
from pldverify.reference.laws.halting_bound import LaplaceHaltingBound
from pldverify.reference.search.cumulant import cumulant
from tests.teeth.planted import planted

F = Fraction
GRID = np.linspace(-30, 30, 12_001)
"""Of the threshold's noise in its scale; kinks of integrands cost less than 1e-5."""


def above(x: np.ndarray) -> np.ndarray:
    """F of Laplace noise of scale 1."""
    tail: np.ndarray = np.exp(-abs(x)) / 2
    return np.where(x < 0, tail, 1 - tail)


def law(asked: pv.AboveThreshold, moves: int = 1) -> LaplaceHaltingBound:
    direction = "replace" if moves == 2 else "remove"
    ((found, _),) = with_gaussians(Composition.of((asked, 1)), direction).factors  # type: ignore[arg-type]  # a word
    assert isinstance(found, LaplaceHaltingBound)
    return found


def halting(queries: list[float], b: float, query_b: float) -> np.ndarray:
    """Where it halts above the threshold 0; the last outcome is never."""
    weights = np.exp(-abs(GRID)) / 2 * (GRID[1] - GRID[0])
    weights, found = weights / weights.sum(), []
    for answer in queries:
        chance = above((answer - b * GRID) / query_b)
        found.append(float(weights @ chance))
        weights = weights * (1 - chance)
    return np.array([*found, weights.sum()])


def neighbours(draw: random.Random, moved: float, b: float, one_way: bool) -> tuple[list[float], list[float]]:
    """Queries at random, or that rise and fall in turn, or many of one sort before one of the other."""
    k, far = draw.choice([1, 2, 5, 20]), draw.choice([0.5, 2, 6]) * b
    first = sorted(draw.uniform(-far, far) for _ in range(k))
    way = draw.choice((-1.0, 1.0))
    ways = {
        "random": [draw.uniform(0 if one_way else -1, 1) for _ in range(k)],
        "turns": [way * (-1.0) ** i for i in range(k)],
        "last": [way] * (k - 1) + [-way],
    }
    chosen = draw.choice(list(ways.values()))
    second = [x + moved * (max(w, 0) if one_way else w) for x, w in zip(first, chosen, strict=True)]
    return (first, second) if draw.random() < 0.5 else (second, first)


@pytest.mark.parametrize("instances", [12, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("monotone", [False, True])
def test_no_neighbours_exceed_it(monotone: bool, instances: int) -> None:
    """Of a replaced record, too, which moves queries twice as far, or both ways."""
    draw, nearest = random.Random(f"{monotone}"), 0.0
    for _ in range(instances):
        b, query_b, moved = draw.choice([0.25, 1, 4]), draw.choice([1, 2]), draw.choice([0.125, 0.5])
        asked = pv.AboveThreshold(b, query_b, moved, monotone)
        replaced = draw.random() < 0.3
        how = (moved if monotone else 2 * moved) if replaced else moved
        first, second = neighbours(draw, how, b, monotone and not replaced)
        p, q = halting(first, b, query_b), halting(second, b, query_b)
        bound = law(asked, 2 if replaced else 1)
        for lam in (F(1, 2), F(2), F(8)):
            with working(64):
                most = float(bound.log_moment(lam).upper())
            moment = math.log(float(np.sum(p ** (1 + float(lam)) * q ** -float(lam))))
            assert moment <= most * (1 + 1e-4) + 1e-9
            nearest = max(nearest, moment / most)
    assert nearest > 0.6


def worst_ends(up: float, down: float, lam: float) -> float:
    """log of the worst sum over ends of any number of queries, at one noise of the threshold, on a grid."""
    x, found = np.linspace(-4, 4 + up + down, 4001), 1.0
    for moved in [y for y in (up, -down) if y]:
        h, other = above(x), above(x + moved)
        stays = (1 - h) ** (1 + lam) * (1 - other) ** -lam
        if stays.max() >= 1:
            return math.inf
        found = max(found, float((h ** (1 + lam) * other**-lam / (1 - stays)).max()))
    return math.log(found)


SUMS = [(0.1, 0.1), (0.0, 0.5), (0.5, 0.0), (0.02, 0.03), (0.3, 1.5), (0.0, 4.0), (1.0, 1.0)]
PLANTED = {
    "(q ** (i + 1) / (1 + q)": "(q**i / (1 + q)",
    "q ** (_TANGENTS - i) / (1 + q)": "q ** (_TANGENTS - i - 1) / (1 + q)",
    "(y, 1 - x, 1 - y, x) if rising": "(1 - x, y, x, 1 - y) if rising",
    "_corners(up, ctx.prec, rising=True)": "_corners(down, ctx.prec)",
    "if not surely_less(below, 1)": "if surely_less(2, below)",
    "above / (1 - below)": "above / (2 - below)",
}
"""Errors of the bound that are seen, each by itself."""


@pytest.mark.parametrize("plant", [None, *PLANTED])
def test_the_sum_over_ends(plant: str | None) -> None:
    """Not below the worst ends by brute force, nor more than 6 % above."""
    module = halting_bound if plant is None else planted(halting_bound, (plant, PLANTED[plant]))
    bound, missed = module.LaplaceHaltingBound(F(1), F(1), False, law(pv.AboveThreshold(1, 1)).pair), []
    for up, down in SUMS:
        for lam in (F(1, 4), F(1), F(3), F(12)):
            with working(96):
                found = float(bound.ends(lam, F(str(up)), F(str(down))).upper())
            worst = worst_ends(up, down, float(lam))
            missed.append(not (math.isinf(found) if math.isinf(worst) else worst * (1 - 1e-6) <= found))
            assert plant or found <= worst * 1.06
    assert any(missed) is (plant is not None)


def test_queries_that_rise_may_tell_without_end() -> None:
    """Of u = 1 and λ = 3 each query that is passed adds to the sum, which has no bound."""
    h, other = (float(above(np.array(x))) for x in (-2.0, -1.0))
    sums = [((1 - h) ** 4 * (1 - other) ** -3.0) ** k for k in (10, 100)]
    assert sums[0] > 1.9 and sums[1] > 500
    with working(96):
        assert law(pv.AboveThreshold(1, 1)).ends(F(3), F(1), F(1)).is_finite() is False


@pytest.mark.parametrize(
    "expression", ["above_threshold(3, 8)", "above_threshold(8, 3)", "above_threshold(1, 1, monotone=True)"]
)
def test_the_least_of_both_and_what_a_search_believes(expression: str) -> None:
    """Nowhere above the pair; mostly below it; floats are within 8 %, and the pair's own where it is less."""
    bound, less = law(parse(expression).parts[0][0]), 0
    for lam in (F(1, 2), F(5), F(40), F(1000)):
        with working(96):
            found = bound.log_moment(lam)
            pair = product(parse(expression), "remove").log_moment(lam)
            assert not surely_less(pair, found)
            less += surely_less(found, pair * 9 / 10)
        assert float(found) <= cumulant(bound, float(lam))[0] * (1 + 1e-5) <= float(found) * 1.08
    assert less >= 1 and bound.largest_finite_loss == bound.pair.largest_finite_loss
    with pytest.raises(NoConvergence, match="positive order"):
        cumulant(bound, 0.0)


def test_ten_steps_lose_less_than_the_pair() -> None:
    """One step with a small δ loses what the pair does."""
    steps = 10 * pv.AboveThreshold(3, 8)
    ten = pv.bracket(steps, delta="1e-6", digits=2, seconds=3)
    pair = pv.epsilon(steps, delta="1e-6", digits=3)
    assert F(16, 5) < ten.upper < F(33, 10) and pair.lower > F(37, 10)
    assert pv.prove_again(ten, fast=False).upper == ten.upper
    assert pv.certify(steps, epsilon="3.4", delta="1e-6").verdict == "CERTIFIED"
    one = pv.bracket(pv.AboveThreshold(3, 8), delta="1e-6", digits=2, seconds=3)
    assert F(one.upper) < F(pv.epsilon(pv.AboveThreshold(3, 8), delta="1e-6").upper) + F(1, 10**4)


def test_the_best_of_poisson_runs_has_time_for_its_moments() -> None:
    """Each order asks for a δ(ε) of one run, by its pair alone; with the pair's own moments it is 0.284."""
    runs = pv.RepeatAndSelect(pv.AboveThreshold(20, 40), mean=4, shape="inf")
    assert pv.bracket(2 * runs, delta="1e-3", digits=2, seconds=6).upper < F(27, 100)
