"""Where sparse vectors halt, and who wins a noisy contest: by quadrature, rounded inward."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.errors import InvalidInput
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.halting import Halting, Level
from pldverify.mechanisms.winning import Winning
from pldverify.reference.laws import neighbours as room
from pldverify.reference.laws.neighbours import halting, winning
from pldverify.reference.search.halting import exchanged
from pldverify.reference.search.neighbours import SHARES, chosen, looked_at
from tests.teeth.planted import planted

F = Fraction
ONE_WAY = pv.AboveThreshold(2, 4, monotone=True)
TURNS = (
    (Level(F(-2), 1, 1, 2), Level(F(-1), 1, -1, 1)),
    (Level(F(0), 2, 1, 2), Level(F(1, 2), 1, -1, 1)),
)
LEVELS = [
    (pv.AboveThreshold(2, 4), 1, TURNS),
    (pv.AboveThreshold(9, 2, "5/2"), 2, ((Level(F(1), 3, 1, 0), Level(F(1, 3), 2, -1, 1)),)),
    (pv.AboveThreshold(3, "1/2"), 1, TURNS),
    (ONE_WAY, 1, ((Level(F(-3), 4, 1, 0), Level(F(1), 1, 0, 1)),)),
    (ONE_WAY, 2, ((Level(F(-3), 4, 1, 2),), (Level(F(1), 1, -1, 1),))),
    (ONE_WAY, 1, ((Level(F(1), 2, -1, 1),),)),
    (pv.GaussianAboveThreshold(1, 2, 6), 1, TURNS),
    (pv.GaussianAboveThreshold(2, 1, 9), 2, ((Level(F(1), 5, 1, 2), Level(F(1), 4, -1, 1)),)),
    (pv.GaussianAboveThreshold(2, "1/3", 6), 1, TURNS),
    (pv.GaussianAboveThreshold(1, 2, 9, monotone=True), 1, ((Level(F(-3), 7, 1, 1), Level(F(-2), 2, 1, 2)),)),
    (
        pv.GaussianAboveThreshold(1, 2, 9, monotone=True),
        2,
        ((Level(F(-3), 7, 1, 0), Level(F(-2), 1, -1, 1)),),
    ),
]
CONTESTS = [
    Winning(pv.NoisyMax(3, 2), 1, 2, 2, F(-1, 2)),
    Winning(pv.NoisyMax(3, 2), 2, 1, 3, F(0)),
    Winning(pv.NoisyMax(1, 2, True), 1, 2, 1, F(1, 5)),
]


def laplace(x: Any) -> Any:
    return np.where(x < 0, np.exp(-abs(x)) / 2, 1 - np.exp(-abs(x)) / 2)


def quadrature(function: Any, corners: list[float], scale: float, widest: float) -> Any:
    """Gauss–Legendre on stretches of at most a scale, from 40 of the widest below all corners to 40 above."""
    edges = [min(corners) - 40 * widest, *sorted(set(corners)), max(corners) + 40 * widest]
    nodes, weights = np.polynomial.legendre.leggauss(24)
    parts = [np.linspace(a, b, 1 + math.ceil((b - a) / scale)) for a, b in pairwise(edges)]
    low, high = (np.concatenate([cuts[side] for cuts in parts]) for side in (slice(-1), slice(1, None)))
    half = ((high - low) / 2)[:, None]
    return function(((low + high)[:, None] / 2 + half * nodes).ravel()) @ (half * weights).ravel()


def halts(seen: Halting, side: int) -> list[float]:
    """The chances of the outcomes: query after query, each moved as far as it may."""
    asked = seen.asked
    if isinstance(asked, pv.AboveThreshold):
        scale, unit, below = float(asked.b), float(asked.query_b), laplace
    else:
        scale, unit, below = float(asked.sigma), float(asked.query_sigma), ndtr
    move = float(asked.sensitivity) * (1 if asked.monotone else seen.moves)
    queries = [
        (float(v) + side * way * move, told)
        for turn in seen.turns
        for _ in range(seen.times)
        for v, n, way, told in turn
        for _ in range(n)
    ]

    def chances(z: Any) -> Any:
        found = np.zeros((1 + max(told for _, told in queries), len(z)))
        if isinstance(asked, pv.AboveThreshold):
            here = np.exp(-abs(z) / scale) / (2 * scale)
        else:
            here = np.exp(-((z / scale) ** 2) / 2) / (math.sqrt(2 * math.pi) * scale)
        for q, told in queries:
            stays = below((z - q) / unit)
            found[told] += here * (1 - stays)
            here = here * stays
        found[0] += here
        return found

    corners = [0.0, *(q for q, _ in queries)]
    return list(map(float, quadrature(chances, corners, min(scale, unit), max(scale, unit))))


@cache
def of_many_queries() -> tuple[Halting, float]:
    """Neighbours of whom each line of the integrand counts, and the chance of what they end with."""
    turns = (
        (Level(F(1), 6, 1, 0), Level(F(1, 3), 1, -1, 1)),
        (Level(F(4), 1, 1, 0), Level(F(5), 1, -1, 1)),
        (Level(F(-900), 2, 1, 2),),
    )
    seen = Halting(pv.AboveThreshold(9, 2, "5/2"), 2, turns, 4)
    return seen, halts(seen, 0)[1]


def known(module: Any) -> bool:
    """Whether a module finds that chance."""
    seen, chance = of_many_queries()
    law = module.halting(seen)
    return law is not None and min(abs(float(x) - chance) for x in law.first) < 1e-12


@pytest.mark.parametrize("times", [1, 4])
@pytest.mark.parametrize(("asked", "moves", "turns"), LEVELS, ids=str)
def test_where_it_halts(asked: Any, moves: int, turns: Any, times: int) -> None:
    if times > 1 and isinstance(asked, pv.GaussianAboveThreshold):
        asked = replace(asked, queries=times * asked.queries)
    seen = Halting(asked, moves, turns, times)
    law = halting(seen)
    assert law is not None
    for side, found in enumerate((law.first, law.second)):
        assert sorted(map(float, found)) == pytest.approx(sorted(halts(seen, side)), rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "plant",
    [
        ("/ narrow, before)", "/ narrow, not before)"),
        ("+ passed * found", "+ found"),
        ("stay * here +", "here +"),
        ("here *= 1 + passed", "here *= 2"),
        ("passed *= passed", "passed *= 1"),
        ("1 - stay if told", "1 - stay if not told"),
        ("** n", "** (n + 1)"),
        ("((level.value + side * reach) / scale", "((level.value + side * reach) / unit"),
        ("return lambda z: acb(1)", "return lambda z: acb(0)"),
        ("scale * high <= value - reach", "scale * high <= value"),
    ],
)
def test_another_integrand_would_be_seen(plant: tuple[str, str]) -> None:
    assert not known(planted(room, plant))


def test_the_integrand_of_many_queries_is_the_chance() -> None:
    assert known(room)


@pytest.mark.parametrize(
    "plant", [("(middle - wide * z)", "(wide * z - middle)"), ("(-(z**2) / 2)", "(-(z**2))")]
)
def test_so_would_one_of_normal_noise(plant: tuple[str, str]) -> None:
    seen = Halting(pv.GaussianAboveThreshold(2, 1, 6), 1, TURNS)
    module: Any = planted(room, plant)
    assert sorted(map(float, halting(seen).first)) == pytest.approx(
        sorted(halts(seen, 0)), rel=1e-6, abs=1e-12
    )  # type: ignore[union-attr]
    assert sorted(map(float, module.halting(seen).first)) != pytest.approx(
        sorted(halts(seen, 0)), rel=1e-6, abs=1e-12
    )


@pytest.mark.parametrize("relation", ["add", "remove", "add-or-remove", "replace-one"])
@pytest.mark.parametrize("monotone", [False, True])
def test_exchanged_neighbours_are_the_same_two(relation: Any, monotone: bool) -> None:
    asked = pv.GaussianAboveThreshold(1, 2, 9, monotone=monotone)
    ((_, seen),) = looked_at(pv.Query(1 * asked, delta="1e-3", adjacency=relation))[0]
    assert isinstance(seen, Halting)
    assert exchanged(exchanged(seen)) == seen
    one, other = halting(seen), halting(exchanged(seen))
    assert one is not None and other is not None
    for x, y in ((one.first, other.second), (one.second, other.first)):
        assert sorted(map(float, x)) == pytest.approx(sorted(map(float, y)), rel=1e-12, abs=1e-30)


@pytest.mark.parametrize(
    ("tail", "enough"), [("arb(0).union(arb(1) / 5)", True), ("_beyond(laplace)", False)]
)
@pytest.mark.parametrize("asked", [pv.AboveThreshold(9, 1), pv.GaussianAboveThreshold(9, 1, 6)], ids=str)
def test_answers_that_count_as_certain_are_allowed_for(asked: Any, tail: str, enough: bool) -> None:
    """From one scale on, where it is seen: the tail is 0.18 there, or 0.16."""
    far = "reach = _FAR[laplace] * unit", "reach = unit"
    module: Any = planted(room, far, ("seen.queries * _beyond(laplace)", f"seen.queries * {tail}"))
    seen = Halting(asked, 1, TURNS)
    with working(96):
        found = [module._halts(seen, seen.turns, outcome) for outcome in (1, 2)]
    assert all(x.contains(arb(y)) for x, y in zip(found, halts(seen, 0)[1:], strict=True)) is enough


@pytest.mark.parametrize(
    "plant",
    [
        ("scale * low >= value + reach", "scale * low >= value - reach"),
        ("scale * high <= value - reach", "scale * high <= value + reach"),
        ("return lambda z: acb(1)", "return lambda z: acb(0)"),
    ],
)
def test_a_threshold_with_far_wider_noise(plant: tuple[str, str]) -> None:
    """Where normal answers far from it count as certain."""
    turns = ((Level(F(-30), 5, 1, 2), Level(F(10), 1, -1, 1)), (Level(F(40), 3, -1, 2),))
    seen = Halting(pv.GaussianAboveThreshold(50, 1, 9), 1, turns)
    exact = halts(seen, 0)[1]
    for module, right in ((room, True), (planted(room, plant), False)):
        law = module.halting(seen)
        known = law is not None and min(abs(float(x) - exact) for x in law.first) < 1e-12
        assert bool(known) is right


@pytest.mark.parametrize("queries", [2, 3])
def test_with_hardly_any_noise_whether_it_halts_tells_all(queries: int) -> None:
    """The rarer outcomes are [0 ± 1e-25] in both laws: nobody knows which comes first."""
    asked = pv.GaussianAboveThreshold("1/50", "1/50", queries)
    law = halting(Halting(asked, 1, ((Level(F(-1, 2), queries - 1, 1, 2), Level(F(1, 2), 1, -1, 1)),)))
    assert law is not None
    assert law.first[0] > 1 - F(1, 10**9) and law.second[0] < F(1, 10**9)


def wins(scores: list[float], others: list[float], b: float) -> float:
    """By the definition: each of the first is the largest of all, whose noise has the scale b."""
    everybody = scores + others

    def integrand(t: Any) -> Any:
        return sum(
            np.exp(-abs(t - u) / b)
            / (2 * b)
            * np.prod([laplace((t - v) / b) for j, v in enumerate(everybody) if j != i], axis=0)
            for i, u in enumerate(scores)
        )

    return quadrature(integrand, everybody, b, b)


@pytest.mark.parametrize("seen", CONTESTS, ids=str)
def test_who_wins(seen: Winning) -> None:
    """Scores that move as far as they may; a replaced record moves monotone ones, too, both ways by Δ."""
    law, asked = winning(seen), seen.asked
    assert law is not None
    up, down = (1, 0) if asked.monotone and seen.moves == 1 else (seen.moves, seen.moves)
    for x, moved in ((law.first[0], 0), (law.second[0], 1)):
        first = -float(moved * up * asked.sensitivity)
        then = float(seen.lead * asked.b + moved * down * asked.sensitivity)
        assert abs(float(x) - wins([first] * seen.candidates, [then] * seen.others, float(asked.b))) < 1e-12


def test_it_is_rounded_inward() -> None:
    """Of two against two that lead as far as they trail, P and Q are alike but for the names: p + q = 1."""
    law = winning(Winning(pv.NoisyMax(b=1), 1, 2, 2, F(-1)))
    assert law is not None
    assert law.first[0] + law.second[0] < 1 < law.first[0] + law.second[0] + F(1, 2**60)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, ()), "turns must be of queries that may"),
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, ((Level(F(0), 0, 1, 1),),)), "turns must be"),
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, ((Level(F(0), 1, 2, 1),),)), "turns must be"),
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, ((Level(F(0), 1, 1, -1),),)), "turns must be"),
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, TURNS, 3), "turns must be"),
        (lambda: Halting(ONE_WAY, 1, ((Level(F(0), 1, 1, 1), Level(F(0), 1, -1, 2)),)), "turns must be"),
        (lambda: Halting(pv.GaussianAboveThreshold(2, 4, 3), 1, ((Level(F(0), 4, 1, 1),),)), "turns must be"),
        (lambda: Halting(pv.GaussianAboveThreshold(2, 4, 9), 1, TURNS, 2), "turns must be"),
        (lambda: Winning(pv.NoisyMax(2), 1, 0, 2, F(0)), "candidates must be from 1 on, got 0 against 2"),
    ],
)
def test_what_nobody_can_ask_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


ASKED = [pv.AboveThreshold(2, 4), pv.AboveThreshold(2, 4, monotone=True), pv.NoisyMax("1/3"), pv.NoisyMax(40)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("moves", [1, 2])
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_nothing_that_is_chosen_exceeds_the_dominating_pair(asked: Any, moves: int) -> None:
    relation: Any = ("add-or-remove", "replace-one")[moves - 1]
    for share in SHARES[::3]:
        whole = pv.Composition.of((asked, 1))
        known = attained(whole, relation, chosen(whole, relation, share))
        assert known is not None
        for part in (F(0), F(1, 2), F(9, 10)):
            epsilon = part * asked.loss(moves)
            below, above = (pv.delta(x, epsilon=epsilon, adjacency=a) for x, a in (known, (asked, relation)))
            assert below.lower <= above.upper


@pytest.mark.parametrize("wrong", [pv.AboveThreshold(2, 3), pv.AboveThreshold(2, 4, 2)])
def test_neighbours_of_another_mechanism_are_not_looked_at(wrong: pv.AboveThreshold) -> None:
    asked = 2 * pv.AboveThreshold(2, 4)
    other = ((pv.AboveThreshold(2, 4), Halting(wrong, 1, TURNS)),)
    replaced = ((pv.AboveThreshold(2, 4), Halting(pv.AboveThreshold(2, 4), 2, TURNS)),)
    assert attained(asked, "add-or-remove", other) is attained(asked, "add-or-remove", replaced) is None
    assert attained(asked, "replace-one", replaced) is not None
