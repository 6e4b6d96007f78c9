"""Assertions on numbers whose truth is known: δ(1) = Φ(−1/2) − e Φ(−3/2) of a Gaussian with σ = 1."""

from decimal import Decimal
from fractions import Fraction

import pytest
from scipy.stats import norm

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.testing import (
    assert_rdp_sound,
    assert_sound_lower,
    assert_sound_upper,
    assert_trade_off_sound,
    assert_within,
)

QUERY = pv.Query(pv.Gaussian(1), epsilon=1)
DELTA = Fraction("0.126936737506643945800829628")


def test_bounds_on_the_right_side_pass() -> None:
    assert assert_sound_upper(0.127, QUERY).verdict == "SOUND"
    assert assert_sound_lower("0.1269", QUERY).verdict == "SOUND"
    assert assert_within(0.1269, QUERY, error="1e-4").verdict == "SOUND"
    assert assert_sound_upper(float("inf"), pv.Query(pv.Gaussian(1), delta=0)).verdict == "SOUND"


def test_a_wrong_bound_fails_and_says_how_to_see_it_again() -> None:
    with pytest.raises(AssertionError) as failed:
        assert_sound_upper(0.125, QUERY)
    text = str(failed.value)
    assert text.startswith("it is not true that 0.125 is an upper bound\nverdict ")
    line = text.rpartition("reproduce  ")[2]
    found = eval(line, {"pv": pv})
    assert (found.verdict, found.severity, found.claim.value) == ("UNSOUND", "material", Fraction(1, 8))


@pytest.mark.parametrize(
    "claim",
    [
        lambda: assert_sound_lower("0.127", QUERY),
        lambda: assert_within("0.1268", QUERY, error="1e-4"),
        lambda: assert_rdp_sound([2, 4], ["1.01", "1.9"], pv.Gaussian(1)),
        lambda: assert_rdp_sound([2], ["1.1"], pv.Gaussian(1), direction="lower"),
        lambda: assert_trade_off_sound([0.05], ["0.75"], pv.Gaussian(1)),
    ],
)
def test_what_is_wrong_fails(claim) -> None:
    with pytest.raises(AssertionError, match="it is not true that"):
        claim()


def test_rounding_level_passes_where_it_is_allowed() -> None:
    value = DELTA * (1 - Fraction(1, 10**12))
    assert assert_sound_upper(value, QUERY, rounding=True).severity == "rounding-level"
    with pytest.raises(AssertionError):
        assert_sound_upper(value, QUERY)
    with pytest.raises(AssertionError):
        assert_sound_upper(DELTA * (1 - Fraction(1, 10**6)), QUERY, rounding=True)


@pytest.mark.parametrize(
    ("query", "true"),
    [
        (pv.TradeOffQuery(pv.Gaussian(1), alpha="0.05"), norm.cdf(norm.isf(0.05) - 1)),
        (pv.TailQuery(pv.Gaussian(1), loss=0), norm.cdf(0.5)),
    ],
)
def test_every_probability_is_within_an_error_of_its_own(query: pv.Query, true: float) -> None:
    """Of a type II error and of a tail the error was taken for one in ε, and so for none."""
    for away in (-0.009, 0.009):
        assert assert_within(true + away, query, error="0.01").verdict == "SOUND"
        with pytest.raises(AssertionError, match="is not true that"):
            assert_within(true + away, query, error="0.008")


def test_a_double_is_as_tight_as_it_is_but_for_rounding() -> None:
    """ε = 1/2 is true, and the double 0.8 is above 4/5."""
    query = pv.Query("laplace(b=4, sensitivity=2)", delta=0)
    assert assert_sound_upper(0.8, query, tightness="0.3").verdict == "SOUND"
    with pytest.raises(AssertionError):
        assert_sound_upper(0.8, query, tightness="0.29999999")


