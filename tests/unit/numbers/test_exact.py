"""Numbers at the door mean what they say, and nothing else gets in."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pldverify.errors import InvalidInput, PldverifyError
from pldverify.numbers.exact import MAX_BITS, count, positive, probability, rational, show


@pytest.mark.parametrize(
    ("given_value", "meant"),
    [
        ("0.1", Fraction(1, 10)),
        (0.1, Fraction(3602879701896397, 36028797018963968)),
        ("1e-20", Fraction(1, 10**20)),
        (" 1/250 ", Fraction(1, 250)),
        ("10_000", Fraction(10_000)),
        (Decimal("0.30"), Fraction(3, 10)),
        (7, Fraction(7)),
        (np.float64(0.5), Fraction(1, 2)),
        (np.int64(3), Fraction(3)),
        (Fraction(2, 3), Fraction(2, 3)),
        ("-2.5E+1", Fraction(-25)),
    ],
)
def test_rational_means_what_was_written(given_value: object, meant: Fraction) -> None:
    assert rational(given_value, "x") == meant


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        "nan",
        "inf",
        "-Infinity",
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        np.float64("nan"),
        True,
        None,
        "",
        "one",
        "1/0",
        "0x10",
        "1,5",
        1j,
        [1],
        "1e10001",
        "1e-99999999999999",
        "1e5000",
        pytest.param("9" * 9_001, id="9000 nines and one"),
        Fraction(1, 1 << MAX_BITS),
        pytest.param(10**5_000, id="10**5000"),
    ],
)
def test_rational_refuses_what_is_not_a_number_in_one_short_line(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^x must ") as caught:
        rational(value, "x")
    assert isinstance(caught.value, PldverifyError)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 240


@pytest.mark.parametrize("value", [0, -1, "-1e-300"])
def test_positive_refuses_the_rest(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^sigma must be > 0, got sigma="):
        positive(value, "sigma")


@pytest.mark.parametrize("value", ["-0.1", "1.0000000000000000000001", 2])
def test_probability_refuses_what_lies_outside(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^delta must be in \[0, 1\], got delta="):
        probability(value, "delta")


def test_probability_end_points_are_said_one_by_one() -> None:
    assert probability(0, "q") == 0
    assert probability(1, "q") == 1
    with pytest.raises(InvalidInput, match=r"\(0, 1\]"):
        probability(0, "q", zero=False)
    with pytest.raises(InvalidInput, match=r"\[0, 1\)"):
        probability(1, "q", one=False)


@pytest.mark.parametrize("value", [0, -3, 2.5, "1e13", 10**12 + 1, math.nan, "many", True])
def test_count_refuses_what_counts_nothing(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^count must "):
        count(value, "count")


@pytest.mark.parametrize("value", [1, "1e12", 10**12, "10_000", Fraction(5), 3.0])
def test_count_takes_whole_numbers_however_written(value: object) -> None:
    assert count(value, "count") == rational(value, "count")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 100), "0.01"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(0), "0"),
        (Fraction(10_000), "10000"),
        (Fraction(1, 10**20), "1e-20"),
        (Fraction(1, 10**5), "1e-5"),
        (Fraction(12, 10**6), "1.2e-5"),
        (Fraction(1, 10**4), "0.0001"),
        (Fraction(123, 10**6), "0.000123"),
        (Fraction(12, 10**10), "1.2e-9"),
    ],
)
def test_show_writes_the_plain_decimal(number: Fraction, text: str) -> None:
    assert show(number) == text


@given(st.fractions() | st.floats(allow_nan=False, allow_infinity=False).map(Fraction))
@example(Fraction(10**4_000))
@example(Fraction(1, 1 << (MAX_BITS - 1)))
@example(Fraction(10**4_000 + 1, 1 << 3_000))
@example(Fraction(5e-324))
def test_show_is_read_back_unchanged(number: Fraction) -> None:
    assert rational(show(number), "x") == number


def test_show_spells_out_numbers_that_are_too_long_to_be_read_back() -> None:
    assert show(Fraction(1, 3**10_000)).startswith("1/16313501853426258743032567291811547168121324535")
    assert len(show(Fraction(1, 2**20_000))) == 2 + 6_021
