"""Candidates that are looked for: what they have by the definition, and as much as known ones have."""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pldverify as pv
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.winning import Winning
from pldverify.reference.engines.derived.both_sides import BothSides
from pldverify.reference.search import contest
from pldverify.reference.search.neighbours import chosen, looked_at, shares

F = Fraction


def one_wins(scores: list[float], others: list[float]) -> float:
    """The chance that the largest noisy score is one of ``scores``, by panels between all corners."""
    corners = sorted({*scores, *others})
    edges = np.concatenate([np.linspace(x - 40, x + 40, 321) for x in corners] + [np.array(corners)])
    edges = np.unique(edges)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = np.diff(edges)[:, None] / 2
    z, w = (edges[:-1, None] + half + half * nodes).ravel(), (half * weights).ravel()

    def below(u: float) -> Any:
        return np.where(z < u, np.exp(-abs(z - u)) / 2, 1 - np.exp(-abs(z - u)) / 2)

    whole = np.prod([below(u) for u in [*scores, *others]], axis=0)
    return float(sum(np.sum(w * np.exp(-abs(z - u)) / 2 * whole / below(u)) for u in scores))


def delta_of(p: float, q: float, steps: int, epsilon: float) -> float:
    """δ of so many binary answers."""
    rows = ((math.comb(steps, j), j, steps - j) for j in range(steps + 1))
    return sum(
        w * max(0.0, p**i * (1 - p) ** j - math.exp(epsilon) * q**i * (1 - q) ** j) for w, i, j in rows
    )


@pytest.mark.parametrize("relation", ["add", "remove", "add-or-remove", "replace-one"])
@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_every_lower_end_is_attained(seed: int, monotone: bool, relation: Any) -> None:
    """By scores that lie as far apart as one record moves them."""
    draw = random.Random(seed)
    asked = pv.NoisyMax(b=draw.choice([1, 3, F(21, 2)]), sensitivity=2, monotone=monotone)
    steps = draw.choice([1, 4, 12])
    at: dict[str, Any] = {"delta": F(1, 10 ** draw.randint(2, 7))} if seed % 2 else {"epsilon": F(steps, 3)}
    found = pv.bracket(steps * asked, **at, adjacency=relation, digits=3, seconds=4)
    assert found.witness is not None
    statement = found.witness.statement
    assert isinstance(statement, BothSides)
    best = 0.0
    less = 1 - 1e-7
    epsilon = float(at["epsilon"]) if "epsilon" in at else float(found.lower) * less
    for attack in statement.below:
        seen = dict(attack.chosen)[asked]
        assert isinstance(seen, Winning) and seen.asked == asked
        moved = 2 * (2 if relation == "replace-one" else 1) / float(asked.b)  # in units of b, for each score
        before, after = float(seen.lead), float(seen.lead + asked.loss(seen.moves))
        if monotone and relation != "replace-one":  # the others move alone
            sides = [([0.0] * seen.candidates, [x] * seen.others) for x in (before, after)]
            assert after - before == pytest.approx(moved, rel=1e-12, abs=0)
        elif monotone:  # one moves up, as the other does down
            sides = [([0.0] * seen.candidates, [before] * seen.others)]
            sides += [([-moved / 2] * seen.candidates, [before + moved / 2] * seen.others)]
            assert after - before == pytest.approx(moved, rel=1e-12, abs=0)
        else:
            sides = [([0.0] * seen.candidates, [before] * seen.others)]
            sides += [([-moved] * seen.candidates, [before + moved] * seen.others)]
            assert after - before == pytest.approx(2 * moved, rel=1e-12, abs=0)
        p, q = (one_wins(*side) for side in sides)
        for x, y in ((p, q), (q, p)):
            best = max(best, delta_of(x, y, steps, epsilon))
    target = float(found.lower) * less if "epsilon" in at else float(at["delta"])
    assert best >= target * less


@pytest.mark.parametrize("relation", ["add", "remove", "replace-one"])
@pytest.mark.parametrize(
    ("asked", "at"),
    [
        ("10 * noisy_max(b=2.88)", {"delta": "1.9e-5"}),
        ("noisy_max(b=3, monotone=True)", {"epsilon": "0.2"}),
        ("40 * noisy_max(b=21.4)", {"epsilon": "1"}),
        ("3 * noisy_max(b=0.1)", {"delta": "1e-3"}),
    ],
    ids=str,
)
def test_it_is_no_worse_than_what_is_known(asked: str, at: Any, relation: Any) -> None:
    query = pv.Query(asked, **at, adjacency=relation)
    found = pv.bracket(query, digits=4, seconds=4).lower
    for share in shares(query.composition):
        had = attained(query.composition, relation, chosen(query.composition, relation, share))
        assert had is not None
        assert pv.bracket(pv.Query(had[0], **at, adjacency=had[1]), digits=6).lower <= found * 1.000001


def test_it_finds_what_was_found_by_hand() -> None:
    """5.3436 by a grid of all pairs up to (6, 12), where fixed ones had 5.2346."""
    assert pv.bracket("10 * noisy_max(b=2.88)", delta="1.9e-5", digits=3, seconds=4).lower > 5.34


@pytest.mark.parametrize(("n", "m", "lead"), [(1, 1, 0.7), (2, 3, -1.3), (4, 12, 2.0)])
def test_the_chances_that_floats_have(n: int, m: int, lead: float) -> None:
    assert contest.wins(n, m, np.array([lead])) == pytest.approx(
        [one_wins([0.0] * n, [lead] * m)], rel=1e-3, abs=0
    )


def test_beside_others_each_has_its_own() -> None:
    whole = pv.Composition.of((pv.NoisyMax(3), 2), (pv.NoisyMax(9), 30), (pv.Exponential(1), 3))
    first, *known = looked_at(pv.Query(whole, delta="1e-6"))
    assert {m for m, seen in first if isinstance(seen, Winning)} == {pv.NoisyMax(3), pv.NoisyMax(9)}
    assert len(first) == 3 and tuple(known) == tuple(
        chosen(whole, "add-or-remove", share) for share in shares(whole)
    )
