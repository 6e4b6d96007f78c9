import json
import math
from fractions import Fraction

import pytest

from pldverify.hunt.score import violation
from pldverify.mechanisms import (
    Gaussian,
    KJH19Substitute,
    PoissonSubsampled,
    Query,
    SampledWithoutReplacement,
)
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers import Claim, Enclosure, Promise
from pldverify.rulings.finding import Finding
from pldverify.rulings.soundness import judge
from pldverify.values.value import enclosed

QUERY = Query(100 * PoissonSubsampled(Gaussian(1), "0.01"), delta="1e-5")
TRUTH = Enclosure(Fraction(2), Fraction(3), "by hand")


def finding(value, direction="upper", truth=TRUTH, **rest) -> Finding:
    claim = Claim(value, direction, "test 1.0", {"grid": "1e-4"})
    verdict = judge(claim, enclosed(truth))
    return Finding(QUERY, "test/pld", "1.0", claim, truth, **{"verdict": verdict, "seconds": 0.5, **rest})


@pytest.mark.parametrize(
    ("value", "direction", "slack", "excess"),
    [
        (Fraction(7, 2), "upper", Fraction(1, 2), None),
        (Fraction(3), "upper", Fraction(0), None),
        (Fraction(5, 2), "upper", None, None),
        (Fraction(3, 2), "upper", None, Fraction(1, 2)),
        (Fraction(3, 2), "lower", Fraction(1, 2), None),
        (Fraction(2), "lower", Fraction(0), None),
        (Fraction(5, 2), "lower", None, None),
        (Fraction(7, 2), "lower", None, Fraction(1, 2)),
        (math.inf, "upper", math.inf, None),
        (math.inf, "lower", None, math.inf),
        (Fraction(5, 2), "estimate", None, None),
    ],
)
def test_slack_and_excess_are_exact(value, direction: str, slack, excess) -> None:
    found = finding(value, direction)
    assert found.slack == slack
    assert found.excess == excess


def test_infinity_claimed_where_infinity_is_true_has_no_slack() -> None:
    infinite = Enclosure(math.inf, math.inf, "by hand")
    assert finding(math.inf, "upper", infinite).slack == 0
    assert finding(math.inf, "lower", infinite).slack == 0
    assert finding(Fraction(1), "upper", infinite).excess == math.inf
    assert finding(Fraction(1), "lower", infinite).slack == math.inf


def test_a_number_beyond_doubles_beside_an_infinite_truth() -> None:
    """An OverflowError."""
    infinite = Enclosure(math.inf, math.inf, "by hand")
    assert finding(Fraction(10) ** 400, "upper", infinite).to_json()["excess"] == "inf"
    assert finding(Fraction(10) ** 400, "lower", infinite).to_json()["slack"] == "inf"


def test_a_verdict_that_the_enclosure_did_not_decide_has_no_slack() -> None:
    assert finding(Fraction(5, 2), verdict="SOUND").slack is None
    assert finding(Fraction(5, 2), verdict="UNSOUND").excess is None


def test_the_observed_error_is_signed() -> None:
    assert finding(Fraction(3), "estimate").error == 0.5
    assert finding(Fraction(2), "estimate").error == -0.5
    assert finding(math.inf).error is None
    assert finding(Fraction(2), truth=Enclosure(Fraction(2), math.inf, "by hand")).error is None


ABOVE = RenyiQuery(SampledWithoutReplacement(Gaussian(1), q="0.1"), order=2)
BELOW = Query(KJH19Substitute(Gaussian(1), q="0.3"), delta="1e-6", adjacency="replace-one")


@pytest.mark.parametrize(("query", "value"), [(ABOVE, 1), (BELOW, 4)], ids=["above", "below"])
def test_an_estimate_is_as_far_from_the_truth_as_that_is_known(query: Query, value: int) -> None:
    """It was told how far it is from the pairs' value, which bounds the true one from one side, and a hunt
    called it a wrong estimate.
    """
    two = Enclosure(Fraction(2), Fraction(2), "by hand")
    found = Finding(query, "test", "1", Claim(value, "estimate", "test"), two, "UNDECIDED", 0.5)
    assert None in found.proved.ends and not found.proved.is_unknown
    assert found.error is None and violation(found) < 0


