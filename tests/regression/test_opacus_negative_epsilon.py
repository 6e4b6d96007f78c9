"""opacus 1.6.0: its accountants return a negative ε where the run is (0, δ)-DP.

Found by ``pldverify hunt opacus``. One step at σ = 3.9 and q = 0.0085 has δ(0) < 0.25, so ε(0.25) = 0; the
PRV accountant says −0.277, and the Rényi accountant −0.288. What adds up budgets gets one back.
"""

from importlib import metadata

import pytest

import pldverify as pv

accountants = pytest.importorskip("opacus.accountants")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(metadata.version("opacus") != "1.6.0", reason="found in 1.6.0"),
]
SIGMA, Q, DELTA = 3.9, 0.0085, 0.25


def test_the_true_epsilon_is_zero() -> None:
    step = pv.PoissonSubsampled(pv.Gaussian("3.9"), "0.0085")
    assert pv.delta(step, epsilon=0).upper < DELTA


@pytest.mark.parametrize("kind", ["PRVAccountant", "RDPAccountant"])
def test_a_negative_epsilon_is_returned(kind: str) -> None:
    accountant = getattr(accountants, kind)()
    accountant.history = [(SIGMA, Q, 1)]
    assert accountant.get_epsilon(DELTA) < -0.2
