"""The mpmath route: first held against closed forms that it does not use, then the engines against it."""

from fractions import Fraction

import pytest
from pldverify.quadrature.estimates import delta_estimate, moment_estimate

import pldverify as pv
from pldverify.errors import NotSupported
from pldverify.numbers.estimate import Estimate
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    holds,
    laplace_delta,
    mixture_delta,
    mixture_moment,
    real,
)


def trusted(estimate: Estimate, truth: object) -> bool:
    """Whether the estimate keeps its stated digits."""
    exact = fraction(truth)
    return abs(estimate.value - exact) * 10**estimate.digits <= abs(exact)


@pytest.mark.parametrize(
    ("sigma", "epsilon"), [("0.2", "3"), ("1", "0"), ("1", "-1.5"), ("1", "10"), ("5", "3"), ("100", "1")]
)
def test_one_gaussian(sigma: str, epsilon: str) -> None:
    mp = context(60)
    found = delta_estimate(pv.Gaussian(sigma), epsilon=epsilon, direction="remove")
    assert trusted(found, gaussian_delta(mp, 1 / real(mp, sigma) ** 2)(real(mp, epsilon)))


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(
    ("sigma", "q", "epsilon"),
    [("1", "0.1", "0.05"), ("0.3", "0.1", "-0.3"), ("5", "0.1", "1"), ("5", "0.1", "0.1"), ("2", "0.9", "0")],
)
def test_one_poisson_step(sigma: str, q: str, epsilon: str, direction: str) -> None:
    mp = context(200)
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    found = delta_estimate(pair, epsilon=epsilon, direction=direction)  # type: ignore[arg-type]
    assert trusted(found, mixture_delta(mp, real(mp, sigma), real(mp, q), direction)(real(mp, epsilon)))


@pytest.mark.parametrize(("b", "epsilon"), [("0.3", "2"), ("1", "-0.3"), ("5", "0.1"), ("1", "2")])
def test_one_laplace(b: str, epsilon: str) -> None:
    mp = context(60)
    found = delta_estimate(pv.Laplace(b), epsilon=epsilon, direction="add")
    assert trusted(found, laplace_delta(mp, 1 / real(mp, b))(real(mp, epsilon)))


@pytest.mark.parametrize("epsilon", ["0.1", "3"])
def test_one_randomized_response(epsilon: str) -> None:
    mp = context(60)
    found = delta_estimate(pv.RandomizedResponse("0.8"), epsilon=epsilon, direction="remove")
    truth = max(mp.mpf(0), mp.mpf("0.8") - mp.exp(real(mp, epsilon)) * mp.mpf("0.2"))
    assert trusted(found, truth)


@pytest.mark.parametrize("order", [2, 5])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("0.5", "0.3")])
def test_moments(sigma: str, q: str, order: int) -> None:
    mp = context(80)
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    found = moment_estimate(pair, z=order - 1, direction="remove")
    assert trusted(found, mixture_moment(mp, real(mp, sigma), real(mp, q), order))
    # M_{Q‖P}(z) = M_{P‖Q}(−1 − z)
    assert trusted(
        moment_estimate(pair, z=-order, direction="add"),
        mixture_moment(mp, real(mp, sigma), real(mp, q), order),
    )


@pytest.mark.parametrize("epsilon", ["1", "0"])
def test_a_composition_of_gaussians(epsilon: str) -> None:
    mp = context(60)
    found = delta_estimate(10 * pv.Gaussian(3), epsilon=epsilon, direction="remove", digits=12)
    assert trusted(found, gaussian_delta(mp, mp.mpf(10) / 9)(real(mp, epsilon)))


ENGINES = [
    (10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), "6.90735948"),
    (500 * pv.PoissonSubsampled(pv.Gaussian(2), "0.02"), "1"),
    (10**8 * pv.PoissonSubsampled(pv.Gaussian(5), "0.0001"), "1"),
]


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("composition", "epsilon"), ENGINES[:1])
def test_the_engine_agrees(composition: pv.Composition, epsilon: str, direction: str) -> None:
    estimate = delta_estimate(composition, epsilon=epsilon, direction=direction, digits=12)  # type: ignore[arg-type]
    found = pv.delta(composition, epsilon=epsilon, adjacency=direction, digits=15)  # type: ignore[arg-type]
    assert holds(found, estimate.value, estimate.digits)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("composition", "epsilon"), ENGINES)
def test_the_engine_agrees_to_25_digits(composition: pv.Composition, epsilon: str, direction: str) -> None:
    estimate = delta_estimate(composition, epsilon=epsilon, direction=direction, digits=25)  # type: ignore[arg-type]
    found = pv.delta(composition, epsilon=epsilon, adjacency=direction, digits=30)  # type: ignore[arg-type]
    assert holds(found, estimate.value, estimate.digits)


def test_what_it_has_no_density_for_is_refused() -> None:
    with pytest.raises(NotSupported):
        delta_estimate(pv.DiscreteGaussian(3), epsilon=1, direction="remove")
    with pytest.raises(NotSupported):
        delta_estimate(pv.Gaussian(3), epsilon=1, direction="replace")


def test_an_estimate_is_no_enclosure() -> None:
    found = delta_estimate(pv.Gaussian(1), epsilon=1, direction="remove")
    assert not isinstance(found, pv.Enclosure)
    assert isinstance(found.value, Fraction)
    assert "mpmath" in found.method
