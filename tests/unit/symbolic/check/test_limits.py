"""Limits and values between two points, each against what calculus says; what is not proved is None."""

import pytest
import sympy as sp

from pldverify.symbolic.check.limits import between, leading, limit
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.domain import Domain

T = sp.Symbol("t", real=True)
N = sp.Symbol("n", integer=True)
A = sp.Symbol("a", positive=True)
U = sp.Symbol("u", real=True)
SIGN = Prover(Domain.of({A: (sp.Integer(0), sp.oo), U: (-sp.oo, sp.oo)})).sign
R = sp.Rational


@pytest.mark.parametrize(
    ("expression", "end", "value"),
    [
        (sp.exp(-A * T), sp.oo, 0),
        (sp.exp(-A * T), -sp.oo, sp.oo),
        (-sp.exp(A * T), sp.oo, -sp.oo),
        (T / (1 + 2 * T), sp.oo, R(1, 2)),
        (T**3 * sp.exp(-T), sp.oo, 0),
        (T**3 * sp.exp(-T), -sp.oo, -sp.oo),
        ((1 + A * sp.exp(T)) / (2 + sp.exp(T)), sp.oo, A),
        ((1 + A * sp.exp(T)) / (2 + sp.exp(T)), -sp.oo, R(1, 2)),
        (sp.exp(-(T**2)) * sp.exp(50 * T), sp.oo, 0),
        (sp.exp(T) / (sp.exp(T) - sp.exp(T) + 1), sp.oo, sp.oo),
        (1 / (1 - T), 2, -1),
        ((1 - T) / (1 + T), 1, 0),
        (A / T**2, 0, sp.oo),
        (-A / T**2, 0, None),
        (sp.log(T) / (1 + T), 0, None),
        (sp.exp(U * T), sp.oo, None),
        (U * sp.exp(T), sp.oo, None),
        (sp.sin(T), sp.oo, None),
        (sp.exp(sp.sin(T)), sp.oo, None),
    ],
)
def test_limits(expression: sp.Expr, end: object, value: object) -> None:
    assert limit(expression, T, sp.sympify(end), SIGN) == (None if value is None else sp.sympify(value))


def test_a_coefficient_that_may_vanish_is_not_the_leading_one() -> None:
    assert leading(U * sp.exp(2 * T) + sp.exp(T), T, SIGN) is None
    found = leading((U - U) * sp.exp(2 * T) + 3 * sp.exp(T), T, SIGN)
    assert found is not None and (found.coefficient, found.power, found.exponent) == (3, 0, T)


@pytest.mark.parametrize(
    ("coefficients", "whole"),
    [((U, A), None), ((A, U, sp.sqrt(2)), None), ((sp.sqrt(2), -sp.sqrt(3)), sp.sqrt(2) - sp.sqrt(3))],
)
def test_coefficients_of_one_power_are_one_coefficient(
    coefficients: tuple[sp.Expr, ...], whole: sp.Expr | None
) -> None:
    """Whatever the last of them is."""
    found = leading(sp.Add(*(c * T for c in coefficients)), T, SIGN)
    assert (found and found.coefficient) == whole


def test_the_leading_term_of_a_finite_sum() -> None:
    index, m = sp.Symbol("l", integer=True, nonnegative=True), sp.Symbol("m", integer=True, positive=True)
    series = sp.Sum(A**index * sp.exp(index * T - index**2), (index, 0, m))
    sign = Prover(Domain.of({A: (sp.Integer(0), sp.oo), m: (sp.Integer(0), sp.oo)})).sign
    up, down = leading(series, T, sign), leading(series.subs(T, -T), T, sign)
    assert up is not None and sp.expand(up.exponent - m * T) == 0
    assert down is not None and (down.coefficient, down.exponent) == (1, 0)
    for term in (sp.exp(T * index**2), sp.sin(T) ** index):
        assert leading(sp.Sum(term, (index, 0, m)), T, sign) is None
    for ends in ((-sp.oo, 0), (0, sp.oo)):
        assert leading(sp.Sum(sp.exp(T * N), (N, *ends)), T, sign) is None


@pytest.mark.parametrize(
    ("f", "ends", "value"),
    [
        (sp.erf(T), (-sp.oo, sp.oo), 2),
        (3 * sp.erf(-A * T) / 2, (-sp.oo, sp.oo), -3),
        (sp.erf(T), (1, sp.oo), sp.erfc(1)),
        (sp.erf(T), (-sp.oo, 1), sp.erfc(-1)),
        (sp.erf(-T), (1, sp.oo), -sp.erfc(1)),
        (sp.erf(-T), (-sp.oo, 1), -sp.erfc(-1)),
        (sp.erf(T), (0, 1), sp.erf(1)),
        (sp.atan(T), (-sp.oo, sp.oo), sp.pi),
        (-sp.exp(-T), (0, sp.oo), 1),
        (1 / (1 + sp.exp(-T)), (-sp.oo, sp.oo), 1),
        (T**2, (1, 3), 8),
        (T * sp.erf(T), (-sp.oo, 0), None),
        (sp.erf(T**2), (0, sp.oo), None),
        (sp.exp(T), (0, sp.oo), None),
        (sp.erf(U * T), (0, sp.oo), None),
    ],
)
def test_values_between_two_points(f: sp.Expr, ends: tuple[object, object], value: object) -> None:
    found = between(f, T, *map(sp.sympify, ends), SIGN)
    assert found is None if value is None else sp.simplify(found - sp.sympify(value)) == 0


def test_sums_take_both_ends() -> None:
    f = -2 * R(1, 2) ** N
    assert between(f, N, sp.Integer(0), sp.Integer(2), SIGN) == R(7, 4)
    assert between(-2 * sp.exp(-N * sp.log(2)), N, sp.Integer(0), sp.oo, SIGN) == 2


def test_the_far_end_does_not_cancel() -> None:
    assert between(sp.erf(T), T, sp.Integer(30), sp.oo, SIGN) == sp.erfc(30)
