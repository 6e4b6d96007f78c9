"""Rényi divergences against the exact sums and series of the literature, and closed forms of each pair."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import pldverify as pv
from tests.oracle.closed_forms import context, holds, mixture_moment, mixture_moment_fractional, real


@pytest.mark.parametrize("order", [2, 3, 8, 32, 64])
@pytest.mark.parametrize(
    ("sigma", "q"),
    [("1", "0.01"), ("0.5", "0.2"), ("4", "1e-6"), ("0.3", "0.999"), ("20", "0.5"), ("2", 0.1)],
)
def test_integer_orders(sigma: str, q: object, order: int) -> None:
    mp = context(140)
    truth = mp.log(mixture_moment(mp, real(mp, sigma), real(mp, Fraction(q)), order)) / (order - 1)  # type: ignore[arg-type]
    found = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(sigma), q), order=order, adjacency="remove", digits=40)
    assert found.digits >= 40
    assert holds(found, truth, 60)


@pytest.mark.parametrize("order", [2, 7, 40])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("0.7", "0.6"), ("3", "0.9")])
def test_remove_is_the_larger_direction(sigma: str, q: str, order: int) -> None:
    # MTZ19, Corollary 7: A_α ≥ B_α
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    both, remove, add = (
        pv.rdp(pair, order=order, adjacency=adjacency, digits=20)
        for adjacency in ("add-or-remove", "remove", "add")
    )
    assert add.upper < remove.lower
    assert both.overlaps(remove)


@pytest.mark.sample(2)
@pytest.mark.parametrize("order", ["1.25", "2.5", "10.1", "63.7"])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("4", "0.3"), ("0.8", "0.1")])
def test_real_orders(sigma: str, q: str, order: str) -> None:
    mp = context(60)
    alpha = real(mp, order)
    # the terms alternate and fall, so the last one bounds what the cut leaves out
    moments = [
        mixture_moment_fractional(mp, real(mp, sigma), real(mp, q), alpha, terms) for terms in (600, 601)
    ]
    truth = mp.log(moments[0]) / (alpha - 1)
    digits = int(min(25, -mp.log10(abs(moments[0] - moments[1]) / abs(moments[0] - 1)))) - 1
    assert digits >= 6
    found = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(sigma), q), order=order, adjacency="remove", digits=30)
    assert found.digits >= 30
    assert holds(found, truth, digits)


@pytest.mark.parametrize("order", ["1.001", "1.5", "2", "17", "300"])
@pytest.mark.parametrize("b", ["0.3", "1", "12"])
def test_laplace(b: str, order: str) -> None:
    # Mironov 2017, Table II
    mp = context(80)
    size, alpha = real(mp, b), real(mp, order)
    truth = mp.log(
        alpha / (2 * alpha - 1) * mp.exp((alpha - 1) / size)
        + (alpha - 1) / (2 * alpha - 1) * mp.exp(-alpha / size)
    ) / (alpha - 1)
    found = pv.rdp(pv.Laplace(b), order=order)
    assert found.digits >= 30
    assert holds(found, truth, 50)


@pytest.mark.parametrize("order", ["1.001", "2", "300"])
@pytest.mark.parametrize("p", ["0.6", "0.999", "0.1"])
def test_randomized_response(p: str, order: str) -> None:
    # Mironov 2017, Table II
    mp = context(80)
    share, alpha = real(mp, p), real(mp, order)
    truth = mp.log(share**alpha * (1 - share) ** (1 - alpha) + (1 - share) ** alpha * share ** (1 - alpha))
    found = pv.rdp(pv.RandomizedResponse(p), order=order)
    assert found.digits >= 30
    assert holds(found, truth / (alpha - 1), 50)


def test_divergences_of_a_composition_add() -> None:
    mp = context(80)
    found = pv.rdp(
        10**9 * pv.PoissonSubsampled(pv.Gaussian(2), "0.001") + 3 * pv.Gaussian(4),
        order=6,
        adjacency="remove",
    )
    truth = 10**9 * mp.log(mixture_moment(mp, mp.mpf(2), real(mp, "0.001"), 6)) / 5 + 3 * mp.mpf(6) / 32
    assert found.digits >= 30
    assert holds(found, truth, 45)


def test_neighbouring_orders_and_directions_are_told_apart() -> None:
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    first, second = (pv.rdp(pair, order=order) for order in (2, "2.0000000000000000000001"))
    assert first.upper < second.lower
    assert not pv.rdp(pair, order=2, adjacency="add").overlaps(first)


@pytest.mark.parametrize("order", ["0.001", "0.5", 1, "1.5", 300, 10**6])
@pytest.mark.parametrize("sigma", ["0.2", "1", "30"])
def test_gaussian(sigma: str, order: object) -> None:
    # van Erven and Harremoës 2014, (10): α/(2σ²), at α = 1 too
    found = pv.rdp(7 * pv.Gaussian(sigma), order=order)
    assert 7 * Fraction(order) / (2 * Fraction(sigma) ** 2) in found  # type: ignore[arg-type]
    assert found.digits >= 30


@pytest.mark.parametrize(
    ("sigma", "q", "order"),
    [
        ("0.3", "0.01", 10**4),
        ("0.3", "0.01", 10**6),
        ("10", "1e-5", 10**6),
        ("1", "0.01", 1000),
        ("4", "0.3", 999),
    ],
)
def test_huge_orders(sigma: str, q: str, order: int) -> None:
    """The binomial sum again, as far as its terms count: from the top, or from the bottom."""
    mp = context(80)
    c2, share = 1 / real(mp, sigma) ** 2, real(mp, q)

    def term(j: int) -> Any:
        log = mp.loggamma(order + 1) - mp.loggamma(j + 1) - mp.loggamma(order - j + 1)
        return log + (order - j) * mp.log1p(-share) + j * mp.log(share) + c2 * j * (j - 1) / 2

    counted = range(order + 1) if order < 2000 else range(order - 40, order + 1)
    logs = [term(j) for j in counted]
    if order >= 2000:  # the terms fall towards the bottom, and rise again by less
        assert logs[0] < logs[-1] - 200 and max(term(j) for j in range(0, order - 40, 997)) < logs[-1] - 200
    top = max(logs)
    truth = (top + mp.log(mp.fsum(mp.exp(log - top) for log in logs))) / (order - 1)
    found = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(sigma), q), order=order, adjacency="remove")
    assert found.digits >= 30
    assert holds(found, truth, 45)


@pytest.mark.sample(2)
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("order", ["0.01", "0.5", "0.99", 1])
def test_sampled_gaussian_up_to_order_one(order: object, direction: str) -> None:
    mp = context(40)
    sigma, q, alpha = mp.mpf(1), mp.mpf(1) / 10, real(mp, order)  # type: ignore[arg-type]
    side = 1 if direction == "remove" else -1

    def integrand(x: Any) -> Any:
        base = mp.npdf(x)
        loss = side * mp.log(1 - q + q * mp.exp(x / sigma - 1 / (2 * sigma**2)))
        first = base * mp.exp(loss) if side > 0 else base
        return first * loss if alpha == 1 else first * mp.exp((alpha - 1) * loss)

    value = mp.quad(integrand, list(range(-14, 16, 2)))
    truth = value if alpha == 1 else mp.log(value) / (alpha - 1)
    found = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), order=order, adjacency=direction)  # type: ignore[arg-type]
    assert found.digits >= 30
    assert holds(found, truth, 24)


def test_one_and_infinity_are_the_limits() -> None:
    steps = 3 * pv.PoissonSubsampled(pv.Laplace(1), "0.2") + 2 * pv.RandomizedResponse("0.7")
    orders = ["1e-6", "0.5", "0.999999", 1, "1.000001", 2, 100, 10_000, "inf"]
    values = [pv.rdp(steps, order=order, digits=20) for order in orders]
    assert all(a.upper < b.lower for a, b in pairwise(values))
    assert float(values[4]) - float(values[2]) < 1e-5 and float(values[-1]) - float(values[-2]) < 0.01


def test_largest_losses() -> None:
    # pure DP: the max divergence of Laplace noise is Δ/b, of randomised response log(p/(1 − p))
    assert Fraction(5, 3) in pv.rdp(pv.Laplace("0.6"), order="inf")
    assert pv.rdp(pv.Laplace("0.5"), order="inf").upper == 2 == pv.rdp(pv.Laplace("0.5"), order="inf").lower
    mp = context(60)
    found = pv.rdp(10 * pv.RandomizedResponse("0.8"), order="inf")
    assert found.digits >= 30 and holds(found, 10 * mp.log(4), 45)


@pytest.mark.parametrize("b", ["0.3", "1", "12"])
def test_laplace_up_to_order_one(b: str) -> None:
    # Mironov 2017, Table II, and its limit at 1
    mp = context(80)
    size = real(mp, b)
    found = pv.rdp(pv.Laplace(b), order=1)
    assert found.digits >= 30 and holds(found, 1 / size + mp.exp(-1 / size) - 1, 45)
    half = pv.rdp(pv.Laplace(b), order="1/2")
    alpha = mp.mpf(1) / 4
    assert holds(half, -2 * mp.log(mp.exp(-1 / (2 * size)) * (1 + 1 / (2 * size))), 45)
    quarter = alpha / (2 * alpha - 1) * mp.exp((alpha - 1) / size)
    quarter += (alpha - 1) / (2 * alpha - 1) * mp.exp(-alpha / size)
    assert holds(pv.rdp(pv.Laplace(b), order="1/4"), mp.log(quarter) / (alpha - 1), 45)


@pytest.mark.parametrize(
    ("order", "whole"), [("1/2", True), (1, True), ("3/2", True), (512, True), ("5/4", False), ("0.1", False)]
)
def test_discrete_gaussians_are_moved_by_whole_steps_or_not(order: object, whole: bool) -> None:
    """Σ p^α q^(1−α) summed by mpmath; sensitivity 2, so that α = 3/2 moves it by 3."""
    mp = context(60)
    alpha = real(mp, Fraction(order))  # type: ignore[arg-type]

    def log_bell(x: int, centre: int) -> Any:
        return -mp.mpf((x - centre) ** 2) * 2  # σ = 1/2

    masses = [mp.exp(log_bell(x, 0)) for x in range(-40, 41)]
    peak = round(2 * alpha)
    outcomes = range(peak - 40, peak + 41)
    if alpha == 1:
        truth = mp.fsum(mp.exp(log_bell(x, 2)) * (8 * x - 8) for x in outcomes) / mp.fsum(masses)
    else:
        terms = (mp.exp(alpha * log_bell(x, 2) + (1 - alpha) * log_bell(x, 0)) for x in outcomes)
        truth = mp.log(mp.fsum(terms) / mp.fsum(masses)) / (alpha - 1)
    found = pv.rdp(pv.DiscreteGaussian("1/2", 2), order=order, digits=30)
    assert (found.lower == found.upper) == whole
    assert found.digits >= 30
    assert holds(found, truth, 40)


def test_gaussians_beside_discrete_ones_are_exact() -> None:
    found = pv.rdp(3 * pv.Gaussian(2) + 2 * pv.DiscreteGaussian(3), order="2")
    assert found.lower == found.upper == Fraction(3, 4) + Fraction(2, 9)
    assert pv.prove_again(found) == found
    beside = pv.rdp(pv.Gaussian(2) + pv.Laplace(3), order="2")
    assert beside.lower < beside.upper
