"""Each bound: values by hand, and +∞ where a hypothesis fails."""

import math
from fractions import Fraction as F

import pytest
from flint import arb

from pldverify.bounds.chernoff import chernoff_tail
from pldverify.bounds.coupling import coupling_band, coupling_shift
from pldverify.bounds.density import density_supremum
from pldverify.bounds.density_derivatives import first_derivative, second_derivative
from pldverify.bounds.density_discretisation import density_discretisation, printed_riemann_sum, riemann_sum
from pldverify.bounds.density_tail import density_tail
from pldverify.bounds.fft_rounding import convolution_rounding, fft_error
from pldverify.bounds.grid_moment import grid_log_moment
from pldverify.bounds.kjh20_periodisation import kjh20_periodisation
from pldverify.bounds.loss_tail import loss_tail
from pldverify.bounds.omega_max_moment import omega_max_rest, printed_omega_max_rest
from pldverify.bounds.periodisation import periodisation
from pldverify.bounds.pointwise_truncation import pointwise_truncation
from pldverify.bounds.right_grid import left_grid, right_grid, right_grid_chernoff
from pldverify.bounds.sampled_gaussian_moment import log_moment, printed_log_moment, tail
from pldverify.bounds.truncation import printed_truncation, truncation

UNIT = F(1, 2**53)


def close_above(value: arb, expected: float) -> bool:
    """At least what is expected, up to the rounding of a double, and hardly more."""
    return expected * (1 - 1e-14) <= float(value) <= expected * (1 + 1e-12)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (chernoff_tail(F(1, 2), 2, 3), math.exp(0.5 - 6)),
        (chernoff_tail(F(1, 2), -2, -3), math.exp(0.5 - 6)),
        (truncation([(1, 0, 3), (2, 1, 1)], 2, 5), (3 * (math.e + 1) + math.e**2 + math.e) * math.exp(-10)),
        (printed_truncation(1, 0, 3, 2, 5), (math.e + math.e**2 + 2) * math.exp(-10)),
        (periodisation(1, 2, 3, 4), (math.e + math.e**2) * math.exp(-12)),
        (right_grid(F(1, 2), F(1, 8), 10, F(1, 100)), -math.expm1(-0.1) * 0.375),
        (left_grid(F(1, 2), F(1, 8), 10, F(1, 100)), math.expm1(0.1) * 0.375),
        (right_grid_chernoff(1, 2, 10, F(1, 100), 3), -math.expm1(-0.1) * math.exp(1 - 2 * 2.9)),
        (grid_log_moment(1, 2, F(1, 10)), 1.2),
        (grid_log_moment(1, -2, F(1, 10)), 1.0),
        (density_supremum(1, 1), 1 / math.sqrt(2 * math.pi)),
        (density_supremum(1, F(1, 2)), (1 + 0.25 * (math.e - 1)) * 2 / math.sqrt(2 * math.pi)),
        (density_supremum(1, F(1, 2), "add"), (1 + 0.5 * (math.e - 1)) * 2 / math.sqrt(2 * math.pi)),
        (density_discretisation([(2, F(1, 2), 3), (1, 2, 2)], F(1, 100)), 4 * 0.01 * 8 * 4),
        (riemann_sum(3, 1, 4, 12), 3.0),
        (printed_riemann_sum(3, 1, 4, 12), 27 / 24),
        (coupling_shift(F(1, 10), 50, F(1, 1000)), 0.1 * math.sqrt(25 * math.log(2000))),
        (loss_tail(1, F(1, 10), F(1, 5), 1), (0.1 + math.exp(-2) * 0.2) / -math.expm1(-1)),
        (log_moment(1, F(1, 2), 1), math.log1p(0.5 * math.expm1(1))),
        (tail(1, F(1, 2), 3, 2, 1), (1 + 0.5 * math.expm1(1)) ** 3 * math.exp(-2)),
    ],
)
def test_values_by_hand(value: arb, expected: float) -> None:
    assert close_above(value, expected)


