"""Masses of densities, against integrals in closed form; and ends that may not be cut."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb

from pldverify.balls.ball import working
from pldverify.errors import NotSupported
from pldverify.symbolic.check.measure import Measure, decline, far_point, total_mass
from pldverify.symbolic.model.densities import Densities, N, Region, T
from pldverify.symbolic.model.domain import Domain

RIGHT = sp.exp(-T / 2) / 4


def region(p: sp.Expr, lower: sp.Expr = sp.S.Zero, upper: sp.Expr = sp.oo) -> Region:
    return Region(lower, upper, p, p)


@pytest.mark.parametrize(("rate", "bits"), [("1", 60), ("1/2", 30), ("1/7", 60)])
def test_what_lies_beyond_a_cut_is_bounded(rate: str, bits: int) -> None:
    """∫_T^∞ e^{−ct} dt = e^{−cT}/c."""
    c = sp.Rational(rate)
    with working(bits):
        far, beyond = far_point(region(sp.exp(-c * T)), sp.exp(-c * T), T, 1)
    with working(200):
        exact = arb(c.p) / c.q
        assert ((-exact * far).exp() / exact).lower() <= beyond < arb(2) ** -bits


@pytest.mark.parametrize("density", [(1 + T) ** -2, (1 + T) ** -40, sp.exp(-sp.sqrt(1 + T))])
def test_an_end_that_falls_slower_than_any_exponential_is_not_cut(density: sp.Expr) -> None:
    """Its logarithm falls everywhere, and nowhere for good by a rate."""
    with working(10), pytest.raises(NotSupported, match="no proved decay"):
        far_point(region(density), density, T, 1)


def test_a_total_mass_is_that_of_all_regions() -> None:
    left = region(RIGHT.subs(T, -T), -sp.oo, sp.S.Zero)
    pair = Densities("", T, (left, region(RIGHT)), Domain.of({}))
    with working(80):
        for index in (0, 1):
            total = total_mass(pair, index)
            assert total is not None and total.contains(1) and total.rad() < arb("1e-15")


@pytest.mark.parametrize("ends", [(sp.S.Zero, sp.oo), (-sp.oo, sp.S.Zero)])
def test_an_infinite_sum_is_not_cut(ends: tuple[sp.Expr, sp.Expr]) -> None:
    density = 1 / (1 + N**2)
    with pytest.raises(NotSupported, match="an infinite sum needs a geometric density"):
        Measure(region(density, *ends), density, N, None).mass(None, None)


@pytest.mark.parametrize(
    ("first", "last", "exact"),
    [(2, 4, "9/10"), (2, 3, "1/2"), (None, 2, "3/10"), (3, None, "7/10"), (5, 9, "0")],
)
def test_a_sum_ends_where_it_is_told(first: int | None, last: int | None, exact: str) -> None:
    """t/10 on 1 … 4."""
    found = Measure(region(N / 10, sp.S.One, sp.Integer(4)), N / 10, N, None).mass(
        *(None if end is None else arb(end) for end in (first, last))
    )
    assert abs(found - arb(Fraction(exact).numerator) / Fraction(exact).denominator) < arb("1e-14")


def test_a_decline_that_ends_for_a_while_begins_after_that() -> None:
    """A start was tried where the rate looks good, before a second bump, and its proof did not end."""
    t = sp.Symbol("t", real=True)
    density = sp.exp(-t) + sp.exp(-((t - 20) ** 2))
    rates = (-sp.diff(density, t) / density,)
    start, rate = decline(rates, Region(sp.Integer(0), sp.oo, density, density), t, 1)
    assert start > 20 and 0 < rate < 1
