"""Divergences of choices of bounded range: above those of all binary responses, and better than pairs."""

from fractions import Fraction

import mpmath
import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.reference.laws.bounded_range import BoundedRangeBound
from pldverify.reference.search.cumulant import cumulant

F = Fraction


@pytest.mark.parametrize("eta", ["1/10", "1", "6"])
@pytest.mark.parametrize("lam", ["1/10", "1", "7", "100"])
def test_no_response_has_a_greater_moment(eta: str, lam: str) -> None:
    """E_P[e^{λS}] of losses t and t − η, for t in (0, η), three times."""
    bound = BoundedRangeBound(F(eta), 3)
    with mpmath.workdps(30), working(100):
        most = mpmath.mpf(str(bound.on_line(F(lam), F(0), 0)[0].real.log().upper().str(25, radius=False)))
        width, order = mpmath.mpf(F(eta).numerator) / F(eta).denominator, mpmath.mpf(float(F(lam)))
        nearest = mpmath.mpf(0)
        for j in range(1, 40):
            t = width * j / 40
            q = mpmath.expm1(width - t) / mpmath.expm1(width)
            moment = q * mpmath.exp((order + 1) * t) + (1 - q) * mpmath.exp((order + 1) * (t - width))
            nearest = max(nearest, 3 * mpmath.log(moment) / most)
        assert mpmath.mpf("0.3") < nearest <= 1


def test_moments_of_other_orders_are_not_bounded() -> None:
    bound = BoundedRangeBound(F(1), 1)
    for theta, count in ((F(0), 0), (F(-1, 2), 0), (F(1), 3)):
        with pytest.raises(NoConvergence, match="positive order"):
            bound.on_line(theta, F(1), count)


@pytest.mark.parametrize("theta", [0.5, 6.9, 7.1, 50.0])
def test_the_cumulant_is_the_bound(theta: float) -> None:
    bound = BoundedRangeBound(F(1), 2)
    value, slope, _ = cumulant(bound, theta)
    more, _, _ = cumulant(bound, theta + 2**-20)
    assert abs(value - theta * float(bound.slope(F(theta)))) <= 1e-12 * value
    assert abs((more - value) * 2**20 - slope) <= 1e-4 * slope


def test_many_choices_have_less_than_their_pairs() -> None:
    """30 choices of η = 1/5 are 0.15-zCDP, and fixed ones are a part of what adaptive ones may be."""
    whole = "30 * exponential(epsilon=0.2)"
    found, pairs = pv.bracket(whole, delta="1e-4", digits=1), pv.epsilon(whole, delta="1e-4")
    converted = pv.zcdp_epsilon(rho="0.15", delta="1e-4")
    assert F(found.upper) <= converted * F(100001, 100000) < F(97, 100) * F(pairs.lower)
    fixed = pv.epsilon("exponential(epsilon=0.2, times=30)", delta="1e-4")
    assert found.lower <= fixed.upper <= found.upper
    assert pv.prove_again(found) == found
