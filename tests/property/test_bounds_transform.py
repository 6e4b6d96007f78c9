"""Attacks on the decay of the transform and on the second-order bound on grids of density values.

Transforms by sums over their definition; δ of a grid by plain sums and convolutions.
"""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pldverify import reference
from pldverify.balls.ball import working
from pldverify.bounds.lattice_discretisation import lattice_discretisation
from pldverify.bounds.transform_decay import Decay, transform_decay
from pldverify.mechanisms import Gaussian, PoissonSubsampled

BITS = 128
directions = st.sampled_from(["remove", "add", "replace"])
noises = st.sampled_from(["0.5", "0.8", "1", "2", "5"])
rates = st.sampled_from(["0.001", "0.05", "0.5", "0.99"])


def transform(sigma: float, q: float, direction: str, z: complex) -> float:
    """|M(z)| from the definition in the module docstring of ``transform_decay``: a trapezoidal sum in t."""
    reach = 13 * sigma + abs(z.real) + 1
    t = np.linspace(-reach, reach, 20_001)

    def log_w(t: np.ndarray) -> np.ndarray:
        stays = math.log1p(-q) if q < 1 else -math.inf
        return np.logaddexp(stays, math.log(q) + (2 * t - 1) / (2 * sigma**2))

    up, down = {"remove": (z + 1, 0), "add": (-z, 0), "replace": (z + 1, -z)}[direction]
    values = np.exp(-(t**2) / (2 * sigma**2) + up * log_w(t) + down * log_w(-t))
    return float(abs(np.sum(values)) * (t[1] - t[0]) / math.sqrt(2 * math.pi * sigma**2))


def decay_of(sigma: str, q: str, direction: str, theta: F) -> Decay:
    with working(BITS):
        found = transform_decay(F(sigma), F(q), direction, theta)  # type: ignore[arg-type]
    assert found is not None
    return found


@settings(max_examples=25)
@given(noises, rates, directions, st.integers(-12, 20), st.integers(0, 80))
def test_the_transform_is_below_its_bound(sigma: str, q: str, direction: str, tilt: int, u: int) -> None:
    theta, decay = F(tilt, 4), decay_of(sigma, q, direction, F(tilt, 4))
    exact = transform(float(sigma), float(q), direction, complex(theta, u))
    with working(BITS):
        bound, whole = float(decay.at(arb(u))), float(decay.at(arb(0)))
    assert exact <= bound * (1 + 1e-9) + 1e-12 * whole  # the sum is good to 1e-12
    assert bound <= whole


@pytest.mark.parametrize("direction", ["remove", "add", "replace"])
@pytest.mark.parametrize("u", [0, 3, 10])
def test_the_bound_is_not_far_off(direction: str, u: int) -> None:
    """So that a bound that forgot a factor, or a cell, would be below the transform."""
    decay = decay_of("1", "0.3", direction, F(3, 2))
    exact = transform(1.0, 0.3, direction, complex(1.5, u))
    with working(BITS):
        assert exact <= float(decay.at(arb(u))) <= exact * (1.3 if u == 0 else 8)


@pytest.mark.parametrize("direction", ["remove", "replace"])
def test_the_gaussian_is_exact(direction: str) -> None:
    """The loss is N(μ²/2, μ²), μ = 1/σ, or 2/σ where the record is replaced."""
    mu = (2 if direction == "replace" else 1) / 0.7
    with working(BITS):
        bound = float(decay_of("0.7", "1", direction, F(3, 2)).at(arb(2)))
    assert bound == pytest.approx(math.exp(mu**2 * (1.5 * 2.5 - 4) / 2), rel=1e-12, abs=0)


@pytest.mark.parametrize("direction", ["remove", "add", "replace"])
@pytest.mark.parametrize("q", ["0.2", "1"])
def test_aliases_exceed_the_sum_of_the_transforms(q: str, direction: str) -> None:
    h, decay = 0.3, decay_of("1", q, direction, F(1))
    for u in (0.0, math.pi / h):
        at = [u + 2 * math.pi * m / h for m in (-2, -1, 1, 2)]
        total = sum(transform(1.0, float(q), direction, complex(1, v)) for v in at)
        with working(BITS):
            assert total <= float(decay.aliases(arb(h))) * (1 + 1e-9) + 1e-13


