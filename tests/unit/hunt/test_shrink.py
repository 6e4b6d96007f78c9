"""Shrinking ends at what is simplest, asks nothing twice, and stops when it is told."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.hunt.shrink import shrunk, simpler
from pldverify.hunt.simplicity import cost
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query
from pldverify.rulings.finding import Finding

HARD = Query(
    731 * PoissonSubsampled(Gaussian("1.37"), "0.0123") + 17 * Laplace("0.77"),
    delta="3.1e-7",
    adjacency="remove",
)


def finding(query: Query) -> Finding:
    return pv.check(pv.Accountant.of(lambda query: 1 / 0, direction="upper", name="broken"), query)


def run(needs, most: int = 10_000) -> tuple[Query, list[Query]]:
    asked: list[Query] = []

    def ask(query: Query) -> Finding:
        asked.append(query)
        return finding(query)

    found = shrunk(finding(HARD), ask, lambda other: needs(other.query), lambda: len(asked) < most)
    return found.query, asked


@pytest.mark.parametrize(
    ("needs", "simplest"),
    [
        (lambda query: True, "ε at δ=1 of laplace(b=1) [add-or-remove]"),
        (lambda query: query.composition.steps > 20, "steps"),
        (lambda query: any(isinstance(m, PoissonSubsampled) for m, _ in query.composition.parts), "poisson"),
        (lambda query: query.adjacency == "remove", "[remove]"),
        (lambda query: query.delta <= Fraction(1, 1000), "δ=0.001 of laplace(b=1)"),
    ],
)
def test_what_is_needed_stays_and_all_else_goes(needs, simplest: str) -> None:
    query, asked = run(needs)
    assert needs(query) and len(query.composition.parts) == 1
    assert simplest in str(query) or query.composition.steps in range(21, 101)
    assert len(asked) == len(set(asked))
    assert not [other for other in simpler(query) if needs(other) and cost(other) < cost(query) - 0.05]


def test_it_stops_when_it_is_told() -> None:
    assert len(run(lambda query: True, most=3)[1]) == 3


def test_every_step_is_simpler() -> None:
    _, asked = run(lambda query: True)
    assert all(cost(query) < cost(HARD) for query in asked)
