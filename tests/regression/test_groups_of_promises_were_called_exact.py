"""The m-fold promise of a group only bounds, and was called exact: a true claim was REFUTED.

Every 1-DP mechanism has total variation at most 1 − 1/e = .632 two records apart: of laws P, R, Q one after
the other, P(S) ≤ 1 − (1 − R(S))/e and Q(S) ≥ R(S)/e. The pair of 2-DP has tanh 1 = .762.
"""

import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism


@pytest.mark.parametrize("base", [pv.PureDP(1), pv.ApproximateDP(1, 0)], ids=str)
def test_a_true_claim_is_not_refuted(base: Mechanism) -> None:
    for delta, verdict in (("0.7", "CERTIFIED"), ("0.633", "CERTIFIED"), ("0.632", "REFUTED")):
        assert pv.certify(pv.Query(pv.group(base, 2), delta=delta), epsilon=0).verdict == verdict


def test_what_is_attained_still_refutes() -> None:
    assert pv.certify(pv.Query(pv.group(pv.Gaussian(1), 2), delta="0.6"), epsilon=0).verdict == "REFUTED"