@pytest.mark.parametrize("value", [Fraction(0.1) + 3, Fraction(10, 3), Fraction(2) + Fraction(1, 2**200)])
def test_json_numbers_round_trip_exactly(value: Fraction) -> None:
    truth = Enclosure(Fraction(2, 3**5), Fraction(3) - Fraction(1, 2**150), "by hand")
    found = finding(value, truth=truth)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert Fraction(data["claim"]) == value
    assert Fraction(data["lower"]) == truth.lower and Fraction(data["upper"]) == truth.upper
    assert data["claim_float"] == float(value)
    if found.slack is not None:
        assert Fraction(data["slack"]) == found.slack


def test_json_says_everything_about_the_finding() -> None:
    data = finding(Fraction(7, 2)).to_json()
    assert data == {
        "schema": "pldverify-finding/2",
        "verdict": "SOUND",
        "severity": None,
        "accountant": "test/pld",
        "version": "1.0",
        "query": str(QUERY),
        "composition": "100 * poisson(gaussian(sigma=1), q=0.01)",
        "adjacency": "add-or-remove",
        "quantity": "epsilon",
        "delta": "1e-5",
        "epsilon": None,
        "order": None,
        "alpha": None,
        "loss": None,
        "direction": "upper",
        "claim": "3.5",
        "lower": "2",
        "upper": "3",
        "lower_by": "some neighbours have the pair, engine by hand",
        "upper_by": "the pair dominates all neighbours, engine by hand",
        "lower_strict": False,
        "upper_strict": False,
        "shown": {"claim": "3.5", "truth": "[2.00000, 3.00000]", "lower": "2.00000", "upper": "3.00000"},
        "slack": "0.5",
        "excess": None,
        "tightness": "0.5",
        "claim_float": 3.5,
        "lower_float": 2.0,
        "upper_float": 3.0,
        "slack_float": 0.5,
        "excess_float": None,
        "tightness_float": 0.5,
        "error_float": 1.0,
        "promise": None,
        "parameters": {"grid": "1e-4"},
        "engine": "by hand",
        "seconds": 0.5,
        "reason": "",
        "cause": None,
    }


def test_json_of_infinity_and_of_a_promise() -> None:
    data = json.loads(json.dumps(finding(math.inf).to_json(), allow_nan=False))
    assert (data["claim"], data["claim_float"], data["slack"]) == ("inf", None, "inf")
    claim = Claim(Fraction(1), "estimate", "test", promise=Promise(Fraction(1, 10), Fraction(1, 10**8)))
    promised = Finding(QUERY, "test/pld", "1.0", claim, TRUTH, "UNSOUND", 0.5)
    assert promised.to_json()["promise"] == {"epsilon": "0.1", "delta": "1e-8"}


def test_json_of_a_failure() -> None:
    failed = Finding(
        QUERY, "test/pld", "1.0", None, None, "CRASHED", 0.5, "test/pld 1.0 raised ValueError: x", "RAISED"
    )
    data = json.loads(json.dumps(failed.to_json(), allow_nan=False))
    assert (data["reason"], data["cause"]) == ("test/pld 1.0 raised ValueError: x", "RAISED")
    assert {data[key] for key in ("claim", "lower", "upper", "direction", "engine", "error_float")} == {None}


def test_the_print_beside_a_verdict_supports_it() -> None:
    """Beside a SOUND claim of 1.19 stood 1.2 ± 0.019."""
    narrow = Enclosure(Fraction("1.18113"), Fraction("1.18903"), "by hand")
    for value in (Fraction("1.19"), Fraction("1.181")):
        assert dict(finding(value, truth=narrow).rows())["true ε"] == "[1.18113, 1.18903]"


def test_the_rows_tell_the_severity() -> None:
    wrong = finding(Fraction(1), verdict="UNSOUND", severity="material")
    assert dict(wrong.rows())["severity"] == "material"
