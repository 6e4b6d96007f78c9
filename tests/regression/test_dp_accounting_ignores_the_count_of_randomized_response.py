"""dp-accounting 0.6.0: composing ``RandomizedResponseDpEvent`` with a count composes it once.

k responses that tell the truth with p are a binomial: :math:`δ(ε) = Σ_j (P_j − e^ε Q_j)_+` with
P_j = Bin(j; k, p), Q_j = Bin(j; k, 1 − p), in exact fractions but for one e^ε.
"""

import math
from fractions import Fraction
from importlib import metadata

import pytest

from pldverify.mechanisms import Query, RandomizedResponse
from pldverify.rulings.check import check


def true_delta(p: Fraction, k: int, epsilon: float) -> float:
    factor = Fraction(math.exp(epsilon))
    gaps = (p**j * (1 - p) ** (k - j) - factor * (1 - p) ** j * p ** (k - j) for j in range(k + 1))
    return float(sum(math.comb(k, j) * max(gap, Fraction(0)) for j, gap in enumerate(gaps)))


@pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
@pytest.mark.parametrize(("p", "k", "delta"), [("0.75", 10, "1e-5"), ("0.55", 100, "1e-6")])
def test_the_count_is_ignored(p: str, k: int, delta: str) -> None:
    many, one = (check("dp-accounting/pld", Query(n * RandomizedResponse(p), delta=delta)) for n in (k, 1))
    assert many.claim is not None and one.claim is not None
    assert many.claim.value == one.claim.value
    assert true_delta(Fraction(p), k, float(many.claim.value)) > 1000 * float(delta)
    assert (many.verdict, one.verdict) == ("UNSOUND", "SOUND")
