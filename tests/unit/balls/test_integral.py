"""Integrals with known values, inexact ends, and the end of the work."""

from fractions import Fraction

import pytest
from flint import acb, arb

from pldverify.balls import integral as module
from pldverify.balls.ball import lower, upper, working
from pldverify.balls.clock import allowance
from pldverify.balls.integral import integral
from pldverify.errors import NoConvergence

SIZE = arb(2) ** -60


def cube(x: acb, analytic: bool) -> acb:
    return x * x * x


def wild(x: acb, analytic: bool) -> acb:
    """sin(e^{x²}), with too many turns before 10."""
    return (x * x).exp().sin()


def test_a_cube() -> None:
    found = integral(cube, arb(1), arb(3), size=SIZE, engine="test")
    assert lower(found) <= 20 <= upper(found) and upper(found) - lower(found) < Fraction(1, 10**12)


@pytest.mark.parametrize("low", ["0.9", "1", "1.1"])
def test_every_point_of_an_inexact_lower_end(low: str) -> None:
    found = integral(cube, arb(1, "0.1"), arb(3), size=SIZE, engine="test")
    assert lower(found) <= (3**4 - Fraction(low) ** 4) / 4 <= upper(found)


@pytest.mark.parametrize("high", ["2.8", "3", "3.2"])
def test_every_point_of_an_inexact_upper_end(high: str) -> None:
    found = integral(cube, arb(1), arb(3, "0.2"), size=SIZE, engine="test")
    assert lower(found) <= (Fraction(high) ** 4 - 1) / 4 <= upper(found)


def test_the_allowance_ends_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated, asked = [], []
    spend = module.spend

    def counted() -> None:
        asked.append(1)
        spend()

    def watched(x: acb, analytic: bool) -> acb:
        evaluated.append(x)
        return wild(x, analytic)

    monkeypatch.setattr(module, "spend", counted)
    with working(2000), allowance(0.0205), pytest.raises(NoConvergence, match="far more work"):
        integral(watched, arb(0), arb(10), size=SIZE, engine="test")
    assert len(evaluated) == 205  # of 1e-4 counted seconds each
    assert len(asked) < 500  # flint gives up soon after


def test_a_refusal_of_the_integrand_comes_through() -> None:
    def refused(x: acb, analytic: bool) -> acb:
        if analytic:
            raise NoConvergence("test: not here")
        return x

    with pytest.raises(NoConvergence, match="test: not here"):
        integral(refused, arb(0), arb(1), size=SIZE, engine="test")


def test_what_is_not_finite_is_refused() -> None:
    with working(60), pytest.raises(NoConvergence, match="test: the integral did not converge at 60 bits"):
        integral(lambda x, analytic: 1 / x, arb(-1), arb(1), size=SIZE, engine="test")
