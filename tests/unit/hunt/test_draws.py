"""Draws reach the edges, and only make questions that are ones."""

from random import Random

import pytest

from pldverify.hunt.draws import FIRST, Draws
from pldverify.hunt.knobs import knobs, turned
from pldverify.hunt.moves import moved
from pldverify.mechanisms import Query
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.questions.draw import ADJACENCIES
from pldverify.questions.kinds import KINDS, of_kind


def many(number: int, asks: type[Query] = Query) -> list[Query]:
    draws = Draws(Random(3))
    return [draws.query(FIRST[i % len(FIRST)], asks) for i in range(number)]


def test_edges_are_reached() -> None:
    queries = many(1500)
    steps = {query.composition.steps for query in queries}
    numbers = [knob.value for query in queries for knob in knobs(query) if knob.path[-1] in ("q", "p")]
    assert 1 in steps and max(steps) > 10**5
    assert min(numbers) <= 1e-10 and any(1 - 1e-6 <= value < 1 for value in numbers)
    assert any(0 < abs(value - 0.5) < 1e-6 for value in numbers)
    assert min(query.delta for query in queries if query.delta is not None) < 1e-16
    assert any(query.epsilon == 0 for query in queries)
    assert {query.adjacency for query in queries} == set(ADJACENCIES)
    assert any(len(query.composition.parts) > 2 for query in queries)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(kind: str) -> None:
    assert kind in FIRST
    parts = Draws(Random(2)).query(kind).composition.parts
    assert any(type(mechanism) is of_kind(kind) for mechanism, _ in parts)


def test_other_questions_are_drawn() -> None:
    assert all(type(query) is TradeOffQuery for query in many(40, TradeOffQuery))
    assert all(type(query) is NoiseQuery for query in many(40, NoiseQuery))
    orders = [query.order for query in many(200, RenyiQuery)]
    assert min(orders) < 1.0001 and max(orders) > 500


def test_a_question_of_a_seed_is_the_same() -> None:
    assert many(50) == many(50)


def test_a_knob_turns_one_number() -> None:
    for query in many(100):
        for i, knob in enumerate(knobs(query)):
            assert turned(query, knob, knob.value) == query
            other = turned(query, knob, knob.value * 2)
            if other is not None and len(knobs(other)) == len(knobs(query)):
                changed = {a.path for a in knobs(query)} if other == query else {knobs(query)[i].path}
                assert changed


def test_moves_stay_questions_and_change_them() -> None:
    random = Random(5)
    pairs = [(query, moved(query, random)) for query in many(200)]
    assert sum(before != after for before, after in pairs) > 190
    assert any(len(a.composition.parts) > len(b.composition.parts) for a, b in pairs)
    assert any(len(a.composition.parts) < len(b.composition.parts) for a, b in pairs)
