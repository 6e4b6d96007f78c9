"""The model of the rounding in grid masses, against 40 digits."""

import mpmath
import numpy as np
import pytest

from pldverify.accountants import fft_grid
from pldverify.accountants.fourier import subsampled_density, substitute_density
from pldverify.decomposition import evaluation as module


def exact(sigma: float, q: float, direction: str, s: mpmath.mpf) -> mpmath.mpf:
    """ω(s) = f_P(t) dt/ds, the loss inverted by hand or, where a record is replaced, by its quadratic."""
    v, p = mpmath.mpf(sigma) ** 2, mpmath.mpf(q)

    def mixture(t: mpmath.mpf) -> mpmath.mpf:
        return p * mpmath.npdf(t, 1, sigma) + (1 - p) * mpmath.npdf(t, 0, sigma)

    def sampled(s: mpmath.mpf) -> mpmath.mpf:
        odds = (mpmath.exp(s) - (1 - p)) / p
        return (
            mixture(v * mpmath.log(odds) + 0.5) * v * mpmath.exp(s) / (p * odds)
            if odds > 0
            else mpmath.mpf(0)
        )

    if direction == "remove":
        return sampled(s)
    if direction == "add":
        return mpmath.exp(s) * sampled(-s)
    c, b = p * mpmath.exp(-1 / (2 * v)), (1 - p) * mpmath.expm1(s)
    root = mpmath.sqrt(b * b + 4 * c * c * mpmath.exp(s))
    x = (b + root) / (2 * c)
    return mixture(v * mpmath.log(x)) * v * mpmath.exp(s) * ((1 - p) + c / x) / root


@pytest.mark.parametrize("direction", ["remove", "add", "replace"])
@pytest.mark.parametrize(("sigma", "q"), [(100.0, 1.0), (0.5, 1.0), (1.0, 0.01), (20.0, 0.3), (3.0, 0.9)])
def test_masses_err_by_less_than_the_model(direction: str, sigma: float, q: float) -> None:
    n, L = 40_000, 12.0
    x = fft_grid.points(n, L)
    density = (
        substitute_density(sigma, q) if direction == "replace" else subsampled_density(sigma, q, direction)
    )  # type: ignore[arg-type]
    with np.errstate(all="ignore"):
        masses = density(x) * (2 * L / n)
    bounds = module._relative_errors(sigma, q, direction, x, masses)
    bulk = np.flatnonzero(masses > masses.max() * 1e-8)
    ratios = []
    with mpmath.workdps(40):
        h = mpmath.mpf(2) * 12 / n
        for i in bulk[:: max(1, len(bulk) // 60)].tolist():
            true = h * exact(sigma, q, direction, (i - n // 2) * h)
            ratios.append(float(abs(mpmath.mpf(float(masses[i])) / true - 1)) / bounds[i])
    assert len(ratios) > 10
    assert 1e-4 < max(ratios) < 1


def test_no_mass_no_error() -> None:
    x = fft_grid.points(100, 1.0)
    assert not module._relative_errors(1.0, 1.0, "remove", x, np.zeros(100)).any()
