"""dp-accounting 0.6.0: optimistic estimates, lower bounds, are far above the truth at δ of about 1e-15.

With that library alone, for 10 steps of σ = 0.7, q = 0.001 at ε = 9, and 100 steps of σ = 10 at δ = 1e-15:

    from dp_accounting.pld import privacy_loss_distribution as pld
    options = {"pessimistic_estimate": False, "use_connect_dots": False}
    sampled = pld.from_gaussian_mechanism(0.7, sampling_prob=0.001, **options)
    sampled.self_compose(10).get_delta_for_epsilon(9)        # 1e-15, and 1.2e-28 is true
    whole = pld.from_gaussian_mechanism(10.0, **options)
    whole.self_compose(100).get_epsilon_for_delta(1e-15)     # 8.89, and 8.17 is true

``DensePLDPmf.self_compose`` adds its ``tail_mass_truncation`` of 1e-15 to the mass at infinity, whether the
estimate is pessimistic or not.
"""

from importlib import metadata

import pytest

import pldverify as pv

pytestmark = pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")
OPTIONS = {"pessimistic_estimate": False, "use_connect_dots": False}


@pytest.mark.slow
def test_a_lower_bound_on_delta() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    sampled = pld.from_gaussian_mechanism(0.7, sampling_prob=0.001, **OPTIONS)
    lower = sampled.self_compose(10).get_delta_for_epsilon(9)
    true = pv.delta(10 * pv.PoissonSubsampled(pv.Gaussian("0.7"), q="0.001"), epsilon=9)
    assert true.upper < 2e-28 and lower > 9e-16


def test_a_lower_bound_on_epsilon() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    lower = pld.from_gaussian_mechanism(10.0, **OPTIONS).self_compose(100).get_epsilon_for_delta(1e-15)
    found = pv.check("dp-accounting/pld-optimistic", pv.Query(100 * pv.Gaussian(10), delta="1e-15"))
    assert found.truth is not None and lower > found.truth.upper + 0.7
    assert (found.verdict, found.severity) == ("UNSOUND", "material")
