"""Family: the same places, for a grid and for a source."""

import pldverify as pv
from pldverify.questions.family import Family
from pldverify.questions.numbers import NOISE, Numbers
from tests.unit.questions.sources import Edges, Simplest


def test_the_last_place_changes_fastest() -> None:
    family = Family("f", "{k} * gaussian({s})", {"k": [1, 2], "s": [3, 4]}, delta=["1e-5"])
    assert [text.replace(" ", "") for text in family.compositions()] == [
        "1*gaussian(3)",
        "1*gaussian(4)",
        "2*gaussian(3)",
        "2*gaussian(4)",
    ]


def test_of_numbers_a_grid_asks_the_edges() -> None:
    family = Family("f", "gaussian({s})", {"s": [NOISE]}, delta=["1e-5"])
    assert family.size() == len(NOISE.edges)
    assert [query.composition.parts[0][0].sigma for query in family.questions()] == list(NOISE.edges)


def test_a_source_draws_one_composition() -> None:
    rows = [{"k": 1}, {"k": 7}]
    family = Family("f", "{k} * gaussian({s}, {d})", {"s": [NOISE], "d": [5]}, rows)
    assert family.drawn(Simplest()) == 1 * pv.Gaussian(1, 5)
    found = {family.drawn(Edges(seed)) for seed in range(300)}
    assert len(found) == len(rows) * len(NOISE.edges)


def test_whole_numbers_are_counts() -> None:
    steps = Numbers.of("whole", "1", "10", "3")
    assert Family("f", "{k} * laplace(1)", {"k": [steps]}).drawn(Simplest()) == 3 * pv.Laplace(1)
