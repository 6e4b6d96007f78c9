"""An estimate is judged by shifted queries, whose ends stood beside its own: SOUND, "true ε ≤ 1.73824" of an
ε that is at least 2.911; and where they excluded each other, no print at all.
"""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.accountants.ask import Answer
from pldverify.numbers.claim import Claim, Promise
from pldverify.rulings.check import finding


def judged(query: pv.Query, value: float, promise: Promise) -> pv.Finding:
    claim = Claim(Fraction(value), "estimate", "near", promise=promise)
    return finding("near", query, Answer("1", 0.0, claim))


@pytest.mark.parametrize("claim", [4, 5, 9.5])
def test_no_end_is_of_another_query(claim: float) -> None:
    """All others −C, and C against −C: 5 · poisson(gaussian(2, sensitivity 2), 0.1) has 2.91108."""
    query = pv.Query(
        5 * pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1"), delta="1e-6", adjacency="replace-one"
    )
    upper = judged(query, claim, Promise(Fraction(1, 10), Fraction(1, 1000))).proved.ends[1]
    assert upper is None or upper > Fraction("2.911")


def test_a_finding_is_printed() -> None:
    found = judged(pv.Query(pv.Gaussian(1), delta="1e-10"), 6.5, Promise(Fraction(1, 10), Fraction(1, 10**9)))
    assert "6.54792" in found.shown["truth"] and found.to_json()["verdict"] == found.verdict
