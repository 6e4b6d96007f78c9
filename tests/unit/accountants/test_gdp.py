"""GDP: exact for Gaussians, an approximation that can be below the truth for sampled ones."""

import math

import pytest
from scipy import stats

from pldverify.accountants import gdp
from pldverify.accountants.gdp import GDP
from pldverify.accountants.prv import PRVLower
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query


@pytest.mark.parametrize("mu", [0.05, 0.5, 1.0, 4.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
def test_delta_is_dong_roth_su_corollary_1(mu: float, epsilon: float) -> None:
    expected = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(
        -mu / 2 - epsilon / mu
    )
    assert abs(gdp.delta(mu, epsilon) - expected) < 1e-15


@pytest.mark.parametrize("mu", [0.05, 0.5, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.01])
def test_epsilon_inverts_delta(mu: float, delta: float) -> None:
    epsilon = gdp.epsilon(mu, delta)
    assert epsilon > 0
    assert abs(gdp.delta(mu, epsilon) / delta - 1) < 1e-7


def test_mu_by_hand() -> None:
    assert abs(gdp.mu(1.0, 0.01, 10_000) - math.sqrt(math.e - 1)) < 1e-14
    assert abs(gdp.mu(2.0, 1.0, 9) - 1.5) < 1e-15
    assert gdp.mu(0.03, 0.01, 10) == math.inf
    assert gdp.delta(math.inf, 1.0) == 1.0 and gdp.epsilon(math.inf, 1e-5) == math.inf
    assert gdp.epsilon(1e-9, 1e-5) == 0.0
    with pytest.raises(InvalidInput, match="mu"):
        gdp.delta(0.0, 1.0)
    with pytest.raises(InvalidInput, match="delta"):
        gdp.epsilon(1.0, 0.0)


def test_it_is_called_an_estimate_and_promises_nothing() -> None:
    claim = GDP().claim(Query(100 * PoissonSubsampled(Gaussian(1), "0.01"), delta="1e-5"))
    assert claim.direction == "estimate" and claim.promise is None
    assert GDP().supports(Query(Laplace(1), delta="1e-5")) is not None
    assert GDP().supports(Query(Gaussian(1), delta=0)) is not None


def test_it_reports_less_than_a_lower_bound() -> None:
    query = Query(1000 * PoissonSubsampled(Gaussian("0.8"), "0.001"), delta="1e-7", adjacency="remove")
    assert GDP().claim(query).value < PRVLower(eps_error=0.01).claim(query).value


def test_gaussians_add_in_squares() -> None:
    claim = GDP().claim(Query(9 * Gaussian(3) + 12 * Gaussian(2), epsilon=1))
    assert abs(float(claim.parameters["mu"]) - 2.0) < 1e-15
