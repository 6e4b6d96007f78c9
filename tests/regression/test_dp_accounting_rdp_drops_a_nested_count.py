"""dp-accounting 0.6.0: the Rényi accountant forgets a nested count where the noise multiplier is an int.

100 releases of N(0, 10²) on one Poisson sample are one of N(0, 1²): the library computes that noise
multiplier where 10 is a float, and takes 10 itself where it is an int.
"""

from importlib import metadata

import dp_accounting
import pytest
from dp_accounting.rdp import RdpAccountant

import pldverify as pv

DELTA = "1e-6"


def claimed(noise_multiplier: float) -> float:
    releases = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(noise_multiplier), 100)
    event = dp_accounting.PoissonSampledDpEvent(0.01, releases)
    return float(RdpAccountant().compose(event, 1000).get_epsilon(float(DELTA)))


@pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
def test_an_integer_costs_the_guarantee() -> None:
    truth = pv.epsilon(1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), delta=DELTA, digits=6)
    assert claimed(10.0) > truth.upper
    assert claimed(10) < truth.lower / 10
