"""The shuffle model: both ends against all data sets of few users, in exact rationals; pairs of many against
sums in doubles.
"""

import itertools
import math
from fractions import Fraction as F
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import InvalidInput
from pldverify.reference.laws import shuffle_model
from pldverify.reference.laws.shuffle_model import ShuffleModelLaw

Table = dict[tuple[int, ...], F]


def response(p: F, k: int) -> list[list[F]]:
    r = (1 - p) / (k - 1)
    return [[p if out == value else r for out in range(k)] for value in range(k)]


def reports(laws: list[list[F]]) -> Table:
    """The law of the histogram of independent reports."""
    rows: Table = {(0,) * len(laws[0]): F(1)}
    for law in laws:
        more: Table = {}
        for seen, mass in rows.items():
            for out, chance in enumerate(law):
                after = (*seen[:out], seen[out] + 1, *seen[out + 1 :])
                more[after] = more.get(after, F(0)) + mass * chance
        rows = more
    return rows


def delta(first: Table, second: Table, gamma: F) -> F:
    return sum((max(F(0), p - gamma * second.get(seen, F(0))) for seen, p in first.items()), F(0))


def of_neighbours(laws: list[list[F]], others: tuple[int, ...], gamma: F) -> F:
    """The larger δ of both directions, the one user having the value 0 or 1."""
    p, q = (reports([laws[one], *(laws[x] for x in others)]) for one in (0, 1))
    return max(delta(p, q, gamma), delta(q, p, gamma))


def worst(laws: list[list[F]], n: int, gamma: F) -> F:
    """Over the values of all others, and all pairs of values of the one."""
    found = F(0)
    for a, b in itertools.permutations(range(len(laws)), 2):
        order = [laws[a], laws[b], *(law for i, law in enumerate(laws) if i not in (a, b))]
        for others in itertools.combinations_with_replacement(range(len(laws)), n - 1):
            found = max(found, of_neighbours(order, others, gamma))
    return found


def of_law(users: pv.ShuffleModel, gamma: F, forward: bool = True) -> arb:
    """δ(log γ) of the pair, and that both of its measures have the mass 1."""
    with working(200):
        rows = ShuffleModelLaw(users, forward).outcomes()
        for side in ([row.first for row in rows], [row.second for row in rows]):
            whole = sum(side, arb(0))
            assert whole.overlaps(arb(1)) and whole.rel_accuracy_bits() > 90
        return sum(((row.first - ball(gamma) * row.second).max(arb(0)) for row in rows), arb(0))


def ends(users: pv.ShuffleModel, gamma: F) -> tuple[F, F]:
    """Of the pair below, the better direction, and above."""
    alike = pv.ShuffleModel(users.base, users.n, alike=True)
    return (
        max(F(lower(of_law(alike, gamma, way))) for way in (True, False)),
        F(upper(of_law(users, gamma))),
    )


TINY = F(1, 10**30)
"""Rounding at 200 bits."""
GAMMAS = [F(1), F(5, 4), F(2)]


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize(
    ("n", "p", "k"),
    [(1, F(3, 4), 2), (2, F(3, 4), 2), (5, F(2, 3), 2), (3, F(2, 3), 3), (4, F(3, 5), 3), (3, F(3, 4), 4)],
)
def test_every_data_set_is_between_the_ends(n: int, p: F, k: int, gamma: F) -> None:
    below, above = ends(pv.ShuffleModel(pv.RandomizedResponse(p, k), n), gamma)
    assert below - TINY <= worst(response(p, k), n, gamma) <= above + TINY
    others = (2 if k > 2 else 1,) * (n - 1)
    assert below <= of_neighbours(response(p, k), others, gamma) + TINY


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize(("n", "p", "k"), [(4, F(3, 4), 2), (4, F(3, 5), 3), (3, F(1, 2), 5)])
def test_the_pair_above_is_that_of_the_blanket(n: int, p: F, k: int, gamma: F) -> None:
    """The others who drew a uniform report, and the one user: enumerated, with their number revealed."""
    chance, true = k * (1 - p) / (k - 1), response(p, k)
    total = F(0)
    for blanket in range(n):
        weight = math.comb(n - 1, blanket) * chance**blanket * (1 - chance) ** (n - 1 - blanket)
        first, second = (reports([true[one]] + [[F(1, k)] * k] * blanket) for one in (0, 1))
        total += weight * delta(first, second, gamma)
    found = of_law(pv.ShuffleModel(pv.RandomizedResponse(p, k), n), gamma)
    assert F(lower(found)) - TINY <= total <= F(upper(found)) + TINY


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize(("n", "p"), [(5, F(2, 3)), (6, F(3, 4))])
def test_two_categories_below_are_all_there_is_of_them(n: int, p: F, gamma: F) -> None:
    users = pv.ShuffleModel(pv.RandomizedResponse(p), n, alike=True)
    found = max(F(upper(of_law(users, gamma, way))) for way in (True, False))
    assert abs(found - of_neighbours(response(p, 2), (1,) * (n - 1), gamma)) < TINY


