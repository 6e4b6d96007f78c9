"""riskcal 1.5.1: ``CTDAccountant.get_beta`` promises more type II error than the best test leaves.

With that library alone, for one step of σ = 1, q = 0.3 at α = 0.001:

    from riskcal.accountants import CTDAccountant
    accountant = CTDAccountant()
    accountant.history = [(1.0, 0.3, 1)]
    accountant.get_beta(alpha=1e-3)    # 0.99381054; grid_step=1e-3 has 0.99381046

The test that rejects N(0, 1) above c = Φ⁻¹(0.999) leaves 1 − 0.7·0.001 − 0.3·(1 − Φ(c − 1)) = 0.99381045948.
``pld_to_plrvs`` takes the law of the loss under P from the distribution of removing and that under Q from the
distribution of adding. Each is rounded up by itself, and together they are the losses of no pair.
"""

from importlib import metadata
from statistics import NormalDist

import pytest

import pldverify as pv

NORMAL = NormalDist()


@pytest.mark.skipif(metadata.version("riskcal") != "1.5.1", reason="found in 1.5.1")
def test_more_type_ii_error_than_a_test_leaves() -> None:
    step = pv.PoissonSubsampled(pv.Gaussian(1), q="0.3")
    found = pv.check("riskcal/trade-off", pv.TradeOffQuery(step, alpha="0.001"))
    cut = NORMAL.inv_cdf(1 - 1e-3)
    left = 1 - 0.7e-3 - 0.3 * (1 - NORMAL.cdf(cut - 1))
    assert found.truth is not None and abs(float(found.truth) - left) < 1e-12
    assert found.claim is not None and found.claim.value > left + 5e-8
    assert (found.verdict, found.severity) == ("UNSOUND", "material")


@pytest.mark.skipif(metadata.version("riskcal") != "1.5.1", reason="found in 1.5.1")
def test_unsampled_steps_too() -> None:
    """Φ(Φ⁻¹(1 − α) − 1) is what one step of σ = 1 leaves."""
    found = pv.check("riskcal/trade-off", pv.TradeOffQuery(pv.Gaussian(1), alpha="0.05"))
    left = NORMAL.cdf(NORMAL.inv_cdf(0.95) - 1)
    assert found.claim is not None and found.claim.value > left + 5e-8
    assert (found.verdict, found.severity) == ("UNSOUND", "material")
