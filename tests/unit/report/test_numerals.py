"""Short decimals claim no more than the numbers that they stand for."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.report.numerals import at_least, at_most, number

SIZES = st.floats(min_value=0, max_value=1e300, allow_nan=False)


@given(SIZES)
def test_margins_are_rounded_to_their_side(double: float) -> None:
    assert Fraction(at_least(double)) <= Fraction(double) <= Fraction(at_most(double))


@pytest.mark.parametrize(
    ("exact", "double", "shown"),
    [
        ("6.90738449504508", 6.90738449504508, "6.9073845"),
        ("0", 0.0, "0"),
        ("1e-400", 0.0, "1e-400"),
        ("inf", None, "inf"),
        ("9" * 400, None, "9" * 24 + "…"),
        (None, None, "–"),
        ("1e-10", 1e-10, "1e-10"),
        ("12300", 12300.0, "12300"),
        ("1.5e20", 1.5e20, "1.5e20"),
    ],
)
def test_a_number(exact: str | None, double: float | None, shown: str) -> None:
    assert number(exact, double) == shown
