"""Printed numbers: what rounds to them."""

from fractions import Fraction

import pytest

from pldverify.rulings.printed import rounded_ends


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("8.0", "7.95", "8.05"),
        ("8", "7.5", "8.5"),
        (8, "7.5", "8.5"),
        ("0.843", "0.8425", "0.8435"),
        ("5.06e-9", "5.055e-9", "5.065e-9"),
        ("1e-5", "0.5e-5", "1.5e-5"),
        ("0.1", "0.05", "0.15"),
        ("0", "0", "0.5"),
        ("12.30", "12.295", "12.305"),
    ],
)
def test_half_a_unit_of_the_last_digit(text: str | int, low: str, high: str) -> None:
    assert rounded_ends(text) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("text", ["1/3", "sqrt(2)", "1%", "ln(3)", "e5", ""])
def test_what_is_no_decimal_means_itself(text: str) -> None:
    assert rounded_ends(text) is None
