"""Transform, mean and variance: closed forms, and sums over the outcomes of a pair."""

import math
from fractions import Fraction

import mpmath
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.reference.moments import mgf, moments


def close(found: pv.Enclosure, truth: mpmath.mpf) -> bool:
    """Whether the enclosure contains the 50-digit number up to its last digits."""
    with mpmath.workdps(50):
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        slack = abs(truth) * mpmath.mpf(10) ** -40
        return bool(low - slack <= truth <= high + slack)


@pytest.mark.parametrize("steps", [1, 7, 10**6])
@pytest.mark.parametrize("sigma", ["0.2", "1", "50"])
def test_gaussian(steps: int, sigma: str) -> None:
    found = moments(steps * pv.Gaussian(sigma))
    variance = steps / Fraction(sigma) ** 2
    assert variance / 2 in found.mean and variance in found.variance
    assert min(found.mean.digits, found.variance.digits) >= 15
    assert found.variance.upper < variance * (1 + Fraction(1, 10**14))


@pytest.mark.parametrize(("b", "digits"), [("0.5", 15), ("3", 30)])
def test_laplace(b: str, digits: int) -> None:
    with mpmath.workdps(50):
        c = 1 / mpmath.mpf(b)
        mean = c + mpmath.exp(-c) - 1  # KL of two Laplace laws, c apart
        density = mpmath.quad(lambda s: s**2 * mpmath.exp((s - c) / 2) / 4, [-c, c])
        variance = c**2 / 2 + c**2 * mpmath.exp(-c) / 2 + density - mean**2
        mean, variance = 3 * mean, 3 * variance
    found = moments(3 * pv.Laplace(b), digits=digits)
    assert close(found.mean, mean) and close(found.variance, variance)
    assert found.mean.digits >= digits and found.variance.digits >= digits


def test_infinite_losses_are_left_out() -> None:
    with mpmath.workdps(50):
        p = 1 / (1 + mpmath.exp(-2))
        mean, variance = 2 * (2 * p - 1), 16 * p * (1 - p)
    found = moments(pv.ApproximateDP(2, "0.25"))
    assert close(found.mean, mean) and close(found.variance, variance)
    assert not close(found.mean, mean * 3 / 4)  # teeth: not conditioned


def test_sampled_gaussian_against_quadrature() -> None:
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    with mpmath.workdps(50):
        q = mpmath.mpf("0.01")

        def loss(t: mpmath.mpf) -> mpmath.mpf:
            return mpmath.log(1 - q + q * mpmath.exp(t - 0.5))

        def moment(power: int) -> mpmath.mpf:
            return mpmath.quad(
                lambda t: mpmath.exp(loss(t)) * loss(t) ** power * mpmath.npdf(t), range(-20, 31, 2)
            )

        mean, variance = moment(1), moment(2) - moment(1) ** 2
    found = moments(1000 * pair, adjacency="remove", digits=12)
    assert float(found.mean) == pytest.approx(float(1000 * mean), rel=1e-11)
    assert float(found.variance) == pytest.approx(float(1000 * variance), rel=1e-11)


@pytest.mark.parametrize("order", ["-3", "-1", "-0.5", "0", "0.5", "4"])
def test_transform_of_the_gaussian(order: str) -> None:
    with mpmath.workdps(50):
        lam = mpmath.mpf(order)
        truth = mpmath.exp(8 * lam * (lam + 1))
    assert close(mgf(4 * pv.Gaussian("0.5"), order=order), truth)


def test_transform_and_divergence_agree() -> None:
    steps = 10 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    assert math.log(mgf(steps, order="2.5")) == pytest.approx(
        2.5 * float(pv.rdp(steps, order="3.5")), rel=1e-13
    )


def test_the_transform_at_zero_is_the_finite_mass() -> None:
    assert Fraction(3, 4) in mgf(pv.ApproximateDP(2, "0.25"), order=0)


def test_bad_arguments() -> None:
    with pytest.raises(InvalidInput, match="order"):
        mgf(pv.Gaussian(1), order="inf")
    with pytest.raises(InvalidInput, match="digits"):
        moments(pv.Gaussian(1), digits=0)
