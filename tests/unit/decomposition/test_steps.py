"""Terms from balls: what is not finite promises nothing, and what is observed must be finite."""

import math

import pytest
from flint import arb

from pldverify.decomposition.steps import exact_sum, observed_term
from pldverify.errors import SubjectFailure


@pytest.mark.parametrize("missing", [arb("nan"), arb.pos_inf(), arb.neg_inf()])
def test_a_promise_that_is_not_finite_promises_nothing(missing: arb) -> None:
    term = observed_term("tail", arb(1), missing, missing, "t")
    assert (term.low, term.high, term.verdict) == (-math.inf, math.inf, "NO BOUND")
    assert observed_term("tail", arb(1), arb(0), missing, "t").verdict == "INSIDE"


def test_a_promise_is_rounded_outward() -> None:
    term = observed_term("tail", arb(0), arb(-1, 2), arb(1, 2), "t")
    assert -4 < term.low <= -3 and 3 <= term.high < 4


@pytest.mark.parametrize("value", [arb("nan"), arb.pos_inf()])
def test_what_is_observed_is_finite(value: arb) -> None:
    with pytest.raises(SubjectFailure, match="not finite"):
        observed_term("tail", value, arb(0), arb(1), "t")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_sum_is_a_number(value: float) -> None:
    with pytest.raises(SubjectFailure):
        exact_sum(value)
