"""Guarantees by Rényi divergences: (α, τ)-RDP and approximate zCDP, against mechanisms that have them."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.values.divergences import divergence

F = Fraction
ORDERS = [F(3, 2), F(2), F(4), F(8), F(16)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pv.RenyiDP(1, 1), "orders must be > 1, got an order of 1"),
        (lambda: pv.RenyiDP([2, 4], 1), "divergences must be as long as orders, got 1 and 2"),
        (lambda: pv.RenyiDP(2, -1), "divergences[0] must be >= 0, got divergences[0]=-1"),
        (lambda: pv.RenyiDP([], []), "orders must have 1 to 1000 numbers, got 0"),
        (lambda: pv.RenyiDP("x", 1), "orders[0] must be"),
        (lambda: pv.approximate_zcdp(0, 0), "rho must be > 0, got rho=0"),
        (lambda: pv.approximate_zcdp(1, 2), "delta must be in [0, 1], got delta=2"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert str(caught.value).startswith(message)


def test_its_expression_is_sorted_and_keeps_the_least() -> None:
    made = pv.RenyiDP(orders=[8, 2, 8], divergences=[3, "0.5", 2])
    assert str(made) == "renyi_dp(orders=[2, 8], divergences=[0.5, 2])"
    assert as_composition(str(made)).parts == ((made, 1),)
    assert as_composition("renyi_dp(8, 1)").parts == ((pv.RenyiDP(8, 1), 1),)
    with pytest.raises(NotSupported, match="ask for a bracket"):
        pv.delta(made, epsilon=1)


def masses(draw: random.Random) -> list[F]:
    parts = [draw.randint(1, 30) for _ in range(3)]
    return [F(x, sum(parts)) for x in parts]


def number(x: F) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def least(p: list[F], q: list[F], alpha: F) -> F:
    """A decimal a little above D_α in both directions."""
    with mpmath.workdps(30):
        sums = [
            mpmath.fsum(
                number(x) ** number(alpha) * number(y) ** (1 - number(alpha))
                for x, y in zip(*row, strict=True)
            )
            for row in ((p, q), (q, p))
        ]
        size = max(mpmath.log(x) for x in sums) / (number(alpha) - 1)
        return F(mpmath.nstr(size * (1 + mpmath.mpf("1e-12")), 20))


def stick(p: list[F], q: list[F], alpha: F) -> F:
    return sum((max(F(0), x - alpha * y) for x, y in zip(p, q, strict=True)), F(0))


def steps(p: list[F], k: int) -> list[F]:
    found = [F(1)]
    for _ in range(k):
        found = [x * y for x, y in product(found, p)]
    return found


@pytest.mark.parametrize("instances", [6, pytest.param(300, marks=pytest.mark.slow)])
def test_no_pair_with_the_divergences_exceeds_the_bound(instances: int) -> None:
    """Random pairs, the least divergences they have, k steps, beside another known pair."""
    draw, nearest = random.Random(5), 0.0
    for _ in range(instances):
        p, q, k = masses(draw), masses(draw), draw.randint(1, 3)
        orders = sorted(draw.sample(ORDERS, draw.randint(1, 4)))
        known = pv.RenyiDP(orders, [least(p, q, alpha) for alpha in orders])
        whole, one, other = k * known, steps(p, k), steps(q, k)
        if draw.random() < 0.5:
            whole = whole + pv.FinitePair(["2/3", "1/3"], ["1/3", "2/3"])
            one = [x * y for x, y in product(one, [F(2, 3), F(1, 3)])]
            other = [x * y for x, y in product(other, [F(1, 3), F(2, 3)])]
        for odds in (F(11, 10), F(2), F(4)):
            found = pv.bracket(whole, epsilon=f"ln({odds})", digits=1)
            true = max(stick(one, other, odds), stick(other, one, odds))
            assert true <= found.upper
            nearest = max(nearest, float(true / F(found.upper)))
    assert nearest > 0.3


@pytest.mark.parametrize("order", ["1.2", "2", "3", "5", "8"])
def test_divergences_in_between_are_at_most_what_is_said(order: str) -> None:
    """Of random pairs whose divergences of 2 and 8 are stated; beyond 8 nothing is known."""
    draw = random.Random(order)
    for _ in range(30):
        p, q = masses(draw), masses(draw)
        known = pv.RenyiDP([2, 8], [least(p, q, F(2)), least(p, q, F(8))])
        most = known.at_most(F(order))
        assert most is not None and least(p, q, F(order)) <= most * (1 + F(1, 10**9))
        assert known.at_most(F(9)) is None


def test_gaussian_noise_has_the_guarantee_from_below() -> None:
    """The least of μ² = 2τ/α: (2, 0.2), (8, 1) and (32, 5) have 0.2, 1/4 and 5/16."""
    known = pv.RenyiDP([2, 8, 32], ["0.2", 1, 5])
    found, noise = pv.bracket(known, delta="1e-6", digits=1), pv.epsilon(pv.GDP("sqrt(0.2)"), delta="1e-6")
    assert F(noise.lower) * F(999, 1000) < F(found.lower) <= F(noise.upper)
    least_rho = pv.zcdp(known)
    assert least_rho.upper is None and least_rho.lower is not None and least_rho.lower.at == F(1, 10)


def test_the_bound_is_that_of_the_conversion() -> None:
    """Canonne, Kamath and Steinke's for the best of the orders, here with a rule of its own."""
    orders, divergences = [2, 4, 8, 16, 32], ["0.3", "0.5", "1.1", "2.5", "6"]
    found = pv.bracket(5 * pv.RenyiDP(orders, divergences), delta="1e-5", digits=1).upper
    exact = pv.epsilon_from_rdp(orders, [5 * F(x) for x in divergences], delta="1e-5")
    assert F(exact) <= F(found) < F(exact) * F(1000001, 1000000)


