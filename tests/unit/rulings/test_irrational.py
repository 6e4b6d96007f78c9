"""A budget with irrational numbers is certified by its worse end, and refuted by its better one."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.irrational import Irrational
from pldverify.rulings.decide import decide

STEP = pv.PoissonSubsampled(pv.Gaussian("sqrt(2)"), "512/50000")
QUERY = pv.Query(1000 * STEP, delta="1/(50000*ln(50000))")  # ε = 1.144137445746…


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    [("1.145", "CERTIFIED"), ("1.144", "REFUTED"), ("sqrt(1.311)", "CERTIFIED"), ("ln(3.139)", "REFUTED")],
)
def test_the_ruling(epsilon: str, verdict: str) -> None:
    certificate = pv.certify(QUERY, epsilon)
    assert certificate.verdict == verdict
    told = certificate.to_json()
    assert told["delta"] == "1/(50000*ln(50000))" and "sqrt(2)" in str(told["composition"])


def test_a_claim_of_the_true_number_is_not_decided_by_its_rounding() -> None:
    """ln 3 is the ε of pure_dp(ln 3): both are known to 90 digits, and no ruling may rest on the 91st."""
    assert pv.certify(pv.Query("pure_dp(ln(3))", delta=0), "ln(3)").verdict == "UNDECIDED"
    assert pv.certify(pv.Query("pure_dp(ln(3))", delta=0), "1.0986123").verdict == "CERTIFIED"
    assert pv.certify(pv.Query("pure_dp(ln(3))", delta=0), "1.0986122").verdict == "REFUTED"


@pytest.mark.parametrize(
    ("low", "high", "at_most", "at_least", "equal"),
    [
        ("1", "1.1", "REFUTED", "CERTIFIED", "REFUTED"),
        ("1", "1.2", "UNDECIDED", "UNDECIDED", "UNDECIDED"),
        ("1.15", "1.2", "CERTIFIED", "REFUTED", "REFUTED"),
    ],
)
def test_a_claim_is_held_to_its_worse_end(low, high, at_most, at_least, equal) -> None:
    """Ends far apart, so that taking the better end for the worse would show."""
    claim = Irrational(Fraction(low), Fraction(high), "claim")
    assert pv.certify(QUERY, claim).verdict == at_most
    assert pv.certify(QUERY, claim, relation=">=").verdict == at_least
    assert pv.certify(QUERY, claim, relation="=").verdict == equal


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [("0.9", "REFUTED"), ("1.7", "UNDECIDED"), ("2.4", "CERTIFIED")]
)
def test_a_budget_is_held_to_its_worse_end(epsilon: str, verdict: str) -> None:
    """ε lies between 1.144 at σ = √2 and δ above, and more at σ = 1 and at δ = 1e-6."""
    sigma = Irrational(Fraction(1), Fraction(3, 2), "sigma")
    delta = Irrational(Fraction(1, 10**6), Fraction(1, 10**5), "delta")
    query = pv.Query(1000 * pv.PoissonSubsampled(pv.Gaussian(sigma), "512/50000"), delta=delta)
    assert pv.certify(query, epsilon).verdict == verdict


def test_a_promise_that_is_not_told_from_delta_decides_nothing() -> None:
    """δ − promise lies on both sides of 0: whether the estimate promises a lower bound is not known."""
    promise = Promise(Fraction(1), QUERY.middle().delta)
    decision = decide(Claim(Fraction(1), "estimate", "hostile", promise=promise), QUERY)
    assert (decision.verdict, decision.cause) == ("UNDECIDED", "TOO WIDE")


def test_an_accountant_is_asked_the_fraction_next_to_it_and_judged_by_the_number() -> None:
    finding = pv.check("prv/upper", QUERY)
    assert finding.verdict == "SOUND" and finding.query == QUERY
    assert finding.to_json()["delta"] == "1/(50000*ln(50000))"
    assert pv.check("prv/estimate", QUERY).verdict == "SOUND"  # by its promise, which shifts δ
