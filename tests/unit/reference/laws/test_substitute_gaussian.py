"""What pieces of the substitute pair omit, wherever they are cut, against quadrature."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pldverify.balls.ball import working
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw
from tests.oracle.closed_forms import context, real


@pytest.mark.sample(9)
@pytest.mark.parametrize("theta", ["2", "1/2", "-1/3", "-3"])
@pytest.mark.parametrize(("shift", "q"), [("3", "1/10"), ("1/2", "4/5")])
@pytest.mark.parametrize("cut", ["2", "7"])
def test_what_is_omitted_is_bounded(theta: str, shift: str, q: str, cut: str) -> None:
    mp = context(20)
    tilt, c, share, end = (real(mp, text) for text in (theta, shift, q, cut))
    law = SubstituteGaussianLaw(Fraction(shift), Fraction(q))
    with working(64):
        (piece,) = law.pieces(Fraction(theta))
        pieces = [replace(piece, low=-Fraction(cut), high=Fraction(cut))]
        bound = mp.mpf(float(law.omitted(Fraction(theta), pieces)))

    def factor(x: Any) -> Any:
        return 1 - share + share * mp.exp(c * x - c * c / 2)

    def integrand(x: Any) -> Any:
        return mp.npdf(x) * factor(x) ** (tilt + 1) * factor(-x) ** -tilt

    rows = [0, 1, 3, 6, 10, 20, 40]
    truth = mp.quad(integrand, [end + x for x in rows]) + mp.quad(
        integrand, [-end - x for x in reversed(rows)]
    )
    assert 0 < truth <= bound