RANDOMISERS = {  # all are log 4-DP
    "three that leave out one": [
        [F(4, 9), F(1, 9), F(4, 9)],
        [F(1, 9), F(4, 9), F(4, 9)],
        [F(4, 9)] * 2 + [F(1, 9)],
    ],
    "response": response(F(2, 3), 3),
    "a third that hides neither": [
        [F(4, 7), F(1, 7), F(2, 7)],
        [F(1, 7), F(4, 7), F(2, 7)],
        [F(1, 7), F(1, 7), F(5, 7)],
    ],
    "five reports": [
        [F(8, 20), F(2, 20), F(4, 20), F(4, 20), F(2, 20)],
        [F(2, 20), F(8, 20), F(4, 20), F(2, 20), F(4, 20)],
        [F(2, 20), F(2, 20), F(4, 20), F(8, 20), F(4, 20)],
    ],
}


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("name", RANDOMISERS)
@pytest.mark.parametrize("n", [2, 3])
def test_clones_bound_every_randomiser(name: str, n: int, gamma: F) -> None:
    laws = RANDOMISERS[name]
    ratios = [
        a / b for one, other in itertools.permutations(laws, 2) for a, b in zip(one, other, strict=True)
    ]
    assert max(ratios) == 4
    users = pv.ShuffleModel(pv.PureDP("1.3862943612"), n)  # a little more than log 4
    assert worst(laws, n, gamma) <= F(upper(of_law(users, gamma)))


