r"""A decay that is proved at λ = 2 says nothing of any λ > 2, however near: the power of 2 was rounded down.

On t > 0 let :math:`p \propto e^{-t^2/3-t}` and :math:`q \propto e^{-t^2/2}`: :math:`p^3 q^{-2} \propto
e^{-3t}`, so M(2) is finite, and no M(λ) beyond it.
"""

from fractions import Fraction
from functools import cache

import pytest
import sympy as sp

import pldverify as pv
from pldverify.balls import arb
from pldverify.errors import NoConvergence, NotSupported
from pldverify.symbolic.analytic_piece import AnalyticPiece
from pldverify.symbolic.ball_pair import ball_pair

T = sp.Symbol("t", real=True)
HAIR = Fraction(1, 2**80)


@cache
def step() -> pv.DensityPair:
    first, second = (
        density / sp.integrate(density, (T, 0, sp.oo))
        for density in (sp.exp(-(T**2) / 3 - T), sp.exp(-(T**2) / 2))
    )
    return pv.derive_pair(first, second, T, {T: (0, sp.oo)}).mechanism()


@pytest.mark.slow
def test_no_finite_divergence_where_the_moment_is_infinite() -> None:
    assert pv.rdp(step(), order=3, adjacency="remove", digits=6).digits >= 6
    with pytest.raises((NoConvergence, NotSupported)):
        pv.rdp(step(), order=3 + HAIR, adjacency="remove", digits=6)


@pytest.mark.slow
def test_a_limit_of_the_loss_that_is_not_known_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ball that is not finite may be anything, not only what falls."""
    piece = ball_pair(step(), "remove").analytic()[1]
    bound = piece.beyond(Fraction(2), Fraction(10), 1)[0]
    monkeypatch.setattr(AnalyticPiece, "loss_at_end", lambda *_: arb.nan())
    assert piece.beyond(Fraction(2), Fraction(10), 1)[0].overlaps(bound)