def density(sigma: float, q: float, s: np.ndarray) -> np.ndarray:
    """ω of ``remove`` by change of variables: f_P(t) dt/ds."""
    with np.errstate(invalid="ignore", divide="ignore"):
        odds = (np.exp(s) - (1 - q)) / q
        t = sigma**2 * np.log(odds) + 0.5
        slope = sigma**2 * np.exp(s) / (q * odds)
    f = q * stats.norm.pdf(t, 1, sigma) + (1 - q) * stats.norm.pdf(t, 0, sigma)
    return np.where(np.isfinite(t), np.nan_to_num(f * slope), 0.0)


def grid_delta(masses: np.ndarray, first: int, k: int, h: float, epsilon: float) -> float:
    law, start = np.ones(1), 0
    for _ in range(k):
        law, start = np.convolve(law, masses), start + first
    x = h * (start + np.arange(len(law)))
    return float(np.sum(np.where(x > epsilon, -np.expm1(np.minimum(epsilon - x, 0)), 0) * law))


def bound(sigma: str, q: str, k: int, theta: F, h: F, epsilon: F) -> float:
    moment = transform(float(sigma), float(q), "remove", complex(theta))
    with working(BITS):
        part = (arb(moment) * (1 + arb(2) ** -30), decay_of(sigma, q, "remove", theta), k)
        return float(lattice_discretisation([part], theta=theta, step=h, epsilon=epsilon))


LAWS = [("1", "1", 1), ("1", "1", 3), ("3", "1", 2), ("1", "0.5", 1), ("2", "0.2", 1), ("1", "0.5", 12)]


@settings(max_examples=12)
@given(
    st.sampled_from(LAWS),
    st.sampled_from([F(1, 2), F(1, 5), F(1, 11), F(1, 40)]),
    st.integers(0, 40),
    st.sampled_from([F(1, 2), F(2), F(5)]),
)
def test_grids_of_density_values(law: tuple[str, str, int], h: F, place: int, theta: F) -> None:
    (sigma, q, k), epsilon, reach = law, F(place, 13), math.ceil(30 / h)
    s = float(h) * np.arange(-reach, reach + 1)
    masses = density(float(sigma), float(q), s) * float(h)
    step = Gaussian(sigma) if q == "1" else PoissonSubsampled(Gaussian(sigma), q)
    truth = float(reference.delta(k * step, epsilon=epsilon, adjacency="remove"))
    found = grid_delta(masses, -reach, k, float(h), float(epsilon))
    assert abs(found - truth) <= bound(sigma, q, k, theta, h, epsilon) * (1 + 1e-9) + 1e-14


@pytest.mark.parametrize(("sigma", "q"), [("1", "1"), ("1", "0.5")])
def test_the_grid_bound_is_not_far_off(sigma: str, q: str) -> None:
    """At the worst ε of a cell, so that a bound 25 times smaller would be broken."""
    h, theta = F(1, 20), F(1)
    s = float(h) * np.arange(-600, 601)
    masses, step = density(float(sigma), float(q), s) * float(h), Gaussian(sigma)
    mechanism = step if q == "1" else PoissonSubsampled(step, q)
    ratios = []
    for i in range(4):
        epsilon = F(1) + h * i / 4
        truth = float(reference.delta(mechanism, epsilon=epsilon, adjacency="remove"))
        gap = abs(grid_delta(masses, -600, 1, float(h), float(epsilon)) - truth)
        ratios.append(gap / bound(sigma, q, 1, theta, h, epsilon))
    assert 0.04 < max(ratios) < 1


def test_a_failed_hypothesis_proves_nothing() -> None:
    for sigma, q, theta in ((0, F(1, 2), 1), (1, 0, 1), (1, 2, 1)):
        assert transform_decay(sigma, q, "remove", theta) is None
    assert transform_decay(1, arb(0.75, 0.25 - 2**-32), "remove", 1) is None  # up to 1 or below it?
    part = (arb(1), decay_of("1", "0.5", "remove", F(0)), 1)
    for theta, step in ((0, F(1, 10)), (-1, F(1, 10)), (1, 0)):
        assert not lattice_discretisation([part], theta=theta, step=step, epsilon=1).is_finite()
