"""The pair of KJH20s B.4: what its pieces omit, and δ of two and of ten steps."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.reference.laws.printed_with_replacement import PrintedWithReplacementLaw, _weights
from tests.oracle.closed_forms import context, holds, normal_tail, real

LAW = PrintedWithReplacementLaw(Fraction(1, 4), 2, 100)
TEN = 10 * pv.KJH20WithReplacement(pv.Gaussian(4), m=2, n=100)


def rows(mp: Any) -> list[tuple[Any, Any]]:
    """(b_ℓ, cℓ)."""
    b = [mp.binomial(2, j) * mp.mpf(99) ** (2 - j) / mp.mpf(100) ** 2 for j in range(3)]
    return [(b[j], mp.mpf(j) / 4) for j in range(3)]


def factor(mp: Any, x: Any) -> Any:
    return mp.fsum(b * mp.exp(c * x - c * c / 2) for b, c in rows(mp))


@pytest.mark.parametrize("theta", ["36", "4", "-0.3", "-1", "-25"])
def test_what_is_omitted_is_bounded_and_small(theta: str) -> None:
    mp = context(20)
    tilt = real(mp, theta)
    with working(64):
        pieces = LAW.pieces(Fraction(theta))
        bound = mp.mpf(float(LAW.omitted(Fraction(theta), pieces)))
        low, high = (real(mp, str(end)) for end in (pieces[0].low, pieces[0].high))

    def integrand(x: Any) -> Any:
        return mp.npdf(x) * factor(mp, x) ** (tilt + 1) * factor(mp, -x) ** -tilt

    ends = [-mp.inf, low - 4, low - 1, low], [high, high + 1, high + 4, mp.inf]
    truth = mp.fsum(mp.quad(integrand, end) for end in ends)
    assert truth <= bound * (1 + mp.mpf(10) ** -12)
    assert bound <= mp.mpf(2) ** -64 * mp.quad(integrand, [low, -3, 0, 3, 8, high])


def single_step(mp: Any, eps: Any) -> Any:
    """δ(ε) of one step at any real ε: the loss exceeds ε from x on."""
    x = mp.findroot(lambda x: mp.log(factor(mp, x) / factor(mp, -x)) - eps, (-60, 60), solver="anderson")
    first, second = (mp.fsum(b * normal_tail(mp, x + sign * c) for b, c in rows(mp)) for sign in (-1, 1))
    return first - mp.exp(eps) * second


@pytest.mark.slow
def test_delta_of_two_steps_is_an_integral_of_closed_forms() -> None:
    mp = context(18)
    eps = mp.mpf("0.05")

    def integrand(x: Any) -> Any:
        return mp.npdf(x) * factor(mp, x) * single_step(mp, eps - mp.log(factor(mp, x) / factor(mp, -x)))

    truth = mp.quad(integrand, [-9, -4, 0, 4, 9, 13])
    two = 2 * pv.KJH20WithReplacement(pv.Gaussian(4), m=2, n=100)
    assert holds(pv.delta(two, epsilon="0.05", digits=12, engine="contour"), truth, 11)


@pytest.mark.parametrize("epsilon", ["0.0005", "0.02"])
def test_ten_steps_overlap_with_the_grid(epsilon: str) -> None:
    fine = pv.delta(TEN, epsilon=epsilon, digits=12, engine="contour")
    coarse = pv.delta(TEN, epsilon=epsilon, digits=2, engine="grid")
    assert fine.digits >= 12 and coarse.lower <= fine.upper and fine.lower <= coarse.upper
    assert coarse.width < coarse.upper / 50


def test_weights_that_may_be_nothing_are_refused() -> None:
    with working(4), pytest.raises(NoConvergence, match="can't tell a component's weight from 0"):
        _weights(2000, 2, 4)
