from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse
from pldverify.sweeps.builtin_queries import builtin_queries


def of(kind: type) -> list[Query]:
    return [
        query for query in builtin_queries() if all(isinstance(m, kind) for m, _ in query.composition.parts)
    ]


def test_it_has_some_40_different_queries_under_add_or_remove() -> None:
    queries = builtin_queries()
    assert 38 <= len(queries) <= 45
    assert len(set(queries)) == len(queries)
    assert {query.adjacency for query in queries} == {"add-or-remove"}


@pytest.mark.parametrize("kind", [pv.NoiseQuery, pv.RenyiQuery, pv.TradeOffQuery])
def test_other_quantities_have_questions_of_their_own(kind: type[Query]) -> None:
    queries = builtin_queries([kind])
    assert len(queries) >= 9 and {type(query) for query in queries} == {kind}
    assert len(set(queries)) == len(queries)
    assert {query.adjacency for query in queries} == {"add-or-remove"}
    assert builtin_queries([Query, kind]) == builtin_queries() + queries


def test_dp_sgd_spans_what_people_train_with() -> None:
    parts = [query.composition.parts[0] for query in of(PoissonSubsampled)]
    assert len(parts) >= 20
    sigmas = [mechanism.base.sigma for mechanism, _ in parts]  # type: ignore[attr-defined]
    rates = [mechanism.q for mechanism, _ in parts]  # type: ignore[attr-defined]
    steps = [count for _, count in parts]
    assert (min(sigmas), max(sigmas)) == (Fraction(1, 2), 10)
    assert (min(rates), max(rates)) == (Fraction(1, 10_000), Fraction(1, 2))
    assert (min(steps), max(steps)) == (1, 100_000)


def test_deltas_span_five_orders_and_both_quantities_are_asked() -> None:
    deltas = [query.delta for query in builtin_queries() if query.delta is not None]
    assert (min(deltas), max(deltas)) == (Fraction(1, 10**10), Fraction(1, 10**5))
    assert sum(query.quantity == "delta" for query in builtin_queries()) >= 5


def test_basic_mechanisms_are_asked_alone_and_composed() -> None:
    for kind in (Gaussian, Laplace, RandomizedResponse):
        steps = [query.composition.steps for query in of(kind)]
        assert min(steps) == 1 and max(steps) >= 100
