"""dp-accounting 0.6.0: an upper bound on δ that is negative, −1.8e-11 at ε = 8.

With that library alone, for 10⁶ steps of discrete Laplace noise of b = 1000:

    from dp_accounting.pld import privacy_loss_distribution as pld
    step = pld.from_discrete_laplace_mechanism(parameter=1e-3)
    step.self_compose(10**6).get_delta_for_epsilon(8)    # -1.83e-11

What the FFT leaves where the masses are 0 is of either sign, and ``get_delta_for_epsilon`` sums it up. For
the same reason ε(1e-12) is 153, where about 7.2 is true.
"""

from importlib import metadata

import pytest

import pldverify as pv

pytestmark = pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")


def test_delta_is_negative() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    whole = pld.from_discrete_laplace_mechanism(parameter=1e-3).self_compose(10**6)
    assert -1e-10 < whole.get_delta_for_epsilon(8) < -1e-12
    assert whole.get_epsilon_for_delta(1e-12) > 100


def test_the_true_delta_is_not() -> None:
    true = pv.bracket(10**6 * pv.DiscreteLaplace(1000), epsilon=8, digits=2, seconds=60)
    assert true.lower > 0 and true.upper < 1e-13
    assert pv.bracket(10**6 * pv.DiscreteLaplace(1000), delta="1e-12", digits=3, seconds=60).upper < 7.3
