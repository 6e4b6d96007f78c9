"""The adapter against diffprivlib called directly; what it passes on, without it."""

import math
from typing import Any

import pytest

from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain.diffprivlib import DiffPrivLib
from pldverify.accountants.registry import accountant
from pldverify.accountants.standalone import Question
from pldverify.accountants.worker import plain
from pldverify.mechanisms import (
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    PureDP,
    Query,
    RandomizedResponse,
)


@pytest.fixture
def library() -> Any:
    return pytest.importorskip("diffprivlib", exc_type=ImportError)


@pytest.mark.parametrize(
    ("mechanism", "adjacency", "epsilon"),
    [
        (PureDP("1/8"), "add-or-remove", 0.125),
        (Laplace(8), "add-or-remove", 0.125),
        (Laplace(8), "replace-one", 0.25),
        (Exponential("1/8"), "add-or-remove", 0.125),
        (PermuteAndFlip("1/4", monotone=True), "add-or-remove", 0.125),
    ],
)
def test_it_answers_what_the_library_answers(
    library: Any, mechanism: Any, adjacency: str, epsilon: float
) -> None:
    direct = library.BudgetAccountant(spent_budget=[(epsilon, 0)] * 30).total(slack=1e-5)
    claim = accountant("diffprivlib").claim(Query(30 * mechanism, delta="1e-5", adjacency=adjacency))
    assert claim.value == direct[0]


def test_randomised_response_has_its_log_odds(library: Any) -> None:
    direct = library.BudgetAccountant(spent_budget=[(1.0986122886681098, 0)] * 3).total(slack=1e-5)
    claim = accountant("diffprivlib").claim(Query(3 * RandomizedResponse("3/4"), delta="1e-5"))
    assert abs(float(claim.value) - direct[0]) < 1e-12


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(Gaussian(1), delta="1e-5"), "not known to be"),
        (Query(RandomizedResponse(1), delta="1e-5"), "not known to be"),
        (Query(PureDP(1), epsilon=1), "no delta"),
        (Query(10**6 * PureDP(1), delta="1e-5"), "steps must be at most 100000"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(DiffPrivLib(), Question(plain.query(query)))


def test_what_is_passed() -> None:
    composition = 3 * Laplace(8, sensitivity=2) + 2 * RandomizedResponse("3/4") + PureDP("1/8")
    question = Question(plain.query(Query(composition, delta="1e-5", adjacency="replace-one")))
    spent = sorted(
        (call.arguments["epsilon"], count) for call, count in standalone.steps(DiffPrivLib(), question)
    )
    assert spent[:2] == [(0.125, 1), (0.5, 3)]
    assert abs(spent[2][0] - math.log(3)) < 1e-15 and spent[2][1] == 2
