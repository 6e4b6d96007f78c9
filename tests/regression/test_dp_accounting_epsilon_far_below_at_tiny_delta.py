"""dp-accounting 0.6.0: ε(1e-12) of DP-SGD is 4.443 by events and 4.392 by functions, where 4.504 is true.

With that library alone, for 10⁴ steps of σ = 0.7, q = 0.001:

    import dp_accounting as dp
    from dp_accounting.pld import PLDAccountant
    step = dp.PoissonSampledDpEvent(0.001, dp.GaussianDpEvent(0.7))
    PLDAccountant().compose(step, 10_000).get_epsilon(1e-12)    # 4.4429

The composition is an FFT in doubles, whose noise at δ = 1e-12 is a tenth of it, and of either sign.
"""

from importlib import metadata

import pytest

import pldverify as pv

pytestmark = pytest.mark.skipif(metadata.version("dp-accounting") != "0.6.0", reason="found in 0.6.0")


def alone() -> float:
    """The snippet."""
    import dp_accounting as dp
    from dp_accounting.pld import PLDAccountant

    step = dp.PoissonSampledDpEvent(0.001, dp.GaussianDpEvent(0.7))
    return float(PLDAccountant().compose(step, 10_000).get_epsilon(1e-12))


def test_an_upper_bound_is_six_hundredths_too_small() -> None:
    training = 10_000 * pv.PoissonSubsampled(pv.Gaussian("0.7"), q="0.001")
    true = pv.epsilon(training, delta="1e-12")
    assert true.lower > 4.5042 and true.upper < 4.5043
    assert 4.44 < alone() < true.lower - 0.06
    found = pv.check("dp-accounting/functions", pv.Query(training, delta="1e-12"))
    assert (found.verdict, found.severity) == ("UNSOUND", "material")
    assert found.excess is not None and found.excess > 0.1
