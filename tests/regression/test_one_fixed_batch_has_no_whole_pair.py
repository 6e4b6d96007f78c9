"""The pair of one batch of a fixed size is put together from two, which different neighbours have: every δ(ε)
is attained, a Rényi divergence or a tail is not. "D_α ≤ 0.02 at α = 1/2" was REFUTED, and is true.

Outputs are (1 − q) N(y) + q N(x) against (1 − q) N(y) + q N(x′), |x|, |x′|, |y| ≤ C; by joint convexity the
largest divergence of order 1/2 is at such triples, and quadrature finds 0.01826 (pldverify said 0.0220).
"""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.numbers.claim import Claim, Direction
from pldverify.rulings.decide import decide
from pldverify.values.divergences import divergence

HALF = 1 * pv.SampledWithoutReplacement(pv.Gaussian("3.7"), q="0.5")
TRUE = Fraction("0.01826")


@pytest.mark.parametrize(
    "mechanism", [HALF, 1 * pv.SampledWithReplacement(pv.Gaussian("3.7"), m=1, n=2)], ids=str
)
def test_a_divergence_is_only_bounded(mechanism: pv.Composition) -> None:
    value = divergence(mechanism, "replace-one", "1/2")
    lower, upper = value.ends
    assert lower is not None and upper is not None
    assert 0 < lower < TRUE < Fraction("0.022") < upper


@pytest.mark.parametrize(
    ("value", "direction", "verdict"),
    [("0.02", "upper", "UNDECIDED"), ("0.02", "lower", "UNDECIDED"), ("0.03", "upper", "SOUND")],
)
def test_no_accountant_is_accused(value: str, direction: Direction, verdict: str) -> None:
    query = pv.RenyiQuery(HALF, order="1/2", adjacency="replace-one")
    assert decide(Claim(Fraction(value), direction, "one"), query).verdict == verdict


@pytest.mark.parametrize("direction", ["upper", "lower"])
def test_a_tail_has_no_ends(direction: Direction) -> None:
    query = pv.TailQuery(HALF, loss="0.1", adjacency="replace-one")
    for value in ("0.001", "0.999"):
        assert decide(Claim(Fraction(value), direction, "one"), query).verdict == "UNDECIDED"


def test_its_profile_is_attained() -> None:
    query = pv.Query(HALF, epsilon="0.1", adjacency="replace-one")
    assert decide(Claim(Fraction("0.001"), "upper", "one"), query).verdict == "UNSOUND"
