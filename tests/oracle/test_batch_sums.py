r"""What is proved of hidden batches from below, against δ of the attained pair for up to three batches.

:math:`T\,\delta(\epsilon) = \int (\sum_t g(x_t))_+ \, dN(0, \sigma^2)^T`, g the difference of two
exponentials of x: in one variable a quadratic inequality in e^{x/σ²} and normal distribution functions, in
the others the trapezoidal rule. With a hundred batches the sum of g is taken on a fine lattice, in floats. No
line of it is shared with the package.
"""

from fractions import Fraction
from math import exp, fsum

import mpmath
import numpy as np
import pytest
from scipy.special import ndtr

import pldverify as pv
from pldverify.reference.laws.batch_sums import BatchSumsLaw, Cells, Events, Look, corners

Floats = np.ndarray
GAPS = {"zero-out": (2, 1), "replace-one": (2, 0), "add": (0, 1), "remove": (1, 0)}
OFF = 1e-4
"""Of the trapezoidal rule, where roots begin to be real: relative."""


def density_ratio(mean: int, sigma: float, x: Floats) -> Floats:
    return np.exp((2 * mean * x - mean * mean) / (2 * sigma * sigma))


def one_variable(first: int, second: int, sigma: float, growth: float, y: Floats) -> Floats:
    """∫ (g(x) + y)_+ dN(0, σ²)."""
    k = [y, np.zeros_like(y), np.zeros_like(y)]
    for mean, sign in ((first, 1.0), (second, -growth)):
        k[mean] = k[mean] + sign * exp(-mean * mean / (2 * sigma * sigma))
    with np.errstate(all="ignore"):
        if max(first, second) == 2:
            root = np.sqrt(k[1] * k[1] - 4 * k[2] * k[0])
            ends = np.sort([(-k[1] - root) / (2 * k[2]), (-k[1] + root) / (2 * k[2])], axis=0)
        else:
            ends = np.array([np.full_like(y, -1.0), -k[0] / k[1]])
        inside = first != max(first, second)

        def measure(mean: int) -> Floats:
            at = [np.where(u > 0, ndtr((sigma * sigma * np.log(u) - mean) / sigma), 0.0) for u in ends]
            between = np.nan_to_num(at[1] - at[0])  # no roots: nothing is between them
            return between if inside else 1 - between

        return measure(first) - growth * measure(second) + y * measure(0)


def exact(gap: tuple[int, int], batches: int, sigma: float, epsilon: float) -> float:
    """δ of one direction."""
    growth, step = exp(epsilon), sigma / (400 if batches < 3 else 120)
    x = np.arange(-9 * sigma, 9 * sigma + 2 * max(gap), step)
    weight = step * np.exp(-x * x / (2 * sigma * sigma)) / (sigma * np.sqrt(2 * np.pi))
    g = density_ratio(gap[0], sigma, x) - growth * density_ratio(gap[1], sigma, x)
    second = (g, weight) if batches > 1 else (np.zeros(1), np.ones(1))
    third = zip(g, weight, strict=True) if batches > 2 else [(0.0, 1.0)]
    inner = (mass * float(one_variable(*gap, sigma, growth, y + second[0]) @ second[1]) for y, mass in third)
    return fsum(inner) / batches


def largest(adjacency: str, batches: int, sigma: float, epsilon: float) -> float:
    gap = GAPS[adjacency]
    ways = [gap] if adjacency in ("add", "remove", "replace-one") else [gap, gap[::-1]]
    return max(exact(way, batches, sigma, epsilon) for way in ways)


