"""Two steps of one draw with replacement: a claim above every attack was REFUTED by a pair not attained.

One draw of n records is a batch of one without replacement, whose composed pair only bounds: the changed
record stands on either side from step to step, but not on both at once.
"""

from fractions import Fraction

import pytest

import pldverify
from pldverify.mechanisms import Gaussian, Query, SampledWithoutReplacement, SampledWithReplacement
from pldverify.numbers import Claim
from pldverify.rulings.certify import certify
from pldverify.rulings.decide import decide


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sigma", "n", "epsilon", "delta"),
    [
        (1, 2, "0.2", "0.4943"),  # the best adaptive attack found has 0.48446, the pair 0.50415
        (2, 10, "0.05", None),
        (1, 10, "0.1", None),
    ],
)
def test_a_claim_between_attack_and_pair_is_not_refuted(sigma: int, n: int, epsilon: str, delta: str) -> None:
    step = SampledWithReplacement(Gaussian(sigma), m=1, n=n)
    of_pair = pldverify.delta(2 * step, epsilon=epsilon)
    claimed = Fraction(delta) if delta else Fraction(of_pair.lower) * 999 / 1000
    assert claimed < of_pair.lower
    known = decide(Claim(claimed, "upper", "test"), Query(2 * step, epsilon=epsilon))
    assert (known.verdict, known.cause) == ("UNDECIDED", "UPPER BOUND ONLY")
    certificate = certify(Query(2 * step, delta=claimed), epsilon)
    assert (certificate.verdict, certificate.cause) == ("UNDECIDED", "UPPER BOUND ONLY")
    assert certificate.truth_is == "upper bound"


ONE_DRAW = SampledWithReplacement(Gaussian(1), m=1, n=4), SampledWithoutReplacement(Gaussian(1), "1/4")


@pytest.mark.parametrize(
    ("count", "claimed", "verdict"),
    [
        (1, "0.2", "REFUTED"),
        (2, "0.2", "REFUTED"),
        pytest.param(2, "4.57", "UNDECIDED", marks=pytest.mark.slow),
    ],
)
def test_one_draw_and_a_batch_of_one_have_one_verdict(count: int, claimed: str, verdict: str) -> None:
    assert {certify(Query(count * step, delta="0.01"), claimed).verdict for step in ONE_DRAW} == {verdict}


@pytest.mark.parametrize(("count", "verdict"), [(1, "UNSOUND"), (2, "UNDECIDED")])
def test_a_claim_just_below_the_pair_is_refuted_of_one_step_alone(count: int, verdict: str) -> None:
    query = [Query(count * step, epsilon="0.2") for step in ONE_DRAW]
    claimed = Fraction(pldverify.delta(query[0].composition, epsilon="0.2").lower) * 999 / 1000
    assert {decide(Claim(claimed, "upper", "test"), each).verdict for each in query} == {verdict}


def test_two_draws_are_not_refuted_by_their_pair() -> None:
    """A data set refutes far below it."""
    query = Query(SampledWithReplacement(Gaussian(1), m=2, n=10), delta="1e-3")
    of_pair = pldverify.epsilon(query.composition, delta="1e-3")
    assert certify(query, of_pair.lower * Fraction(99, 100)).verdict == "UNDECIDED"
    assert certify(query, "0.01").verdict == "REFUTED"
    assert certify(query, 100).verdict == "CERTIFIED"


def test_batches_of_all_records_are_refuted_at_any_number_of_steps() -> None:
    assert certify(Query(5 * SampledWithoutReplacement(Gaussian(1), 1), delta="1e-3"), 1).verdict == "REFUTED"
