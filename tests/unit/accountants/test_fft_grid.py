"""The grid: refuses bad sizes before memory is spent, composes as plain convolution does."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.accountants import fft_grid, fourier
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.accountants.prv import snap
from pldverify.errors import InvalidInput


@pytest.mark.parametrize("n", [0, 1, 3, -2, 2.0, "4", True, None, 2**24 + 2, 10**30])
def test_bad_n_is_named(n: object) -> None:
    with pytest.raises(InvalidInput, match="n must be"):
        fft_grid.check_grid(n, 1.0)


@pytest.mark.parametrize("L", [0, -1.0, math.inf, math.nan, "20", None])
def test_bad_l_is_named(L: object) -> None:
    with pytest.raises(InvalidInput, match="L must be"):
        fft_grid.check_grid(4, L)


@pytest.mark.parametrize("epsilon", [1.0, 1.5, -1.0, math.nan, math.inf])
def test_epsilon_beyond_the_grid_is_refused(epsilon: float) -> None:
    with pytest.raises(InvalidInput, match="epsilon must be inside"):
        fft_grid.hockey_stick(np.zeros(4), 1.0, epsilon)


def test_memory_is_not_spent_on_what_is_refused() -> None:
    density = fourier.subsampled_density(1.0, 0.01, "remove")
    tracemalloc.start()
    for call in (
        lambda: fourier.convolve([(density, 10)], n=2 * 10**10, L=20.0),
        lambda: fourier.delta([(density, 10)], epsilon=21.0, n=2 * 10**6, L=20.0),
        lambda: fourier.Fourier(n=10**12),
        lambda: fourier.FourierUpper(n=2**24),
        lambda: HeterogeneousFourierUpper(n=10**12),
        lambda: snap(10.0, 1e-9),
    ):
        with pytest.raises(InvalidInput):
            call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10**6


masses = st.lists(st.floats(0, 1), min_size=8, max_size=8).map(lambda values: np.array(values) + 1e-3)


def plain(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Convolution on the grid points −n/2, …, n/2 − 1, periodic: the definition (KH21 Lemma 2)."""
    n = len(a)
    result = np.zeros(n)
    for i in range(n):
        for j in range(n):
            result[(i - n // 2 + j - n // 2 + n // 2) % n] += a[i] * b[j]
    return result


@given(masses, masses)
def test_composition_is_periodic_convolution(a: np.ndarray, b: np.ndarray) -> None:
    expected = plain(plain(a, a), b)
    found = fft_grid.compose([(a, 2), (b, 1)])
    assert np.max(np.abs(found - expected)) <= 1e-14 * np.sum(expected)


@given(masses, st.floats(-0.99, 0.99))
def test_hockey_stick_is_its_sum(a: np.ndarray, epsilon: float) -> None:
    x = [-1 + 2 * i / 8 for i in range(8)]
    expected = math.fsum(m * (1 - math.exp(epsilon - s)) for s, m in zip(x, a, strict=True) if s > epsilon)
    assert abs(fft_grid.hockey_stick(a, 1.0, epsilon) - expected) <= 1e-15 * np.sum(a)
    slope = -math.fsum(m * math.exp(epsilon - s) for s, m in zip(x, a, strict=True) if s > epsilon)
    assert abs(fft_grid.slope(a, 1.0, epsilon) - slope) <= 1e-15 * np.sum(a)


def test_a_grid_point_at_epsilon_is_not_counted() -> None:
    a = np.zeros(8)
    a[6] = 1.0  # the point 0.5
    assert fft_grid.hockey_stick(a, 1.0, 0.5) == 0.0
    assert fft_grid.slope(a, 1.0, 0.5) == 0.0
    assert fft_grid.slope(a, 1.0, 0.499) < -0.99
