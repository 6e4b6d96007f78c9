"""autodp 0.2.3.1: ``ana_gaussian_calibrator`` looks for noise to an absolute 1e-12 of δ.

At δ = 1e-13 that is more than δ itself: δ(ε) = Φ(1/(2σ) − εσ) − e^ε Φ(−1/(2σ) − εσ) of the answer, by mpmath.
"""

from importlib import metadata

import mpmath
import pytest
from autodp.calibrator_zoo import ana_gaussian_calibrator
from autodp.mechanism_zoo import ExactGaussianMechanism

EPSILON, DELTA = 8, 1e-13


def true_delta(sigma: float) -> float:
    with mpmath.workdps(40):
        s = mpmath.mpf(sigma)
        gain, loss = mpmath.ncdf(1 / (2 * s) - EPSILON * s), mpmath.ncdf(-1 / (2 * s) - EPSILON * s)
        return float(gain - mpmath.exp(EPSILON) * loss)


@pytest.mark.skipif(metadata.version("autodp") != "0.2.3.1", reason="found in 0.2.3.1")
def test_a_tiny_delta_is_missed() -> None:
    found = ana_gaussian_calibrator()(ExactGaussianMechanism, EPSILON, DELTA)
    assert true_delta(float(found.params["sigma"])) > 2 * DELTA
