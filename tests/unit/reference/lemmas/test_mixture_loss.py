"""The logarithm of the odds of a mixture, its slope and its inverse, by mpmath."""

import mpmath
import pytest

from pldverify.balls import acb, arb
from pldverify.balls.ball import working
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_outcome, mixture_slope

CASES = [("1", "0.3", "0.7"), ("0.25", "0.01", "-5"), ("3", "0.9", "2"), ("0.5", "1e-9", "40")]


def loss(c: str, q: str, x: mpmath.mpf) -> mpmath.mpf:
    c, q = mpmath.mpf(c), mpmath.mpf(q)
    return mpmath.log(1 - q + q * mpmath.exp(c * x - c**2 / 2))


def near(found: arb, expected: mpmath.mpf, digits: int) -> bool:
    with mpmath.workdps(60):
        return bool(abs(found / arb(mpmath.nstr(expected, 50)) - 1) < arb(10) ** -digits)


@pytest.mark.parametrize(("c", "q", "x"), CASES)
def test_the_loss_its_slope_and_its_inverse(c: str, q: str, x: str) -> None:
    with mpmath.workdps(60), working(200):
        balls, at = (arb(c), arb(q)), mpmath.mpf(x)
        value = loss(c, q, at)
        assert near(mixture_loss(*balls, arb(x)), value, 35)
        assert near(mixture_loss(*balls, acb(x)).real, value, 35)
        assert near(mixture_slope(*balls, arb(x)), mpmath.diff(lambda t: loss(c, q, t), at), 20)
        assert near(mixture_outcome(*balls, arb(mpmath.nstr(value, 55))), at, 30)


def test_below_every_loss_there_is_no_outcome() -> None:
    with working(60):
        assert not mixture_outcome(arb(1), arb("0.5"), arb(-1)).is_finite()
