"""Written: what stands in a line, and what a line leaves out."""

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.questions.numbers import Numbers
from pldverify.questions.written import families, queries


def test_places_and_questions_are_columns() -> None:
    (family,) = families("{k} * gaussian({s}) | k 1 10 | s 2 3/2 | delta 1e-5 | adjacency add remove")
    assert (family.expression, family.size()) == ("{k} * gaussian({s})", 8)
    assert family.values == {"k": ["1", "10"], "s": ["2", "3/2"]}
    assert {query.adjacency for query in family.questions()} == {"add", "remove"}


def test_expressions_and_values_with_spaces_are_separated_by_semicolons() -> None:
    assert queries("gaussian(1, sensitivity=2); laplace(3) | epsilon 1") == [
        pv.Query(pv.Gaussian(1, 2), epsilon=1),
        pv.Query(pv.Laplace(3), epsilon=1),
    ]
    (family,) = families("{law} | law gaussian(1, sensitivity=2); laplace(3) | epsilon 1")
    assert list(family.compositions()) == ["gaussian(1, sensitivity=2)", "laplace(3)"]


def test_what_is_indented_goes_on() -> None:
    text = """
    gaussian(1)
        + laplace(2)
        | delta 1e-5
          1e-6
    laplace(3) | epsilon 1
    """
    assert [family.size() for family in families(text)] == [2, 1]


def test_a_range_is_drawn_from() -> None:
    (family,) = families("{k} * gaussian({s}) | k 1..10 | s 1..2.5 3")
    (steps,), (noise, three) = family.values.values()
    assert steps == Numbers.of("whole", "1", "10") and noise == Numbers.of("amount", "1", "2.5")
    assert three == "3"


def test_a_goal_asks_for_noise() -> None:
    assert queries("2 * gaussian(1) | goal 1,1e-5 8,0") == [
        pv.NoiseQuery(2 * pv.Gaussian(1), epsilon=1, delta="1e-5"),
        pv.NoiseQuery(2 * pv.Gaussian(1), epsilon=8, delta=0),
    ]


@pytest.mark.parametrize("text", ["gaussian(1)", "gaussian(1) | sigma 2 | delta 1e-5", "gauss(1) | delta 1"])
def test_what_is_no_question_is_told(text: str) -> None:
    with pytest.raises(InvalidInput):
        queries(text)
