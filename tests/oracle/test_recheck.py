"""The checker and the reference, two methods, on random compositions: they never contradict each other."""

import json
import math
import random
from fractions import Fraction

import pytest

import pldverify as pv
from benchmarks.rechecking import composition
from pldverify import recheck
from pldverify.certificate.issue import document


@pytest.mark.parametrize(
    "seed", [n if n % 4 == 0 else pytest.param(n, marks=pytest.mark.slow) for n in range(24)]
)
def test_bounds_lie_around_the_truth_and_close_in(seed: int) -> None:
    """δ at a random ε, in every direction, by two grids."""
    rng = random.Random(seed)
    whole, epsilon = composition(rng), Fraction(rng.randint(1, 40), 10)
    for adjacency, remove in (("remove", True), ("add", False)):
        query = pv.Query(whole, delta="1e-5", adjacency=adjacency)
        claim = recheck.claim_of(json.loads(document(pv.certify(query, 1000)).text()))
        claim = claim._replace(epsilon=epsilon)
        under = (claim.under or claim)._replace(epsilon=epsilon)
        truth = pv.bracket(whole, epsilon=epsilon, adjacency=adjacency, seconds=60)
        widths = []
        for size in (300, 1500):
            lower = recheck.bound(under, remove, recheck.Lower, size, [0])
            upper = recheck.bound(claim, remove, recheck.Upper, size, [0])
            assert lower <= truth.upper and truth.lower <= upper
            widths.append(upper - lower)
        assert widths[1] <= max(widths[0] / 2, Fraction(1, 10**10))


QUICK = (0, 1, 3, 4, 7, 8)


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.slow) for n in range(24)]
)
def test_claims_with_a_slack_of_a_thousandth_are_decided_alike(seed: int) -> None:
    """A thousandth from what the reference proves, above and below."""
    rng = random.Random(1000 + seed)
    whole, delta = composition(rng), rng.choice(["1e-3", "1e-5", "1e-8"])
    truth = pv.bracket(whole, delta=delta, seconds=60)
    if truth.upper == math.inf:  # δ is below the probability of an infinite loss
        certificate = pv.certify(pv.Query(whole, delta=delta), 5)
        outcome, _ = recheck.recheck(recheck.parse(document(certificate).text().encode()))
        assert (certificate.verdict, outcome) == ("REFUTED", "CONFIRMED")
        return
    above, below = Fraction(truth.upper) + Fraction(1, 1000), Fraction(truth.lower) - Fraction(1, 1000)
    for claimed in (Fraction(round(x * 10**7), 10**7) for x in (above, below) if x >= 0):
        certificate = pv.certify(pv.Query(whole, delta=delta), claimed, relation=rng.choice(["<=", ">="]))
        outcome, lines = recheck.recheck(recheck.parse(document(certificate).text().encode()))
        assert outcome == "CONFIRMED", (certificate.verdict, lines)
