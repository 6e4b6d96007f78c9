"""MTZ19: both sums against quadrature, the closed form against both, the composed claim against its parts."""

import math

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.accountants import rdp
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse


def log_moment(sigma: float, q: float, alpha: float, *, swapped: bool = False) -> float:
    """log A_α, or log B_α, by mpmath quadrature of the definition."""
    with mpmath.workdps(30):
        s, p, a = mpmath.mpf(sigma), mpmath.mpf(q), mpmath.mpf(alpha)

        def w(t: mpmath.mpf) -> mpmath.mpf:
            return 1 - p + p * mpmath.e ** ((2 * t - 1) / (2 * s**2))

        def integrand(t: mpmath.mpf) -> mpmath.mpf:
            return mpmath.npdf(t, 0, s) * w(t) ** (1 - a if swapped else a)

        bend = s**2 * mpmath.log(1 / p - 1) + 0.5
        points = sorted(
            {
                -20 * s,
                -5 * s,
                mpmath.mpf(0),
                mpmath.mpf(1),
                bend,
                a - 5 * s,
                a,
                a + 5 * s,
                abs(bend) + a + 20 * s,
            }
        )
        return float(mpmath.log(mpmath.quad(integrand, points)))


CASES = [(1.0, 0.01), (0.5, 0.1), (2.0, 0.3), (4.0, 0.001), (0.8, 0.9), (10.0, 0.2)]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("sigma", "q"), CASES)
@pytest.mark.parametrize("alpha", [1.1, 1.5, 2.5, 7.7, 20.3])
def test_fractional_series(sigma: float, q: float, alpha: float) -> None:
    expected = log_moment(sigma, q, alpha)
    # log A is small where q is: the series sums to 1 + that, so its error is absolute
    assert abs(rdp.log_a_fractional(sigma, q, alpha) - expected) < 1e-14 + 1e-13 * expected


@pytest.mark.sample(6)
@pytest.mark.parametrize(("sigma", "q"), CASES)
@pytest.mark.parametrize("alpha", [2, 3, 16, 64])
def test_integer_sum(sigma: float, q: float, alpha: int) -> None:
    expected = log_moment(sigma, q, alpha)
    assert abs(rdp.log_a_integer(sigma, q, alpha) - expected) < 1e-14 + 1e-13 * expected


@given(st.floats(0.5, 10), st.floats(1e-4, 0.999), st.integers(2, 40))
def test_both_sums_agree_at_integers(sigma: float, q: float, alpha: int) -> None:
    whole = rdp.log_a_integer(sigma, q, alpha)
    assert abs(rdp.log_a_fractional(sigma, q, alpha) - whole) < 2e-14 + 1e-12 * whole


@pytest.mark.sample(2)
@pytest.mark.parametrize(("sigma", "q"), CASES[:4])
@pytest.mark.parametrize("alpha", [1.5, 4.0, 12.0])
def test_a_is_above_b(sigma: float, q: float, alpha: float) -> None:
    """Corollary 7, on which one curve for both directions rests."""
    assert log_moment(sigma, q, alpha) > log_moment(sigma, q, alpha, swapped=True)


@pytest.mark.parametrize(
    ("sigma", "q", "alpha"),
    [(3.9, 0.01, 2.0), (4.0, 0.21, 2.0), (4.0, 0.01, 1.0), (4.0, 0.01, 60.0), (4.0, 0.2, 20.0)],
)
def test_closed_form_outside_its_conditions(sigma: float, q: float, alpha: float) -> None:
    assert rdp.closed_form(sigma, q, alpha) == math.inf


def test_closed_form_inside() -> None:
    assert rdp.closed_form(4.0, 0.01, 8.0) == 2 * 0.01**2 * 8 / 16


@pytest.mark.parametrize("alpha", [1.5, 2.0, 10.0])
def test_divergences_of_the_basic_mechanisms(alpha: float) -> None:
    assert abs(rdp.renyi_divergence(Gaussian(2, sensitivity=3), alpha) - alpha * 9 / 8) < 1e-14
    with mpmath.workdps(30):
        b = mpmath.mpf(3) / 2
        power = mpmath.quad(
            lambda t: mpmath.e ** (-alpha * abs(t) / b - (1 - alpha) * abs(t - 1) / b) / (2 * b),
            [-60, 0, 1, 60],
        )
        laplace = float(mpmath.log(power) / (alpha - 1))
    assert abs(rdp.renyi_divergence(Laplace("1.5"), alpha) / laplace - 1) < 1e-13
    for p, categories in ((0.8, 2), (0.3, 2), (0.6, 5), (0.1, 5)):
        r = (1 - p) / (categories - 1)
        total = p**alpha * r ** (1 - alpha) + r**alpha * p ** (1 - alpha) + (categories - 2) * r
        found = rdp.renyi_divergence(RandomizedResponse(p, categories), alpha)
        assert abs(found - math.log(total) / (alpha - 1)) < 1e-13
    assert rdp.renyi_divergence(RandomizedResponse(1), alpha) == math.inf


def test_sampling_with_certainty_is_no_sampling() -> None:
    for alpha in (1.5, 2.0):
        found = rdp.renyi_divergence(PoissonSubsampled(Gaussian(2), 1), alpha)
        assert found == rdp.renyi_divergence(Gaussian(2), alpha)
    assert abs(rdp.log_a_integer(2.0, 1.0, 3) - 3 * 2 / 8) < 1e-14


@pytest.mark.parametrize("alpha", [1.0, 0.5, math.inf, math.nan])
def test_orders_must_exceed_one(alpha: float) -> None:
    with pytest.raises(InvalidInput, match="alpha"):
        rdp.renyi_divergence(Gaussian(1), alpha)


def test_curve_is_additive() -> None:
    query = Query(3 * Gaussian(2) + 5 * Laplace(2), delta="1e-5")
    (found,) = rdp.curve(query, [4.0])
    assert abs(found - 3 * 4 / 8 - 5 * rdp.renyi_divergence(Laplace(2), 4.0)) < 1e-14


def test_agrees_with_dp_accounting_at_integer_orders() -> None:
    """At fractional orders dp-accounting 0.6.0 adds absolute values of alternating terms: above the truth."""
    from dp_accounting.rdp import rdp_privacy_accountant as library

    for sigma, q in ((1.0, 0.01), (2.0, 0.3)):
        for alpha in (2, 5, 30):
            theirs = library._compute_log_a(q, sigma, alpha)
            assert abs(rdp.log_a_integer(sigma, q, alpha) - theirs) < 1e-12 * max(1.0, theirs)
        assert log_moment(sigma, q, 2.5) < library._compute_log_a(q, sigma, 2.5) * (1 - 1e-5)


def test_a_single_gaussian_by_hand() -> None:
    # min over α of α/2 + log(1/δ)/(α − 1) at α = 1 + √(2 log(1/δ))
    best = 0.5 + math.sqrt(2 * math.log(1e5))
    found = float(rdp.RDPMironov().claim(Query(Gaussian(1), delta="1e-5")).value)
    assert best <= found < best * 1.0005
    order = float(rdp.RDPMironov().claim(Query(Gaussian(1), delta="1e-5")).parameters["order"])
    assert abs(order - 1 - math.sqrt(2 * math.log(1e5))) < 0.06
