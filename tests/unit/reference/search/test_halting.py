"""Queries that are looked for may be asked, tell what is claimed of them, and are as good as known ones."""

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss

import pldverify as pv
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.halting import Halting, Level
from pldverify.reference.engines.derived.both_sides import BothSides
from pldverify.reference.laws.neighbours import halting
from pldverify.reference.search import halting as search
from pldverify.reference.search.neighbours import chosen, looked_at, shares

F = Fraction


def exact(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def outcomes(asked: pv.GaussianAboveThreshold, rows: list[tuple[Fraction, int, int]]) -> list[Any]:
    """The chances of what is seen, query after query, by the definition; 0 is that of nothing above, too."""
    s, unit = exact(asked.sigma), exact(asked.query_sigma)
    panels = 2 * mpmath.ceil(12 * s / min(s, unit))
    half = 12 * s / panels
    chances = [mpmath.mpf(0)] * (1 + max(told for *_, told in rows))
    for panel in range(int(panels)):
        for node, weight in zip(*leggauss(16), strict=True):
            z = (2 * panel + 1 - panels + mpmath.mpf(node)) * half
            left = mpmath.npdf(z, 0, s) * half * mpmath.mpf(weight)
            for value, n, told in rows:
                stays = mpmath.ncdf((z - exact(value)) / unit) ** n
                chances[told] += left * (1 - stays)
                left *= stays
            chances[0] += left
    return chances


def drawn(seed: int) -> tuple[Any, int, Any, dict[str, Fraction]]:
    draw = random.Random(seed)
    sigma, unit = (F(draw.choice([1, 2, 3, 5, 8]), draw.choice([1, 2])) for _ in range(2))
    steps = 1 + (seed // 4) % 2
    queries = draw.choice([1, 2, 12] if steps == 1 else [1, 2, 5])
    asked = pv.GaussianAboveThreshold(sigma, unit, queries, monotone=seed % 3 == 2)
    relation = ("add", "remove", "add-or-remove", "replace-one")[seed % 4]
    at = {"epsilon": F(draw.randint(1, 9), 4)} if seed % 5 < 2 else {"delta": F(1, 10 ** draw.randint(2, 7))}
    return asked, steps, relation, at


@pytest.mark.parametrize("seed", range(24))
def test_every_lower_end_is_attained(seed: int) -> None:
    """δ of two data sets that may be asked is at least the target, just below the lower end."""
    asked, steps, relation, at = drawn(seed)
    found = pv.bracket(steps * asked, **at, adjacency=relation, digits=2, seconds=4)
    assert found.lower <= found.upper and found.witness is not None
    statement = found.witness.statement
    assert isinstance(statement, BothSides)
    (seen,) = {dict(attack.chosen)[asked] for attack in statement.below}
    assert isinstance(seen, Halting)
    moves = 2 if relation == "replace-one" else 1
    rows, others = (list(itertools.chain(*side)) for side in (seen.turns, seen.others))
    moved = [other.value - level.value for level, other in zip(rows, others, strict=True)]
    assert all(abs(x) <= asked.sensitivity * (1 if asked.monotone else moves) for x in moved)
    assert seen.times * sum(level.queries for level in rows) <= asked.queries
    assert not (asked.monotone and moves == 1 and min(moved) < 0 < max(moved))
    with mpmath.workdps(40):
        sides = [
            outcomes(asked, [(x.value, x.queries, x.seen) for turn in side for x in turn * seen.times])
            for side in (seen.turns, seen.others)
        ]
        if relation == "add":
            sides = sides[::-1]
        less = 1 - mpmath.mpf(10) ** -9
        epsilon = exact(at["epsilon"]) if "epsilon" in at else mpmath.mpf(float(found.lower)) * less
        true = [
            sum(
                max(0, mpmath.fprod(p) - mpmath.exp(epsilon) * mpmath.fprod(q))
                for p, q in zip(*(itertools.product(side, repeat=steps) for side in way), strict=True)
            )
            for way in ((sides, sides[::-1]) if relation in ("add-or-remove", "replace-one") else (sides,))
        ]
        target = float(found.lower) * less if "epsilon" in at else exact(at["delta"])
        assert max(true) >= target


KNOWN = [
    ("gaussian_above_threshold(sigma=172, query_sigma=2.16, queries=2, monotone=True)", 1, {"delta": 0}),
    (
        "gaussian_above_threshold(sigma=172, query_sigma=2.16, queries=2, monotone=True)",
        1,
        {"delta": "1e-12"},
    ),
    ("gaussian_above_threshold(sigma=8.85, query_sigma=17.5, queries=1)", 10, {"delta": 0}),
    ("gaussian_above_threshold(sigma=4, query_sigma=4, queries=10)", 3, {"epsilon": 3}),
    ("gaussian_above_threshold(sigma=10.4, query_sigma=1.43, queries=2)", 3, {"epsilon": 5}),
    ("gaussian_above_threshold(sigma=10, query_sigma=5, queries=60)", 10, {"delta": "1e-6"}),
]


@pytest.mark.parametrize("relation", ["add", "remove", "replace-one"])
@pytest.mark.parametrize(("asked", "steps", "at"), KNOWN, ids=str)
def test_it_is_no_worse_than_where_it_began(asked: str, steps: int, at: Any, relation: Any) -> None:
    """Of all that are known each has at most what the bracket has; a search of before lost some by far."""
    query = pv.Query(f"{steps} * {asked}", **at, adjacency=relation)
    found = pv.bracket(query, digits=2, seconds=4).lower
    for share in shares(query.composition):
        had = attained(query.composition, relation, chosen(query.composition, relation, share))
        assert had is not None
        whole, way = had
        assert pv.bracket(pv.Query(whole, **at, adjacency=way), digits=6, seconds=2).lower <= found * 1.000001


def searched(whole: pv.Composition, **at: Any) -> Halting:
    """Those that are found."""
    ((_, seen),) = looked_at(pv.Query(whole, **at))[0]
    assert isinstance(seen, Halting)
    return seen


def test_many_rise_then_many_fall() -> None:
    """7.50 is known of (1, 1, 20), found without this search; whoever is added has as much."""
    asked = "gaussian_above_threshold(sigma=1, query_sigma=1, queries=20)"
    for relation in ("add", "remove", "add-or-remove"):
        assert pv.bracket(asked, delta="1e-3", adjacency=relation, digits=2).lower > 7.4


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
    seen = searched(steps * asked, delta=delta)
    assert pv.epsilon(pv.Composition.of((seen, steps)), delta=delta, digits=2).lower > least


def test_what_is_asked_decides_which_queries_there_are() -> None:
    asked = pv.GaussianAboveThreshold(5, 5, 100)
    rare, often = (
        pv.delta(pv.Composition.of((searched(1 * asked, epsilon=epsilon), 1)), epsilon=2)
        for epsilon in (F(2), F(1, 10))
    )
    assert rare.lower > 2 * often.upper


def test_others_are_looked_at_beside_it() -> None:
    """Where several mechanisms are composed none of what was known is left out."""
    whole = pv.Composition.of((pv.GaussianAboveThreshold(5, 5, 10), 2), (pv.Exponential(1), 3))
    tried = looked_at(pv.Query(whole, delta="1e-6"))
    assert set(tried) >= {chosen(whole, "add-or-remove", share) for share in shares(whole)}
    assert len(tried[0]) == 2 and tried[0] not in tried[1:]


@pytest.mark.parametrize(
    "asked",
    [
        pv.GaussianAboveThreshold(4, "1/2", 3, monotone=True),
        pytest.param(pv.GaussianAboveThreshold("25.5", "0.298", 8, monotone=True), marks=pytest.mark.slow),
    ],
)
def test_it_ends(asked: pv.GaussianAboveThreshold, monkeypatch: pytest.MonkeyPatch) -> None:
    """At δ = 0 there is always something rarer: each climb ends by its cap."""
    looks, value, climbed = [0], search._Search.value, search._Search.climbed

    def counted(self: Any, family: Any) -> float:
        looks[-1] += 1
        return value(self, family)

    def climb(self: Any, starts: Any, unit: float) -> Any:
        looks.append(-len(starts))
        return climbed(self, starts, unit)

    monkeypatch.setattr(search._Search, "value", counted)
    monkeypatch.setattr(search._Search, "climbed", climb)
    search._search.cache_clear()
    searched(1 * asked, delta=F(0))
    assert len(looks) > 3 and max(looks[1:-1]) == search._TRIES


@pytest.mark.parametrize(
    ("expression", "at"),
    [
        ("50 * gaussian_above_threshold(sigma=1, query_sigma=1, queries=10)", {"delta": 1}),
        ("50 * gaussian_above_threshold(sigma=1, query_sigma=1, queries=10)", {"delta": 1 - F(1, 10**30)}),
        ("gaussian_above_threshold(sigma=1e-400, query_sigma=1, queries=3)", {"delta": "1e-6"}),
        ("gaussian_above_threshold(sigma=1e400, query_sigma=1, queries=3)", {"delta": "1e-6"}),
        ("gaussian_above_threshold(sigma=1, query_sigma=1e-400, queries=3)", {"delta": "1e-6"}),
        ("gaussian_above_threshold(1, 1, 3, sensitivity=1e400)", {"epsilon": 1}),
        ("3 * gaussian_above_threshold(sigma=1e10, query_sigma=1, queries=20)", {"delta": "1e-6"}),
    ],
)
def test_what_the_search_can_not_reach_leaves_what_is_known(expression: str, at: dict[str, Any]) -> None:
    query = pv.Query(expression, **at)
    assert looked_at(query) == tuple(
        chosen(query.composition, query.adjacency, share) for share in shares(query.composition)
    )


def test_a_search_that_goes_astray_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best of what was known is proved beside what is found."""

    def astray(_: Any, starts: Any, unit: float) -> Any:
        return replace(starts[0], values=starts[0].values - 40, number=-1)

    query = pv.Query("3 * gaussian_above_threshold(sigma=4, query_sigma=4, queries=10)", epsilon=3)
    search._search.cache_clear()
    found = pv.bracket(query, digits=2, seconds=4)
    monkeypatch.setattr(search._Search, "climbed", astray)
    search._search.cache_clear()
    lost = pv.bracket(query, digits=2, seconds=4)
    search._search.cache_clear()
    assert F(6, 10**7) < lost.lower < found.lower


def test_what_time_cut_short_is_gone_on_with() -> None:
    """Without time what is known is left, and a later demand has what it would have had at first."""
    query = pv.Query("3 * gaussian_above_threshold(sigma=5, query_sigma=4, queries=30)", delta="1e-4")
    search._search.cache_clear()
    at_once = looked_at(query, 0)
    assert set(at_once) <= {chosen(query.composition, query.adjacency, x) for x in shares(query.composition)}
    later = looked_at(query)
    search._search.cache_clear()
    assert later == looked_at(query) != at_once


@pytest.mark.parametrize("ratio", [F(31), F(400), F(10**7)])
@pytest.mark.parametrize("rise", [F(1, 10), F(4)])
def test_panels_have_the_chances_that_are_proved(ratio: Fraction, rise: Fraction) -> None:
    """Where the threshold's noise is far wider than the answers'."""
    asked = pv.GaussianAboveThreshold(ratio, 1, 100, sensitivity=rise)
    turns = (
        (Level(-ratio, 8, 1, 1), Level(-ratio + 2, 8, -1, 2)),
        (Level(F(1, 3), 3, 1, 1), Level(ratio * 2, 5, -1, 2)),
    )
    seen = Halting(asked, 1, turns)
    (found,) = (search._Search(asked, (seen,), 1, F(1), None),)
    law = halting(seen)
    assert law is not None
    for side, proved in zip(found.outcomes(found.read(0, seen)), (law.first, law.second), strict=True):
        assert sorted(side) == pytest.approx(sorted(map(float, proved)), rel=1e-4, abs=0)


def test_wide_noise_is_searched_as_other_noise_is() -> None:
    """0.3266 is the best of what is known."""
    asked = pv.GaussianAboveThreshold(1500, 10, 100)
    assert pv.bracket(asked, delta="1e-5", digits=2, seconds=4).lower > 0.5


@pytest.mark.parametrize("steps", [1, 3])
def test_few_outcomes_are_added_up(steps: int) -> None:
    p, q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]
    sides = (itertools.product(side, repeat=steps) for side in (p, q))
    ways = [(math.prod(x), math.prod(y)) for x, y in zip(*sides, strict=True)]
    for epsilon in (0.1, 0.5, 0.9 * steps):
        delta = sum(max(0.0, x - math.exp(epsilon) * y) for x, y in ways)
        first, second = np.array(p), np.array(q)
        assert search.worth(steps, epsilon, 0.0, first, second) == pytest.approx(
            math.log(delta / (1 - delta)), rel=1e-6, abs=1e-9
        )
        assert search.worth(steps, None, delta, first, second) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("epsilon", [-2, 0, 2, 5, 9])
def test_saddle_points_are_near_the_sum(epsilon: float) -> None:
    """Of 100 binary answers, from a small δ to one near 1."""
    p, q = np.array([0.3, 0.7]), np.array([0.25, 0.75])
    exact = search.worth(100, epsilon, 0.0, p, q)
    assert abs(search._many(100, epsilon, 0.0, p, np.log(p / q)) - exact) < 0.3
