"""Filters: what they admit, refuse and promise; adaptive runs are enumerated in exact rationals."""

import itertools
import math
from fractions import Fraction as F

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.filters.pld_filter import AFTER_ONE, AFTER_ZERO, DELTA, FIRST, GAMMA, adaptive_delta


def test_a_budget_is_spent_to_the_last_bit() -> None:
    budget = pv.Filter(rho="1/2")
    assert budget.admit("9 * gaussian(3)") and budget.left == 0 and budget.spent == F(1, 2)
    assert not budget.admit(pv.Gaussian(10**6)) and budget.spent == F(1, 2)


@pytest.mark.parametrize("name", ["rho", "mu"])
def test_a_budget_of_nothing_promises_nothing_told(name: str) -> None:
    budget = pv.Filter(**{name: 0})
    assert budget.admit(pv.PureDP(0)) and not budget.admit(pv.Gaussian(10**6))
    assert budget.promise == pv.PureDP(0)


def test_what_is_refused_costs_nothing() -> None:
    budget = pv.Filter(mu=1)
    assert not budget.admit(pv.Gaussian("0.999"))
    assert budget.spent == 0 and budget.admit(pv.Gaussian(1)) and budget.left == 0


def test_squares_of_mu_add_up() -> None:
    budget = pv.Filter(mu=1)
    assert budget.admit("gdp(0.6)") and budget.spent == F(9, 25)
    assert not budget.admit("gdp(0.81)") and budget.admit("gdp(0.8)") and budget.left == 0
    assert budget.promise == pv.GDP(1)


def test_every_order_keeps_its_budget() -> None:
    budget = pv.Filter(rdp={2: 1, "inf": 2})
    assert budget.admit(pv.PureDP(1))
    # D_2 of the pair of 1-DP is log((e² + e⁻¹)/(e + 1)) = 0.7353…; the largest loss would be kept
    assert not budget.admit(pv.PureDP("0.9")) and budget.left[math.inf] == 1
    assert budget.promise == {F(2): F(1), math.inf: F(2)}


def test_the_largest_loss_has_a_budget() -> None:
    budget = pv.Filter(rdp={"inf": 2})
    assert budget.admit(2 * pv.Laplace(1)) and not budget.admit(pv.PureDP("1e-9"))
    assert pv.Filter(rdp={"inf": 2}).cost("gaussian(1)") == {math.inf: None}


@pytest.mark.parametrize("given", [{"rho": 100}, {"mu": 100}, {"rdp": {2: 100}}])
@pytest.mark.parametrize("query", ["approximate_dp(0.1, 1e-9)", "kjh19_substitute(gaussian(4), q=0.1)"])
def test_nothing_proved_is_nothing_admitted(given, query: str) -> None:
    relation = "replace-one" if "substitute" in query else "add-or-remove"
    budget = pv.Filter(**given, adjacency=relation)
    assert set(budget.cost(query).values()) == {None} and not budget.admit(query) and not budget.admits(query)


def test_queries_of_zcdp_have_divergences() -> None:
    found = pv.Filter(rdp={2: 1, 8: 1}).cost("zcdp(0.1)")
    assert found == {F(2): F(1, 5), F(8): F(4, 5)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give one of rho, mu and rdp, got 0 of them"),
        ({"rho": 1, "mu": 1}, "give one of rho, mu and rdp, got 2 of them"),
        ({"rho": -1}, "rho must be >= 0, got rho=-1"),
        ({"rdp": {1: 1}}, "order must be > 1, or inf, got order=1"),
        ({"rdp": {}}, "rdp must be {order: divergence}"),
        ({"rdp": {2: 1, "2": 1}}, "rdp must have one budget for each order, got two for 2"),
        ({"rho": 1, "adjacency": "x"}, "adjacency must be one of"),
    ],
)
def test_bad_budgets_are_told(given, message: str) -> None:
    with pytest.raises(InvalidInput, match=message.replace("{", r"\{").replace("}", r"\}")):
        pv.Filter(**given)


def test_a_query_needs_the_relation_of_the_filter() -> None:
    with pytest.raises(InvalidInput, match="adjacency must be replace-one for"):
        pv.Filter(rho=1).admit("sampled_without_replacement(gaussian(1), q=0.1)")


def test_a_pld_filter_is_refused_with_what_refutes_it() -> None:
    with pytest.raises(NotSupported, match="2/9 of queries that each compose to 1/6"):
        pv.Filter(epsilon=1, delta="1e-5")


def test_the_counterexample_holds() -> None:
    """By hand, and by the proved δ of the compositions; either neighbour may be the first one."""
    for next_query in (AFTER_ONE, AFTER_ZERO):
        assert adaptive_delta(lambda seen: FIRST, lambda seen, one=next_query: one) == DELTA == F(1, 6)
        for way in ("add", "remove"):
            found = pv.delta(FIRST + next_query, epsilon=f"log({GAMMA})", adjacency=way)
            assert found.lower <= DELTA <= found.upper
    assert adaptive_delta(lambda seen: FIRST, lambda seen: (AFTER_ONE, AFTER_ZERO)[seen[0]]) == F(2, 9)
    right = F(2, 3) * (F(3, 4) - 0) - 4 * F(1, 3) * F(1, 4)
    assert right + F(1, 3) * F(1, 6) == F(2, 9)


PAIRS = [pv.RandomizedResponse(p) for p in (F(11, 20), F(3, 5), F(2, 3), F(7, 10))] + [
    pv.FinitePair((F(1, 2), F(1, 2)), (F(2, 5), F(3, 5)))
]


def masses(mechanism) -> list[tuple[F, F]]:
    if isinstance(mechanism, pv.RandomizedResponse):
        return [(mechanism.p, 1 - mechanism.p), (1 - mechanism.p, mechanism.p)]
    return list(zip(mechanism.p, mechanism.q, strict=True))


@pytest.mark.parametrize(
    ("given", "kept"),
    [({"rho": "0.2"}, lambda order: order / 5), ({"rdp": {2: "0.3"}}, lambda order: F(3, 10))],
)
def test_no_strategy_exceeds_the_promise_at_order_two(given, kept) -> None:
    """Every strategy of two queries, the second by what was seen, against E_Q (p/q)², exactly."""
    whole = []
    for first in PAIRS:
        after = []
        for p, q in masses(first):
            budget = pv.Filter(**given)
            if not budget.admit(first):
                break
            more = [second for second in PAIRS if budget.admits(second)]
            after.append(max([p**2 / q, *(sum(p**2 * a**2 / (q * b) for a, b in masses(m)) for m in more)]))
        whole.append(sum(after))
    assert max(whole) > 1 and math.log(max(whole)) <= float(kept(F(2))) * (1 + 1e-12)


def test_choices_that_depend_on_what_was_seen_are_enumerated() -> None:
    """``adaptive_delta`` against the largest sum over events, one by one."""
    choice = (AFTER_ONE, AFTER_ZERO)
    outcomes = [
        (a * c, b * d) for (a, b), then in zip(masses(FIRST), choice, strict=True) for c, d in masses(then)
    ]
    best = max(
        sum((p - GAMMA * q for p, q in event), F(0))
        for size in range(len(outcomes) + 1)
        for event in itertools.combinations(outcomes, size)
    )
    assert best == adaptive_delta(lambda seen: FIRST, lambda seen: choice[seen[0]])
