"""GLW21: the discretisation keeps mass and mean, the composition keeps Theorem 5.5's promise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pldverify.accountants.losses import loss
from pldverify.accountants.prv import (
    Discrete,
    PRVEstimate,
    PRVLower,
    PRVUpper,
    compose_prv,
    discretize,
    mesh,
    snap,
    truncated_mean,
    truncation,
)
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse


def test_mesh_is_theorem_5_5() -> None:
    assert (
        abs(mesh(1000, eps_error=0.1, delta_error=1e-10) / (0.1 / math.sqrt(500 * math.log(12e10))) - 1)
        < 1e-15
    )
    for bad in ({"eps_error": 0.0, "delta_error": 0.1}, {"eps_error": 0.1, "delta_error": 1.0}):
        with pytest.raises(InvalidInput, match="eps_error"):
            mesh(10, **bad)


@given(st.floats(0.1, 50), st.floats(1e-4, 0.05))
def test_snap_goes_up_to_half_integer_multiples(L: float, h: float) -> None:
    snapped, m = snap(L, h)
    assert abs(snapped / h - 0.5 - m) < 1e-6
    assert L * (1 - 1e-12) <= snapped <= max(L, 1.5 * h) + h * (1 + 1e-9)


def test_truncation_is_remark_5_6() -> None:
    composition = 1000 * Gaussian("50")
    L = truncation(composition, eps_error=0.1, delta_error=1e-10)
    mu = math.sqrt(1000) / 50

    def delta(epsilon: float) -> float:
        return float(
            stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
        )

    assert delta(L - 2 - 0.1) <= 1e-10 / 4  # (7)
    assert L < 10


def test_mean_of_the_gaussian_and_of_laplace() -> None:
    assert abs(truncated_mean(loss(Gaussian(2), "remove"), 20.0) - 1 / 8) < 1e-15
    a = 0.7
    assert abs(truncated_mean(loss(Laplace("10/7"), "remove"), 20.0) - (a + math.exp(-a) - 1)) < 1e-15
    c = math.log(4)
    assert abs(truncated_mean(loss(RandomizedResponse("0.8"), "add"), 20.0) - 0.6 * c) < 1e-15


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "q"), [(1.0, 0.01), (0.6, 0.2), (3.0, 0.5)])
def test_mean_of_the_subsampled_gaussian_by_quadrature(sigma: float, q: float, direction: str) -> None:
    t = np.linspace(-14 * sigma, 14 * sigma + 1, 400_001)
    base, shifted = stats.norm.pdf(t, 0, sigma), stats.norm.pdf(t, 1, sigma)
    log_w = np.log(1 - q + q * np.exp((2 * t - 1) / (2 * sigma**2)))
    weight, sign = ((1 - q) * base + q * shifted, 1) if direction == "remove" else (base, -1)
    expected = sign * float(np.sum(weight * log_w)) * (t[-1] - t[0]) / 400_000
    found = truncated_mean(loss(PoissonSubsampled(Gaussian(sigma), q), direction), 60.0)  # type: ignore[arg-type]
    assert abs(found - expected) < 1e-14


def test_mean_given_a_cut() -> None:
    found = truncated_mean(loss(Gaussian(1), "remove"), 1.0)
    law = stats.truncnorm(-1.5, 0.5, loc=0.5)  # N(1/2, 1) on [−1, 1]
    assert abs(found / float(law.mean()) - 1) < 1e-12


@pytest.mark.parametrize(
    "mechanism",
    [Gaussian(1), Laplace(2), PoissonSubsampled(Gaussian(1), "0.1"), RandomizedResponse("0.7")],
    ids=str,
)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_discretize_prv_keeps_mass_and_mean(mechanism: object, direction: str) -> None:
    law, h = loss(mechanism, direction), 0.013  # type: ignore[arg-type]
    L, m = snap(9.0, h)
    discrete = discretize(law, L=9.0, h=h)
    x = discrete.start + h * np.arange(2 * m + 1)
    assert len(discrete.masses) == 2 * m + 1
    assert abs(float(np.sum(discrete.masses)) - 1) < 1e-14
    assert abs(float(np.sum(discrete.masses * x)) - truncated_mean(law, L)) < 1e-14
    assert abs(discrete.start + m * h) <= h / 2 * (1 + 1e-9)  # Algorithm 2: |μ| ≤ h/2


def test_compose_prv_is_convolution_of_shifted_grids() -> None:
    parts = [(loss(Gaussian(2), "remove"), 2), (loss(Laplace(3), "remove"), 1)]
    composed = compose_prv(parts, L=6.0, h=0.05)
    a, b = (discretize(law, L=6.0, h=0.05) for law, _ in parts)
    plain = np.convolve(np.convolve(a.masses, a.masses), b.masses)
    start = 2 * a.start + b.start
    for epsilon in (0.2, 1.0, 2.5):
        assert (
            abs(composed.delta(epsilon) - Discrete(plain, start, 0.05).delta(epsilon)) < 1e-8
        )  # wrapped tail


@settings(max_examples=25)
@given(st.integers(1, 3000), st.floats(0.5, 60), st.floats(-10, -2))
def test_promise_holds_for_the_gaussian(k: int, noise: float, exponent: float) -> None:
    mu = math.sqrt(k) / noise
    if not 0.05 < mu < 4:
        return
    delta = 10.0**exponent
    query = Query(k * Gaussian(noise), delta=delta)
    lower, estimate, upper = (float(a().claim(query).value) for a in (PRVLower, PRVEstimate, PRVUpper))

    def profile(epsilon: float) -> float:
        return float(
            stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
        )

    assert profile(upper) <= delta * (1 + 1e-9) + 1e-15
    assert lower == 0 or profile(lower) >= delta * (1 - 1e-9) - 1e-15
    assert lower <= estimate <= upper


@pytest.mark.sample(1)
@pytest.mark.parametrize(("sigma", "q", "k"), [(0.8, 0.004, 1000), (1.0, 0.01, 100), (2.0, 0.1, 10)])
def test_agrees_with_the_authors_package(sigma: float, q: float, k: int) -> None:
    import prv_accountant

    theirs = prv_accountant.PRVAccountant(
        prvs=[
            prv_accountant.PoissonSubsampledGaussianMechanism(sampling_probability=q, noise_multiplier=sigma)
        ],
        max_self_compositions=[k],
        eps_error=0.1,
        delta_error=1e-10,
    )
    query = Query(k * PoissonSubsampled(Gaussian(sigma), q), delta="1e-6", adjacency="remove")
    expected = theirs.compute_epsilon(delta=1e-6, num_self_compositions=[k])
    found = [float(a().claim(query).value) for a in (PRVLower, PRVEstimate, PRVUpper)]
    # the same error on both sides of the estimate; meshes differ, so the estimates do, well inside 0.1
    assert all(abs(ours - other) < 2e-3 for ours, other in zip(found, expected, strict=True))


def test_promise_and_refusals() -> None:
    claim = PRVEstimate().claim(Query(10 * Gaussian(5), delta="1e-6"))
    assert claim.promise is not None
    assert (float(claim.promise.epsilon), float(claim.promise.delta)) == (0.1, 1e-10)
    smaller = PRVEstimate().claim(Query(10 * Gaussian(5), delta="1e-9"))
    assert smaller.promise is not None and abs(float(smaller.promise.delta) - 1e-12) < 1e-24
    assert PRVUpper().claim(Query(10 * Gaussian(5), delta="1e-6")).promise is None
    assert PRVUpper().supports(Query(RandomizedResponse(1), delta="1e-6")) is not None
    assert PRVUpper().supports(Query(Gaussian(1), delta=0)) is not None
    with pytest.raises(InvalidInput, match="2L/h"):
        PRVUpper(eps_error=1e-9).claim(Query(10**6 * Gaussian(1000), delta="1e-6"))
