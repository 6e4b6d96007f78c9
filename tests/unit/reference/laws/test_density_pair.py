"""The derivative of the log density along a piece, from which densities between cells are bounded."""

from fractions import Fraction
from functools import cache
from typing import cast

import pytest
import sympy as sp

import pldverify as pv
from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws import density_pair
from pldverify.reference.laws.density_pair import Curve, DensityPairLaw

T = sp.Symbol("t", real=True)


@cache
def pair(name: str) -> DensityPair:
    """L = −2t, with a density that falls; L = log(t + 1/2), which bends."""
    if name == "falling":
        densities = sp.exp(-T) / (1 - sp.exp(-1)), sp.exp(T) / (sp.E - 1)
    else:
        densities = T + sp.Rational(1, 2), sp.Integer(1)
    return pv.derive_pair(*densities, T, {T: (0, 1)}).mechanism()


def log_density(curve: Curve, theta: Fraction, x: Fraction) -> arb:
    at = ball(x)
    weight = (curve.log_weight(acb(at)) + ball(theta) * curve.loss(acb(at))).real
    return weight - curve.slope(at).log()


@pytest.mark.parametrize("theta", ["2", "-1/3"])
@pytest.mark.parametrize("q", ["1", "1/10"])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", ["falling", "bending"])
def test_the_rate_is_the_derivative(name: str, direction: Direction, q: str, theta: str) -> None:
    law = DensityPairLaw(pair(name), direction, Fraction(q))
    (curve,) = law.curves()
    x, h, tilt = Fraction(3, 10), Fraction(1, 10**15), Fraction(theta)
    with working(200):
        difference = (log_density(curve, tilt, x + h) - log_density(curve, tilt, x - h)) / ball(2 * h)
        rate = curve._rate(ball(tilt), ball(x))
        assert abs(difference - rate) < arb("1e-25")


@pytest.mark.parametrize("q", ["1", "1/10"])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", ["falling", "bending"])
def test_a_loss_rises_or_falls(name: str, direction: Direction, q: str) -> None:
    """As its values at two outcomes say; the detours go off to that side."""
    law = DensityPairLaw(pair(name), direction, Fraction(q))
    (curve,) = law.curves()
    with working(60):
        first, last = (curve.loss(acb(ball(Fraction(x)))).real for x in ("1/4", "3/4"))
        assert curve.rising() * (last - first) > 0


@pytest.mark.parametrize(
    ("low", "high"), [("3/4", "1/4"), ("1/2", "1/2"), ("-1/4", "1/2"), ("1/2", "5/4"), ("1", "0")]
)
def test_cells_that_do_not_rise_along_the_piece_are_refused(low: str, high: str) -> None:
    """From right to left half a cell has a negative length, and a bound from below becomes one from above."""
    (curve,) = DensityPairLaw(pair("falling"), "remove").curves()
    with working(60), pytest.raises(NoConvergence, match="not on the piece"):
        curve.layers(Fraction(1), Fraction(low), Fraction(high))


@pytest.mark.parametrize("lost", ["1/4", "0"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_a_sample_counts_infinite_losses_of_the_base_in_direction_add(
    direction: Direction, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There they are finite: p = 0 has the odds 1 − q, the least of all, and the largest loss."""
    share = Fraction(lost)

    class Plain:
        infinite_mass = ball(share)
        largest_finite_loss = arb(2)

        def tails(self, s: Fraction) -> tuple[arb, arb]:
            return ball(1 - share) / 2, arb(1) / 3

    monkeypatch.setattr(density_pair, "balls_of", lambda pair, way: Plain())
    law = DensityPairLaw(cast(DensityPair, None), direction, Fraction(1, 5))
    with working(80):
        rate = ball(Fraction(1, 5))
        if direction == "remove":
            first = rate * ball(1 - share) / 2 + (1 - rate) / 3
            expected, most = (first, arb(1) / 3), (1 - rate + rate * arb(2).exp()).log()
        else:
            first = ball(share) + ball(1 - share) / 2
            expected = first, (1 - rate) * first + rate / 3
            most = -(1 - rate).log() if share else -(1 - rate + rate * arb(-2).exp()).log()
        for ours, exact in zip(law.tails(Fraction(1, 20)), expected, strict=True):
            assert ours.overlaps(exact) and float(ours.rad()) < 1e-20
        top = law.largest_finite_loss
        assert top is not None and top.overlaps(most) and float(top.rad()) < 1e-20
