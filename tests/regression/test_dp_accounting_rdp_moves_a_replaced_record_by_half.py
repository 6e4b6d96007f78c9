"""dp-accounting 0.6.0: the Rényi accountant does not double the sensitivity under REPLACE_ONE.

Found by ``pldverify hunt dp-accounting``, and open upstream (google/differential-privacy#378).
``GaussianDpEvent`` documents its noise multiplier as s/C for values with ‖v‖ ≤ C. A replaced value moves
their sum by up to 2C: for a noise multiplier σ the pair is N(2, σ²) against N(0, σ²). ``PLDAccountant`` takes
it so; ``RdpAccountant`` answers as under ADD_OR_REMOVE_ONE.
"""

from importlib import metadata

import pytest
from dp_accounting import NeighboringRelation, dp_event
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

import pldverify as pv

DELTA = "1e-5"
REPLACE_ONE = NeighboringRelation.REPLACE_ONE


@pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
@pytest.mark.parametrize(("sigma", "steps"), [(1, 1), (10, 100)])
def test_half_the_epsilon_is_claimed(sigma: int, steps: int) -> None:
    event = dp_event.GaussianDpEvent(float(sigma))
    claimed = RdpAccountant(neighboring_relation=REPLACE_ONE).compose(event, steps).get_epsilon(float(DELTA))
    truth = pv.epsilon(steps * pv.Gaussian(sigma, sensitivity=2), delta=DELTA, digits=6)
    assert claimed < truth.lower / 2
    assert claimed == RdpAccountant().compose(event, steps).get_epsilon(float(DELTA))
    assert PLDAccountant(REPLACE_ONE).compose(event, steps).get_epsilon(float(DELTA)) >= truth.lower


@pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
def test_and_of_laplace_noise() -> None:
    accountant = RdpAccountant(neighboring_relation=REPLACE_ONE).compose(dp_event.LaplaceDpEvent(1.0))
    truth = pv.epsilon(pv.Laplace(1, sensitivity=2), delta=DELTA, digits=6)
    assert accountant.get_epsilon(float(DELTA)) < truth.lower / 1.9
