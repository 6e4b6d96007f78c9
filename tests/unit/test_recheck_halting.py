"""What the checker knows of sparse vectors and of report noisy max from below: against integrals and against
neighbours that are tried, which share nothing with it."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import ndtr

from pldverify import recheck
from tests.unit.test_recheck_reach import one

ONE = Fraction(1)
Stages = list[tuple[Fraction, int]]


def laplace(x: Any) -> Any:
    return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2


def integral(noise: str, sigma: Fraction, stages: Stages) -> Any:
    """That all stages are passed, by quadrature."""
    exact = noise == recheck.Laplace
    below: Callable[[Any], Any] = laplace if exact else mpmath.ncdf

    def chance(z: Any) -> Any:
        found = mpmath.exp(-abs(z)) / 2 if exact else mpmath.npdf(z)
        for v, n in stages:
            found *= below(mpmath.mpf(sigma.numerator) / sigma.denominator * z - float(v)) ** n
        return found

    cuts = {float(v / sigma) for v, _ in stages} | {0.0}
    far, points = (80.0, (-20, -5, 5, 20)) if exact else (14.0, (-6, -3, -1, 1, 3, 6))
    return mpmath.quad(chance, sorted({-far, far, *points, *(x for x in cuts if abs(x) < far)}))


@pytest.mark.parametrize("noise", [recheck.Laplace, recheck.Gaussian])
def test_what_is_passed_is_an_integral(noise: str) -> None:
    rng = random.Random(9)
    with mpmath.workdps(30):
        for sigma in (ONE, Fraction(1, 2), Fraction(7, 5)):
            stages = [(Fraction(rng.randint(-30, 30), 16), rng.randint(0, 5)) for _ in range(3)]
            bits, found = recheck.passed(noise, sigma, stages, 30.0, [0])
            for j, (low, high) in enumerate(found):
                truth, one = integral(noise, sigma, stages[: j + 1]), mpmath.mpf(2) ** bits
                assert low / one - truth / 10**14 <= truth <= high / one + truth / 10**14
                assert high - low < one / 2**60


def test_masses_of_neighbours_are_of_queries_that_move_so_far() -> None:
    """By integrals: rising ones by no more than the move, falling ones not at all where all rise."""
    for one_way in (0, 1):
        law = recheck.Halting(recheck.Laplace, ONE / 4, ONE / 8, Fraction(one_way), 0)
        asked, fixed = recheck.stops(law, 5), recheck.Fixed(200)
        asked.prepare(25.0, [0], 0.0, 1)
        rows = asked.masses(fixed, 25.0)
        n, rises, falls = 8, Fraction(1, 16) - Fraction(2, 5), Fraction(1, 16)
        for way in (0, 1):
            moved = Fraction(2 * way - 1, 16)
            pair = [(rises + moved, n), (falls - (0 if one_way else moved), 1)]
            whole = [
                mpmath.mpf(1),
                *(integral(recheck.Laplace, ONE / 2, (pair * 4)[: j + 1]) for j in range(8)),
                0,
            ]
            for row, a, b in zip(rows, whole[:-1], whole[1:], strict=True):
                assert abs(row[way][0] / mpmath.mpf(fixed.one) - (a - b)) < 1e-12


@pytest.mark.parametrize(("c", "turn"), [("1/2", 0), ("1/4", 2), ("2", 4), ("1/2", 7)])
def test_a_winner_has_the_chance_of_an_integral(c: str, turn: int) -> None:
    asked, fixed, far = recheck.wins(Fraction(c), turn), recheck.Fixed(150), Fraction(c)
    asked.prepare(25.0, [0], 0.0, 1)
    n, m, lead = recheck.CONTESTS[turn]
    at = Fraction(lead, 80) + (Fraction(turn, 19) - Fraction(1, 2)) * far
    for way, lost in enumerate(asked.masses(fixed, 25.0)[1]):
        truth = n * integral(recheck.Laplace, ONE, [(at + way * far, m), (Fraction(0), n - 1)])
        assert abs(lost[0] / mpmath.mpf(fixed.one) - truth) < 1e-12


def actual(noise: str, law: Any, lam: float, values: Any, moves: Any) -> float:
    """log E e^{λ loss} of where a sequence of queries ends."""
    exact = noise == recheck.Laplace
    z = np.linspace(-40, 40, 20001) if exact else np.linspace(-9, 9, 801)
    density = np.exp(-abs(z)) / 2 if exact else np.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    def below(x: Any) -> Any:
        return np.where(x < 0, np.exp(-abs(x)) / 2, 1 - np.exp(-abs(x)) / 2) if exact else ndtr(x)

    laws = []
    for queries in (values, values + moves):
        left, rows = density * (z[1] - z[0]), []
        for v in queries:
            x = float(law.moves[1] / law.moves[0]) * z - v
            rows.append((left * below(-x)).sum())
            left = left * below(x)
        laws.append(np.array([*rows, left.sum()]))
    return math.log(float((laws[0] ** (lam + 1) * laws[1] ** -lam).sum()))


@pytest.mark.parametrize("noise", [recheck.Laplace, recheck.Gaussian])
@pytest.mark.parametrize("one_way", [0, 1])
def test_no_sequence_of_queries_has_a_larger_moment(noise: str, one_way: int) -> None:
    """A search for the worst finds none, and comes near: within the share that is asked."""
    rng = np.random.default_rng(3)
    cap = 3
    law = recheck.Halting(noise, ONE / 2, ONE / 2, Fraction(one_way), 0 if noise == recheck.Laplace else cap)
    lam, best = Fraction(9, 4), 0.0
    bound = float(law.moment(lam, [0]))
    for signs in (
        (1.0, 1.0, 1.0),
        (-1.0, -1.0, -1.0),
        *(() if one_way else ((1.0, 1.0, -1.0), (1.0, -1.0, -1.0))),
    ):
        values, most = np.array([0.3, 0.3, 0.0]), 0.0
        for _ in range(80):
            other = values + rng.normal(size=cap)
            found = actual(noise, law, float(lam), other, np.array(signs) / 2)
            values, most = (other, found) if found > most else (values, most)
        best = max(best, most)
    assert 0.3 * bound < best <= bound


def test_a_search_finds_where_a_function_is_least() -> None:
    for least in range(12):
        assert recheck.least(lambda x, at=least: abs(x - at), list(range(12))) == least


NAMES = {"above_threshold": ("b", "query_b"), "gaussian_above_threshold": ("sigma", "query_sigma")}


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_read_to_their_side(name: str) -> None:
    """A move of all queries by Δ is one of the threshold's noise and of the answers'; a replaced record moves
    them twice as far; more than so many queries, and replaced ones that all move one way, are beyond it."""
    first, second = NAMES[name]
    values = {first: "4", second: "8", "sensitivity": "2", "monotone": "False"}
    values |= {"queries": "7"} if name.startswith("gaussian") else {}
    above, below, tight = recheck.law(one(name, **values), "add", set())
    assert (above.moves, above.cap, tight, len(below)) == (
        (ONE / 2, ONE / 4),
        7 if "queries" in values else 0,
        0,
        20,
    )
    assert recheck.law(one(name, **values), "replace-one", set())[0].moves == (ONE, ONE / 2)
    assert above.most == (None if name.startswith("gaussian") else (ONE, 0))
    wrong = [("replace-one", {"monotone": "True"})]
    wrong += [("add", {"queries": "10001"}), ("add", {"queries": "0"})] if name.startswith("gaussian") else []
    for adjacency, change in wrong:
        with pytest.raises(recheck.Beyond):
            recheck.law(one(name, **(values | change)), adjacency, set())


def test_powers_that_fill_the_memory_are_beyond_it() -> None:
    """Moments of moves that are weak, at orders of ε/ρ, had billions of digits; so had strong ones."""
    with pytest.raises(recheck.Beyond, match="a power that is too large"):
        recheck.Fixed(100).exp(Fraction(10**9))
    far = [(Fraction(10**7 * side), 1) for side in (-1, 1)]
    with pytest.raises(recheck.Beyond, match="a power that is too large"):
        recheck.passed(recheck.Laplace, Fraction(10**7), far, 30.0, [0])
    law = recheck.Halting(recheck.Gaussian, ONE, ONE, Fraction(0), 2)
    with pytest.raises(recheck.Beyond, match="a power that is too large"):
        law.corners(10**6, ONE, [0])


def test_weak_moves_are_asked_at_orders_that_tell_enough() -> None:
    """Of σ = 10^4 and ε = 1 the likely order is 5·10^7: its moment is e^25000000 or more."""
    weak = Fraction(1, 10**4)
    law = recheck.Halting(recheck.Gaussian, weak, weak, Fraction(0), 2)
    law.prepare(30.0, [0], 1.0, 1)
    assert law.known and all(law.rho * lam**2 <= 101 for lam in law.known)
    assert recheck.converted([(law, 1)], True, ONE, recheck.Fixed(200)) < 1 << 60


def test_slopes_that_can_not_be_told_apart_bound_nothing() -> None:
    """Where a difference of slopes may be 0 or less, tangents meet anywhere."""
    weak = Fraction(1, 10**80)
    with pytest.raises(recheck.Beyond, match="slopes that can't be told apart"):
        recheck.Halting(recheck.Gaussian, weak, weak, Fraction(0), 2).corners(4, weak, [0])
