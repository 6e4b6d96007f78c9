"""prv-accountant 0.2.0: four steps of pure DP with ε = 10 are said to be (20.1, 1e-6)-DP.

Found by ``pldverify hunt prv-accountant``. The domain of the FFT comes from ``PureDPMechanism.rdp``, which is
too small (test_prv_accountant_halves_the_divergence_of_pure_dp.py): the loss of 40 lies outside, and comes
back at the other end. With ten steps the upper bound on ε is negative.

Randomised response with odds e^ε has this privacy loss: δ(t) of k steps is Σ_j (P_j − e^t Q_j)_+ with
P_j = Bin(j; k, p), Q_j = Bin(j; k, 1 − p), by mpmath.
"""

from importlib import metadata
from math import comb

import mpmath
import pytest
from prv_accountant import PRVAccountant, PureDPMechanism

EPSILON, DELTA = 10, 1e-6


def claimed(k: int) -> float:
    accountant = PRVAccountant(
        prvs=[PureDPMechanism(float(EPSILON))], max_self_compositions=[k], eps_error=0.1, delta_error=1e-9
    )
    _, _, upper = accountant.compute_epsilon(DELTA, [k])
    return float(upper)


def true_delta(k: int, at: float) -> float:
    with mpmath.workdps(60):
        p = 1 / (1 + mpmath.exp(-EPSILON))
        q = 1 - p
        gaps = (p**j * q ** (k - j) - mpmath.exp(at) * q**j * p ** (k - j) for j in range(k + 1))
        return float(mpmath.fsum(comb(k, j) * max(gap, 0) for j, gap in enumerate(gaps)))


@pytest.mark.skipif(metadata.version("prv-accountant") != "0.2.0", reason="found in 0.2.0")
def test_an_upper_bound_on_epsilon_is_half_of_the_true_one() -> None:
    assert claimed(1) >= EPSILON
    assert claimed(4) < 21
    assert true_delta(4, 39) > 0.6


@pytest.mark.skipif(metadata.version("prv-accountant") != "0.2.0", reason="found in 0.2.0")
def test_an_upper_bound_on_epsilon_is_negative() -> None:
    assert claimed(10) < 0
    assert true_delta(10, 50) > 0.99
