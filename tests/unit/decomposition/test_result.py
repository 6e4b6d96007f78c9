"""An error budget says what it starts from."""

from fractions import Fraction

import pytest

from pldverify.decomposition.result import ErrorBudget
from pldverify.decomposition.term import Term
from pldverify.mechanisms import Gaussian, KJH19Substitute, Query
from pldverify.reference.engines.conclude import enclosed


@pytest.mark.parametrize(
    ("mechanism", "start", "standing"),
    [
        (Gaussian(1), "true δ", "exact"),
        (KJH19Substitute(Gaussian(1), "0.5"), "δ of the pairs", "lower bound"),
    ],
)
def test_only_what_is_true_is_called_true(mechanism, start: str, standing: str) -> None:
    eighth = Fraction(1, 8)
    none = enclosed(Fraction(0), Fraction(0))
    terms = (Term("rounding", none, Fraction(0), Fraction(0), "t"),)
    query = Query(mechanism, epsilon=1)
    budget = ErrorBudget(query, "x", "remove", eighth, enclosed(eighth, eighth), terms)
    assert budget.start == start
    assert next(iter(budget.table().columns[0].cells)).plain == start
    assert budget.to_json()["true_is"] == standing