def test_a_loose_bound_fails_where_tightness_is_asked() -> None:
    query = pv.Query(pv.Gaussian(1), delta="1e-5")
    truth = pv.epsilon(pv.Gaussian(1), delta="1e-5")
    assert assert_sound_upper(truth.upper + Fraction(1, 100), query, tightness="0.011").verdict == "SOUND"
    with pytest.raises(AssertionError, match=r"gives away at most 0.009 in ε"):
        assert_sound_upper(truth.upper + Fraction(1, 100), query, tightness="0.009")


@pytest.mark.parametrize("value", [Fraction(1, 3), 0.3])
def test_points_of_other_curves_fail_with_a_line_that_fails_again(value) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_rdp_sound([2], [value], pv.Gaussian(1))
    line = str(failed.value).rpartition("reproduce  ")[2]
    with pytest.raises(AssertionError, match="is an upper bound"):
        exec(line, {"pv": pv})


def test_trade_offs_are_findings_too() -> None:
    levels, values = (level for level in ["0.05"]), (value for value in ["0.74"])
    (found,) = assert_trade_off_sound(levels, values, pv.Gaussian(1))
    assert (found.verdict, found.query) == ("SOUND", pv.TradeOffQuery(pv.Gaussian(1), alpha="0.05"))


@pytest.mark.slow
def test_how_tight_a_bound_is_must_be_proved() -> None:
    bounded = pv.Query(100 * pv.TruncatedPoisson(pv.Gaussian(1), "0.9", 1000, 1), delta="1e-5")
    assert bounded.composition.standing != "exact"
    with pytest.raises(AssertionError, match=r"it can't be decided whether 5.* gives away at most 4 in ε"):
        assert_sound_upper(5, bounded, tightness=4)
    assert assert_sound_upper(5, bounded, tightness=4, undecided="passes").verdict == "SOUND"


def test_a_number_without_a_library_has_no_version() -> None:
    with pytest.raises(AssertionError) as failed:
        assert_sound_upper(0.125, QUERY)
    assert "unknown" not in str(failed.value)


def test_what_is_not_proved_fails_unless_it_may_pass() -> None:
    bounded = pv.Query(pv.TruncatedPoisson(pv.Gaussian(1), "0.5", 10, 2), epsilon=1)
    with pytest.raises(AssertionError, match=r"it can't be decided whether 0\.01 is an upper bound"):
        assert_sound_upper("0.01", bounded)
    assert assert_sound_upper("0.01", bounded, undecided="passes").verdict == "UNDECIDED"


def test_divergences_and_trade_offs_on_the_right_side_pass() -> None:
    queries = [found.query for found in assert_rdp_sound([2, "1.5"], ["1.01", "0.76"], "gaussian(sigma=1)")]
    assert queries == [RenyiQuery(pv.Gaussian(1), order=2), RenyiQuery(pv.Gaussian(1), order="1.5")]
    assert_trade_off_sound(["0.05", "0.5"], ["0.74", "0.15"], pv.Gaussian(1))


@pytest.mark.parametrize(
    "call",
    [
        lambda: assert_sound_upper("nothing", QUERY),
        lambda: assert_sound_upper(1, "gaussian(sigma=1)"),
        lambda: assert_rdp_sound([2, 3], [1], pv.Gaussian(1)),
        lambda: assert_within(1, QUERY, error=-1),
        lambda: assert_sound_upper(Decimal("sNaN"), QUERY),
        lambda: assert_sound_upper(1, QUERY, undecided="pass"),
        lambda: assert_sound_upper(0.1, QUERY, tightness="none"),
        lambda: assert_sound_upper(3, pv.RenyiQuery(pv.Gaussian(1), order=2), tightness="0.1"),
        lambda: assert_within(1, QUERY, error=1, undecided="pass"),
        lambda: assert_rdp_sound([], [], pv.Gaussian(1)),
        lambda: assert_rdp_sound([2], [1], pv.Gaussian(1), direction="estimate"),
        lambda: assert_trade_off_sound([], [], pv.Gaussian(1)),
    ],
)
def test_what_is_no_claim_is_bad_input(call) -> None:
    with pytest.raises(InvalidInput):
        call()
