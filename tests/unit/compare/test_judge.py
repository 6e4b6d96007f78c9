"""The three-valued verdict, on claims and enclosures made by hand: the truth lies in [2, 3]."""

import math
from fractions import Fraction

import pytest

from pldverify.compare.judge import judge, judge_promise
from pldverify.numbers import Claim, Enclosure

TWO_TO_THREE = Enclosure(Fraction(2), Fraction(3), "by hand")
EXACTLY_TWO = Enclosure(Fraction(2), Fraction(2), "by hand")
INFINITE = Enclosure(math.inf, math.inf, "by hand")
UNBOUNDED = Enclosure(Fraction(2), math.inf, "by hand")
TINY = Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("value", "truth", "upper", "lower"),
    [
        (Fraction(1), TWO_TO_THREE, "UNSOUND", "SOUND"),
        (Fraction(2) - TINY, TWO_TO_THREE, "UNSOUND", "SOUND"),
        (Fraction(2), TWO_TO_THREE, "UNDECIDED", "SOUND"),
        (Fraction(5, 2), TWO_TO_THREE, "UNDECIDED", "UNDECIDED"),
        (Fraction(3), TWO_TO_THREE, "SOUND", "UNDECIDED"),
        (Fraction(3) + TINY, TWO_TO_THREE, "SOUND", "UNSOUND"),
        (math.inf, TWO_TO_THREE, "SOUND", "UNSOUND"),
        (Fraction(2), EXACTLY_TWO, "SOUND", "SOUND"),
        (Fraction(2) - TINY, EXACTLY_TWO, "UNSOUND", "SOUND"),
        (Fraction(2) + TINY, EXACTLY_TWO, "SOUND", "UNSOUND"),
        (math.inf, INFINITE, "SOUND", "SOUND"),
        (Fraction(10**9), INFINITE, "UNSOUND", "SOUND"),
        (Fraction(10**9), UNBOUNDED, "UNDECIDED", "UNDECIDED"),
        (math.inf, UNBOUNDED, "SOUND", "UNDECIDED"),
    ],
)
def test_bounds(value, truth, upper: str, lower: str) -> None:
    assert judge(Claim(value, "upper", "test"), truth) == upper
    assert judge(Claim(value, "lower", "test"), truth) == lower


@pytest.mark.parametrize("value", [Fraction(1), Fraction(2), Fraction(4)])
@pytest.mark.parametrize("truth", [TWO_TO_THREE, EXACTLY_TWO])
def test_an_estimate_alone_promises_nothing(value: Fraction, truth: Enclosure) -> None:
    assert judge(Claim(value, "estimate", "test"), truth) == "UNDECIDED"


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("0.89", "UNSOUND"),  # below 1 − 0.1, wherever the smallest true value is
        ("0.9", "UNDECIDED"),
        ("0.95", "UNDECIDED"),
        ("1", "SOUND"),  # at least 1.1 − 0.1
        ("2.5", "SOUND"),
        ("3.1", "SOUND"),  # at most 3 + 0.1
        ("3.15", "UNDECIDED"),
        ("3.2", "UNDECIDED"),
        ("3.21", "UNSOUND"),
    ],
)
def test_a_promise_is_kept_between_both_ends(value: str, verdict: str) -> None:
    """The smallest allowed true value lies in [1, 1.1], the largest in [3, 3.1], the tolerance is 1/10."""
    smallest = Enclosure(Fraction(1), Fraction("1.1"), "by hand")
    largest = Enclosure(Fraction(3), Fraction("3.1"), "by hand")
    assert judge_promise(Fraction(value), Fraction(1, 10), smallest, largest) == verdict


def test_a_promise_without_an_upper_end() -> None:
    smallest = Enclosure(Fraction(1), Fraction("1.1"), "by hand")
    assert judge_promise(Fraction(10**9), Fraction(1, 10), smallest, None) == "SOUND"
    assert judge_promise(Fraction(0), Fraction(1, 10), smallest, None) == "UNSOUND"
    assert judge_promise(Fraction("0.95"), Fraction(1, 10), smallest, None) == "UNDECIDED"


def test_a_promise_about_infinity() -> None:
    assert judge_promise(math.inf, Fraction(1, 10), INFINITE, INFINITE) == "SOUND"
    assert judge_promise(Fraction(5), Fraction(1, 10), INFINITE, INFINITE) == "UNSOUND"
    assert judge_promise(math.inf, Fraction(1, 10), EXACTLY_TWO, EXACTLY_TWO) == "UNSOUND"
