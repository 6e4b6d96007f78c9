"""KJH19 8: Newton's method from ε₀ = 0 comes from the left here, and stops where δ(ε) is still above δ.

The stop is |δ(ε) − δ| ≤ tol, tol = δ/1000: the ε is too small by the accountant's own δ(ε). It need not come
from the left: δ is convex in e^ε, not in ε (KJH19/sec-8/newton).
"""

import pytest

from pldverify.accountants.fourier import FourierUpper
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
from pldverify.rulings.check import check


@pytest.mark.parametrize(
    ("sigma", "q", "k", "delta"), [("1.5", "0.05", 1_000, "1e-8"), ("1", "0.1", 1, "1e-5")]
)
def test_its_own_delta_at_its_epsilon_is_above_delta(sigma: str, q: str, k: int, delta: str) -> None:
    composition = k * PoissonSubsampled(Gaussian(sigma), q)
    found = check("fourier/upper", Query(composition, delta=delta))
    assert found.claim is not None
    again = FourierUpper().claim(Query(composition, epsilon=found.claim.value))
    assert 1 + 1e-5 < float(again.value) / float(delta) < 1 + 2e-3
    assert found.verdict == "UNSOUND"
    tight = FourierUpper(newton_tol=1e-9).claim(Query(composition, delta=delta))
    assert tight.value > found.claim.value + found.excess  # above the truth, but for its discretisation
