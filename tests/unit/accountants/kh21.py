"""Formulas of KH21 that its accountants here do without, to compare with."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from pldverify.accountants import fft_grid
from pldverify.accountants.fft_grid import Spectrum
from pldverify.accountants.heterogeneous_fourier import GridLoss, infinite_mass


def algorithm_1(parts: Sequence[tuple[GridLoss, int]], *, epsilon: float, L: float) -> float:
    r"""δ(ε) ≈ :math:`1 - \prod(1-\delta_\ell(\infty))^{k_\ell} +
    \sum_{x_\ell>\varepsilon}(1-e^{\varepsilon-x_\ell})b_\ell`.
    """
    masses = fft_grid.compose([(part.masses, k) for part, k in parts])
    return infinite_mass(parts) + fft_grid.hockey_stick(masses, L, epsilon)


def plancherel_weights(epsilon: float, *, n: int, L: float) -> Spectrum:
    r""":math:`\mathcal F(D w_\varepsilon)`, :math:`(w_\varepsilon)_\ell = \max(1 - e^{\varepsilon -
    x_\ell}, 0)` (Lemma 5).
    """
    x = fft_grid.points(n, L)
    fft_grid.check_epsilon(epsilon, L)
    return fft_grid.transform(-np.expm1(np.minimum(epsilon - x, 0.0)))


def plancherel(weights: Spectrum, spectrum: Spectrum, n: int) -> float:
    r"""Lemma 5 (Lemma 11 of the proofs): :math:`\frac1n \langle \mathcal F(Dw_\varepsilon), (\mathcal F
    Da)^{\odot k}\rangle`.

    Both vectors hold the n/2 + 1 coefficients of real data; the others are their conjugates.
    """
    terms = np.real(weights * np.conj(spectrum))
    return float((2 * np.sum(terms) - terms[0] - terms[-1]) / n)


def discretisation_bound(log_mgfs: Callable[[float], float], k: int, *, epsilon: float, step: float) -> float:
    r"""(5.7): :math:`k\Delta x\, e^{\alpha(\lambda)-\lambda\varepsilon}`, least over λ = 1, …, 64; α is the
    composition's.
    """
    exponents = (math.log(k * step) + log_mgfs(lam) - lam * epsilon for lam in range(1, 65))
    return math.exp(min(exponents))