def test_divergences_add_up_beside_other_mechanisms() -> None:
    """By the line between u(1) = 0.2 and u(7) = 7, u(4) = 3.6 and D_5 = 0.9; of Gaussian noise 5/8."""
    whole = as_composition("3*renyi_dp(orders=[2, 8], divergences=[0.2, 1]) + gaussian(2)")
    found = divergence(whole, "add-or-remove", 5)
    assert found.upper is not None and found.upper.at == 3 * F("0.9") + F(5, 8)
    assert found.lower is not None and found.lower.at > F(5, 8)
    assert divergence(whole, "add-or-remove", 9).upper is None
    budget = pv.Filter(rdp={8: 3})
    assert budget.admit("3 * renyi_dp(orders=8, divergences=1)")
    assert not budget.admit("renyi_dp(orders=8, divergences=0.01)")


@pytest.mark.parametrize(
    ("expression", "epsilon", "verdict"),
    [
        ("renyi_dp(orders=8, divergences=1)", "2.6", "CERTIFIED"),
        ("renyi_dp(orders=8, divergences=1)", "2.4", "UNDECIDED"),
        ("renyi_dp(orders=8, divergences=1)", "2.2", "REFUTED"),
        ("approximate_zcdp(rho=0.07, delta=1e-8)", "1.9", "CERTIFIED"),
        ("approximate_zcdp(rho=0.07, delta=1e-8)", "1.6", "REFUTED"),
        ("approximate_zcdp(rho=0.07, delta=2e-6)", "100", "REFUTED"),
    ],
)
def test_claims(expression: str, epsilon: str, verdict: str) -> None:
    assert pv.certify(expression, epsilon=epsilon, delta="1e-6").verdict == verdict


# --- approximate zCDP ---


@pytest.mark.parametrize("k", [1, 2])
def test_no_pair_that_is_zcdp_but_for_an_event_exceeds_it(k: int) -> None:
    """Random pairs with an event that is anything; given that it is not, h-DP, which is (h tanh ½h)-zCDP."""
    draw = random.Random(k)
    for _ in range(8):
        odds, lost = draw.choice([F(3, 2), F(2)]), F(1, draw.choice([10, 50]))
        base = draw.choice([F(1, 3), F(1, 2)])
        high = min(odds * base, 1 - (1 - base) / odds)
        given = [[high, 1 - high], [base, 1 - base]]
        events = [masses(draw)[:2] for _ in range(2)]
        events = [[x / sum(row) for x in row] for row in events]
        p, q = (
            [(1 - lost) * x + lost * y for x, y in zip(one, other, strict=True)]
            for one, other in zip(given, events, strict=True)
        )
        h = mpmath.log(number(odds))
        rho = F(mpmath.nstr(h * mpmath.tanh(h / 2), 15)) + F(1, 10**12)
        whole = k * pv.approximate_zcdp(rho, lost)
        for alpha in (F(1), F(3, 2), F(3)):
            found = pv.bracket(whole, epsilon=f"ln({alpha})", digits=1)
            true = max(stick(steps(p, k), steps(q, k), alpha), stick(steps(q, k), steps(p, k), alpha))
            assert true <= found.upper
