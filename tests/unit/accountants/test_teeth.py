"""Planted bugs: each is made by hand in a copy of one step, and the tests' own criteria must reject it."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from pldverify.accountants import fft_grid, fourier, heterogeneous_fourier
from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.losses import loss
from pldverify.accountants.prv import compose_prv, discretize, truncated_mean
from pldverify.mechanisms import Gaussian, PoissonSubsampled
from tests.unit.accountants import kh21


def gaussian_delta(mu: float, epsilon: float) -> float:
    return float(
        stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    )


def closed_form_holds(compose: Callable[[list[tuple[Vector, int]]], Vector]) -> bool:
    """The criterion of test_gaussian_closed_form, for another way to compose."""
    n, L = 2**14, 20.0
    masses = fourier.subsampled_density(2.0, 1.0, "remove")(fft_grid.points(n, L)) * (2 * L / n)

    def holds(k: int) -> bool:
        found = fft_grid.hockey_stick(compose([(masses, k)]), L, 3.0)
        return abs(found / gaussian_delta(math.sqrt(k) / 2, 3.0) - 1) < 1e-4

    return holds(10) and holds(11)  # k halves of the grid are none or one: a missing shift hides in a parity


def test_composition_as_it_is_passes() -> None:
    assert closed_form_holds(fft_grid.compose)


def not_centred(parts: list[tuple[Vector, int]]) -> Vector:
    ((masses, k),) = parts
    return np.fft.irfft(np.fft.rfft(masses) ** k, len(masses))


def shifted_back_only(parts: list[tuple[Vector, int]]) -> Vector:
    return np.fft.fftshift(not_centred(parts))


def one_fold_less(parts: list[tuple[Vector, int]]) -> Vector:
    ((masses, k),) = parts
    return fft_grid.compose([(masses, k - 1)])


def off_by_one_shift(parts: list[tuple[Vector, int]]) -> Vector:
    return np.roll(fft_grid.compose(parts), 1)


@pytest.mark.parametrize("bug", [not_centred, shifted_back_only, one_fold_less, off_by_one_shift])
def test_a_wrong_transform_is_found(bug: Callable[[list[tuple[Vector, int]]], Vector]) -> None:
    assert not closed_form_holds(bug)


def derivative_criterion(density: fourier.Density, direction: str) -> float:
    """Greatest difference of cell masses to the tails, as in test_density_is_the_derivative_of_the_tail."""
    law = loss(PoissonSubsampled(Gaussian(1), "0.1"), direction)  # type: ignore[arg-type]
    s = np.linspace(-0.09, 0.09, 181)
    fine = np.linspace(-0.09, 0.09, 18_001)
    values = density(fine)
    cells = (
        np.add.reduceat(values[:-1], np.arange(0, 18_000, 100)) + values[100::100] / 2 - values[:-100:100] / 2
    ) * 1e-5
    return float(np.max(np.abs(cells + np.diff(law.above(s)))))


def test_the_add_direction_has_its_sign() -> None:
    remove = fourier.subsampled_density(1.0, 0.1, "remove")
    assert derivative_criterion(remove, "remove") < 1e-6
    assert derivative_criterion(fourier.subsampled_density(1.0, 0.1, "add"), "add") < 1e-6
    for bug in (
        lambda s: np.exp(-s) * remove(-s),
        lambda s: remove(-s),
        lambda s: np.exp(s) * remove(s),
        remove,
    ):
        assert derivative_criterion(bug, "add") > 1e-4


def test_a_missing_infinite_mass_is_found() -> None:
    p, q = np.array([0.9, 0.1]), np.array([1.0, 0.0])
    part = heterogeneous_fourier.from_probabilities(p, q, n=64, L=8.0, side="right")
    whole = kh21.algorithm_1([(part, 3)], epsilon=1.0, L=8.0)
    finite = kh21.algorithm_1([(heterogeneous_fourier.GridLoss(part.masses), 3)], epsilon=1.0, L=8.0)
    true = 1 - 0.9**3
    assert abs(whole - true) < 1e-14 and finite < true - 0.2
    # the k-fold product is not k times one
    assert abs(3 * part.infinity - true) > 0.02


def test_the_wrong_side_of_the_grid_is_no_bound() -> None:
    p, q = np.array([0.7, 0.3]), np.array([0.3, 0.7])
    true = sum(
        math.comb(5, i) * max(0.0, 0.7**i * 0.3 ** (5 - i) - math.e * 0.3**i * 0.7 ** (5 - i))
        for i in range(6)
    )
    sides = {
        side: kh21.algorithm_1(
            [(heterogeneous_fourier.from_probabilities(p, q, n=64, L=8.0, side=side), 5)],  # type: ignore[arg-type]
            epsilon=1.0,
            L=8.0,
        )
        for side in ("left", "right")
    }
    assert sides["left"] < true - 0.01 and true + 0.01 < sides["right"]


def test_the_mean_correction_is_what_makes_prv_accurate() -> None:
    law, k, h, L = loss(PoissonSubsampled(Gaussian(1), "0.1"), "remove"), 400, 0.05, 15.0
    fine = compose_prv([(law, k)], L=L, h=0.002).delta(2.0)
    coarse = compose_prv([(law, k)], L=L, h=h)
    assert abs(coarse.delta(2.0) / fine - 1) < 0.05
    # without it every step's mean is off by μ, and k steps by kμ
    one = discretize(law, L=L, h=h)
    mu = one.start + h * (len(one.masses) - 1) / 2
    assert abs(mu) > 1e-4
    uncorrected = coarse.delta(2.0 + k * mu)
    assert abs(uncorrected / fine - 1) > 0.05
    # and the mean must be that of the truncated loss, of the right direction
    other = truncated_mean(loss(PoissonSubsampled(Gaussian(1), "0.1"), "add"), L)
    assert abs(other - truncated_mean(law, L)) > 1e-4
