"""Severity against its definition: the distance from the claim to every true value that is possible."""

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.numbers import Claim, Enclosure, Promise
from pldverify.rulings.decide import decide
from pldverify.rulings.severity import severity
from pldverify.rulings.soundness import Severity, judge
from pldverify.values.value import enclosed

QUERY = pv.Query(pv.Laplace(1), delta="0.1")
R, A = Fraction(1, 10**9), Fraction(1, 10**12)
TINY = Fraction(1, 10**30)
LEAST = Fraction(5e-324)


def by_definition(claim: Claim, truth: Fraction) -> Severity:
    near = abs(claim.value - truth) <= (max(R * truth, LEAST) if truth else A)
    return "rounding-level" if near else "material"


def of_enclosure(claim: Claim, truth: Enclosure) -> Severity:
    return severity(claim, lambda other: judge(other, enclosed(truth)))


def exactly(value: Fraction) -> Enclosure:
    return Enclosure(value, value, "by hand")


small = st.fractions(min_value=-3, max_value=3, max_denominator=1000)


@given(
    truth=st.sampled_from([Fraction(0), Fraction(1, 10**15), Fraction(1, 3), Fraction(7)]),
    direction=st.sampled_from(["upper", "lower"]),
    relative=small,
    absolute=small,
)
def test_of_a_known_true_value_it_is_the_definition(truth, direction, relative, absolute) -> None:
    claim = Claim(truth * (1 + relative * R) + absolute * A, direction, "test")
    if judge(claim, enclosed(exactly(truth))) == "UNSOUND":
        assert of_enclosure(claim, exactly(truth)) == by_definition(claim, truth)


@given(
    low=st.sampled_from([Fraction(0), Fraction(1, 3)]),
    width=st.fractions(min_value=0, max_value=3, max_denominator=100).map(lambda w: w * R),
    direction=st.sampled_from(["upper", "lower"]),
    off=small.map(lambda off: off * R),
)
def test_of_an_interval_it_is_said_only_where_every_true_value_agrees(low, width, direction, off) -> None:
    truth = Enclosure(low, low + width, "by hand")
    claim = Claim(low + off, direction, "test")
    if judge(claim, enclosed(truth)) != "UNSOUND":
        return
    found = of_enclosure(claim, truth)
    possible = {by_definition(claim, low + width * Fraction(i, 8)) for i in range(9)}
    assert found in get_args(Severity)
    if found != "undecided":
        assert possible == {found}
    elif low:  # no true value is 0: only the ends matter, and undecided means that they differ
        assert len(possible) == 2


@pytest.mark.parametrize(
    ("value", "direction", "truth", "expected"),
    [
        (1 - R, "upper", Fraction(1), "rounding-level"),
        (1 - R - TINY, "upper", Fraction(1), "material"),
        (1 + R, "lower", Fraction(1), "rounding-level"),
        (1 + R + TINY, "lower", Fraction(1), "material"),
        (-A, "upper", Fraction(0), "rounding-level"),
        (-A - TINY, "upper", Fraction(0), "material"),
        (A, "lower", Fraction(0), "rounding-level"),
        (A + TINY, "lower", Fraction(0), "material"),
        (-TINY, "upper", TINY, "material"),  # the absolute limit is for 0 alone
        (Fraction(0), "upper", TINY, "material"),
        (2 * TINY, "lower", TINY, "material"),
        (Fraction(0), "upper", LEAST, "rounding-level"),  # no double lies between them
        (Fraction(0), "upper", LEAST * (1 + R), "material"),
        (LEAST, "lower", LEAST / 10**9, "rounding-level"),
        (LEAST * (1 + R), "lower", LEAST * R / 2, "material"),
    ],
)
def test_both_limits_are_exact(value: Fraction, direction, truth: Fraction, expected: str) -> None:
    claim = Claim(value, direction, "test")
    assert of_enclosure(claim, exactly(truth)) == by_definition(claim, truth) == expected
    decision = decide(claim, QUERY, lambda query, digits: exactly(truth))
    assert (decision.verdict, decision.severity) == ("UNSOUND", expected)


def test_an_enclosure_that_holds_both_leaves_it_undecided() -> None:
    truth, query = (
        Enclosure(Fraction(1, 2), Fraction(1, 2) + R, "by hand"),
        pv.Query(pv.Laplace(1), epsilon=0),
    )
    decision = decide(Claim(Fraction(1, 2) - R / 4, "upper", "test"), query, lambda query, digits: truth)
    assert (decision.verdict, decision.severity) == ("UNSOUND", "undecided")


def test_no_true_value_within_reach_leaves_it_undecided() -> None:
    def gives_up(query: pv.Query, digits: int) -> Enclosure:
        raise NoConvergence("no")

    decision = decide(Claim(-A, "upper", "test"), QUERY, gives_up)
    assert (decision.verdict, decision.severity) == ("UNSOUND", "undecided")
    decision = decide(Claim(-A - TINY, "upper", "test"), QUERY, gives_up)
    assert (decision.verdict, decision.severity) == ("UNSOUND", "material")


def test_more_digits_are_asked_for_where_they_decide_it() -> None:
    """A bracket from 1 to 2 refutes the claim; only digits say that it is wrong by 5e-10."""
    exact = exactly(Fraction(1) + R / 4)

    def bracket(query: pv.Query, enough) -> Enclosure:
        return Enclosure(Fraction(1), Fraction(2), "bracket")

    claim = Claim(1 - R / 4, "upper", "test")
    decision = decide(claim, QUERY, lambda query, digits: exact, bracket)
    assert (decision.verdict, decision.digits, decision.severity) == ("UNSOUND", 0, "rounding-level")


@pytest.mark.parametrize(
    ("off", "verdict", "expected"),
    [("0", "SOUND", None), ("0.1000000005", "UNSOUND", "rounding-level"), ("0.2", "UNSOUND", "material")],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_broken_promise_has_one_too(off: str, verdict: str, expected: str | None, sign: int) -> None:
    claim = Claim(1 + sign * Fraction(off), "estimate", "test", promise=Promise(Fraction(1, 10), Fraction(0)))
    decision = decide(claim, QUERY, lambda query, digits: exactly(Fraction(1)))
    assert (decision.verdict, decision.severity) == (verdict, expected)


@pytest.mark.parametrize("direction", ["upper", "lower"])
def test_what_is_sound_has_none(direction) -> None:
    assert (
        decide(Claim(Fraction(1), direction, "t"), QUERY, lambda q, d: exactly(Fraction(1))).severity is None
    )


PRINTED = pv.Query(2 * pv.KJH19Substitute(pv.Gaussian(1), "0.5"), epsilon=1)


def test_a_true_value_that_may_be_greater_is_not_said_to_be_near() -> None:
    """The printed pair's δ is 1/2, and the true one may be greater: nothing is at rounding level."""
    decision = decide(
        Claim(Fraction(1, 2) * (1 - R / 2), "upper", "t"), PRINTED, lambda q, d: exactly(Fraction(1, 2))
    )
    assert (decision.verdict, decision.severity) == ("UNSOUND", "undecided")
    decision = decide(Claim(Fraction(1, 4), "upper", "t"), PRINTED, lambda q, d: exactly(Fraction(1, 2)))
    assert (decision.verdict, decision.severity) == ("UNSOUND", "material")
