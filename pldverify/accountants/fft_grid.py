r"""The grid and Algorithm 1 that the Fourier accountants share.

Notation: :math:`X_n = \{x_\ell = -L + \ell \Delta x,\ 0 \le \ell < n\}`, :math:`\Delta x = 2L/n`, n even. A
distribution of the loss on the grid is a vector of n masses. Sources: KJH19 sections 6-7 (masses
:math:`\omega(x_\ell)\Delta x`), KH21 Algorithm 1 (masses of a discrete loss).
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pldverify.errors import InvalidInput

Vector = NDArray[np.float64]
Spectrum = NDArray[np.complex128]

MAX_POINTS = 2**24
"""Cap on the points of a grid: eight working vectors of 2^24 doubles are 1 GiB."""


def check_grid(n: object, L: object) -> tuple[int, float]:
    """n as an int and L as a float. Raises InvalidInput unless n is even, 2 ≤ n ≤ MAX_POINTS, 0 < L < ∞."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 2 or n % 2:
        raise InvalidInput(f"n must be an even integer >= 2, got n={n!r}")
    if n > MAX_POINTS:
        raise InvalidInput(f"n must be at most {MAX_POINTS} to work within 1 GiB, got n={n}")
    if not isinstance(L, (int, float)) or not 0 < L < math.inf:
        raise InvalidInput(f"L must be > 0 and finite, got L={L!r}")
    return int(n), float(L)


def check_epsilon(epsilon: float, L: float) -> float:
    """Raises InvalidInput unless −L < epsilon < L: beyond the grid there is nothing to sum."""
    if not -L < epsilon < L:
        raise InvalidInput(f"epsilon must be inside (-L, L) = ({-L:g}, {L:g}), got epsilon={epsilon!r}")
    return epsilon


def points(n: int, L: float) -> Vector:
    """The grid, shape (n,)."""
    n, L = check_grid(n, L)
    return -L + (2 * L / n) * np.arange(n, dtype=np.float64)


def transform(masses: Vector) -> Spectrum:
    r""":math:`\mathcal F(D a)`, D the swap of halves; the n/2 + 1 coefficients of a real vector."""
    return np.fft.rfft(np.fft.fftshift(masses))


def product(transforms: Sequence[tuple[Spectrum, int]]) -> Spectrum:
    r""":math:`\odot_i (\mathcal F D a_i)^{\odot k_i}`; overflow becomes inf or NaN, as in any float code."""
    result = np.ones_like(transforms[0][0])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for spectrum, k in transforms:
            result *= spectrum**k
    return result


def inverse(spectrum: Spectrum, n: int) -> Vector:
    r""":math:`D \mathcal F^{-1}` of a spectrum: masses, shape (n,)."""
    with np.errstate(invalid="ignore"):
        return np.fft.fftshift(np.fft.irfft(spectrum, n))


def compose(parts: Sequence[tuple[Vector, int]]) -> Vector:
    """Masses of the k_1 + ... + k_m-fold convolution, periodic with period 2L (KH21 Algorithm 1)."""
    return inverse(product([(transform(masses), k) for masses, k in parts]), len(parts[0][0]))


def hockey_stick(masses: Vector, L: float, epsilon: float) -> float:
    r""":math:`\sum_{x_\ell > \varepsilon} (1 - e^{\varepsilon - x_\ell})\, b_\ell` (KJH19 (7.2)).

    Raises InvalidInput for epsilon outside (−L, L).
    """
    x, b = _above(masses, L, epsilon)
    return float(-np.sum(np.expm1(epsilon - x) * b))


def slope(masses: Vector, L: float, epsilon: float) -> float:
    r""":math:`-\sum_{x_\ell > \varepsilon} e^{\varepsilon - x_\ell}\, b_\ell`, the derivative in ε (KJH19
    (8.2)).
    """
    x, b = _above(masses, L, epsilon)
    return float(-np.sum(np.exp(epsilon - x) * b))


def _above(masses: Vector, L: float, epsilon: float) -> tuple[Vector, Vector]:
    check_epsilon(epsilon, L)
    n = len(masses)
    first = max(0, math.floor((epsilon + L) * n / (2 * L)) - 1)
    x = -L + (2 * L / n) * np.arange(first, n, dtype=np.float64)
    start = int(np.searchsorted(x, epsilon, side="right"))
    return x[start:], masses[first + start :]
