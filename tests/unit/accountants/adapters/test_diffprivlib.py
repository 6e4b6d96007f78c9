"""The adapter against diffprivlib called directly."""

import pytest

from pldverify.accountants.adapters.diffprivlib import DiffPrivLib
from pldverify.mechanisms import Gaussian, Laplace, PureDP, Query, RandomizedResponse

library = pytest.importorskip("diffprivlib", exc_type=ImportError)


@pytest.mark.parametrize(
    ("mechanism", "adjacency", "epsilon"),
    [
        (PureDP("1/8"), "add-or-remove", 0.125),
        (Laplace(8), "add-or-remove", 0.125),
        (Laplace(8), "replace-one", 0.25),
    ],
)
def test_it_answers_what_the_library_answers(mechanism, adjacency: str, epsilon: float) -> None:
    direct = library.BudgetAccountant(spent_budget=[(epsilon, 0)] * 30).total(slack=1e-5)
    claim = DiffPrivLib().claim(Query(30 * mechanism, delta="1e-5", adjacency=adjacency))
    assert claim.value == direct[0]


def test_randomised_response_has_its_log_odds() -> None:
    direct = library.BudgetAccountant(spent_budget=[(1.0986122886681098, 0)] * 3).total(slack=1e-5)
    claim = DiffPrivLib().claim(Query(3 * RandomizedResponse("3/4"), delta="1e-5"))
    assert abs(float(claim.value) - direct[0]) < 1e-12


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(Gaussian(1), delta="1e-5"), "not known to be"),
        (Query(RandomizedResponse(1), delta="1e-5"), "not known to be"),
        (Query(PureDP(1), epsilon=1), "no delta"),
        (Query(10**6 * PureDP(1), delta="1e-5"), "too long"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    assert reason in str(DiffPrivLib().supports(query))
