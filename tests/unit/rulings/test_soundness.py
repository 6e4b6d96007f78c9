"""The three-valued verdict, on claims and enclosures made by hand: the truth lies in [2, 3]."""

import math
from fractions import Fraction

import pytest

from pldverify.numbers import Claim, Enclosure
from pldverify.rulings.soundness import at_least, at_most, both, judge
from pldverify.values.value import enclosed

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
    assert judge(Claim(value, "upper", "test"), enclosed(truth)) == at_least(value, truth) == upper
    assert judge(Claim(value, "lower", "test"), enclosed(truth)) == at_most(value, truth) == lower


@pytest.mark.parametrize("value", [Fraction(1), Fraction(2), Fraction(4)])
@pytest.mark.parametrize("truth", [TWO_TO_THREE, EXACTLY_TWO])
def test_an_estimate_alone_promises_nothing(value: Fraction, truth: Enclosure) -> None:
    assert judge(Claim(value, "estimate", "test"), enclosed(truth)) == "UNDECIDED"


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("SOUND", "SOUND", "SOUND"),
        ("SOUND", "UNDECIDED", "UNDECIDED"),
        ("UNDECIDED", "UNDECIDED", "UNDECIDED"),
        ("SOUND", "UNSOUND", "UNSOUND"),
        ("UNDECIDED", "UNSOUND", "UNSOUND"),
        ("UNSOUND", "UNSOUND", "UNSOUND"),
    ],
)
def test_two_claims_together(first, second, verdict: str) -> None:
    assert both(first, second) == both(second, first) == verdict
