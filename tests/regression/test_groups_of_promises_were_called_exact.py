"""The group of a promise is an upper bound: "exact" made a true claim REFUTED.

Every 1-DP mechanism has total variation at most 1 − 1/e = .632 two records apart: of laws P, R, Q one after
the other, P(S) ≤ 1 − (1 − R(S))/e and Q(S) ≥ R(S)/e. The pair of 2-DP has tanh 1 = .762.
"""

import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism


@pytest.mark.parametrize("base", [pv.PureDP(1), pv.ApproximateDP(1, 0)], ids=str)
def test_a_true_claim_is_not_refuted(base: Mechanism) -> None:
    found = pv.certify(pv.Query(pv.group(base, 2), delta="0.7"), epsilon=0)
    assert found.verdict == "UNDECIDED"
    assert pv.certify(pv.Query(pv.group(base, 2), delta="0.77"), epsilon=0).verdict == "CERTIFIED"


def test_a_sampled_bound_refutes_nothing() -> None:
    ((bound, _),) = pv.group(pv.PureDP(1), 2).parts
    sampled = pv.PoissonSubsampled(bound, q="0.5")  # type: ignore[arg-type]
    assert pv.certify(pv.Query(sampled, delta="0.3"), epsilon=0).verdict == "UNDECIDED"


def test_what_is_attained_still_refutes() -> None:
    assert pv.certify(pv.Query(pv.group(pv.Gaussian(1), 2), delta="0.6"), epsilon=0).verdict == "REFUTED"