@pytest.mark.parametrize("gap", [(2, 1), (1, 2), (2, 0), (0, 1), (1, 0)])
def test_the_trapezoidal_rule_agrees_with_mpmath(gap: tuple[int, int]) -> None:
    """In two variables; and with one batch, where it is a Gaussian."""
    sigma, epsilon = 1.0, 0.5

    def ratio(mean: int, x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp((2 * mean * x - mean * mean) / 2)

    def inner(x: mpmath.mpf) -> mpmath.mpf:
        y = float(ratio(gap[0], x) - mpmath.exp(epsilon) * ratio(gap[1], x))
        return float(one_variable(*gap, sigma, exp(epsilon), np.array([y]))[0]) * mpmath.npdf(x)

    truth = mpmath.quad(inner, [i / 2 for i in range(-18, 29)], maxdegree=4) / 2
    assert abs(truth / exact(gap, 2, sigma, epsilon) - 1) < OFF
    gaussian = pv.delta(pv.Gaussian(Fraction(1, abs(gap[0] - gap[1]))), epsilon=epsilon, digits=12)
    assert abs(float(gaussian.upper) / exact(gap, 1, sigma, epsilon) - 1) < OFF


CASES = [
    (adjacency, batches, sigma, epsilon)
    for adjacency in ("zero-out", "replace-one")
    for batches in (2, 1, 3)
    for sigma, epsilon in (("1", "1"), ("0.5", "3"), ("3", "0.25"), ("2", "1.5"))
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("adjacency", "batches", "sigma", "epsilon"), CASES)
def test_delta_is_just_below_that_of_the_pair(adjacency: str, batches: int, sigma: str, epsilon: str) -> None:
    truth = largest(adjacency, batches, float(sigma), float(epsilon))
    run = pv.ShuffledBatches(pv.Gaussian(sigma), batches)
    found = pv.bracket(run, epsilon=epsilon, adjacency=adjacency, seconds=60)  # type: ignore[arg-type]
    assert truth * 0.99 < found.lower < truth * (1 + OFF)


@pytest.mark.sample(1)
@pytest.mark.parametrize("adjacency", ["replace-one", "zero-out"])
@pytest.mark.parametrize("batches", [2, 1, 3])
@pytest.mark.parametrize(("sigma", "delta"), [("0.4", "1e-3"), ("1", "1e-6"), ("4", "1e-4")])
def test_epsilon_is_just_below_that_of_the_pair(adjacency: str, batches: int, sigma: str, delta: str) -> None:
    run = pv.ShuffledBatches(pv.Gaussian(sigma), batches)
    found = pv.bracket(run, delta=delta, adjacency=adjacency, seconds=60)  # type: ignore[arg-type]
    low = float(found.lower)
    above, beyond = (largest(adjacency, batches, float(sigma), e) for e in (low, low * 1.01))
    assert beyond < float(delta) < above * (1 + OFF)


@pytest.mark.parametrize("adjacency", ["add", "remove"])
def test_balls_and_bins_have_the_same_attack(adjacency: str) -> None:
    truth = largest(adjacency, 3, 1.0, 0.5)
    run = pv.BallsAndBins(pv.Gaussian(1), 3)
    found = pv.bracket(run, epsilon="0.5", adjacency=adjacency, seconds=60)  # type: ignore[arg-type]
    assert truth * 0.99 < found.lower < truth * (1 + OFF)


def chances(gap: tuple[int, int], batches: int, sigma: float, growth: float) -> tuple[float, float]:
    """P and Q of {Σ g > 0}, nearly: each value is split between two points of a lattice."""
    x = np.arange(-9 * sigma, 9 * sigma + 2, sigma / 200)
    masses = [np.diff(ndtr((np.append(x, x[-1] + sigma / 200) - m - sigma / 400) / sigma)) for m in (0, *gap)]
    g = density_ratio(gap[0], sigma, x) - growth * density_ratio(gap[1], sigma, x)
    spread = float(np.sqrt(g.clip(-60, 60) ** 2 @ masses[0]))
    size, step = 2**15, spread / 60
    places = (g / step).clip(-size // 3, size // 3)
    low = np.floor(places).astype(int)
    spectra = []
    for mass in masses:
        row = np.zeros(size)
        np.add.at(row, low % size, mass * (low + 1 - places))
        np.add.at(row, (low + 1) % size, mass * (places - low))
        spectra.append(np.fft.rfft(row))
    base = spectra[0] ** (batches - 1)
    p, q = (float(np.fft.irfft(base * one, size)[1 : size // 2].sum()) for one in spectra[1:])
    return p, q


@pytest.mark.slow
def test_ten_epochs_of_a_hundred_batches_are_near_what_is_best() -> None:
    """δ of the best attack, from its losses in fine cells, composed on a grid."""
    logs, step = np.linspace(-0.2, 0.2, 201), 1e-4
    points = np.array([(1.0, 1.0), *(chances((2, 1), 100, 4.0, exp(log)) for log in logs), (0.0, 0.0)])
    p, q = -np.diff(points, axis=0).T
    known = (p > 1e-13) & (q > 1e-13)
    losses = np.log(p[known] / q[known])
    size = 2**16
    row = np.zeros(size)
    np.add.at(row, np.rint(losses / step).astype(int) % size, p[known])
    total = np.fft.irfft(np.fft.rfft(row) ** 10, size)
    at = step * np.where(np.arange(size) < size // 2, np.arange(size), np.arange(size) - size)

    def delta(epsilon: float) -> float:
        return float(np.maximum(0, 1 - np.exp(epsilon - at)) @ total)

    run = 10 * pv.ShuffledBatches(pv.Gaussian(4), 100)
    low = float(pv.bracket(run, delta="1e-6", seconds=60).lower)
    assert low > 0.36
    assert delta(low * 1.005) < 1e-6 < delta(low)
    assert pv.certify(pv.Query(run, delta="1e-6"), epsilon="0.319").verdict == "REFUTED"


@pytest.mark.parametrize(
    ("batches", "sigma", "delta"), [(100, "4", "1e-6"), (30, "2", "1e-5"), (300, "3", "1e-4")]
)
def test_one_epoch_is_near_what_is_best(batches: int, sigma: str, delta: str) -> None:
    run = pv.ShuffledBatches(pv.Gaussian(sigma), batches)
    low = float(pv.bracket(run, delta=delta, seconds=60).lower)
    for epsilon, above in ((low * 0.999, True), (low * 1.005, False)):
        p, q = chances((2, 1), batches, float(sigma), exp(epsilon))
        assert (p - exp(epsilon) * q > float(delta)) is above


LOOKS = tuple(
    Look(Fraction(c), Fraction(1, 16), 200, first, 11, (Fraction(-1, 50), Fraction(1, 100), Fraction(1, 20)))
    for c, first in (("0.8", 1), ("1", -7), ("1.3", 3), ("2", 0), ("4", 1))
)
CELLS = Cells(Fraction(-8), Fraction(1, 8), 144)


@pytest.mark.sample(2)
@pytest.mark.parametrize("gap", [(2, 1), (1, 2), (2, 0), (1, 0)])
@pytest.mark.parametrize("batches", [1, 2, 3])
def test_no_corner_is_above_the_curve(gap: tuple[int, int], batches: int) -> None:
    """P(A) − e^ε Q(A) ≤ δ(ε), whatever the event; and near it with these cells."""
    law = BatchSumsLaw(*gap, batches, Fraction(1), Events((), CELLS, LOOKS))
    found = corners(law)
    assert len(found) > 4
    for epsilon in (-1.0, -0.2, 0.0, 0.3, 0.7, 1.4):
        best = max(float(p) - exp(epsilon) * float(q) for q, p in found)
        truth = exact(gap, batches, 1.0, epsilon)
        assert best < truth * (1 + OFF)
        if abs(epsilon) < 1:
            assert truth - best < 0.02
