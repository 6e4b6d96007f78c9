"""Short decimals claim no more than the numbers that they stand for."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.report.numerals import at_least, at_most, beyond

SIZES = st.floats(min_value=0, max_value=1e300, allow_nan=False)


@given(SIZES)
def test_margins_are_rounded_to_their_side(double: float) -> None:
    assert Fraction(at_least(double)) <= Fraction(double) <= Fraction(at_most(double))


@pytest.mark.parametrize(
    ("exact", "shown"),
    [("9" * 400, "9.99e399"), ("1.5e400", "1.5e400"), (f"{10**401}/3", "3.33e400"), ("inf", "inf")],
)
def test_a_number_beyond_doubles_keeps_its_size(exact: str, shown: str) -> None:
    """A page showed 999999999999999999999999…, and CSV inf."""
    assert beyond(exact) == shown


def test_small_numbers_are_written_as_everywhere() -> None:
    assert (at_least(1.234e-4), at_least(1.234e-5)) == ("0.000123", "1.23e-5")
