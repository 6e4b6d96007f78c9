"""KJH19 5.2 in doubles: t = σ² log(e^s …) + 1/2 multiplies the rounding of a logarithm near 0 by σ².

At a step of a fifth of the deviation the grid masses of one Gaussian with σ = 100 should add up to 1 within
e^{−490} (Poisson summation), and are 4e-13 short: after a million steps that is 2e-7 of δ, four times what
the step itself may cost.
"""

import math
from fractions import Fraction

import mpmath
import numpy as np

from pldverify.accountants import fft_grid
from pldverify.accountants.fourier import Fourier, subsampled_density
from pldverify.decomposition.error_budget import error_budget
from pldverify.decomposition.promises import second_order
from pldverify.decomposition.truth import Truth
from pldverify.mechanisms import Gaussian, Query

N, L = 142_296, 142.0


def missing_mass() -> Fraction:
    """1 minus the sum of the grid masses of one step."""
    masses = subsampled_density(100.0, 1.0, "remove")(fft_grid.points(N, L)) * (2 * L / N)
    assert np.count_nonzero(masses) > 100
    return 1 - sum(Fraction(mass) for mass in masses[masses > 0].tolist())


def test_the_masses_of_one_step() -> None:
    missing = missing_mass()
    with mpmath.workdps(40):
        h = mpmath.mpf(2) * 142 / N
        mean, deviation = mpmath.mpf(1) / 20_000, mpmath.mpf(1) / 100
        exact = sum(h * mpmath.npdf(i * h, mean, deviation) for i in range(-400, 401))
        assert abs(exact - 1) < 1e-30
    assert 1e-13 < missing < 1e-12


def test_a_million_steps() -> None:
    composition = 1_000_000 * Gaussian(100)
    budget = error_budget(Fourier(n=N, L=L), Query(composition, epsilon=50))
    (term,) = (term for term in budget.terms if term.name == "discretisation")
    ideal = second_order(Truth(composition, budget.direction, Fraction(50)), Fraction(L), 2 * Fraction(L) / N)
    observed = -float(term.observed.upper)
    assert 2 * float(ideal) < observed < 3e-7 < float(term.high) < 1e-5
    assert term.verdict == "INSIDE"
    # δ of the composition, μ = √k/σ = 10, loses its share of the mass that k steps lose
    delta = mpmath.ncdf(0) - mpmath.exp(50) * mpmath.ncdf(-10)
    assert math.isclose(observed, float(delta) * 1_000_000 * float(missing_mass()), rel_tol=0.1)
