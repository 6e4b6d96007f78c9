"""Claims about noise, judged by the true ε at it. Laplace noise of scale 1/ε is ε-DP, and less is not."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms import Laplace
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.numbers.claim import Claim
from pldverify.rulings.decide import decide

QUERY = NoiseQuery(3 * Laplace(1), epsilon="3/2", delta=0)


@pytest.mark.parametrize(
    ("noise", "direction", "verdict", "severity"),
    [
        (Fraction(2), "upper", "SOUND", None),
        (Fraction(3), "upper", "SOUND", None),
        (2 - Fraction(1, 2**20), "upper", "UNSOUND", "material"),
        (2 - Fraction(1, 2**40), "upper", "UNSOUND", "rounding-level"),
        (Fraction(0), "upper", "UNSOUND", "material"),
        (Fraction(-1), "upper", "UNSOUND", "material"),
        (math.inf, "upper", "UNDECIDED", None),
        (Fraction(2), "estimate", "UNDECIDED", None),
    ],
)
def test_too_little_noise_is_unsound(noise, direction, verdict: str, severity) -> None:
    decision = decide(Claim(noise, direction, "test"), QUERY)
    assert (decision.verdict, decision.severity) == (verdict, severity)


def test_the_reason_tells_the_epsilon_at_the_noise() -> None:
    decision = decide(Claim(Fraction(1), "upper", "test"), QUERY)
    assert decision.truth is None and decision.reason.startswith("ε at the claimed noise is 3")


def test_little_noise_that_is_enough_has_no_slack_in_epsilon() -> None:
    """The claim is below 1, as a δ is, and is none."""
    found = pv.check("dp-accounting/smallest-laplace", NoiseQuery(Laplace(1), epsilon=8, delta="1e-5"))
    assert found.claim is not None and found.claim.value < 1
    assert found.slack_in_epsilon is None and found.verdict == "SOUND"


def test_a_finding_on_a_calibrated_gaussian() -> None:
    query = NoiseQuery(pv.Gaussian(1), epsilon=1, delta="1e-5")
    found = pv.check("dp-accounting/smallest-gaussian", query)
    assert found.claim is not None and abs(float(found.claim.value) - 3.730631634815958) < 1e-6
    assert found.verdict in ("SOUND", "UNSOUND")
    assert found.severity in (None, "rounding-level")
    assert found.slack is None and found.to_json()["quantity"] == "noise"
    assert pv.check("dp-accounting/pld", query).cause == "REFUSED"


@pytest.mark.parametrize(("sigma", "noise"), [("1e3000", 10**4000), ("1e-3000", Fraction(1, 10**4000))])
def test_noise_of_more_digits_than_a_parameter_may_have_is_undecided(sigma: str, noise) -> None:
    query = NoiseQuery(pv.Gaussian(sigma), epsilon=1, delta="1e-5")
    decision = decide(Claim(noise, "upper", "test"), query)
    assert (decision.verdict, decision.cause) == ("UNDECIDED", "NO TRUTH")


def test_what_is_undecided_of_noise_has_a_cause() -> None:
    assert decide(Claim(math.inf, "upper", "test"), QUERY).cause == "NO TRUTH"


@pytest.mark.parametrize(("delta", "verdict"), [("0.09", "UNSOUND"), ("0.1", "SOUND")])
def test_no_noise_publishes_the_sample(delta: str, verdict: str) -> None:
    """A record is in it with probability 1/10. An accountant that answers 0 passed the kit: UNDECIDED."""
    query = NoiseQuery(pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), epsilon=1, delta=delta)
    assert decide(Claim(Fraction(0), "upper", "test"), query).verdict == verdict
