"""Rényi to (ε, δ): printed formulas, another library, true profiles below, extremal pairs on the bound."""

import math
from fractions import Fraction

import pytest
from dp_accounting.rdp import rdp_privacy_accountant as peer
from scipy.optimize import minimize_scalar

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.reference.conversions import delta_from_rdp, epsilon_from_rdp, zcdp_delta, zcdp_epsilon

SLACK = 1 + Fraction(1, 10**12)
RULES = ["mironov-2017", "canonne-2020", "balle-2020", "asoodeh-2020"]
CASES = [
    (2, 0.125, 1.0),
    (10, 0.5, 2.0),
    (5.5, 1.0, 3.0),
    (1.5, 0.25, 0.5),
    (64, 0.015625, 0.25),
    (20, 0.5, 5.0),
]


def least_rdp(alpha: float, epsilon: float, delta: float) -> float:
    """The least Rényi divergence that allows (ε, δ), over pairs on two points, in floats."""

    def divergence(u: float) -> float:
        part, rest = (1 - delta) / (1 + math.exp(-u)), (1 - delta) / (1 + math.exp(u))  # p − δ and 1 − p
        p, r = delta + part, part / math.exp(epsilon)
        first = alpha * math.log(p) + (1 - alpha) * math.log(r)
        second = alpha * math.log(rest) + (1 - alpha) * math.log1p(-r)
        return math.log(math.exp(first) + math.exp(second)) / (alpha - 1)

    return float(minimize_scalar(divergence, bounds=(math.log(delta) - 12, 30), options={"xatol": 1e-9}).fun)


@pytest.mark.parametrize(("alpha", "tau", "epsilon"), CASES)
def test_printed_formulas(alpha: float, tau: float, epsilon: float) -> None:
    mironov = math.exp((alpha - 1) * (tau - epsilon))
    canonne = mironov / (alpha - 1) * (1 - 1 / alpha) ** alpha
    assert float(delta_from_rdp(alpha, tau, epsilon, "mironov-2017")) == pytest.approx(mironov, rel=1e-12)
    for rule in ("canonne-2020", "balle-2020"):
        assert float(delta_from_rdp(alpha, tau, epsilon, rule)) == pytest.approx(canonne, rel=1e-12)


@pytest.mark.parametrize(("alpha", "tau", "epsilon"), CASES)
def test_dp_accounting_converts_alike(alpha: float, tau: float, epsilon: float) -> None:
    there = peer.compute_epsilon([alpha], [tau], 1e-9)[0]
    assert float(epsilon_from_rdp(alpha, tau, 1e-9)) == pytest.approx(there, rel=1e-12)


@pytest.mark.parametrize(("alpha", "tau", "epsilon"), CASES)
def test_the_optimal_rule_is_attained(alpha: float, tau: float, epsilon: float) -> None:
    delta = delta_from_rdp(alpha, tau, epsilon, "asoodeh-2020")
    assert delta < delta_from_rdp(alpha, tau, epsilon)
    assert least_rdp(alpha, epsilon, float(delta)) == pytest.approx(tau, rel=1e-6)
    eps = epsilon_from_rdp(alpha, tau, delta, "asoodeh-2020")
    assert float(eps) == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("p", "r"), [("1/1000", "1/100000"), ("1/2", "1/10"), ("0.9", "0.2"), ("1e-9", "1e-12")]
)
def test_no_pair_on_two_points_exceeds_a_rule(rule: str, p: str, r: str) -> None:
    pair = pv.FinitePair([p, 1 - Fraction(p)], [r, 1 - Fraction(r)])
    for alpha in ("1.01", 2, 40):
        tau = pv.rdp(pair, order=alpha, adjacency="remove").upper
        for epsilon in (0, 1, 4):
            truth = pv.delta(pair, epsilon=epsilon, adjacency="remove")
            bound = delta_from_rdp(alpha, tau, epsilon, rule)  # type: ignore[arg-type]
            assert truth.lower <= bound


def test_a_divergence_that_is_a_little_too_small_is_refuted_by_the_extremal_pair() -> None:
    """Teeth: the pair that attains the optimal rule beats it once τ is understated by 1e-5."""
    alpha, epsilon, tau = 4, 1.0, 0.5
    delta = float(delta_from_rdp(alpha, tau, epsilon, "asoodeh-2020"))
    understated = delta_from_rdp(alpha, tau * (1 - 1e-5), epsilon, "asoodeh-2020")
    assert understated < delta and least_rdp(alpha, epsilon, float(understated)) < tau * (1 - 1e-6)


@pytest.mark.parametrize("rho", ["0.001", "0.1", "2"])
@pytest.mark.parametrize("epsilon", ["0", "0.3", "3", "20"])
def test_zcdp_covers_the_gaussian_and_is_the_best_order(rho: str, epsilon: str) -> None:
    bound = zcdp_delta(rho, epsilon)
    assert pv.delta(pv.GDP(math.sqrt(2 * float(rho))), epsilon=epsilon).lower <= bound * SLACK
    for order in ("1.001", "1.5", 3, 10, 100, 1000):
        assert bound <= delta_from_rdp(order, Fraction(rho) * Fraction(order), epsilon) * SLACK
    if Fraction(1, 10**300) < bound < 1 and epsilon != "0":
        assert zcdp_epsilon(rho, bound) == pytest.approx(float(epsilon), rel=1e-9, abs=0)


def test_ends_and_extremes() -> None:
    assert delta_from_rdp(2, math.inf, 1) == 1
    assert epsilon_from_rdp(2, math.inf, "0.1") == math.inf
    assert epsilon_from_rdp(2, 1, 1) == 0
    assert zcdp_delta("1e-300", "1e300") > 0
    assert zcdp_delta("1e300", 1) == 1
    assert 0 < delta_from_rdp("1e30", 0, "1e-20") < Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((1, 1, 1), "order"),
        ((2, -1, 1), "divergence"),
        ((2, "nan", 1), "divergence"),
        ((2, 1, math.inf), "epsilon"),
        ((2, 1, 1, "renyi"), "rule"),
        ((2, 1, -1, "asoodeh-2020"), "epsilon"),
    ],
)
def test_bad_arguments(arguments: tuple[object, ...], name: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        delta_from_rdp(*arguments)  # type: ignore[arg-type]


def test_delta_zero_has_no_conversion() -> None:
    with pytest.raises(InvalidInput, match="delta"):
        epsilon_from_rdp(2, 1, 0)
    with pytest.raises(InvalidInput, match="delta"):
        zcdp_epsilon(1, 0)
