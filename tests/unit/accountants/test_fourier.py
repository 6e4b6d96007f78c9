"""The Fourier accountant: densities against tails, closed forms and the authors' own package."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from pldverify.accountants import fft_grid, fourier
from pldverify.accountants.losses import loss
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.1"), ("2", "0.01"), ("0.7", "0.5"), ("3", "1")])
def test_density_is_the_derivative_of_the_tail(sigma: str, q: str, direction: str) -> None:
    density = fourier.subsampled_density(float(sigma), float(q), direction)  # type: ignore[arg-type]
    law = loss(PoissonSubsampled(Gaussian(sigma), q), direction)  # type: ignore[arg-type]
    knots = np.array(law.knots)
    for a, b in itertools.pairwise(knots):
        mass = quad(lambda s: float(density(np.array([s]))[0]), a, b, epsabs=1e-15)[0]
        tails = law.above(np.array([a, b]))
        assert abs(mass - (tails[0] - tails[1])) < 1e-12


@pytest.mark.parametrize(("sigma", "q"), [(1.0, 0.1), (2.0, 0.01), (0.7, 0.5), (1.5, 1.0)])
def test_substitute_density_is_that_of_the_mixtures(sigma: float, q: float) -> None:
    density = fourier.substitute_density(sigma, q)

    def mixture(t: float, mean: float) -> float:
        return float(q * stats.norm.pdf(t, mean, sigma) + (1 - q) * stats.norm.pdf(t, 0, sigma))

    for t in np.linspace(-2, 3, 7):
        s, h = math.log(mixture(t, 1) / mixture(t, -1)), 1e-5
        slope = (
            math.log(mixture(t + h, 1) / mixture(t + h, -1))
            - math.log(mixture(t - h, 1) / mixture(t - h, -1))
        ) / (2 * h)
        assert abs(float(density(np.array([s]))[0]) * slope / mixture(t, 1) - 1) < 1e-7
    x = np.linspace(-18, 18, 720_001)
    assert abs(float(np.sum(density(x)) * (x[1] - x[0])) - 1) < 1e-8
    bulk = x[np.abs(x) < 2]
    assert np.max(np.abs(density(bulk) / (np.exp(bulk) * density(-bulk)) - 1)) < 1e-9  # odd loss: Lemma A.9


def test_with_replacement_of_one_draw_is_substitution() -> None:
    x = np.linspace(-15, 15, 3_001)
    once = fourier.with_replacement_density(1.3, 1, 20)(x)
    assert np.max(np.abs(once / fourier.substitute_density(1.3, 0.05)(x) - 1)) < 1e-11


def test_with_replacement_density_is_that_of_the_mixtures() -> None:
    density = fourier.with_replacement_density(1.5, 8, 10)
    weights = stats.binom.pmf(np.arange(9), 8, 0.1)

    def mixture(t: float, sign: int) -> float:
        return float(np.sum(weights * stats.norm.pdf(t, sign * np.arange(9), 1.5)))

    for t in (-3.0, -0.5, 0.0, 1.0, 4.0, 9.0):
        s, h = math.log(mixture(t, 1) / mixture(t, -1)), 1e-5
        slope = (
            math.log(mixture(t + h, 1) / mixture(t + h, -1))
            - math.log(mixture(t - h, 1) / mixture(t - h, -1))
        ) / (2 * h)
        assert abs(float(density(np.array([s]))[0]) * slope / mixture(t, 1) - 1) < 1e-7


@pytest.mark.parametrize(("sigma", "k", "epsilon"), [(1.0, 1, 1.0), (2.0, 10, 3.0), (10.0, 100, 2.5)])
def test_gaussian_closed_form(sigma: float, k: int, epsilon: float) -> None:
    mu = math.sqrt(k) / sigma
    expected = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(
        -mu / 2 - epsilon / mu
    )
    for direction in ("remove", "add"):
        density = fourier.subsampled_density(sigma, 1.0, direction)  # type: ignore[arg-type]
        found = fourier.delta([(density, k)], epsilon=epsilon, n=10**5, L=20.0)
        # the sum is a trapezoidal rule with a kink at ε, a grid point: O(Δx²)
        assert abs(found / expected - 1) < 1e-6


@pytest.mark.parametrize(
    ("relation", "sigma", "q", "k", "epsilon", "theirs"),
    [
        ("R", 1.5, 0.05, 100, 1.0, 0.001370956068878484),
        ("R", 2.0, 0.01, 1000, 0.5, 0.00012117883356386755),
        ("R", 1.0, 0.02, 200, 2.0, 3.9432710534433226e-06),
        ("S", 1.5, 0.05, 100, 1.0, 0.0312001549791955),
        ("S", 2.0, 0.01, 1000, 0.5, 0.009945151939207763),
        ("S", 1.0, 0.02, 200, 2.0, 0.0002516711949603059),
    ],
)
def test_agrees_with_the_authors_package(
    relation: str, sigma: float, q: float, k: int, epsilon: float, theirs: float
) -> None:
    """``get_delta_R`` and ``get_delta_S`` of fourier-accountant 0.12.11 with nx=200_000, L=20."""
    remove, substitute = fourier.subsampled_density(sigma, q, "remove"), fourier.substitute_density(sigma, q)
    parts = [(remove if relation == "R" else substitute, k)]
    ours = fourier.delta(parts, epsilon=epsilon, n=200_000, L=20.0)
    # both evaluate the same sum; rounding leaves some 1e-16 per step and unit of mass
    assert abs(ours - theirs) < 1e-15 * k
    assert abs(ours / theirs - 1) < 1e-8


def test_heterogeneous_is_grouped_homogeneous() -> None:
    a, b = (fourier.subsampled_density(s, 0.05, "remove") for s in (1.5, 2.0))
    together = fourier.convolve([(a, 3), (b, 2)], n=20_000, L=10.0)
    steps = fft_grid.compose([(fourier.convolve([(d, 1)], n=20_000, L=10.0), 1) for d in (a, b, a, b, a)])
    assert np.max(np.abs(together - steps)) < 1e-15


def test_newton_meets_its_stopping_rule() -> None:
    masses = fourier.convolve([(fourier.subsampled_density(2.0, 0.02, "remove"), 500)], n=10**5, L=12.0)
    for tol in (1e-8, 1e-10, 1e-13):
        epsilon = fourier.newton(masses, delta=1e-6, L=12.0, tol=tol)
        assert abs(fft_grid.hockey_stick(masses, 12.0, epsilon) - 1e-6) <= tol
    # these iterates come from the left; δ is convex in e^ε, not in ε, so not all do
    assert fft_grid.hockey_stick(masses, 12.0, fourier.newton(masses, delta=1e-6, L=12.0, tol=1e-8)) >= 1e-6


def test_newton_reports_a_period_that_is_too_short() -> None:
    masses = fourier.convolve([(fourier.subsampled_density(0.5, 0.2, "remove"), 1000)], n=1000, L=2.0)
    with pytest.raises(NoConvergence, match="Newton"):
        fourier.newton(masses, delta=1e-6, L=2.0, tol=1e-12)


def test_newton_that_steps_over_the_solution_is_reported() -> None:
    """KJH19/sec-8/newton: ε = 26.36 is on the grid, ε₁ = 41.96 beyond it, and then the slope is 10⁻¹⁸."""
    masses = fourier.convolve([(fourier.subsampled_density(0.25, 1.0, "remove"), 1)], n=10**5, L=60.0)
    with pytest.raises(NoConvergence, match="Newton"):
        fourier.newton(masses, delta=1e-6, L=60.0, tol=1e-9)


def test_bad_parameters_are_named() -> None:
    with pytest.raises(InvalidInput, match="sigma"):
        fourier.subsampled_density(0.0, 0.5, "remove")
    with pytest.raises(InvalidInput, match="q in"):
        fourier.substitute_density(1.0, 1.5)
    with pytest.raises(InvalidInput, match="population"):
        fourier.with_replacement_density(1.0, 3, 1)
    with pytest.raises(InvalidInput, match="newton_tol"):
        fourier.Fourier(newton_tol=0.0)


def test_claims_by_direction_and_relation() -> None:
    step = PoissonSubsampled(Gaussian("1.5"), "0.05")
    subject = fourier.Fourier(n=10**5)

    def value(adjacency: str) -> float:
        return float(subject.claim(Query(100 * step, delta="1e-5", adjacency=adjacency)).value)  # type: ignore[arg-type]

    assert value("add-or-remove") == max(value("add"), value("remove")) == value("remove") > value("add")
    assert value("replace-one") > value("remove")
    assert float(subject.claim(Query(10 * step, delta="0.5")).value) == 0.0
    assert subject.supports(Query(10 * Laplace(1), delta="1e-5")) is not None
    assert subject.supports(Query(10 * step, epsilon=20)) is not None
    assert fourier.FourierUpper().supports(Query(Gaussian(1), delta="1e-5")) is not None


def test_upper_is_estimate_plus_both_error_estimates() -> None:
    step = PoissonSubsampled(Gaussian("1.5"), "0.05")
    query = Query(100 * step, epsilon=1, adjacency="remove")
    parts = [(fourier.subsampled_density(1.5, 0.05, "remove"), 100)]
    excess = fourier.tail_estimate([(1.5, 0.05, 100)], L=20.0)
    excess += fourier.discretisation_estimate(parts, n=1000, L=20.0)
    estimate, upper = (a(n=1000).claim(query).value for a in (fourier.Fourier, fourier.FourierUpper))
    assert excess > 0
    assert abs(float(upper - estimate) - excess) <= 1e-15
    # an error estimate beyond δ leaves nothing to claim
    assert fourier.FourierUpper(n=200).claim(Query(10_000 * step, delta="1e-5")).value == math.inf
