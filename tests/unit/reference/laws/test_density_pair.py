"""The derivative of the log density along a piece, from which densities between cells are bounded."""

from fractions import Fraction
from functools import cache
from typing import cast

import pytest
import sympy as sp

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws import density_pair
from pldverify.reference.laws.density_pair import DensityPairLaw

T = sp.Symbol("t", real=True)


@cache
def pair(name: str) -> DensityPair:
    """L = −2t, with a density that falls; L = log(t + 1/2), which bends."""
    if name == "falling":
        densities = sp.exp(-T) / (1 - sp.exp(-1)), sp.exp(T) / (sp.E - 1)
    else:
        densities = T + sp.Rational(1, 2), sp.Integer(1)
    return pv.derive_pair(*densities, T, {T: (0, 1)}).mechanism()


@pytest.mark.parametrize(
    ("low", "high"), [("3/4", "1/4"), ("1/2", "1/2"), ("-1/4", "1/2"), ("1/2", "5/4"), ("1", "0")]
)
def test_cells_that_do_not_rise_along_the_piece_are_refused(
    low: str, high: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From right to left half a cell has a negative length, and a bound from below becomes one from above."""
    law = DensityPairLaw(pair("falling"), "remove")
    (curve,) = law.curves()
    cells = curve, Fraction(low), Fraction(high)
    monkeypatch.setattr(density_pair, "densest", lambda curves, theta: cells)
    with working(60), pytest.raises(NoConvergence, match="not on the piece"):
        law.decay(Fraction(1))


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
