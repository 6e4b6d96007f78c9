"""Gaussian compositions against Balle and Wang's formula, written out again in mpmath."""

from fractions import Fraction
from math import inf

import pytest

import pldverify as pv
from tests.oracle.closed_forms import context, fraction, gaussian_delta, holds, normal_tail, real

CELLS = [
    ("1", 1, "0"),
    ("1", 1, "1"),
    ("1", 1, "-2"),
    ("0.1", 1, "30"),
    ("0.3", 7, "-40"),
    ("5", 30, "3.5"),
    ("50", 10**6, "400"),
    ("1e-3", 1, "5.5e5"),
    ("1e5", 10**12, "100"),
    ("1e6", 10**12, "-1"),
    ("2", 3, "40"),
    ("1e20", 1, "-1e-40"),
    ("1e10", 1, "1e-12"),
]


@pytest.mark.parametrize("digits", [12, 60])
@pytest.mark.parametrize(("sigma", "k", "epsilon"), CELLS)
def test_delta(sigma: str, k: int, epsilon: str, digits: int) -> None:
    mp = context(digits + 120)
    truth = gaussian_delta(mp, k / real(mp, sigma) ** 2)(real(mp, epsilon))
    found = pv.delta(k * pv.Gaussian(sigma), epsilon=epsilon, digits=digits)
    assert found.digits >= digits
    assert holds(found, truth, digits + 40)


def test_sensitivity_scales_and_variances_add() -> None:
    mp = context(60)
    mixed = 3 * pv.Gaussian("1.5", sensitivity="0.5") + 2 * pv.Gaussian("4") + pv.Gaussian(7, sensitivity=3)
    variance = 3 * mp.mpf(1) / 9 + 2 * mp.mpf(1) / 16 + mp.mpf(9) / 49
    assert holds(pv.delta(mixed, epsilon="0.7"), gaussian_delta(mp, variance)(real(mp, "0.7")), 50)


@pytest.mark.parametrize(("mu", "epsilon"), [("1", "0.5"), ("0.2", "-3"), ("9", "20"), ("3", "60")])
def test_tail(mu: str, epsilon: str) -> None:
    mp = context(60)
    size, eps = real(mp, mu), real(mp, epsilon)
    truth = normal_tail(mp, eps / size - size / 2)
    found = pv.tail(pv.Gaussian(1 / Fraction(mu)), epsilon=epsilon, digits=25)
    assert found.digits >= 25
    assert holds(found, truth, 50)


@pytest.mark.parametrize(
    ("sigma", "k", "delta"),
    [
        ("1", 1, "1e-5"),
        ("0.2", 3, "1e-12"),
        ("80", 10**4, "1e-50"),
        ("1e6", 10**12, "0.25"),
        ("2", 1, "0.19"),
    ],
)
def test_epsilon(sigma: str, k: int, delta: str) -> None:
    mp = context(60)
    profile = gaussian_delta(mp, k / real(mp, sigma) ** 2)
    found = pv.epsilon(k * pv.Gaussian(sigma), delta=delta, digits=20)
    assert found.digits >= 20
    assert profile(real(mp, found.lower)) >= real(mp, delta) >= profile(real(mp, found.upper))


@pytest.mark.parametrize("delta", ["0.2", "0.5", "1"])
def test_epsilon_is_zero_where_delta_of_zero_is_smaller(delta: str) -> None:
    # δ(0) = 2Φ(1/4) − 1 = 0.197… for σ = 2
    assert pv.epsilon(pv.Gaussian(2), delta=delta).upper == 0


def test_no_epsilon_gives_delta_zero() -> None:
    found = pv.epsilon(pv.Gaussian(2), delta=0)
    assert (found.lower, found.upper) == (inf, inf)


@pytest.mark.parametrize("order", ["1.0000001", "1.5", "2", "64", "1e6"])
def test_rdp(order: str) -> None:
    # α s²/(2σ²), exactly
    found = pv.rdp(5 * pv.Gaussian("0.8", sensitivity="0.4"), order=order)
    assert Fraction(order) * Fraction(5, 8) in found
    assert found.digits >= 30


def test_the_smallest_values_end_without_a_hang() -> None:
    # δ is some e^{−5e11}: a proof that it is small, without digits
    found = pv.delta(pv.Gaussian(1), epsilon=10**6)
    assert found.lower == 0 < found.upper < Fraction(1, 10**6000)


def test_fraction_of_an_mpf_is_exact() -> None:
    assert fraction(context(30).mpf(0.1)) == Fraction(0.1)
