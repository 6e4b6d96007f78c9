"""Exact parameters in double precision."""

import math
from fractions import Fraction

import pytest

from pldverify.accountants.standalone import Doubles


def test_doubles_remember_what_they_changed() -> None:
    doubles = Doubles()
    assert doubles.double(Fraction(1, 4), "sigma") == 0.25
    assert doubles.rounded == {}
    assert doubles.double(Fraction(1, 10), "q") == 0.1
    assert doubles.rounded == {"q": 0.1}


def test_doubles_round_to_nearest() -> None:
    assert Doubles().double(Fraction(1) + Fraction(1, 2**53), "x") == 1.0
    assert Doubles().double(Fraction(1) + Fraction(3, 2**54), "x") == math.nextafter(1, 2)


def test_whole_numbers_may_be_integers() -> None:
    whole, half = (Doubles(integers=True).double(Fraction(x), "x") for x in ("2", "1/2"))
    assert (whole, type(whole)) == (2, int) and (half, type(half)) == (0.5, float)
    assert type(Doubles().double(Fraction(2), "x")) is float


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Fraction(10) ** 400, "delta=1e400 is beyond the largest double"),
        (Fraction(-7 * 10**400, 3), "delta=-2.33333e400 is beyond the largest double"),
        (Fraction(1, 10**400), "delta=1e-400 is below the smallest double"),
    ],
)
def test_what_no_double_stands_for_is_refused(value: Fraction, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        Doubles().double(value, "delta")
