"""An estimate agrees with an enclosure if some number in it has the estimate's digits."""

import math
from fractions import Fraction

import pytest

from pldverify.errors import OracleDisagreement
from pldverify.numbers.agreement import agree, require_agreement, shown
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.estimate import Estimate

NARROW = Enclosure(Fraction(999, 1000), Fraction(1001, 1000), "contour")
EVERYTHING = Enclosure(Fraction(0), math.inf, "grid")


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [("1", 10, True), ("1.0011", 3, True), ("1.0011", 4, True), ("1.0012", 4, False), ("0.9", 2, False)],
)
def test_agreement_is_to_the_digits(value: str, digits: int, expected: bool) -> None:
    assert agree(NARROW, Estimate(Fraction(value), digits, "mpmath")) is expected


def test_infinity_agrees_with_infinity_alone() -> None:
    endless, five = Estimate(math.inf, 1, "mpmath"), Estimate(Fraction(5), 9, "mpmath")
    infinite = Enclosure(math.inf, math.inf, "atoms")
    assert agree(infinite, endless) and agree(EVERYTHING, endless) and agree(EVERYTHING, five)
    assert not agree(infinite, five) and not agree(NARROW, endless)
    assert shown(endless) == "inf"


def test_the_error_names_both() -> None:
    estimate = Estimate(Fraction(9, 10), 4, "mpmath: a sum")
    with pytest.raises(
        OracleDisagreement, match=r"δ\(1\) is .*0\.9000 to 4 digits by mpmath: a sum"
    ) as caught:
        require_agreement("δ(1)", NARROW, estimate)
    assert caught.value.routes == ("engine contour", "mpmath: a sum")
    assert caught.value.values == (NARROW, estimate)
