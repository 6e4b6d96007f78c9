"""Arithmetic of intervals contains the arithmetic of their numbers; comparisons say what holds for all."""

import math
from decimal import Decimal
from fractions import Fraction
from operator import add, ge, gt, le, lt, mul, sub, truediv
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import lower, upper
from pldverify.errors import InvalidInput, Undecided
from pldverify.numbers import interval_arithmetic as arithmetic
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.interval import Interval

NUMBERS = st.fractions(max_denominator=10**6) | st.fractions(-2, 2, max_denominator=1000)
ENDS = NUMBERS | st.sampled_from([math.inf, -math.inf])
SHARES = st.fractions(0, 1, max_denominator=64)


@st.composite
def intervals(draw: st.DrawFn, ends: st.SearchStrategy[Any] = NUMBERS) -> Interval:
    low, high = sorted([draw(ends), draw(ends)])
    return Interval(low, high)


@st.composite
def members(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    """An interval and a number of it, often an end."""
    found = draw(intervals())
    return found, found.lower + draw(SHARES) * found.width


def contains(found: Interval, value: Fraction) -> bool:
    return found.lower <= value <= found.upper


@given(members(), members())
@pytest.mark.parametrize("operation", [add, sub, mul, truediv])
def test_a_result_contains_the_result_of_any_numbers(operation: Any, left: Any, right: Any) -> None:
    (a, x), (b, y) = left, right
    if operation is truediv and b.lower <= 0 <= b.upper:
        with pytest.raises(InvalidInput, match="divisor must not contain 0"):
            operation(a, b)
        return
    assert contains(operation(a, b), operation(x, y))
    assert contains(operation(a, y), operation(x, y)) or (operation is truediv and y == 0)


@given(intervals(), intervals())
@pytest.mark.parametrize("operation", [add, sub, mul, truediv])
def test_both_ends_of_a_result_are_taken(operation: Any, a: Interval, b: Interval) -> None:
    assume(operation is not truediv or not b.lower <= 0 <= b.upper)
    corners = [operation(x, y) for x in (a.lower, a.upper) for y in (b.lower, b.upper)]
    assert operation(a, b) == Interval(min(corners), max(corners))


@given(members(), st.integers(-5, 5))
@example((Interval(-2, 1), Fraction(0)), 2)
@example((Interval(-3, 1), Fraction(-3)), 2)
def test_powers(one: tuple[Interval, Fraction], power: int) -> None:
    a, x = one
    assume(power >= 0 or not a.lower <= 0 <= a.upper)
    assert contains(a**power, x**power)
    assert power <= 0 or (a**power).upper in (a.lower**power, a.upper**power)


@given(members())
def test_size_and_sign(one: tuple[Interval, Fraction]) -> None:
    a, x = one
    assert contains(abs(a), abs(x)) and contains(-a, -x)
    assert abs(a).upper == max(abs(a.lower), abs(a.upper))
    assert (-a).lower == -a.upper


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^x, by 60 terms of its series, for |x| ≤ 20."""
    if x < 0:
        low, high = exponential(-x)
        return 1 / high, 1 / low
    term = total = Fraction(1)
    for n in range(1, 80):
        term *= x / n
        total += term
    return total, total + term * x / (80 - x)


FEW = st.fractions(-20, 20, max_denominator=1000)


@given(FEW, SHARES)
@example(Fraction(1), Fraction(0))
def test_exp_is_rounded_outward(low: Fraction, share: Fraction) -> None:
    a = Interval(low, low + share / 8)
    found = a.exp()
    assert found.lower <= exponential(a.lower)[1] and exponential(a.upper)[0] <= found.upper
    assert share or found.width < found.upper / 2**100


@pytest.mark.slow
@given(FEW.filter(lambda x: x > 0), st.integers(0, 300))
def test_log_is_rounded_outward(low: Fraction, bits: int) -> None:
    a = Interval(low, low + Fraction(1, 2**bits))
    found = a.log()
    assert exponential(found.lower)[0] <= a.lower and a.upper <= exponential(found.upper)[1]
    assert found.width <= (1 + Fraction(1, 2**40)) * a.width / a.lower


def test_exp_and_log_at_the_ends_of_all_numbers() -> None:
    everything = Interval(-math.inf, math.inf)
    assert everything.exp() == Interval(0, math.inf)
    assert Interval(0, math.inf).log() == everything
    assert Interval(0, 1).log() == Interval(-math.inf, 0)
    assert Interval(10**9, 10**9).exp().upper == math.inf
    tiny = Interval(-(10**9), -(10**9)).exp()
    assert tiny.lower == 0 < tiny.upper < Fraction(1, 2**10_000)
    with pytest.raises(InvalidInput, match="log needs numbers >= 0"):
        Interval(-1, 1).log()


INFINITE = Interval(2, math.inf)


@pytest.mark.parametrize(
    ("found", "low", "high"),
    [
        (INFINITE + 1, 3, math.inf),
        (INFINITE - INFINITE, -math.inf, math.inf),
        (INFINITE * -1, -math.inf, -2),
        (INFINITE * 0, 0, 0),
        (INFINITE * Interval(0, 1), 0, math.inf),
        (INFINITE * Interval(-1, 1), -math.inf, math.inf),
        (1 / INFINITE, 0, Fraction(1, 2)),
        (INFINITE / INFINITE, 0, math.inf),
        (INFINITE**3, 8, math.inf),
        (abs(-INFINITE), 2, math.inf),
        (Interval(10**400, 10**400) + math.inf, math.inf, math.inf),
        (Interval(10**400, 10**400) * -math.inf, -math.inf, -math.inf),
    ],
)
def test_infinite_ends(found: Interval, low: Any, high: Any) -> None:
    assert found == Interval(low, high)


def test_what_is_not_defined_is_refused() -> None:
    for undefined in (
        lambda: Interval(0, 0) * math.inf,
        lambda: Interval(math.inf, math.inf) / math.inf,
        lambda: Interval(1, 2) ** 1001,
        lambda: Interval(0, 1) ** -1,
        lambda: Interval(1, 2) + math.nan,
        lambda: Interval(1, 2) + "one",
        lambda: Interval(2, 1),
        lambda: Interval(math.nan, 1),
    ):
        with pytest.raises(InvalidInput):
            undefined()


@pytest.mark.parametrize("other", [None, True, [1], object(), 1j])
def test_what_is_no_number_is_no_operand(other: Any) -> None:
    for operation in (add, sub, mul, truediv, lt, ge):
        with pytest.raises(TypeError):
            operation(Interval(1, 2), other)
        with pytest.raises(TypeError):
            operation(other, Interval(1, 2))
    assert Interval(1, 2) != other


@pytest.mark.parametrize(
    "half", [0.5, "0.5", "1/2", Decimal("0.5"), Fraction(1, 2), np.float64(0.5), mpmath.mpf("0.5")]
)
def test_numbers_of_any_type_are_exact_operands(half: Any) -> None:
    x = Interval(1, 2)
    assert x + half == Interval("1.5", "2.5") and x - half == Interval("0.5", "1.5")
    assert x * half == Interval("0.5", 1) and x / half == Interval(2, 4)
    assert x > half and not x <= half
    if not isinstance(half, str):
        assert half + x == x + half and half - x == Interval("-1.5", "-0.5")
        assert half * x == x * half and half / x == Interval("0.25", "0.5")
        assert half < x and not half >= x


def test_a_float_means_that_double_and_a_string_that_decimal() -> None:
    tenth = Interval("0.1", "0.1")
    assert tenth < 0.1 and not tenth < "0.1"
    assert (tenth - 0.1).upper == Fraction(1, 10) - Fraction(0.1)


@given(intervals(ENDS), intervals(ENDS))
@pytest.mark.parametrize("relation", [lt, le, gt, ge])
def test_a_comparison_answers_for_all_numbers_or_not_at_all(relation: Any, a: Interval, b: Interval) -> None:
    answers = {relation(x, y) for x in (a.lower, a.upper) for y in (b.lower, b.upper)}
    if len(answers) == 1:
        assert relation(a, b) is answers.pop()
    else:
        with pytest.raises(Undecided, match="ask for more digits"):
            relation(a, b)


def test_order_sorts_what_is_apart_and_refuses_the_rest() -> None:
    parts = [Interval(4, 5), Interval(0, 1), Interval(2, 3)]
    assert sorted(parts) == [parts[1], parts[2], parts[0]] and max(parts) == parts[0]
    with pytest.raises(Undecided, match=r"\[0, 2.50000\] < \[2.00000, 3.00000\]"):
        sorted([Interval(2, 3), Interval(0, "2.5")])


def test_equality_is_of_ends_and_class() -> None:
    proved = Enclosure(Fraction(1), Fraction(2), "test")
    assert (
        proved == Enclosure(Fraction(1), Fraction(2), "test") != Enclosure(Fraction(1), Fraction(2), "other")
    )
    assert Interval(1, 2) == Interval(1, 2) != proved
    assert Interval(1, 1) != 1
    assert len({Interval(1, 2), Interval("1", 2.0), proved}) == 2


def test_what_is_computed_from_enclosures_names_no_engine() -> None:
    proved = Enclosure(Fraction(1), Fraction(2), "test")
    for found in (
        proved + 1,
        1 - proved,
        proved * proved,
        1 / proved,
        proved**2,
        -proved,
        abs(proved),
        proved.exp(),
        proved.log(),
        sum([proved, proved]),
    ):
        assert type(found) is Interval
    with pytest.raises(InvalidInput, match="enclosure must have a witness"):
        pv.prove_again(proved + 0)  # type: ignore[arg-type]


def test_a_product_of_two_corners_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks have teeth: ends multiplied pairwise lose what negative numbers give."""
    monkeypatch.setattr(arithmetic, "product", zip)
    with pytest.raises(AssertionError):
        test_a_result_contains_the_result_of_any_numbers.hypothesis.inner_test(  # type: ignore[attr-defined]
            mul, (Interval(-1, 2), Fraction(2)), (Interval(-3, 1), Fraction(-3))
        )


# --- other libraries ---


@given(NUMBERS)
def test_a_double_lies_on_or_beyond_its_end(value: Fraction) -> None:
    x = Interval(value, value)
    low, high = x.to_float("lower"), x.to_float("upper")
    assert Fraction(low) <= value <= Fraction(high)
    assert high <= math.nextafter(low, math.inf)


@given(NUMBERS, st.integers(1, 40))
def test_decimals_and_mpfs_lie_on_or_beyond_their_end(value: Fraction, digits: int) -> None:
    x = Interval(value, value)
    low, high = x.to_decimal("lower", digits), x.to_decimal("upper", digits)
    assert Fraction(low) <= value <= Fraction(high)
    assert Fraction(high) - Fraction(low) <= abs(value) * Fraction(10) ** (1 - digits)
    below, above = (exact(x.to_mpf(side, digits)) for side in ("lower", "upper"))
    assert below <= value <= above and above - below <= abs(value) / 10**digits


@given(intervals())
def test_intervals_of_other_libraries_contain_this_one(x: Interval) -> None:
    iv = x.to_iv()
    assert exact(iv.a) <= x.lower and x.upper <= exact(iv.b)
    ball = x.to_arb()
    assert lower(ball) <= x.lower and x.upper <= upper(ball)


def exact(value: Any) -> Fraction:
    """Of an mpf, or of one end of an mpi."""
    sign, mantissa, exponent, _ = getattr(value, "_mpf_", None) or value._mpi_[0]
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def test_infinite_and_huge_ends_become_what_a_library_has() -> None:
    x = Interval(-(10**400), math.inf)
    assert (x.to_float("lower"), x.to_float("upper")) == (-math.inf, math.inf)
    assert Interval(10**400, 10**400).to_float("lower") == 1.7976931348623157e308
    assert float(x) == math.inf and x.midpoint == math.inf == x.radius
    assert x.to_decimal("upper") == Decimal("inf") and x.to_mpf("upper") == mpmath.inf
    assert x.to_iv().b == mpmath.inf and x.to_arb().contains(flint.arb(10) ** 500)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(InvalidInput, match="side must be lower or upper, got side='up'"):
        Interval(1, 2).to_float("up")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="digits must be an integer from 1 to 4000"):
        Interval(1, 2).to_decimal("lower", 0)


@given(intervals())
def test_midpoint_and_radius_are_exact(x: Interval) -> None:
    assert x.midpoint - x.radius == x.lower and x.midpoint + x.radius == x.upper


@pytest.mark.parametrize(
    ("low", "high", "midpoint", "radius"),
    [
        (1, math.inf, math.inf, math.inf),
        (-math.inf, 1, -math.inf, math.inf),
        (-math.inf, math.inf, 0, math.inf),
        (math.inf, math.inf, math.inf, 0),
    ],
)
def test_midpoint_and_radius_where_ends_are_infinite(low: Any, high: Any, midpoint: Any, radius: Any) -> None:
    x = Interval(low, high)
    assert (x.midpoint, x.radius) == (midpoint, radius)
