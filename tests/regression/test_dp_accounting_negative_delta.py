"""dp-accounting 0.6.0: an upper bound on δ that is negative, −1.8e-11 at ε = 8.

With that library alone, for 10⁶ steps of discrete Laplace noise of b = 1000:

    from dp_accounting.pld import privacy_loss_distribution as pld
    step = pld.from_discrete_laplace_mechanism(parameter=1e-3)
    step.self_compose(10**6).get_delta_for_epsilon(8)    # -1.83e-11 on one processor

What the FFT leaves where the masses are 0 is of either sign, depends on the processor, and
``get_delta_for_epsilon`` sums it up: of twenty numbers of steps some have a negative δ. For the same reason
ε(1e-12) is 153, or 6.6, where about 7.2 is true.
"""

from collections.abc import Iterator
from importlib import metadata

import pytest

import pldverify as pv

pytestmark = pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")


@pytest.mark.slow
def test_delta_is_negative() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    step = pld.from_discrete_laplace_mechanism(parameter=1e-3)

    def composed() -> Iterator[pld.PrivacyLossDistribution]:
        return (step.self_compose(10**6 + more) for more in range(20))

    assert any(whole.get_delta_for_epsilon(8) < -1e-13 for whole in composed())
    assert any(abs(whole.get_epsilon_for_delta(1e-12) - 7.2) > 0.3 for whole in composed())


def test_the_true_delta_is_not() -> None:
    true = pv.bracket(10**6 * pv.DiscreteLaplace(1000), epsilon=8, digits=2, seconds=60)
    assert true.lower > 0 and true.upper < 1e-13
    assert pv.bracket(10**6 * pv.DiscreteLaplace(1000), delta="1e-12", digits=3, seconds=60).upper < 7.3
