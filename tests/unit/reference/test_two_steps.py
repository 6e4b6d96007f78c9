"""Two steps by one integral: what stops the integrand is what the caller sees."""

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.reference.budget import budget


@pytest.mark.parametrize("seconds", [0.01, 0.03, 0.1])
def test_a_budget_that_ends_in_the_integral(seconds: float) -> None:
    pair = 2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.5")
    with budget(seconds), pytest.raises(NoConvergence, match="not decided within"):
        pv.delta(pair, epsilon=1, digits=500)
