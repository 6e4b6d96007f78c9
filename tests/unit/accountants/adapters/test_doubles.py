import math
from fractions import Fraction

import pytest

from pldverify.accountants.adapters.doubles import Doubles
from pldverify.errors import NotSupported


def test_doubles_remember_what_they_changed() -> None:
    doubles = Doubles()
    assert doubles(Fraction(1, 4), "sigma") == 0.25
    assert str(doubles) == "none"
    assert doubles(Fraction(1, 10), "q") == 0.1
    assert str(doubles) == "q=0.1"


def test_doubles_round_to_nearest() -> None:
    assert Doubles()(Fraction(1) + Fraction(1, 2**53), "x") == 1.0
    assert Doubles()(Fraction(1) + Fraction(3, 2**54), "x") == math.nextafter(1, 2)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Fraction(10) ** 400, "delta=1e400 is beyond the largest double"),
        (Fraction(1, 10**400), "delta=1e-400 is below the smallest double"),
    ],
)
def test_what_no_double_stands_for_is_refused(value: Fraction, reason: str) -> None:
    with pytest.raises(NotSupported, match=reason):
        Doubles()(value, "delta")
