"""dp-accounting 0.6.0: ε(1e-7) of discrete Gaussians is 1.6e-7 below the truth, by the noise of the FFT.

With that library alone, for 100 steps of σ = 1:

    from dp_accounting.pld import privacy_loss_distribution as pld
    pld.from_discrete_gaussian_mechanism(sigma=1).self_compose(100).get_epsilon_for_delta(1e-7)

It prints 101.13269957…, and 101.13269974… is true. Pessimistic rounding gives away less than the noise takes:
the losses are whole multiples of 1 and fall on the grid.
"""

from importlib import metadata

import pytest

import pldverify as pv


@pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
def test_an_upper_bound_below_the_truth() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    said = pld.from_discrete_gaussian_mechanism(sigma=1).self_compose(100).get_epsilon_for_delta(1e-7)
    found = pv.check("dp-accounting/functions", pv.Query(100 * pv.DiscreteGaussian(1), delta="1e-7"))
    assert found.claim is not None and float(found.claim.value) == said
    assert found.truth is not None and said < found.truth.lower - 1e-7
    assert (found.verdict, found.severity) == ("UNSOUND", "material")
