"""The verdict: every order of the claimed number and of both ends, known or not."""

import math
from fractions import Fraction
from itertools import product

import pytest

from pldverify.numbers.irrational import Irrational
from pldverify.values.value import End, Value
from pldverify.values.verdict import all_hold, certification, holds

LOW, MIDDLE, HIGH = Fraction(1), Fraction(2), Fraction(3)
POINTS = (LOW, MIDDLE, HIGH)
TRUTHS = [Fraction(i, 2) for i in range(1, 9)]
"""Numbers between, on and beyond the points."""


def value(lower: object, upper: object) -> Value:
    return Value(*(None if at is None else End(at, "by hand") for at in (lower, upper)))  # type: ignore[arg-type]


def stands(relation: str, truth: Fraction, claimed: Fraction) -> bool:
    return {"<=": truth <= claimed, ">=": truth >= claimed, "=": truth == claimed}[relation]


@pytest.mark.parametrize("relation", ["<=", ">=", "="])
@pytest.mark.parametrize("claimed", POINTS)
@pytest.mark.parametrize("lower", [None, *POINTS])
@pytest.mark.parametrize("upper", [None, *POINTS, math.inf])
def test_it_says_what_is_true_of_every_number_between_the_ends(relation, claimed, lower, upper) -> None:
    """And nothing else: unknown ends leave room for all numbers."""
    if None not in (lower, upper) and lower > upper:
        return
    inside = [t for t in TRUTHS if (lower is None or t >= lower) and (upper is None or t <= upper)]
    answers = {stands(relation, truth, claimed) for truth in inside}
    expected = answers.pop() if len(answers) == 1 else None
    assert holds(relation, claimed, value(lower, upper)) is expected


@pytest.mark.parametrize("relation", ["<=", ">=", "="])
@pytest.mark.parametrize(("lower", "upper"), [(lo, up) for lo, up in product(POINTS, POINTS) if lo <= up])
def test_an_irrational_number_is_judged_at_both_corners(relation, lower, upper) -> None:
    """What is said holds for every number that it may be."""
    claimed = Irrational(Fraction(3, 2), Fraction(5, 2), "between")
    corners = {holds(relation, Fraction(x, 4), value(lower, upper)) for x in range(6, 11)}
    expected = corners.pop() if len(corners) == 1 else None
    found = holds(relation, claimed, value(lower, upper))
    assert found in (None, expected)
    if relation != "=":
        assert found is expected


@pytest.mark.parametrize(("at", "refuted"), [(Fraction(3, 2), None), (Fraction(5, 2), False)])
def test_an_end_that_is_not_reached_tells_of_the_far_corner_alone(at: Fraction, refuted: bool | None) -> None:
    """More than 3/2 is not yet more than what may be 5/2."""
    claimed = Irrational(Fraction(3, 2), Fraction(5, 2), "between")
    assert holds("<=", claimed, Value(lower=End(at, "by hand", strict=True))) is refuted
    mirrored = Value(upper=End(4 - at, "by hand", strict=True))
    assert holds(">=", claimed, mirrored) is refuted


def test_infinity_is_a_number_and_unknown_is_none() -> None:
    assert holds("<=", MIDDLE, value(math.inf, math.inf)) is False
    assert holds(">=", MIDDLE, value(math.inf, math.inf)) is True
    assert holds(">=", MIDDLE, value(None, math.inf)) is None
    assert holds("<=", math.inf, value(None, math.inf)) is True


@pytest.mark.parametrize("answers", list(product([True, False, None], repeat=3)))
def test_all_must_hold(answers) -> None:
    expected = False if False in answers else None if None in answers else True
    assert all_hold(iter(answers)) is expected


def test_words() -> None:
    assert [certification(answer) for answer in (True, False, None)] == ["CERTIFIED", "REFUTED", "UNDECIDED"]
