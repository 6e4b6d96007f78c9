"""Formatted intervals: every digit that is shown is one of the true value, correctly rounded."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pldverify.errors import InvalidInput
from pldverify.numbers import format_spec
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.interval import Interval

CENTRES = st.fractions(max_denominator=10**9) | st.builds(
    lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(-(10**12), 10**12), st.integers(-40, 40)
)
WIDTHS = st.just(Fraction(0)) | st.builds(
    lambda m, e: Fraction(m, 10**e), st.integers(1, 99), st.integers(0, 60)
)
SHARES = st.lists(st.fractions(0, 1, max_denominator=1000), max_size=5)


def unit(text: str) -> Fraction:
    """One unit of the last digit of a decimal text."""
    return Fraction(10) ** int(Decimal(text).as_tuple().exponent)


def values(text: str) -> list[Fraction]:
    """The number, or both ends, that a text shows, read by Python's own parser."""
    return [Fraction(word.rstrip("%")) / (100 if "%" in word else 1) for word in text.strip("[]").split(", ")]


@given(CENTRES, WIDTHS, st.integers(0, 40), st.sampled_from("eEfFgG%"), SHARES)
@example(Fraction("9.9996"), Fraction("0.0008"), 5, "g", [])
@example(Fraction("1.4999"), Fraction("0.0002"), 1, "g", [])
@example(Fraction(-1, 10**9), Fraction(2, 10**9), 3, "f", [])
@example(Fraction("0.1"), Fraction("0.1"), 3, "f", [])
def test_no_unproved_digit_is_shown(
    low: Fraction, width: Fraction, precision: int, kind: str, shares: list[Fraction]
) -> None:
    x = Interval(low, low + width)
    text = format(x, f".{precision}{kind}")
    if text.startswith("["):
        shown_low, shown_high = values(text)
        assert shown_low <= x.lower and x.upper <= shown_high
        return
    (shown,) = values(text)
    half = unit(text.rstrip("%")) / (200 if kind == "%" else 2)
    for true in (x.lower, x.upper, *(low + share * width for share in shares)):
        assert abs(true - shown) <= half


@given(st.integers(), st.integers(-40, 40), st.integers(0, 40), st.sampled_from("eEf%"))
def test_an_exact_number_is_shown_as_a_decimal_is(
    mantissa: int, exponent: int, precision: int, kind: str
) -> None:
    value = Decimal(mantissa).scaleb(exponent)
    assume(value == 0 or abs(mantissa) < 10**28)  # what scaleb keeps
    text = format(value, f".{precision}{kind}")
    exact = Fraction(value)
    if exact == 0:
        assert Fraction(format(Interval(0, 0), f".{precision}{kind}").rstrip("%")) == 0
    else:
        assert format(Interval(exact, exact), f".{precision}{kind}") in (text, text.removeprefix("-"))
        assert (text.startswith("-") and Fraction(text.rstrip("%")) != 0) == format(
            Interval(exact, exact), f".{precision}{kind}"
        ).startswith("-")


@given(CENTRES, st.integers(1, 30), st.integers(2, 6))
def test_digits_are_not_withheld(value: Fraction, precision: int, spare: int) -> None:
    """With some digits beyond those asked for, all are shown, or one fewer around a tie."""
    assume(value != 0)
    radius = abs(value) / 10 ** (precision + spare)
    text = format(Interval(value - radius, value + radius), f".{precision}g")
    shown = 1 if text.startswith("[") else len(Decimal(text).as_tuple().digits)
    around_a_tie = any(
        format(Interval(end, end), f".{precision}g") != format(Interval(value, value), f".{precision}g")
        for end in (value - radius, value + radius)
    )
    assert shown == precision or around_a_tie


X, TINY = Interval("1.23456", "1.23459"), Interval(0, "1e-9")


@pytest.mark.parametrize(
    ("x", "spec", "text"),
    [
        (X, ".3g", "1.23"),
        (X, ".9g", "1.2346"),
        (X, ".10f", "1.2346"),
        (X, ".2e", "1.23e+0"),
        (X, ".1%", "123.5%"),
        (X, "+.2f", "+1.23"),
        (X, "08.2f", "00001.23"),
        (X, "*>8.1f", "*****1.2"),
        (X, ".3", "1.23"),
        (X, "10", "    1.2346"),
        (Interval(1_234_567, 1_234_567), ",.0f", "1,234,567"),
        (Interval(1_234_567, 1_234_567), ".3g", "1.23e+6"),
        (Interval(1, 2), ".3g", "[1.00, 2.00]"),
        (Interval(1, 2), ">14.1f", "    [1.0, 2.0]"),
        (Interval(1, 2), "=14.1f", "    [1.0, 2.0]"),
        (Interval("0.1", "0.2"), ".3f", "[0.100, 0.200]"),
        (TINY, ".3g", "[0, 1.00e-9]"),
        (TINY, ".3f", "0.000"),
        (TINY, ".12f", "[0.000000000000, 0.000000001000]"),
        (-TINY, ".3f", "0.000"),
        (Interval(0, 0), ".3g", "0"),
        (Interval(2, math.inf), ".3g", "[2.00, inf]"),
        (Interval(-math.inf, math.inf), ".3f", "[-inf, inf]"),
        (Interval(math.inf, math.inf), ".3f", "inf"),
        (Interval(math.inf, math.inf), ">6.1e", "   inf"),
        (Interval("1.4999", "1.5001"), ".0f", "[1, 2]"),
        (Interval("1.4999", "1.5001"), ".5g", "1.500"),
        (Interval("9.9996", "10.0004"), ".6g", "10.00"),
        (1 / Interval(3, 3), ".50f", "0." + 50 * "3"),
        (Enclosure(Fraction("1.9999"), Fraction("2.0001"), "test"), ".10g", "2.000"),
        (Enclosure(Fraction("1.9999"), Fraction("2.0001"), "test"), "", "2.000 ± 0.00010"),
    ],
)
def test_what_is_shown(x: Interval, spec: str, text: str) -> None:
    assert f"{x:{spec}}" == text


@pytest.mark.parametrize("spec", [".5q", "n", ".1001g", "five", "#.3g", "d"])
def test_what_is_no_specification_is_refused(spec: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape("format must be like .5g")):
        format(X, spec)


def test_a_digit_more_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check has teeth: the midpoint in all digits that are asked for shows some that are not proved."""

    def midpoint(ends: Any, kind: str, precision: int) -> Any:
        return format_spec._rounded((ends[0] + ends[1]) / 2, kind, precision, round)

    monkeypatch.setattr(format_spec, "_shared", midpoint)
    with pytest.raises(AssertionError):
        test_no_unproved_digit_is_shown.hypothesis.inner_test(  # type: ignore[attr-defined]
            Fraction("1.23456"), Fraction("0.00003"), 9, "g", []
        )
