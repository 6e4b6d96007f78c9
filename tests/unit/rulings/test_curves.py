"""Claims about tails and trade-off points, judged: closed forms, and what a bound of the truth is for."""

import math
from fractions import Fraction
from statistics import NormalDist

import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.enclosure import Enclosure
from pldverify.rulings.decide import decide

NORMAL = NormalDist()
TAIL = pv.TailQuery(pv.Gaussian(1), loss="3/2")
"""The loss is N(1/2, 1)."""
TRADE = pv.TradeOffQuery(pv.Gaussian(1), alpha="0.05")
TRUE_TAIL = math.erfc(1 / math.sqrt(2)) / 2
TRUE_BETA = NORMAL.cdf(NORMAL.inv_cdf(0.95) - 1)


@pytest.mark.parametrize(("query", "true"), [(TAIL, TRUE_TAIL), (TRADE, TRUE_BETA)])
def test_bounds_are_judged_by_the_closed_form(query: Query, true: float) -> None:
    more, less = Fraction(true) * (1 + Fraction(1, 10**9)), Fraction(true) * (1 - Fraction(1, 10**9))
    for value, direction, verdict in (
        (more, "upper", "SOUND"),
        (less, "upper", "UNSOUND"),
        (less, "lower", "SOUND"),
        (more, "lower", "UNSOUND"),
        (Fraction(1), "upper", "SOUND"),
        (Fraction(0), "lower", "SOUND"),
        (Fraction(-1), "upper", "UNSOUND"),
        (Fraction(2), "lower", "UNSOUND"),
    ):
        assert decide(Claim(value, direction, "test"), query).verdict == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(("error", "verdict"), [("1e-6", "SOUND"), ("1e-8", "UNSOUND")])
@pytest.mark.parametrize(("query", "true"), [(TAIL, TRUE_TAIL), (TRADE, TRUE_BETA)])
def test_an_estimate_is_judged_by_its_error_in_probability(
    query: Query, true: float, error: str, verdict: str
) -> None:
    promise = Promise(Fraction(0), Fraction(error))
    claim = Claim(Fraction(true) + Fraction(1, 10**7), "estimate", "test", {}, promise)
    assert decide(claim, query).verdict == verdict


def test_an_accountant_is_asked_and_its_finding_says_what_was_asked() -> None:
    class Believes(pv.Accountant):
        direction = "lower"
        asks = (pv.TradeOffQuery, pv.TailQuery)

        def claim(self, query: Query) -> float:
            return 0.5 if query.composition == TRADE.composition else 0.75

    found = pv.check(Believes(), TRADE)
    assert found.verdict == "SOUND" and found.slack is not None
    assert abs(float(found.slack) - (TRUE_BETA - 0.5)) < 1e-6
    worse = pv.check(Believes(), pv.TradeOffQuery(4 * pv.Gaussian(2, 2), alpha="0.5"))
    assert (worse.verdict, worse.severity) == ("UNSOUND", "material")
    assert worse.excess is not None and abs(float(worse.excess) - (0.75 - NORMAL.cdf(-2))) < 1e-6
    assert found.to_json()["quantity"] == "trade-off" and dict(found.rows())["claim"] == "β ≥ 0.5"
    asked = pv.check(Believes(), TAIL).to_json()
    assert asked["quantity"] == "tail" and asked["loss"] == "1.5" and asked["alpha"] is None
    assert found.to_json()["alpha"] == "0.05" and found.to_json()["order"] is None
    assert "not asked for the quantity trade-off" in pv.check("rdp", TRADE).reason


def known(low: str, high: str) -> Enclosure:
    return Enclosure(Fraction(low), Fraction(high), "test")


UPPER_BOUND = pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1")  # twice, no data sets have the pair
PRINTED = pv.KJH19Substitute(pv.Gaussian(2), q="0.1")


@pytest.mark.parametrize(
    ("mechanism", "direction", "value", "verdict", "cause"),
    [
        # f of the pairs is at most the true f: it is enough for a lower claim
        (UPPER_BOUND, "lower", "0.4", "SOUND", None),
        (UPPER_BOUND, "lower", "0.6", "UNDECIDED", "UPPER BOUND ONLY"),
        (UPPER_BOUND, "upper", "0.6", "UNDECIDED", "UPPER BOUND ONLY"),
        # and of printed pairs that do not dominate, at least the true f
        (PRINTED, "lower", "0.4", "UNDECIDED", "PRINTED PAIR"),
        (PRINTED, "lower", "0.6", "UNSOUND", None),
        (PRINTED, "upper", "0.6", "SOUND", None),
    ],
)
def test_a_trade_off_is_bounded_from_the_other_side(
    mechanism: Mechanism, direction: str, value: str, verdict: str, cause: str | None
) -> None:
    query = pv.TradeOffQuery(2 * mechanism, alpha="1/4")
    claim = Claim(Fraction(value), direction, "test")  # type: ignore[arg-type]
    found = decide(claim, query, truth=lambda query, digits: known("0.49", "0.51"))
    assert (found.verdict, found.cause) == (verdict, cause)


@pytest.mark.parametrize("mechanism", [UPPER_BOUND, PRINTED])
@pytest.mark.parametrize("direction", ["upper", "lower"])
@pytest.mark.parametrize("value", ["0.4", "0.6"])
def test_a_tail_of_pairs_that_are_not_its_own_decides_nothing(
    mechanism: Mechanism, direction: str, value: str
) -> None:
    query = pv.TailQuery(2 * mechanism, loss="1/4")
    claim = Claim(Fraction(value), direction, "test")  # type: ignore[arg-type]
    found = decide(claim, query, truth=lambda query, digits: known("0.49", "0.51"))
    assert found.verdict == "UNDECIDED" and found.cause in ("UPPER BOUND ONLY", "PRINTED PAIR")


def test_an_infinite_probability_is_no_claim() -> None:
    assert decide(Claim(math.inf, "upper", "test"), TAIL).cause == "INVALID"
