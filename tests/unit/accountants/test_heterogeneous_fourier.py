"""KH21: grids bracket the truth, bounds are theirs, Plancherel is the inverse transform."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pldverify.accountants import fft_grid, heterogeneous_fourier
from pldverify.accountants.fourier import subsampled_density
from pldverify.accountants.heterogeneous_fourier import (
    GridLoss,
    HeterogeneousFourierLower,
    HeterogeneousFourierUpper,
    from_density,
    from_probabilities,
    place,
)
from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    Composition,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
)
from pldverify.mechanisms.binomial import Binomial
from tests.unit.accountants.kh21 import algorithm_1, plancherel, plancherel_weights

pairs = st.integers(2, 4).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any) for _ in range(2)])
)


def brute_force(p: np.ndarray, q: np.ndarray, k: int, epsilon: float) -> float:
    """δ(ε) of k steps, from all outcomes of the product."""
    total = 0.0
    for outcome in itertools.product(range(len(p)), repeat=k):
        left, right = math.prod(p[i] for i in outcome), math.prod(q[i] for i in outcome)
        total += max(0.0, left - math.exp(epsilon) * right)
    return total


@given(pairs, st.integers(1, 4), st.floats(0, 3))
def test_left_and_right_grids_bracket_the_product(
    pair: tuple[list[int], list[int]], k: int, epsilon: float
) -> None:
    p, q = (np.array(weights) / sum(weights) for weights in pair)
    true = brute_force(p, q, k, epsilon)
    left, right = (from_probabilities(p, q, n=4096, L=16.0, side=side) for side in ("left", "right"))  # type: ignore[arg-type]
    upper = algorithm_1([(right, k)], epsilon=epsilon, L=16.0)
    lower = algorithm_1([(left, k)], epsilon=epsilon, L=16.0)
    assert lower <= true + 1e-13 and true <= upper + 1e-13
    # Theorem 2 with (5.6), for the right grid; its proof does the same on the left, with e^{kΔx}
    assert upper - true <= k * 32 / 4096 + 1e-13
    assert true - lower <= math.expm1(k * 32 / 4096) + 1e-13


def test_infinite_losses_multiply() -> None:
    part = from_probabilities(np.array([0.9, 0.1]), np.array([1.0, 0.0]), n=64, L=8.0, side="right")
    assert abs(part.infinity - 0.1) < 1e-16
    assert abs(heterogeneous_fourier.infinite_mass([(part, 3)]) - (1 - 0.9**3)) < 1e-15
    assert abs(algorithm_1([(part, 3)], epsilon=1.0, L=8.0) - (1 - 0.9**3)) < 1e-14
    certain = GridLoss(np.zeros(64), infinity=1.0)
    assert heterogeneous_fourier.infinite_mass([(certain, 5)]) == 1.0


def test_losses_outside_the_grid_are_refused() -> None:
    for losses in ([-1.1], [1.0], [0.0, 5.0]):
        with pytest.raises(InvalidInput, match="losses must lie in"):
            place(np.array(losses), np.ones(len(losses)), n=16, L=1.0, side="right")


@given(st.integers(1, 200), st.floats(-1, 3))
@settings(max_examples=30)
def test_plancherel_is_the_sum(k: int, epsilon: float) -> None:
    n, L = 2**12, 6.0
    masses = from_density(subsampled_density(1.5, 0.05, "remove"), 0.0, n=n, L=L, side="left")
    spectrum = fft_grid.transform(masses)
    fast = plancherel(plancherel_weights(epsilon, n=n, L=L), spectrum**k, n)
    assert abs(fast - algorithm_1([(GridLoss(masses), k)], epsilon=epsilon, L=L)) < 1e-14


def test_plancherel_updates_precomputed_powers() -> None:
    n, L = 2**12, 6.0
    spectrum = fft_grid.transform(
        from_density(subsampled_density(1.5, 0.05, "remove"), 0.0, n=n, L=L, side="left")
    )
    weights, hundred, power = plancherel_weights(1.0, n=n, L=L), spectrum**100, np.ones_like(spectrum)
    for k in (100, 200, 300):
        power = power * hundred
        assert abs(plancherel(weights, power, n) - plancherel(weights, spectrum**k, n)) < 1e-14


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "q"), [(1.0, 0.1), (2.0, 0.01), (0.6, 0.3), (3.0, 1.0)])
def test_omega_max_and_min_are_over_their_cells(sigma: float, q: float, direction: str) -> None:
    density = subsampled_density(sigma, q, direction)  # type: ignore[arg-type]
    mode = heterogeneous_fourier._mode(density, sigma, q, direction)  # type: ignore[arg-type]
    n, L = 2000, 4.0
    x, step = fft_grid.points(n, L), 2 * L / n
    fine = density(np.linspace(-L - step, L, 50 * (n + 1) + 1))
    cells = fine[:-1].reshape(n + 1, 50)
    highest = np.maximum(cells.max(axis=1), np.append(cells[1:, 0], fine[-1]))
    lowest = np.minimum(cells.min(axis=1), np.append(cells[1:, 0], fine[-1]))
    upper = from_density(density, mode, n=n, L=L, side="right") / step
    lower = from_density(density, mode, n=n, L=L, side="left") / step
    top = density(np.array([mode]))[0]
    assert np.all(upper >= highest[:-1] * (1 - 1e-9) - 1e-12 * top)
    assert np.all(upper <= np.maximum(highest[:-1] * 1.02, top) + 1e-9)
    assert np.all(lower <= lowest[1:] * (1 + 1e-9) + 1e-12 * top)
    assert x[0] == -L and len(upper) == len(lower) == n


def gaussian_delta(mu: float, epsilon: float) -> float:
    return float(
        stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    )


@pytest.mark.parametrize(("sigma", "k"), [("1", 1), ("5", 30), ("20", 100), ("50", 1000)])
def test_strict_bounds_hold_for_the_gaussian(sigma: str, k: int) -> None:
    for epsilon in ("0.5", "2", "6"):
        query = Query(k * Gaussian(sigma), epsilon=epsilon, adjacency="remove")
        true = gaussian_delta(math.sqrt(k) / float(sigma), float(epsilon))
        lower, upper = (
            a(n=10**5).claim(query).value for a in (HeterogeneousFourierLower, HeterogeneousFourierUpper)
        )
        # KH21 leaves out rounding: some 1e-16 per step, which at δ = 1e-20 is all there is
        assert lower - 1e-15 * k <= true * (1 + 1e-12) and true <= upper + 1e-15 * k


def test_strict_bounds_hold_when_the_period_is_too_short() -> None:
    query = Query(100 * Gaussian("5"), epsilon="0.4")
    true = gaussian_delta(2.0, 0.4)
    lower = HeterogeneousFourierLower(n=10**4, L=0.5).claim(query).value
    upper = HeterogeneousFourierUpper(n=10**4, L=0.5).claim(query).value
    assert lower <= true <= upper
    assert lower == 0 and upper == 1


def test_mixed_composition_against_randomised_response_conditioned_by_hand() -> None:
    # δ of M ∘ RR = Σ over RR's answers of its mass times the Gaussian's δ at ε − loss
    p, mu = 0.52, math.sqrt(10) / 5
    c = math.log(p / (1 - p))
    for epsilon in (0.3, 1.0):
        true = sum(
            stats.binom.pmf(i, 10, p) * gaussian_delta(mu, epsilon - c * (2 * i - 10)) for i in range(11)
        )
        whole = 10 * Gaussian("5") + 10 * RandomizedResponse("0.52")
        query = Query(whole, epsilon=repr(epsilon), adjacency="remove")
        lower, upper = (
            a(n=10**5).claim(query).value for a in (HeterogeneousFourierLower, HeterogeneousFourierUpper)
        )
        assert lower <= true <= upper
        assert float(upper - lower) < 5e-2 * true


def test_epsilon_is_on_the_safe_side_of_delta() -> None:
    query = Query(100 * PoissonSubsampled(Gaussian("2"), "0.05"), delta="1e-5")
    for subject in (HeterogeneousFourierUpper(n=10**5), HeterogeneousFourierLower(n=10**5)):
        epsilon = subject.claim(query).value
        at = subject.claim(Query(query.composition, epsilon=epsilon)).value  # type: ignore[arg-type]
        assert (at <= 1e-5) if subject.direction == "upper" else (at >= 1e-5)


@pytest.mark.sample(15)
@pytest.mark.parametrize("lam", [0.5, 2.0, 8.0, -0.5, -2.0, -8.0])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "q"), [(1.0, 0.1), (2.0, 1.0)])
def test_what_lies_beyond_the_grid_is_bounded(sigma: float, q: float, direction: str, lam: float) -> None:
    density, L = subsampled_density(sigma, q, direction), 0.7  # type: ignore[arg-type]
    s = np.linspace(-30, 30, 1_200_001)
    outside = np.abs(s) > L
    with np.errstate(over="ignore"):
        true = float(np.sum(np.exp(lam * s[outside]) * density(s[outside])) * (s[1] - s[0]))
    bound = heterogeneous_fourier._beyond(lam, sigma, q, direction, L)  # type: ignore[arg-type]
    assert math.log(true) <= bound + 1e-6
    if q == 1 and lam > 0:  # (E.3) with the exact factor is an equality, up to the other tail
        assert bound <= math.log(true) + (0.5 if lam < 1 else 0.05)


def test_supported_mechanisms() -> None:
    subject = HeterogeneousFourierUpper()
    assert subject.supports(Query(Laplace(1), delta="1e-5")) is not None
    assert subject.supports(Query(RandomizedResponse(1), delta="1e-5")) is not None
    assert subject.supports(Query(RandomizedResponse("0.99999"), delta="1e-5")) is not None  # log-odds 11.5
    assert subject.supports(Query(Gaussian(1), epsilon=10)) is not None
    assert subject.supports(Query(Gaussian(1), epsilon=1, adjacency="replace-one")) is not None
    assert (
        subject.supports(Query(Composition.of((Binomial(100, "1/2"), 3), (Gaussian(1), 2)), epsilon=1))
        is None
    )


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_binomial_against_all_outcomes(direction: str) -> None:
    n = 12
    noise = stats.binom.pmf(np.arange(n + 1), n, 0.3)
    with_record, without = np.append(0.0, noise), np.append(noise, 0.0)
    p, q = (with_record, without) if direction == "remove" else (without, with_record)
    query = Query(3 * Binomial(n, "0.3"), epsilon=1, adjacency=direction)  # type: ignore[arg-type]
    true = brute_force(p, q, 3, 1.0)
    lower, upper = (a().claim(query).value for a in (HeterogeneousFourierLower, HeterogeneousFourierUpper))
    assert lower <= true <= upper
    assert float(upper - lower) < 2e-4 * true
