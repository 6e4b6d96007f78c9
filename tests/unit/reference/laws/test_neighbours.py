"""Where sparse vectors halt, and who wins a noisy contest: by quadrature, rounded inward."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.halting import Halting, Level
from pldverify.mechanisms.winning import Winning
from pldverify.reference.laws import neighbours as room
from pldverify.reference.laws.neighbours import halting, winning
from pldverify.reference.search.neighbours import SHARES, chosen
from tests.teeth.planted import planted

F = Fraction
ONE_WAY = pv.AboveThreshold(2, 4, monotone=True)
TURNS = (Level(F(-2), 1, F(-1), 1), Level(F(0), 2, F(1, 2), 1))
LEVELS = [
    (pv.AboveThreshold(2, 4), 1, TURNS),
    (pv.AboveThreshold(9, 2, "5/2"), 2, (Level(F(1), 3, F(1, 3), 2),)),
    (ONE_WAY, 1, (Level(F(-3), 4, F(1), 1),)),
    (ONE_WAY, 2, (Level(F(-3), 4, F(1), 1),)),
    (ONE_WAY, 1, (Level(F(0), 0, F(1), 2),)),
    (pv.GaussianAboveThreshold(1, 2, 6), 1, TURNS),
    (pv.GaussianAboveThreshold(2, 1, 9), 2, (Level(F(1), 1, F(1), 4),)),
    (pv.GaussianAboveThreshold(1, 2, 9, monotone=True), 1, (Level(F(-3), 7, F(-2), 1),)),
    (pv.GaussianAboveThreshold(1, 2, 9, monotone=True), 2, (Level(F(-3), 7, F(-2), 1),)),
]
CONTESTS = [
    Winning(pv.NoisyMax(3, 2), 1, 2, 2, F(-1, 2)),
    Winning(pv.NoisyMax(3, 2), 2, 1, 3, F(0)),
    Winning(pv.NoisyMax(1, 2, True), 1, 2, 1, F(1, 5)),
]


def number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def laplace(x: Any) -> Any:
    return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2


def halts(seen: Halting, side: int) -> list[Any]:
    """At one that falls, at none, at one that rises: query after query, each moved as far as it may."""
    asked, sign = seen.asked, [0, 1][side]
    if isinstance(asked, pv.AboveThreshold):
        scale, unit, below = number(asked.b), number(asked.query_b), laplace
    else:
        scale, unit, below = number(asked.sigma), number(asked.query_sigma), mpmath.ncdf
    one, alone = asked.sensitivity, asked.monotone and seen.moves == 1
    none_rises = not any(level.rising for level in seen.levels)
    up = 1 if asked.monotone else seen.moves
    down = (1 if none_rises else 0) if alone else up
    queries = [
        row
        for v, n, w, times in seen.levels
        for row in ([(number(v + sign * up * one), False)] * n + [(number(w - sign * down * one), True)])
        * times
    ]

    def outcomes(z: Any) -> list[Any]:
        here, found = mpmath.mpf(1), [mpmath.mpf(0)] * 3
        for q, falls in queries:
            stays = below((z - q) / unit)
            found[0 if falls else 2] += here * (1 - stays)
            here *= stays
        found[1] = here
        return found

    def density(z: Any) -> Any:
        if isinstance(asked, pv.AboveThreshold):
            return mpmath.exp(-abs(z) / scale) / (2 * scale)
        return mpmath.npdf(z / scale) / scale

    corners = sorted({mpmath.mpf(0), *(q for q, _ in queries)})
    ends = [-mpmath.inf, *corners, mpmath.inf]
    return [mpmath.quad(lambda z, j=j: density(z) * outcomes(z)[j], ends) for j in range(3)]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("asked", "moves", "levels"), LEVELS, ids=str)
def test_where_it_halts(asked: Any, moves: int, levels: tuple[Level, ...]) -> None:
    seen = Halting(asked, moves, levels)
    law = halting(seen)
    assert law is not None
    with mpmath.workdps(18):
        for side, found in enumerate((law.first, law.second)):
            falling, never, rising = halts(seen, side)
            true = [falling, never, rising] if len(found) == 3 else [falling, never + rising]
            for x, exact in zip(sorted(map(number, found)), sorted(true), strict=True):
                assert abs(x - exact) < mpmath.mpf(10) ** -14


@pytest.mark.parametrize(
    "plant",
    [
        ("here = before * below(-x, not before_w)", "here = before * below(-x, before_w)"),
        ("here *= 1 + passed", "here *= 2"),
        ("found = here + passed * found", "found = here + found"),
        ("/ scale for level in levels", "/ unit for level in levels"),
    ],
)
def test_another_integrand_would_be_seen(plant: tuple[str, str]) -> None:
    seen = Halting(pv.AboveThreshold(9, 2, "5/2"), 2, (Level(F(1), 3, F(1, 3), 2), Level(F(4), 1, F(5), 1)))
    exact = halts(seen, 0)[0]
    for module, right in ((room, True), (planted(room, plant), False)):
        law = module.halting(seen)
        known = law is not None and min(abs(number(x) - exact) for x in law.first) < mpmath.mpf(10) ** -12
        assert known is right


def wins(scores: list[Any], others: list[Any], b: Any) -> Any:
    """By the definition: each of the first is the largest of all, whose noise has the scale b."""
    everybody = scores + others

    def integrand(t: Any) -> Any:
        densities = (mpmath.exp(-abs(t - u) / b) / (2 * b) for u in scores)
        return sum(
            d * mpmath.fprod(laplace((t - u) / b) for j, u in enumerate(everybody) if j != i)
            for i, d in enumerate(densities)
        )

    return mpmath.quad(integrand, [-mpmath.inf, *sorted(set(everybody)), mpmath.inf])


@pytest.mark.parametrize("seen", CONTESTS, ids=str)
def test_who_wins(seen: Winning) -> None:
    """Scores that move as far as they may; a replaced record moves monotone ones, too, both ways by Δ."""
    law, asked = winning(seen), seen.asked
    assert law is not None
    up, down = (1, 0) if asked.monotone and seen.moves == 1 else (seen.moves, seen.moves)
    with mpmath.workdps(20):
        for x, moved in ((law.first[0], 0), (law.second[0], 1)):
            first = -number(moved * up * asked.sensitivity)
            then = number(seen.lead * asked.b + moved * down * asked.sensitivity)
            exact = wins([first] * seen.candidates, [then] * seen.others, number(asked.b))
            assert abs(number(x) - exact) < mpmath.mpf(10) ** -16


def test_it_is_rounded_inward() -> None:
    """Of two against two that lead as far as they trail, P and Q are alike but for the names: p + q = 1."""
    law = winning(Winning(pv.NoisyMax(b=1), 1, 2, 2, F(-1)))
    assert law is not None
    assert law.first[0] + law.second[0] < 1 < law.first[0] + law.second[0] + F(1, 2**60)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, ()), "levels must be queries that may be asked"),
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, (Level(F(0), -1, F(0), 1),)), "levels must be"),
        (lambda: Halting(pv.AboveThreshold(2, 4), 1, (Level(F(0), 1, F(0), 3),)), "levels must be"),
        (
            lambda: Halting(pv.GaussianAboveThreshold(2, 4, 3), 1, (Level(F(0), 1, F(0), 2),)),
            "levels must be",
        ),
        (lambda: Winning(pv.NoisyMax(2), 1, 0, 2, F(0)), "candidates must be from 1 on, got 0 against 2"),
    ],
)
def test_what_nobody_can_ask_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


ASKED = [pv.AboveThreshold(2, 4), pv.AboveThreshold(2, 4, monotone=True), pv.NoisyMax("1/3"), pv.NoisyMax(40)]


@pytest.mark.sample(6)
@pytest.mark.parametrize("moves", [1, 2])
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_nothing_that_is_chosen_exceeds_the_dominating_pair(asked: Any, moves: int) -> None:
    relation: Any = ("add-or-remove", "replace-one")[moves - 1]
    for share in SHARES:
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
