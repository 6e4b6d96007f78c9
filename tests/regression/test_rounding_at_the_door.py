"""Numbers of other libraries went through a double at the door: 50 digits of mpmath became 16."""

from decimal import Decimal
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy

import pldverify as pv
from pldverify.numbers.exact import rational

with mpmath.workdps(60):
    TENTH = mpmath.mpf("0.1")
    MINUS = -TENTH
LONG = Fraction(int(TENTH.man_exp[0])) * Fraction(2) ** int(TENTH.man_exp[1])


def test_fifty_digits_stay_fifty_digits() -> None:
    steps = 100 * pv.Gaussian(10)
    assert pv.delta(steps, epsilon=TENTH, digits=30).overlaps(pv.delta(steps, epsilon="0.1", digits=30))


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (TENTH, LONG),
        (MINUS, -LONG),
        (mpmath.mpf(0), Fraction(0)),
        (sympy.Float("0.1", 50), Fraction(str(sympy.Rational(sympy.Float("0.1", 50))))),
        (sympy.Rational(1, 3), Fraction(1, 3)),
        (sympy.Integer(7), Fraction(7)),
        (np.longdouble(1) / np.longdouble(3), Fraction(*(np.longdouble(1) / 3).as_integer_ratio())),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.int64(3), Fraction(3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (flint.arb(0.5), Fraction(1, 2)),
        (flint.arf(0.375), Fraction(3, 8)),
        (flint.fmpq(1, 3), Fraction(1, 3)),
        (flint.fmpz(5), Fraction(5)),
    ],
)
def test_every_number_is_what_it_holds(value: object, exact: Fraction) -> None:
    assert rational(value, "x") == exact


@pytest.mark.parametrize(
    "value",
    [
        mpmath.mpf("inf"),
        mpmath.mpf("nan"),
        mpmath.mpi(1, 2),
        mpmath.mpc(1, 0),
        mpmath.ldexp(mpmath.mpf(1), 10**9),
        sympy.oo,
        sympy.nan,
        sympy.pi,
        sympy.sqrt(2),
        np.longdouble("inf"),
        np.float64("nan"),
        np.bool_(True),
        np.array([1]),
        flint.arb("0.1"),
        flint.arb("nan"),
        flint.arf("nan"),
        flint.acb(1),
        1j,
    ],
)
def test_what_has_no_exact_value_is_refused(value: object) -> None:
    with pytest.raises(pv.errors.InvalidInput, match="x must be"):
        rational(value, "x")
