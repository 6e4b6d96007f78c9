"""The doorway between exact rationals and balls, and the traps of python-flint that the engines rely on."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpz, fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls.ball import ball, clamped, dyadic, lower, near, rounded, short, upper, working
from pldverify.errors import InvalidInput, NoConvergence, OracleDisagreement

rationals = st.fractions(min_value=-(10**12), max_value=10**12)


@given(rationals, st.integers(2, 200))
def test_a_ball_contains_its_rational(value: Fraction, bits: int) -> None:
    with working(bits):
        around = ball(value)
        assert lower(around) <= value <= upper(around)


@pytest.mark.parametrize("value", [3, 3.0, Fraction(3), sp.Integer(3), np.int64(3), np.float64(3), arb(3)])
def test_numbers_of_other_libraries_are_exact(value: Any) -> None:
    assert ball(value) == 3


@pytest.mark.parametrize("value", ["1/2", math.nan, math.inf, sp.Float(0.5), sp.pi, None, acb(1)])
def test_what_is_no_exact_rational_makes_no_ball(value: Any) -> None:
    with pytest.raises(InvalidInput, match="a ball must be made from"):
        ball(value)


@given(rationals, rationals, st.integers(10, 100))
def test_ends_of_a_sum_contain_it(a: Fraction, b: Fraction, bits: int) -> None:
    with working(bits):
        total = ball(a) + ball(b)
    assert lower(total) <= a + b <= upper(total)


def test_a_ball_without_a_probability_is_a_bug() -> None:
    assert 0.9 <= float(clamped(arb("1.1", "0.2")).upper()) < 1.01
    assert clamped(arb("-0.1", "0.2")).contains(0)
    assert float(clamped(arb("0.3", "0.2"), arb("0.2")).upper()) < 0.21
    assert clamped(arb(1)) == 1 and clamped(arb(0)) == 0
    for value, most in ((arb("-0.1"), 1), (arb("1.1"), 1), (arb("0.3", "0.05"), arb("0.2"))):
        with pytest.raises(OracleDisagreement, match="probability"):
            clamped(value, most)


def test_precision_is_restored_after_an_error() -> None:
    before = ctx.prec
    with pytest.raises(ValueError), working(before + 77):
        assert ctx.prec == before + 77
        raise ValueError
    assert ctx.prec == before


def test_ends_are_exact_whatever_the_precision() -> None:
    with working(500):
        third = arb(1) / 3
    with working(10):
        assert 0 < Fraction(upper(third)) - Fraction(lower(third)) < Fraction(1, 10**149)


@pytest.mark.parametrize(
    "value", [arb.pos_inf(), arb.neg_inf(), arb.nan(), arb(0, arb.pos_inf()), arb(1) / 0]
)
def test_what_is_not_finite_bounds_nothing(value: arb) -> None:
    assert (lower(value), upper(value)) == (-math.inf, math.inf)


@pytest.mark.parametrize("exponent", [-30_000, -(10**12), 30_000, 10**12])
@pytest.mark.parametrize("sign", [1, -1])
def test_huge_exponents_stay_small_rationals(exponent: int, sign: int) -> None:
    value = sign * arb((3, exponent)) * arb(1, 1e-9)
    low, high = lower(value), upper(value)
    for end in (low, high):
        assert end in (-math.inf, math.inf) or Fraction(end).denominator.bit_length() <= 21_000
    inner, outer = (low, high) if sign > 0 else (-high, -low)
    if exponent < 0:
        assert inner == 0 < outer < Fraction(1, 2**19_990)
    else:
        assert 0 < inner < outer == math.inf


def test_ends_of_a_ball_of_large_even_numbers() -> None:
    value = arb(2**50, 2**40)
    assert 0 <= 2**50 - 2**40 - Fraction(lower(value)) <= 2**12
    assert 0 <= Fraction(upper(value)) - 2**50 - 2**40 <= 2**12


def test_a_wide_ball_around_a_tiny_number() -> None:
    value = arb((1, -(10**9))) + arb(0, 1)
    assert -2 < lower(value) <= -1 and 1 <= upper(value) < 2


@given(st.fractions(min_value=Fraction(1, 10**30), max_value=10**30), st.integers(5, 60))
def test_rounding_keeps_the_leading_bits(value: Fraction, bits: int) -> None:
    near = rounded(value, bits)
    assert abs(near - value) <= value / 2 ** (bits - 2)
    assert rounded(-value, bits) == -near
    assert near.denominator & (near.denominator - 1) == 0


def test_rounding_zero_and_floats() -> None:
    assert rounded(Fraction(0)) == 0
    assert short(0.1, 4) == Fraction(13, 128)


@given(st.fractions(min_value=-(10**30), max_value=10**30), st.integers(5, 60))
def test_a_choice_in_balls_is_rounded_as_exact_numbers_are(value: Fraction, bits: int) -> None:
    at = near(ball(value), bits)
    assert abs(at - value) <= abs(value) / 2 ** (bits - 2) + abs(value) / 2**50
    assert at.numerator.bit_length() <= bits + 1 or at.denominator == 1


@pytest.mark.parametrize("value", [arb.nan(), arb.pos_inf(), arb(0).union(arb.pos_inf()), arb(2) ** 10**6])
def test_a_choice_that_is_no_number_is_refused(value: arb) -> None:
    with pytest.raises(NoConvergence, match="no number, or far too large"):
        near(value)


def test_dyadic_reads_exact_balls_only() -> None:
    assert dyadic(arb("0.375")) == Fraction(3, 8)
    with pytest.raises(ValueError):
        dyadic(arb(1) / 3)


# What the proofs assume of python-flint.


def test_overlapping_balls_compare_false_both_ways() -> None:
    a, b = arb(1, 1), arb(2, 1)
    assert not a < b and not a > b and not a <= b and not a >= b


def test_max_and_min_of_overlapping_balls_contain_both_choices() -> None:
    a, b = arb(1, 2), arb(2, arb(1) / 2)
    assert a.max(b).contains(arb(3)) and a.max(b).contains(arb("1.5"))
    assert a.min(b).contains(arb(-1)) and a.min(b).contains(arb("2.5"))


def test_ends_of_balls_are_exact_balls() -> None:
    third = arb(1) / 3
    assert third.lower().is_exact() and third.upper().is_exact()
    assert Fraction(1, 3) - dyadic(third.lower()) >= 0 and dyadic(third.upper()) - Fraction(1, 3) >= 0


def test_a_float_is_the_double() -> None:
    assert dyadic(arb(0.1)) == Fraction(0.1) != Fraction(1, 10)
    assert not arb(0.1).contains(ball(Fraction(1, 10)))


def test_nan_spreads_through_max_union_and_sums() -> None:
    for value in (arb.nan().max(arb(0)), arb(0).min(arb.nan()), arb.nan().union(arb(1)), arb.nan() + 1):
        assert not value.is_finite()


def test_integer_powers_take_huge_exponents() -> None:
    # (1 + i/n)^n → e^i, off by some 1/(2n)
    with working(200):
        n = 10**12
        off = acb(1, ball(Fraction(1, n))) ** n - acb(0, 1).exp()
        assert arb(1) / (3 * n) < abs(off) < arb(1) / n


def test_floor_division_of_polynomials_floors_what_is_not_negative() -> None:
    values = [0, 1, 2, 7, 8, 2**70]
    assert [int(c) for c in fmpz_poly(values) // fmpz(2)] == [v // 2 for v in values]
    assert [int((fmpz_poly(values) // fmpz(2**60))[i]) for i in range(6)] == [v // 2**60 for v in values]


def test_floor_division_of_polynomials_does_not_floor_small_negative_coefficients() -> None:
    # so rounding up must not be built as −((−p) // unit)
    assert list(fmpz_poly([-3]) // fmpz(2)) == [-2]
    assert list(fmpz_poly([-1]) // fmpz(2)) == []


def test_a_logarithm_across_its_cut_is_finite() -> None:
    # so finiteness proves no analyticity
    assert acb(arb(-2, 0.1), arb(0, 0.1)).log().is_finite()
    assert not acb(arb(-2, 0.1), arb(0, 0.1)).log(analytic=True).is_finite()
