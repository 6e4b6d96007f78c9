"""prv-accountant 0.2.0: ``PureDPMechanism.rdp`` is (α − 1)ε/α, half of the true Rényi divergence at α = 2.

Randomised response with odds e^ε: D_α = log(p^α (1−p)^{1−α} + (1−p)^α p^{1−α})/(α − 1), by mpmath.
"""

from importlib import metadata

import mpmath
import pytest
from prv_accountant import PureDPMechanism


@pytest.mark.skipif(metadata.version("prv-accountant") != "0.2.0", reason="found in 0.2.0")
@pytest.mark.parametrize("order", [2, 3])
def test_the_divergence_is_too_small(order: int) -> None:
    epsilon, a = 5, order
    with mpmath.workdps(30):
        p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
        moment = p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)
        truth = float(mpmath.log(moment) / (a - 1))
    assert PureDPMechanism(float(epsilon)).rdp(order) < 0.8 * truth
