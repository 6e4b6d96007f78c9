"""Conversions: inverse pairs, their order, and the optimal one against its problem by brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pldverify.accountants import rdp_to_dp

CONVERSIONS = ["mironov", "canonne", "asoodeh"]
orders = st.floats(1.05, 200)
rdps = st.floats(1e-3, 20)


def to_delta(name: str, alpha: float, tau: float, epsilon: float) -> float:
    return float(getattr(rdp_to_dp, f"{name}_delta")(np.array([alpha]), np.array([tau]), epsilon)[0])


def to_epsilon(name: str, alpha: float, tau: float, delta: float) -> float:
    return float(getattr(rdp_to_dp, f"{name}_epsilon")(np.array([alpha]), np.array([tau]), delta)[0])


@pytest.mark.parametrize("name", CONVERSIONS)
@settings(max_examples=8)
@given(orders, rdps, st.floats(-14, -0.5))
def test_epsilon_inverts_delta(name: str, alpha: float, tau: float, exponent: float) -> None:
    delta = 10.0**exponent
    epsilon = to_epsilon(name, alpha, tau, delta)
    if epsilon > 1e-3:
        assert abs(math.log(to_delta(name, alpha, tau, epsilon) / delta)) < 1e-6 * alpha


@settings(max_examples=12)
@given(orders, rdps, st.floats(-14, -0.5))
def test_each_is_at_least_as_tight_as_the_one_before(alpha: float, tau: float, exponent: float) -> None:
    found = [max(0.0, to_epsilon(name, alpha, tau, 10.0**exponent)) for name in CONVERSIONS]
    assert found[0] >= found[1] >= found[2] - 1e-9


def test_formulas_by_hand() -> None:
    assert abs(to_delta("mironov", 3.0, 0.5, 1.5) / math.exp(-2) - 1) < 1e-15
    assert abs(to_delta("canonne", 3.0, 0.5, 1.5) / (math.exp(-2) / 2 * (2 / 3) ** 3) - 1) < 1e-14
    # Balle et al. 2020, Theorem 21, as it is usually written: the same number
    usual = 0.5 + math.log(2 / 3) - (math.log(1e-5) + math.log(3)) / 2
    assert abs(to_epsilon("canonne", 3.0, 0.5, 1e-5) - usual) < 1e-14


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("alpha", "tau", "epsilon"), [(2.0, 0.5, 1.0), (4.0, 0.3, 0.8), (1.5, 2.0, 3.0), (20.0, 0.2, 0.5)]
)
def test_asoodeh_is_the_worst_binary_pair(alpha: float, tau: float, epsilon: float) -> None:
    """Binary pairs attain the joint range of two f-divergences: δ is the greatest p − e^ε r allowed."""
    p = np.concatenate([np.geomspace(1e-9, 1, 4001)[:-1], 1 - np.geomspace(1e-9, 0.5, 1000)])
    best = 0.0
    for x in p:
        low, high = 0.0, x  # r < x: the divergence falls as r rises to x
        for _ in range(80):
            r = (low + high) / 2
            power = (
                x**alpha * r ** (1 - alpha) + (1 - x) ** alpha * (1 - r) ** (1 - alpha) if r > 0 else math.inf
            )
            low, high = (r, high) if math.log(power) > (alpha - 1) * tau else (low, r)
        best = max(best, x - math.exp(epsilon) * high)
    found = to_delta("asoodeh", alpha, tau, epsilon)
    assert best <= found * (1 + 1e-9)
    assert found <= best * (1 + 1e-4)


@pytest.mark.parametrize("name", CONVERSIONS)
def test_never_below_the_gaussian_truth(name: str) -> None:
    alphas = np.linspace(1.1, 60, 200)
    for mu, epsilons in ((0.3, (0.1, 1.0)), (2.5, (1.0, 5.0))):
        for epsilon in epsilons:
            true = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(
                -mu / 2 - epsilon / mu
            )
            bound = np.min(getattr(rdp_to_dp, f"{name}_delta")(alphas, alphas * mu**2 / 2, epsilon))
            assert bound >= true


def test_infinite_rdp_gives_nothing() -> None:
    for name in CONVERSIONS:
        assert to_epsilon(name, 2.0, math.inf, 1e-5) == math.inf
