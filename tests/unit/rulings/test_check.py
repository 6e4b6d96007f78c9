"""Checks against the reference: δ(1) = Φ(−1/2) − e Φ(−3/2) for a Gaussian with σ = 1 (Balle, Wang 2018)."""

import math
import os
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
from pldverify.numbers.claim import Promise
from pldverify.rulings.check import check
from tests.unit.accountants import hostile, subjects
from tests.unit.accountants.subjects import Subject

QUERY = Query(Gaussian(1), epsilon=1)
DELTA = math.erfc(0.5 / math.sqrt(2)) / 2 - math.e * math.erfc(1.5 / math.sqrt(2)) / 2


def above() -> Fraction:
    return Fraction(DELTA) * Fraction(1_000_001, 1_000_000)


def below() -> Fraction:
    return Fraction(DELTA) * Fraction(999_999, 1_000_000)


@pytest.mark.parametrize(
    ("behave", "direction", "verdict"),
    [
        (above, "upper", "SOUND"),
        (below, "upper", "UNSOUND"),
        (above, "lower", "UNSOUND"),
        (below, "lower", "SOUND"),
        (above, "estimate", "UNDECIDED"),
    ],
)
def test_a_claim_beside_the_truth(behave, direction, verdict: str) -> None:
    found = check(Subject(behave, direction), QUERY)
    assert found.verdict == verdict
    assert found.query == QUERY
    assert found.version == "1.2.3" and found.speaker == f"{found.accountant} 1.2.3"
    assert found.claim is not None and found.claim.value == behave()
    assert found.truth is not None and below() < found.truth.lower <= found.truth.upper < above()
    margin = Fraction(DELTA) / 1_000_000
    for measured in (found.slack, found.excess):
        assert measured is None or abs(measured / margin - 1) < Fraction(1, 10**6)
    assert (found.slack is None) == (verdict != "SOUND")
    assert (found.excess is None) == (verdict != "UNSOUND")


def test_accountants_are_found_by_name() -> None:
    found = check("dp-accounting", QUERY)
    assert found.accountant == "dp-accounting/pld"
    assert found.claim is not None and found.claim.source == f"dp-accounting/pld {found.version}"
    assert found.verdict == "SOUND"


def test_a_failure_is_a_finding_with_the_truth_beside_it() -> None:
    found = check(Subject(subjects.raises), QUERY)
    assert (found.verdict, found.cause, found.claim) == ("CRASHED", "RAISED", None)
    assert found.reason == "test-library/raises 1.2.3 raised ZeroDivisionError: the grid is empty"
    assert found.truth is not None and below() < found.truth.lower <= found.truth.upper < above()


def test_a_refusal_is_a_finding_that_costs_no_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("the truth was asked for")

    monkeypatch.setattr("pldverify.rulings.check._shown", asked)
    monkeypatch.setattr("pldverify.rulings.check.decide", asked)
    query = Query(PoissonSubsampled(Gaussian(1), "0.1"), delta="1e-5", adjacency="add")
    found = check("prv-accountant", query)
    assert (found.verdict, found.cause, found.claim, found.truth) == ("REFUSED", "REFUSED", None, None)
    assert found.reason.startswith("prv-accountant/upper does not support this: ")
    assert found.reason.endswith("direction remove, got 'add'")


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="accountant must be one of"):
        check("no-such-accountant", QUERY)


def test_a_claim_of_many_digits_next_to_the_truth_is_undecided() -> None:
    """Its promise has as many: together they are more than an ε may have."""
    query = Query(Gaussian(1), delta="1e-5")
    truth, scale = pv.epsilon(Gaussian(1), delta="1e-5", digits=60).lower, 2**13990 + 1
    value = Fraction(math.floor(truth * scale) + 1, scale)
    found = check(lambda query: value, query, direction="estimate", error=Fraction(1, 3**5000))
    assert found.verdict in ("SOUND", "UNSOUND", "UNDECIDED")


@pytest.mark.parametrize("value", [10**400, -(10**400)], ids=["great", "negative"])
def test_what_no_double_holds_is_written_as_json(value: int) -> None:
    written = check(lambda query: value, QUERY, direction="upper").to_json()
    assert Fraction(str(written["claim"])) == value
    assert written["claim_float"] is written["error_float"] is None


@pytest.mark.parametrize("timeout", [None, 60])
def test_an_accountant_that_exits_crashed(timeout: float | None) -> None:
    found = check(Subject(hostile.leaves), QUERY, timeout=timeout)
    assert (found.verdict, found.cause) == ("CRASHED", "CRASHED")
    assert "exit code 5" in found.reason


@pytest.mark.parametrize("limit", [{"timeout": 60}, {"memory": 2**32}])
def test_one_limit_is_enough_for_a_process_of_its_own(limit: dict[str, int]) -> None:
    found = check(Subject(subjects.process_id), QUERY, **limit)  # type: ignore[arg-type]
    assert found.claim is not None and found.claim.value != os.getpid()


@pytest.mark.parametrize("said", [True, 3, []])
def test_supports_that_is_no_reason_refuses_nothing(said: object) -> None:
    class Supports(pv.Accountant):
        direction = "upper"

        def supports(self, query):
            return said

        def claim(self, query):
            return 1.0

    found = check(Supports(), QUERY)
    assert found.verdict == "INVALID" and "None or why not" in found.reason


def test_what_is_no_query_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"query must be a pv.Query, got 'gaussian\(1\)'"):
        check("gdp", "gaussian(1)")  # type: ignore[arg-type]


def test_a_claim_of_doubles_is_judged_and_shown_exactly() -> None:
    """Its slack was rounded up to a double; a promise of doubles ended in a traceback."""
    double = math.nextafter(1 / 3, 1)

    def claiming(direction: Any, *promise: Any) -> pv.Accountant:
        class Doubles(pv.Accountant):
            name = "doubles"

            def claim(self, query: pv.Query) -> pv.Claim:
                return pv.Claim(double, direction, "a paper", {}, *promise)

        Doubles.direction = direction
        return Doubles()

    query = pv.Query("pure_dp(1/3)", delta=0)
    found = check(claiming("upper"), query).to_json()
    assert found["slack"] == str(Fraction(double) - Fraction(1, 3))
    found = check(claiming("estimate", Promise(0.125, 0.0)), query).to_json()  # type: ignore[arg-type]
    assert found["promise"] == {"epsilon": "0.125", "delta": "0"}
