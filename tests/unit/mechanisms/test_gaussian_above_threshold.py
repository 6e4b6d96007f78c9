"""Gaussian AboveThreshold: its Rényi bound against neighbours by quadrature."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.balls.compare import surely_less
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.gaussian_above_threshold import all_answers
from pldverify.reference.laws import halting_bound
from pldverify.reference.laws.halting_bound import GaussianHaltingBound
from pldverify.reference.quantities.bracket import _from_above
from tests.teeth.planted import planted

F = Fraction
GRID = np.linspace(-10, 10, 4001)
"""Of the threshold's noise in its standard deviations; smooth integrands err by far less than 1e-6."""
below = np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pv.GaussianAboveThreshold(0, 1, 9), "sigma must be > 0, got sigma=0"),
        (lambda: pv.GaussianAboveThreshold(1, 0, 9), "query_sigma must be > 0, got query_sigma=0"),
        (lambda: pv.GaussianAboveThreshold(1, 1, 0), "queries must be an integer from 1 to"),
        (lambda: pv.GaussianAboveThreshold(1, 1, 9, monotone=2), "monotone must be True or False"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert str(caught.value).startswith(message)


def halting(queries: list[float], sigma: float, query_sigma: float) -> np.ndarray:
    """Where it halts above the threshold 0; the last outcome is never."""
    density = np.exp(-(GRID**2) / 2) / math.sqrt(2 * math.pi) * (GRID[1] - GRID[0])
    found, before = [], np.ones_like(GRID)
    for answer in queries:
        above = below((answer - sigma * GRID) / query_sigma)
        found.append(float(np.sum(density * before * above)))
        before = before * (1 - above)
    return np.array([*found, float(np.sum(density * before))])


def neighbours(draw: random.Random, k: int, moved: float, monotone: bool) -> tuple[list[float], list[float]]:
    first = [draw.uniform(-6, 3) for _ in range(k)]
    if draw.random() < 0.5:  # many that fall and one that rises
        first = [draw.uniform(-4, 1)] * (k - 1) + [draw.uniform(-1, 2)]
    ways = (0.0, moved) if monotone else (-moved, moved)
    second = [x + draw.choice(ways) for x in first]
    if draw.random() < 0.5 and not monotone:
        second = [x + moved for x in first[:-1]] + [first[-1] - moved]
    return (first, second) if draw.random() < 0.5 else (second, first)


def above(whole: Any, **at: Any) -> Any:
    """What is proved from above, without a search for neighbours."""
    return _from_above(pv.Query(whole, **at)).until(lambda _: False, 1)


@pytest.mark.parametrize("instances", [4, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("monotone", [False, True])
def test_no_neighbours_exceed_it(monotone: bool, instances: int) -> None:
    """Divergences and δ; of a replaced record, too, which moves queries twice as far, or both ways."""
    draw, nearest = random.Random(f"{monotone}"), 0.0
    for _ in range(instances):
        sigma, query_sigma, moved = draw.choice([0.5, 1, 2]), draw.choice([1, 2]), draw.choice([0.25, 1])
        k = draw.choice([1, 2, 5, 12])
        asked = pv.GaussianAboveThreshold(sigma, query_sigma, k, moved, monotone)
        replaced = draw.random() < 0.3
        how = (moved if monotone else 2 * moved) if replaced else moved
        first, second = neighbours(draw, k, how, monotone and not replaced)
        p, q = halting(first, sigma, query_sigma), halting(second, sigma, query_sigma)
        assert abs(p.sum() - 1) < 1e-9
        moves = 2 if replaced else 1
        bound = GaussianHaltingBound(*asked.parts(moves), k, asked.plain_rho(moves))
        for lam in (F(1, 2), F(1), F(3)):
            with working(64):
                most = float(bound.log_moment(lam).upper())
            moment = math.log(float(np.sum(p ** (1 + float(lam)) * q ** -float(lam))))
            assert moment <= most + 1e-6
            nearest = max(nearest, moment / most)
        relation = "replace-one" if replaced else "add-or-remove"
        found = above(asked, epsilon="0.3", adjacency=relation)
        assert float(np.maximum(p - math.exp(0.3) * q, 0).sum()) <= float(found.upper) + 1e-6
    assert nearest > 0.3


def test_without_the_noise_of_answers_it_would_be_too_small() -> None:
    """The teeth: of noise 1/2 on the threshold and 4 on answers, where both move apart, at λ = 3."""
    p, q = halting([2.0] * 12 + [0.5], 0.5, 4.0), halting([3.0] * 12 + [-0.5], 0.5, 4.0)
    found = math.log(float(np.sum(p**4 * q**-3.0)))
    asked = pv.GaussianAboveThreshold("1/2", 4, 13)
    assert found < 12 * float(asked.plain_rho(1)) and found > 12 * float(asked.plain_rho(1)) / 13


def of_ends(rows: list[tuple[float, float]], lam: float) -> float:
    """log of the sum at one noise of the threshold: each query at x, moved."""
    found = 1.0
    for x, moved in reversed(rows):
        logs = [(lam + 1) * log_ndtr(sign * x) - lam * log_ndtr(sign * (x + moved)) for sign in (1, -1)]
        found = math.exp(logs[0]) + found * math.exp(logs[1])
    return math.log(found)


def worst_ends(k: int, up: float, down: float, lam: float) -> float:
    """Its largest value, query after query from the last one on, each the best of a fine grid."""
    x = np.linspace(-9, 9, 1801)
    rows = [(x, move) for move in (up, -down) if move]
    above, below = (
        np.concatenate(
            [np.exp((lam + 1) * log_ndtr(s * x) - lam * log_ndtr(s * (x + move))) for x, move in rows]
        )
        for s in (1, -1)
    )
    found = 1.0
    for _ in range(k):
        found = float((above + found * below).max())
    return math.log(found)


SUMS = [
    (1, 0.3, 0.3),
    (2, 0.02, 0.02),
    (5, 0.1, 0.3),
    (40, 0.2, 0.2),
    (300, 0.1, 0.15),
    (40, 0, 0.4),
    (9, 1, 1),
    (100, 1, 2),
]
PLANTED = {
    "above + below / place": "above + below / place / 2",
    "below + place * above": "below + above",
    "left - count": "(left - count) // 2",
    "_through(lines, end) - end": "(_through(lines, end) - end) / 2",
    "(count * slope.log1p())": "((count - 1) * slope.log1p())",
    "count * most": "count * most / 2",
}
"""Errors of the bound that are seen, each by itself."""


@pytest.mark.parametrize("plant", [None, *PLANTED])
def test_the_sum_over_ends(plant: str | None) -> None:
    """Not below the worst ends by brute force, nor more than 4 % above."""
    module = halting_bound if plant is None else planted(halting_bound, (plant, PLANTED[plant]))
    below = []
    for k, up, down in SUMS:
        for lam in (F(1, 4), F(3)):
            with working(96):
                bound = float(module.log_sum(lam, F(str(up)), F(str(down)), k).upper())
            worst = worst_ends(k, up, down, float(lam))
            below.append(bound < worst * (1 - 1e-6))
            assert plant or bound <= worst * 1.04
    assert any(below) is (plant is not None)


@pytest.mark.parametrize("instances", [100, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_ends_exceed_the_sum(instances: int) -> None:
    """Any queries at one noise of the threshold, moved by any numbers that are allowed, at large λ, too."""
    draw, nearest = random.Random(7), 0.0
    for _ in range(instances):
        k, up, down = draw.choice([1, 2, 5, 40]), draw.choice([0, 0.1, 0.5]), draw.choice([0.1, 0.5, 2])
        lam = draw.choice([F(1, 4), F(1), F(4), F(16)])
        rows = [(draw.uniform(-3, 1), draw.choice([up, -down, draw.uniform(-down, up)])) for _ in range(k)]
        with working(96):
            bound = halting_bound.log_sum(lam, F(str(up)), F(str(down)), k)
        nearest = max(nearest, of_ends(rows, float(lam)) / float(bound.upper()))
    assert 0.8 < nearest <= 1


def test_queries_without_number_cost_nothing() -> None:
    """R_k is below 1 + k powers of Gaussian noise that moves by 2h, and grows with k."""
    before = arb(0)
    for k in (1, 10**3, 10**6, 10**12):
        with working(96):
            found = halting_bound.log_sum(F(2), F(0), F(1, 4), k)
            most = (1 + k * (arb(6) / 32).exp()).log()
            assert surely_less(before, found) and surely_less(found, most)
            before = found


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("queries", [1, 2, 3, 6])
def test_what_all_answers_tell(queries: int, monotone: bool) -> None:
    """The largest squared distance of means, over all corners, by numpy."""
    sigma, unit = 1.5, 2.0
    inverse = np.linalg.inv(unit**2 * np.eye(queries) + sigma**2 * np.ones((queries, queries)))
    corners = product((0.0, 1.0) if monotone else (-1.0, 1.0), repeat=queries)
    most = max(float(np.array(d) @ inverse @ np.array(d)) for d in corners)
    asked = pv.GaussianAboveThreshold("3/2", 2, queries, monotone=monotone)
    assert 2 * float(asked.plain_rho(1)) == pytest.approx(most, rel=1e-9, abs=0)
    both = pv.GaussianAboveThreshold("3/2", 2, queries)
    assert pv.GaussianAboveThreshold("3/2", 2, queries, monotone=True).plain_rho(2) == both.plain_rho(1)


def test_two_bounds_and_the_least_of_them() -> None:
    """One query is Gaussian noise of both variances; many have the least over λ and θ, by brute force."""
    one = above("gaussian_above_threshold(sigma=20, query_sigma=10, queries=1)", delta="1e-6")
    assert F(one.upper) < pv.zcdp_epsilon(rho=F(1, 1000), delta="1e-6") * F(103, 100)
    many = pv.bracket("gaussian_above_threshold(sigma=10, query_sigma=20, queries=100)", delta="1e-6")
    best = min(
        (lam * (lam + 1) * theta**2 / 200 + worst_ends(100, (1 - theta) / 20, (1 + theta) / 20, lam) + rest)
        / lam
        for theta in (0.2, 0.35, 0.55, 0.75)
        for lam in (20.0, 25.0, 32.0)
        for rest in (lam * math.log(lam) - (1 + lam) * math.log1p(lam) + math.log(10**6),)
    )
    assert 0.97 * best < many.upper < 1.03 * best and many.lower > F(2, 5)
    assert pv.prove_again(many).upper == many.upper
    assert above(many.witness.statement.composition, epsilon=2).upper < F(1, 10**20)  # type: ignore[union-attr]
    with pytest.raises(NoConvergence, match="positive order"):
        GaussianHaltingBound(F(1), F(1), False, 1, F(1)).on_line(F(0), F(1), 0)


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [("0.67", "CERTIFIED"), ("0.64", "UNDECIDED"), ("0.6", "REFUTED")]
)
def test_claims_are_decided_or_undecided(epsilon: str, verdict: str) -> None:
    expression = "gaussian_above_threshold(sigma=10, query_sigma=20, queries=1000)"
    assert pv.certify(expression, epsilon=epsilon, delta="1e-6").verdict == verdict


@pytest.mark.parametrize("steps", [1, 4])
def test_one_query_has_ends_near_each_other(steps: int) -> None:
    found = pv.bracket(steps * pv.GaussianAboveThreshold(1, 20, queries=1), delta="1e-6", digits=2, seconds=3)
    assert 1 < found.upper / found.lower < F(3, 2)
    assert pv.prove_again(found).lower == found.lower


def of_gaussians(mu: float, epsilon: float) -> float:
    """δ(ε) of N(mu, 1) against N(0, 1)."""
    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))


def mu_of_all(asked: pv.GaussianAboveThreshold, moves: int) -> float:
    """The farthest that all noisy answers less the threshold's noise move, by the inverse covariance."""
    k, moved = asked.queries, float(asked.sensitivity) * (1 if asked.monotone else moves)
    covariance = float(asked.query_sigma) ** 2 * np.eye(k) + float(asked.sigma) ** 2
    ways = (0, 1) if asked.monotone and moves == 1 else (-1, 1)
    corners = (moved * np.array(corner) for corner in product(ways, repeat=k))
    return math.sqrt(max(float(d @ np.linalg.solve(covariance, d)) for d in corners))


@pytest.mark.parametrize("moves", [1, 2])
@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_all_answers_are_gaussian_noise(k: int, monotone: bool, moves: int) -> None:
    asked = pv.GaussianAboveThreshold(F(3, 2), F(7, 10), k, F(1, 3), monotone)
    ((answers, times),) = all_answers(4 * asked, moves).parts
    assert isinstance(answers, pv.GDP) and times == 4
    assert float(answers.mu) == pytest.approx(mu_of_all(asked, moves), rel=1e-12, abs=0)
    assert answers.mu**2 > 2 * asked.plain_rho(moves)


@pytest.mark.parametrize("less", [1, F(99, 100)])
def test_no_neighbours_of_many_steps_exceed_all_answers(less: Any) -> None:
    """One query in one step attains the pair, as a threshold is its best test: with less it would show."""
    draw, nearest = random.Random(5), 0.0
    for _ in range(60):
        k, steps = draw.choice([(1, 1), (1, 4), (2, 2), (3, 3)])
        asked = pv.GaussianAboveThreshold(1, draw.choice([1, 2]), k)
        first, second = neighbours(draw, k, 1.0, False)
        mu = mu_of_all(asked, 1) * math.sqrt(steps) * float(less)
        sides = (halting(side, 1, float(asked.query_sigma)) for side in (first, second))
        p, q = (np.array(list(product(side, repeat=steps))).prod(axis=1) for side in sides)
        for epsilon in (0.05, 0.3, 1.0):
            nearest = max(nearest, np.maximum(0, p - math.exp(epsilon) * q).sum() / of_gaussians(mu, epsilon))
    assert bool(nearest < 1 + 1e-9) is (less == 1)
    assert nearest > 0.99


@pytest.mark.parametrize("steps", [1, 10])
@pytest.mark.parametrize("relation", ["add", "add-or-remove", "replace-one"])
@pytest.mark.parametrize("at", [{"delta": "1e-2"}, {"epsilon": "0.3"}, {"epsilon": "-0.3"}], ids=str)
def test_one_query_is_gaussian_noise_from_above(steps: int, relation: Any, at: Any) -> None:
    """Less than Markov's inequality has, which is 1.6 times ε at δ = 0.01."""
    one = steps * pv.GaussianAboveThreshold(3, 4, 1)
    noise = steps * pv.Gaussian(5, 2 if relation == "replace-one" else 1)
    asked, known = (
        pv.bracket(pv.Query(x, **at, adjacency=way), digits=4, seconds=4)
        for x, way in ((one, relation), (noise, "add" if relation == "add" else "add-or-remove"))
    )
    assert 0 < asked.lower <= asked.upper
    assert float(asked.upper) == pytest.approx(float(known.upper), rel=1e-3, abs=0)


def test_answers_of_another_relation_are_refused() -> None:
    """Where a record is replaced queries move twice as far."""
    whole = 10 * pv.GaussianAboveThreshold(3, 4, 1)
    query = pv.Query(whole, delta="1e-2", adjacency="replace-one")
    found = pv.bracket(query, digits=2).witness
    assert found is not None
    statement: Any = found.statement
    nearer = all_answers(whole, 1)
    assert statement.above.composition == all_answers(whole, 2)
    less = pv.bracket(replace(query, composition=nearer), digits=4).witness
    assert less is not None
    with pytest.raises(NoConvergence, match="not the question"):
        replace(statement, above=less.statement).prove()
