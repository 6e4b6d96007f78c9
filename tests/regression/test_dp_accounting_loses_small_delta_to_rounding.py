"""dp-accounting 0.6.0: at δ ≤ 1e-9 the floating-point noise of its FFT makes a pessimistic ε too small.

The same composition at δ = 1e-6, where the noise is nothing beside δ, has a sound answer. The noise is of
either sign and depends on the processor, so twenty numbers of steps are asked: some are below.
"""

from importlib import metadata

import pytest

from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
from pldverify.rulings.check import check


@pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
@pytest.mark.parametrize(
    ("sigma", "q", "k", "delta", "short"),
    [("1", "0.01", 10_000, "1e-10", 1e-4), ("5", "0.3", 1_000, "1e-9", 1e-6)],
)
def test_a_pessimistic_epsilon_below_the_truth(sigma: str, q: str, k: int, delta: str, short: float) -> None:
    step = PoissonSubsampled(Gaussian(sigma), q)
    found = (check("dp-accounting/pld", Query(n * step, delta=delta)) for n in range(k, k + 20))
    assert any(one.verdict == "UNSOUND" and one.excess is not None and one.excess > short for one in found)
    assert check("dp-accounting/pld", Query(k * step, delta="1e-6")).verdict == "SOUND"
