"""Logarithms of densities: equal to the logarithm on the reals, and good where the density underflows."""

import pytest
import sympy as sp
from flint import acb, arb, ctx

from pldverify.symbolic.lowering.logarithm import logarithm
from pldverify.symbolic.lowering.to_arb import to_acb

T = sp.Symbol("t", real=True)
NORMAL = sp.exp(-(T**2) / 2) / sp.sqrt(2 * sp.pi)
MOVED = NORMAL.subs(T, T - 1)
HALF = sp.Rational(1, 2)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(
    "density",
    [
        MOVED,
        NORMAL * sp.Rational(9, 10) + MOVED / 10,
        HALF * NORMAL + HALF * NORMAL.subs(T, T / 2) / 2,
        sp.exp(-T) / (1 + sp.exp(-T)) ** 2,
        6 * T * (1 - T),
        (T - 2) ** 2 * sp.exp(-sp.sqrt(T)),
    ],
)
def test_it_is_the_logarithm(density: sp.Expr, side: int) -> None:
    found = logarithm(density, HALF, T, side)
    for at in ("0.1", "0.5", "0.9"):
        there = {T: sp.Rational(at)}
        gap = found.subs(there) - sp.log(density.subs(there))
        assert abs(gap.evalf(30, maxn=200)) < 1e-25


def test_far_out_it_keeps_its_digits() -> None:
    density = NORMAL * sp.Rational(9, 10) + MOVED / 10
    with ctx.workprec(64):
        for side in (-1, 1):
            value = to_acb(logarithm(density, HALF, T, side), T)(acb(side * 10**6), True)
            assert value.real.rel_accuracy_bits() > 50


def test_across_a_zero_nothing_is_claimed() -> None:
    """1 + e^{−t} vanishes at t = iπ."""
    log = to_acb(logarithm(1 / (1 + sp.exp(-T)), HALF, T, 1), T)
    assert log(acb(arb(0, 1), arb(0, 1)), True).is_finite()
    assert not log(acb(arb(0, 1), arb(3, 1)), True).is_finite()
