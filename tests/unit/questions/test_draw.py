"""Draw: questions of every kind from any source, the simplest first."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.questions.draw import ADJACENCIES, composition, mechanism, query
from pldverify.questions.kinds import KINDS, of_kind
from pldverify.questions.numbers import STEPS
from tests.unit.questions.sources import Edges, Simplest


def test_the_first_of_everything_is_the_simplest_question() -> None:
    whole = composition(Simplest(), list(KINDS), list(KINDS))
    assert query(Simplest(), whole) == pv.Query(pv.Gaussian(1), epsilon=1)


@pytest.mark.parametrize("kind", KINDS)
def test_edges_of_every_kind_make_questions(kind: str) -> None:
    """Edges are chosen so that nearly all of their combinations are mechanisms."""
    made = 0
    for seed in range(30):
        source = Edges(seed)
        try:
            whole = composition(source, [kind], list(KINDS))
        except pv.errors.InvalidInput:
            continue
        made += 1
        asked = query(source, whole)
        assert pv.Query(str(asked.composition), asked.epsilon, asked.delta, asked.adjacency) == asked
    assert made >= 15


def test_vectors_are_of_one_length_and_masses_of_one() -> None:
    for seed in range(20):
        pair = mechanism(Edges(seed), "finite_pair")
        assert isinstance(pair, pv.FinitePair)
        assert len(pair.p) == len(pair.q) and sum(pair.p) == sum(pair.q) == 1


def test_compositions_have_at_most_so_many_parts_and_steps() -> None:
    found = [composition(Edges(seed), ["gaussian"], list(KINDS), most=2) for seed in range(60)]
    assert {len(whole.parts) for whole in found} == {1, 2}
    few = [composition(Edges(n), ["laplace"], ["laplace"], steps=STEPS.up_to(3)) for n in range(60)]
    assert {count for whole in few for _, count in whole.parts} >= {1, 2, 3}
    assert max(whole.steps for whole in few) <= 9


def test_every_adjacency_and_quantity_is_asked() -> None:
    whole = pv.Composition.of((pv.Laplace(2), 3))
    found = [query(Edges(seed), whole) for seed in range(200)]
    assert {each.adjacency for each in found} == set(ADJACENCIES)
    assert {each.quantity for each in found} == {"delta", "epsilon"}
    assert {each.epsilon for each in found} >= {Fraction(1, 2), Fraction(3, 2)}  # atoms of 1 and 3 steps
    assert type(query(Edges(1), whole, RenyiQuery)) is RenyiQuery
    assert type(query(Edges(1), whole, TradeOffQuery)) is TradeOffQuery


def test_mechanisms_without_a_common_relation_are_not_composed() -> None:
    kinds = ["balls_and_bins", "kjh19_substitute"]
    relations = [set(mechanism(Simplest(), kind).relations) for kind in kinds]
    assert not relations[0] & relations[1]
    found = [composition(Edges(seed), kinds[:1], kinds[1:]) for seed in range(20)]
    assert all(type(part) is of_kind("balls_and_bins") for whole in found for part, _ in whole.parts)
