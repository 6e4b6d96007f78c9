"""Rényi to (ε, δ): printed formulas, another library, true profiles below, extremal pairs on the bound."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from dp_accounting.rdp import rdp_privacy_accountant as peer
from scipy.optimize import minimize_scalar

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.reference.quantities.conversions import (
    Rule,
    delta_from_rdp,
    epsilon_from_rdp,
    zcdp_delta,
    zcdp_epsilon,
)

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
    assert float(delta_from_rdp(alpha, tau, epsilon, "mironov-2017")) == pytest.approx(
        mironov, rel=1e-12, abs=0
    )
    for rule in ("canonne-2020", "balle-2020"):
        assert float(delta_from_rdp(alpha, tau, epsilon, rule)) == pytest.approx(canonne, rel=1e-12, abs=0)


@pytest.mark.parametrize("rule", RULES)
def test_of_the_order_infinity_an_event_and_its_complement_are_worst(rule: Rule) -> None:
    """P = 1 and Q = e^−τ of an event."""
    for tau, epsilon in ((1.0, 0.25), (3.0, 2.99), (700.0, 1.0)):
        worst = -math.expm1(epsilon - tau)
        assert float(delta_from_rdp("inf", tau, epsilon, rule)) == pytest.approx(worst, rel=1e-12, abs=0)
    assert delta_from_rdp(math.inf, 1, 1, rule) == 0 == delta_from_rdp([2, "inf"], [1, 1], 2, rule)
    assert float(epsilon_from_rdp("inf", 1, "0.25", rule)) == pytest.approx(
        1 + math.log(0.75), rel=1e-12, abs=0
    )
    assert epsilon_from_rdp([2, "inf"], [Fraction(1, 10), 9], "1e-5", rule) < 9
    assert epsilon_from_rdp("inf", 1, "0.9", rule) == 0
    assert epsilon_from_rdp("inf", math.inf, "0.9", rule) == math.inf


@pytest.mark.parametrize(("alpha", "tau", "epsilon"), CASES)
def test_dp_accounting_converts_alike(alpha: float, tau: float, epsilon: float) -> None:
    there = peer.compute_epsilon([alpha], [tau], 1e-9)[0]
    assert float(epsilon_from_rdp(alpha, tau, 1e-9)) == pytest.approx(there, rel=1e-12, abs=0)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("alpha", "tau", "epsilon"), CASES)
def test_the_optimal_rule_is_attained(alpha: float, tau: float, epsilon: float) -> None:
    delta = delta_from_rdp(alpha, tau, epsilon, "asoodeh-2020")
    assert delta < delta_from_rdp(alpha, tau, epsilon)
    assert least_rdp(alpha, epsilon, float(delta)) == pytest.approx(tau, rel=1e-6, abs=0)
    eps = epsilon_from_rdp(alpha, tau, delta, "asoodeh-2020")
    assert float(eps) == pytest.approx(epsilon, rel=1e-6, abs=0)


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


ORDERS = [1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 256]
COMPOSITIONS = [
    pv.Gaussian(2),
    100 * pv.Gaussian(20),
    1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"),
    200 * pv.PoissonSubsampled(pv.Gaussian("0.8"), "0.05"),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize("delta", ["1e-5", "1e-12"])
@pytest.mark.parametrize("steps", COMPOSITIONS)
def test_a_curve_of_orders_bounds_the_true_epsilon(steps: pv.Composition, delta: str) -> None:
    curve = [pv.rdp(steps, order=order, digits=15) for order in ORDERS]
    truth = pv.epsilon(steps, delta=delta, digits=8)
    mironov, canonne, balle, optimal = (
        pv.epsilon_from_rdp(ORDERS, curve, delta, rule)  # type: ignore[arg-type]
        for rule in RULES
    )
    assert truth.upper < optimal <= canonne == balle < mironov < 2 * truth.lower
    there = peer.compute_epsilon(ORDERS, [float(tau) for tau in curve], float(delta))[0]
    assert float(canonne) == pytest.approx(there, rel=1e-12, abs=0)
    for rule in RULES:
        back = pv.delta_from_rdp(ORDERS, curve, truth.upper, rule)  # type: ignore[arg-type]
        assert Fraction(delta) < back
    # teeth: a third of the divergence proves something false
    assert pv.epsilon_from_rdp(ORDERS, [tau.upper / 3 for tau in curve], delta) < truth.lower


def test_mironov_at_the_best_order_of_a_gaussian() -> None:
    r"""Bun and Steinke 2016, Proposition 1.3: ρ + 2 √(ρ log(1/δ)), at α = 1 + √(log(1/δ)/ρ)."""
    with mpmath.workdps(50):
        rho, log = mpmath.mpf("0.125"), -mpmath.log(mpmath.mpf(10) ** -6)
        truth = Fraction(mpmath.nstr(rho + 2 * mpmath.sqrt(rho * log), 40))
        best = Fraction(mpmath.nstr(1 + mpmath.sqrt(log / rho), 40))
    found = epsilon_from_rdp(best, Fraction(1, 8) * best, "1e-6", "mironov-2017")
    assert abs(found - truth) < Fraction(1, 10**35)
    assert zcdp_epsilon("0.125", "1e-6") < truth


@pytest.mark.parametrize(("alpha", "tau", "epsilon"), CASES)
def test_forty_digits_rounded_up(alpha: float, tau: float, epsilon: float) -> None:
    with mpmath.workdps(60):
        a, t, e = mpmath.mpf(alpha), mpmath.mpf(tau), mpmath.mpf(epsilon)
        delta = mpmath.exp((a - 1) * (t - e)) / (a - 1) * (1 - 1 / a) ** a
        eps = t + mpmath.log(1 - 1 / a) - (mpmath.log(a) + mpmath.log(mpmath.mpf("1e-9"))) / (a - 1)
        pairs = [(delta_from_rdp(alpha, tau, epsilon), delta), (epsilon_from_rdp(alpha, tau, "1e-9"), eps)]
        for found, truth in pairs:
            exact = Fraction(mpmath.nstr(truth, 55))
            assert -exact / 10**50 <= found - exact <= exact / 10**40


def test_zcdp_at_the_best_order_by_mpmath() -> None:
    with mpmath.workdps(40):
        rho, eps = mpmath.mpf("0.3"), mpmath.mpf(3)

        def log_delta(a: mpmath.mpf) -> mpmath.mpf:
            return (a - 1) * (a * rho - eps) - mpmath.log(a - 1) + a * mpmath.log(1 - 1 / a)

        best = mpmath.findroot(lambda a: mpmath.diff(log_delta, a), 5)
        truth = mpmath.exp(log_delta(best))
    assert float(zcdp_delta("0.3", 3)) == pytest.approx(float(truth), rel=1e-12, abs=0)


def test_infinite_orders_drop_out() -> None:
    assert epsilon_from_rdp([2, 3], [math.inf, 1], "1e-5") == epsilon_from_rdp(3, 1, "1e-5")
    assert delta_from_rdp([2, 3], [math.inf, 1], 4) == delta_from_rdp(3, 1, 4)
    assert epsilon_from_rdp([2, 3], [math.inf, math.inf], "1e-5") == math.inf
    assert delta_from_rdp([2], [math.inf], 4, "asoodeh-2020") == 1


@pytest.mark.parametrize(("order", "divergence"), [([2, 3], [1]), ([], []), ([2, 3], 1), (2, [])])
def test_a_curve_has_one_divergence_for_each_order(order: object, divergence: object) -> None:
    with pytest.raises(InvalidInput, match="order and divergence"):
        delta_from_rdp(order, divergence, 1)


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
        ((2, Decimal("sNaN"), 1), "divergence"),
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


def test_extreme_input_is_no_trouble() -> None:
    """It left the range of floats."""
    assert pv.zcdp_delta("1e4000", 1) == 1
    assert 0 < pv.zcdp_delta(1, "1e400") < Fraction(1, 10**700)
    assert 1 < pv.zcdp_epsilon("1e4000", "1e-30") / Fraction("1e4000") < 1 + Fraction(1, 10**20)
    with pytest.raises(InvalidInput, match="rule must be one of"):
        pv.delta_from_rdp(2, 1, 1, rule=[])  # type: ignore[arg-type]