@pytest.mark.parametrize("stops", [1, 2, 5])
def test_a_tail_is_enclosed_wherever_it_stops(stops: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of Bin(30, 1/3) below 7 and above 12: where the sum goes on, as it does, until terms are
    below rounding, what is left of it hides in that.
    """
    asked, certain = 0, shuffle_model.surely_less

    def early(a: arb, b: arb | int) -> bool:
        nonlocal asked
        asked += isinstance(b, arb)
        return asked == stops if isinstance(b, arb) else certain(a, b)

    monkeypatch.setattr(shuffle_model, "surely_less", early)
    masses = [F(math.comb(30, x) * 2 ** (30 - x), 3**30) for x in range(31)]
    ways = (
        (masses[7], sum(masses[:7]), lambda j: ball(F(2 * (7 - j), 24 + j))),
        (masses[12], sum(masses[13:]), lambda j: ball(F(18 - j, 2 * (13 + j)))),
    )
    with working(100):
        for edge, exact, ratio in ways:
            asked = 0
            found = shuffle_model._tail(ball(edge), ratio)
            assert F(lower(found)) <= exact <= F(upper(found)) and asked == stops


def exact_below(n: int, p: float, gamma: float) -> float:
    """Two categories, all others alike; the larger direction."""
    a = np.arange(n + 1)
    b = binom(n - 1, 1 - p).pmf(a)
    before = np.concatenate([[0.0], b[:-1]])
    first, second = p * before + (1 - p) * b, (1 - p) * before + p * b
    return max(np.maximum(first - gamma * second, 0).sum(), np.maximum(second - gamma * first, 0).sum())


def exact_above(n: int, chance: float, odds: float, gamma: float) -> float:
    """Two categories, the number of uniform reports revealed."""
    total = 0.0
    mean, spread = n * chance, math.sqrt(n * chance * (1 - chance))
    for c in range(int(mean - 7 * spread), int(mean + 7 * spread)):
        a = np.arange(c + 1)
        common = binom(c, 0.5).pmf(a) * 2 / (c * (odds + 1))
        first, second = common * (odds * a + c - a), common * (odds * (c - a) + a)
        total += binom(n - 1, chance).pmf(c - 1) * np.maximum(first - gamma * second, 0).sum()
    return total


@pytest.mark.parametrize("epsilon", [0.05, 0.15])
def test_many_users_lose_little_by_ranges(epsilon: float) -> None:
    users, gamma = pv.ShuffleModel(pv.RandomizedResponse("0.75"), 1000), F(math.exp(epsilon))
    below, above = ends(users, gamma)
    exact = exact_below(1000, 0.75, float(gamma)), exact_above(1000, 0.5, 3.0, float(gamma))
    assert 0.9 * exact[0] < below < exact[0] * (1 + 1e-9)
    assert exact[1] * (1 - 1e-9) < above < 1.25 * exact[1]


def test_clones_of_many_users() -> None:
    users, gamma = pv.ShuffleModel(pv.PureDP(1), 1000), F(math.exp(0.15))
    exact = exact_above(1000, math.exp(-1), math.e, float(gamma))
    assert exact * (1 - 1e-9) < F(upper(of_law(users, gamma))) < 1.25 * exact


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("constants", [{"_FINE": 1}, {"_COARSE": 1}, {"_FAR": 2}, {"_BULK": 1, "_FINE": 30}])
def test_coarse_ranges_are_still_bounds(k: int, constants, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the constants that only cost tightness are; of a range for each number all is exact."""
    users, gammas = pv.ShuffleModel(pv.RandomizedResponse("0.6", k), 60), (F(1), F(21, 20), F(6, 5))
    monkeypatch.setattr(shuffle_model, "_FAR", 1000)
    monkeypatch.setattr(shuffle_model, "_FINE", 10**6)
    monkeypatch.setattr(shuffle_model, "_COARSE", 10**6)
    exact = [ends(users, gamma) for gamma in gammas]
    for name, value in ({"_FAR": 45, "_COARSE": 8} | constants).items():
        monkeypatch.setattr(shuffle_model, name, value)
    coarse = [ends(users, gamma) for gamma in gammas]
    for (below, above), (less, more) in zip(exact, coarse, strict=True):
        assert less <= below + TINY and above <= more + TINY
    assert coarse != exact or k == 2


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_fewer_places_keep_masses_and_means(step: int, end: str) -> None:
    shares = [arb(x) / 64 for x in (1, 2, 4, 8, 16, 2, 3)]
    with working(80):
        places = list(shuffle_model._nodes(shares, 5, step, end))
        for power in (0, 1):
            found = sum((share * place**power for share, place in places), arb(0))
            assert found.overlaps(sum((share * (5 + j) ** power for j, share in enumerate(shares)), arb(0)))
        assert len(places) == (7 if step == 1 else -(-7 // step) + (end == "upper"))


def test_a_range_of_uniform_reports_is_bounded_by_the_fewest(monkeypatch: pytest.MonkeyPatch) -> None:
    """All numbers m in two ranges, and one for each c."""
    users, gammas = pv.ShuffleModel(pv.RandomizedResponse("0.6", 3), 20), (F(1), F(6, 5), F(3, 2))
    exact = [F(lower(of_law(users, gamma))) for gamma in gammas]
    ranges = shuffle_model._ranges

    def coarse(tally, number, start=None):
        return ranges(tally, 10**6, start) if start is not None else [(tally.low, 9), (10, tally.high)]

    monkeypatch.setattr(shuffle_model, "_ranges", coarse)
    assert all(upper(of_law(users, gamma)) > least for gamma, least in zip(gammas, exact, strict=True))


@pytest.mark.slow
def test_both_ends_of_a_thousand_are_close() -> None:
    for k, factor in ((2, F(5, 4)), (4, F(11, 10))):
        found = pv.bracket(f"shuffle_model(randomized_response(0.7, {k}), n=1000)", delta="1e-6", seconds=10)
        assert 0 < found.lower < found.upper < factor * found.lower


def test_one_user_is_the_randomiser() -> None:
    for base in (pv.RandomizedResponse("0.6"), pv.RandomizedResponse("0.6", 4), pv.PureDP("0.7")):
        alone = pv.delta(base, epsilon="0.1")
        for alike in (False, True):
            found = pv.delta(pv.ShuffleModel(base, 1, alike), epsilon="0.1")
            assert found.overlaps(alone) if alike is False else found.lower <= alone.upper


def test_what_tells_nothing_has_no_loss() -> None:
    for base in (pv.RandomizedResponse("0.25", 4), pv.PureDP(0)):
        assert pv.delta(pv.ShuffleModel(base, 7), epsilon=0).upper == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pv.ShuffleModel(pv.Gaussian(1), 10), "base must be randomized_response"),
        (lambda: pv.ShuffleModel(pv.RandomizedResponse("0.3"), 10), "base must have p from 1/2 and below 1"),
        (lambda: pv.ShuffleModel(pv.RandomizedResponse(1), 10), "base must have p from 1/2 and below 1"),
        (lambda: pv.ShuffleModel(pv.PureDP("sqrt(2)"), 10), "base must have rational parameters"),
        (lambda: pv.ShuffleModel(pv.PureDP(1), 0), "n must be an integer from 1 to 1000000000, got n=0"),
        (lambda: pv.ShuffleModel(pv.PureDP(1), 10, 2), "alike must be True or False, got alike=2"),
    ],
)
def test_bad_input_is_told(make, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


@pytest.mark.parametrize("epsilon", [25, 100, 1000])
def test_who_hardly_ever_lies_is_seen_among_many(epsilon: int) -> None:
    """All others have a third value. Nobody lies with probability 1 − 2000 e^−ε₀ or more; that somebody says
    0 who has another value has at most 1000 e^−ε₀. So one report of 0 tells: δ ≥ 1 − 1000 (2 + e) e^−ε₀.
    """
    found = pv.delta(pv.ShuffleModel(pv.PureDP(epsilon), 1000, True), epsilon=1)
    lies = 5000 * mpmath.exp(-epsilon)
    assert 1 - lies - 1e-15 <= float(found.lower) and found.upper <= 1


@pytest.mark.parametrize("n", [1, 20, 1000])
@pytest.mark.parametrize("alike", [False, True])
def test_nobody_loses_more_than_was_promised(n: int, alike: bool) -> None:
    """At ε = ε₀ no ball told whether an outcome whose loss is ε₀ counts: no answer."""
    users = pv.ShuffleModel(pv.PureDP(1), n, alike)
    assert pv.delta(users, epsilon=1).upper == 0
    assert abs(float(pv.delta(users, epsilon=-1)) - (1 - math.exp(-1))) < 1e-15
    if not alike and n < 100:
        assert pv.delta(users, epsilon="0.99").lower > 0


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize(
    ("base", "n"),
    [
        (pv.RandomizedResponse("0.999", 3), 3855),
        (pv.RandomizedResponse("3/4"), 1201),
        (pv.RandomizedResponse("1/2", 5), 3001),
        (pv.PureDP(1), 4000),
    ],
)
def test_a_law_is_the_same_at_every_precision(base: Any, n: int, alike: bool) -> None:
    """Where its middle is an integer, 2/3 of 3n, the window was another one at 64 bits than at 80: of two
    engines each had a pair, and their δ did not overlap.
    """
    law, rows = ShuffleModelLaw(pv.ShuffleModel(base, n, alike), True), []
    for bits in (40, 53, 64, 80, 200):
        with working(bits):
            rows.append([(row.first, row.second) for row in law.outcomes()])
    for found in rows[:-1]:
        assert len(found) == len(rows[-1])
        assert all(
            a.overlaps(b)
            for row, last in zip(found, rows[-1], strict=True)
            for a, b in zip(row, last, strict=True)
        )