def test_coupling_band_by_hand() -> None:
    low, high = coupling_band(F(1, 10), F(3, 10), F(1, 100))
    assert close_above(high, 0.31)
    assert close_above(-low, -0.09) or 0.09 * (1 - 1e-12) <= float(low) <= 0.09 * (1 + 1e-14)


@pytest.mark.parametrize(
    "value",
    [
        chernoff_tail(1, 0, 3),
        chernoff_tail(arb.pos_inf(), 1, 3),
        truncation([(1, 1, 1)], 0, 5),
        truncation([(1, 1, 1)], 1, 0),
        printed_truncation(1, 1, 2, -1, 5),
        periodisation(1, 1, 1, 0),
        periodisation(1, 1, -1, 1),
        right_grid(1, 0, 0, F(1, 2)),
        right_grid(1, 0, 1, 0),
        right_grid_chernoff(1, -1, 1, 1, 1),
        left_grid(1, 0, 1, -1),
        grid_log_moment(1, 1, -1),
        density_supremum(0, F(1, 2)),
        density_supremum(1, 0),
        density_supremum(1, 2),
        density_tail(1, F(1, 10), F(1, 100)),  # e^s < 2(1 − q)
        density_tail(1, F(1, 10), -1),
        first_derivative(-1, F(1, 2)),
        second_derivative(1, 0),
        density_discretisation([(1, 1, 1)], 0),
        riemann_sum(1, 4, 4, 2),
        riemann_sum(1, -5, 4, 2),
        pointwise_truncation(F(1, 10), F(49, 100), 2, 1),  # σ²L + C < 0
        pointwise_truncation(1, 1, 2, 1),
        kjh20_periodisation(lambda lam: lam, 1, -1, terms=3),
        omega_max_rest(F(1, 10), 1, 10, F(1, 10)),  # mode at 50
        coupling_shift(1, 1, 0),
        coupling_shift(1, 1, 3),
        coupling_shift(-1, 1, 1),
        loss_tail(1, 0, 0, 0),
        log_moment(1, F(1, 2), -1),
        log_moment(1, 2, 1),
        printed_log_moment(3, F(1, 10), 2),
        printed_log_moment(4, F(1, 4), 2),
        printed_log_moment(4, F(1, 10), 1000),
        fft_error(0, UNIT),
        fft_error(8, F(1, 4)),
        convolution_rounding([(1, 1, 1)], n=4, kernel=5, reach=1, unit=UNIT),
    ],
)
def test_a_failed_hypothesis_is_infinite(value: arb) -> None:
    assert not value.is_finite() and value > 0


def test_an_unprovable_hypothesis_is_infinite() -> None:
    around_zero = arb(0, 1)
    assert not chernoff_tail(1, around_zero, 3).is_finite()
    assert not density_supremum(around_zero, 1).is_finite()


def test_a_failed_hypothesis_of_the_band() -> None:
    low, high = coupling_band(0, 1, -1)
    assert not low.is_finite() and not high.is_finite()


def test_what_the_print_says_follows_from_the_corrections() -> None:
    for sigma in (F(1), F(2), F(10)):
        for q in (F(1, 1000), F(1, 2), F(1)):
            s, p = float(sigma), float(q)
            printed = arb(s / (p * math.sqrt(2 * math.pi)) * math.exp(1 / s**2))
            assert density_supremum(sigma, q) <= printed * (1 + arb(2) ** -40)
            assert first_derivative(sigma, q) <= arb(4 * math.exp(3 / s**2) * s**3 / p**2)
            assert second_derivative(sigma, q) <= arb(11 * math.exp(4.5 / s**2) * s**3 / p**3)


def test_the_printed_rest_of_omega_max_is_too_small_above_two() -> None:
    L, step = F(10), F(1, 1000)
    assert printed_omega_max_rest(1, 8, L, step) < omega_max_rest(1, 8, L, step)
