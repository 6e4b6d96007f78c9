"""What a SOUND bound gives away in ε, against the closed form of one Laplace step with b = 1.

δ(ε) = 1 − e^{(ε−1)/2} for 0 <= ε <= 1, so ε(δ) = 1 + 2 log(1 − δ).
"""

import math
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import NotSupported
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers import Claim, Enclosure
from pldverify.rulings.tightness import slack_in_epsilon

QUERY = pv.Query(pv.Laplace(1), epsilon="0.5")
DELTA = -math.expm1(-0.25)


@pytest.mark.parametrize(
    ("value", "direction"), [(0.3, "upper"), (0.225, "upper"), (0.2, "lower"), (0.01, "lower")]
)
def test_the_slack_of_a_delta_is_known_in_epsilon(value: float, direction) -> None:
    found = pv.check(lambda query: value, QUERY, direction=direction)
    expected = abs(0.5 - (1 + 2 * math.log1p(-value)))
    assert found.verdict == "SOUND"
    assert found.tightness is not None and found.tightness == found.slack_in_epsilon
    assert float(found.tightness) <= expected * (1 + 1e-12)
    assert float(found.tightness) == pytest.approx(expected, rel=0.02, abs=0)
    assert float(found.slack) == pytest.approx(abs(value - DELTA), rel=1e-9, abs=0)  # type: ignore[arg-type]


def test_the_least_epsilon_has_a_slack() -> None:
    """δ(0) = 1 − e^{−1/2} = 0.393…, and ε(0.2) = 1 + 2 log(0.8) = 0.553…"""
    found = pv.check(lambda query: 0.2, pv.Query(pv.Laplace(1), epsilon=0), direction="lower")
    assert float(found.tightness or 0) == pytest.approx(1 + 2 * math.log(0.8), rel=0.02, abs=0)


def test_of_an_epsilon_it_is_the_slack() -> None:
    found = pv.check(lambda query: 2.0, pv.Query(pv.Laplace(1), delta="0.1"), direction="upper")
    assert found.tightness == found.slack and found.slack_in_epsilon is None


@pytest.mark.parametrize(
    ("value", "direction", "expected"),
    [
        (1.0, "upper", Fraction("0.5")),
        (0.0, "lower", Fraction("0.5")),
        (1.5, "upper", None),
        (-0.5, "lower", None),
    ],
)
def test_at_the_ends_of_delta(value: float, direction, expected: Fraction | None) -> None:
    """ε(1) = 0 and ε(0) = 1; beyond there is no δ."""
    found = pv.check(lambda query: value, QUERY, direction=direction)
    assert found.verdict == "SOUND"
    assert found.tightness == expected


def test_only_what_is_sound_has_a_tightness() -> None:
    assert pv.check(lambda query: 0.1, QUERY, direction="upper").tightness is None
    assert pv.check(lambda query: DELTA, QUERY, direction="estimate").tightness is None


def bracket(*ends: str):
    def found(query: pv.Query, enough) -> Enclosure:
        assert query == pv.Query(pv.Laplace(1), delta="0.3")
        return Enclosure(*(Fraction(end) if end != "inf" else math.inf for end in ends), "stub")  # type: ignore[arg-type]

    return found


@pytest.mark.parametrize(
    ("direction", "ends", "expected"),
    [
        ("upper", ("0.1", "0.2"), Fraction("0.3")),
        ("upper", ("0.1", "0.6"), Fraction(0)),
        ("upper", ("0.1", "inf"), Fraction(0)),
        ("lower", ("0.6", "0.9"), Fraction("0.1")),
        ("lower", ("0.4", "inf"), Fraction(0)),
        ("lower", ("inf", "inf"), math.inf),
    ],
)
def test_it_is_the_least_that_the_enclosure_allows(direction, ends, expected) -> None:
    claim = Claim(Fraction("0.3"), direction, "test")
    assert slack_in_epsilon(claim, QUERY, bracket(*ends)) == expected


def test_where_there_is_no_law_there_is_no_tightness() -> None:
    def none(query: pv.Query, enough) -> Enclosure:
        raise NotSupported("no law")

    assert slack_in_epsilon(Claim(Fraction("0.3"), "upper", "test"), QUERY, none) is None


def test_below_zero_there_is_no_epsilon_that_a_lower_bound_could_be_far_from() -> None:
    query = pv.Query(pv.Gaussian(10), epsilon=-1)  # δ(-1) = 0.63212…, and ε(0.632) = 0, 1 above the query's
    found = pv.check(lambda query: Fraction("0.632"), query, direction="lower")
    assert found.verdict == "SOUND" and found.tightness is None


@pytest.mark.parametrize("asked", [{"epsilon": 1}, pytest.param({"delta": "1e-6"}, marks=pytest.mark.slow)])
def test_what_bounds_from_above_alone_shows_no_slack_of_a_lower_bound(asked: dict[str, Any]) -> None:
    query = pv.Query(3 * pv.TruncatedPoisson(pv.Gaussian(1), "0.9", 1000, 1), **asked)
    nothing = pv.check(lambda query: 0, query, direction="lower")
    assert (nothing.verdict, nothing.slack, nothing.tightness) == ("SOUND", None, None)
    negative = pv.check(lambda query: -1, query, direction="upper")
    assert (negative.verdict, negative.excess) == ("UNSOUND", None)
    enough = pv.check(lambda query: 1 if query.delta is None else 50, query, direction="upper")
    assert enough.verdict == "SOUND" and enough.slack > 0 and enough.tightness > 0  # type: ignore[operator]


def test_a_renyi_divergence_is_no_epsilon() -> None:
    class Curve(pv.Accountant):
        direction = "upper"
        asks = (RenyiQuery,)

        def claim(self, query):
            return 5

    found = pv.check(Curve(), RenyiQuery(pv.Gaussian(1), order=2))
    assert found.slack == pytest.approx(4, rel=1e-9, abs=0) and found.tightness is None
    assert dict(found.rows())["claim"] == "D ≤ 5"
