"""The analytic Gaussian through the budget of every FFT accountant: every term inside of its bound.

σ from 0.5 to 100, 1 to 10⁶ steps, ε in the bulk and at δ near 1e-5 and 1e-10, each accountant on a grid that
it can use. The whole grid is ``python -m pytest -m slow tests/oracle/test_budgets_of_gaussians.py``, ten
minutes; the quick run takes every thirteenth cell of up to 1000 steps.
"""

import math
from fractions import Fraction as F

import pytest
from scipy.fft import next_fast_len

from pldverify.accountants import gdp, prv
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.fourier import Fourier
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierLower, HeterogeneousFourierUpper
from pldverify.accountants.prv import PRVEstimate, PRVLower, PRVUpper
from pldverify.decomposition.error_budget import error_budget
from pldverify.mechanisms import Gaussian, Query

NOISES = ("0.5", "1", "2", "5", "20", "100")
STEPS = (1, 10, 100, 1_000, 10_000, 1_000_000)
DELTAS = (None, 1e-5, 1e-10)
KINDS = (
    Fourier,
    HeterogeneousFourierUpper,
    HeterogeneousFourierLower,
    PRVUpper,
    PRVEstimate,
    PRVLower,
)
MOST_POINTS = 2**20
DOUBLES = 2**21


def subject(kind: type, sigma: float, k: int) -> Accountant | None:
    """On a grid that is fine enough for an answer; None where that has too many points."""
    mu = math.sqrt(k) / sigma
    L = float(math.ceil(mu * mu / 2 + 9 * mu + 2))
    if kind in (PRVUpper, PRVEstimate, PRVLower):
        eps_error = 0.1 * max(1.0, mu)
        h = prv.mesh(k, eps_error=eps_error, delta_error=1e-10)
        return kind(eps_error=eps_error) if 2 * L / h <= MOST_POINTS else None  # type: ignore[no-any-return]
    n = 2 * next_fast_len(math.ceil(5 * L * sigma) + 100)
    if kind is Fourier:
        return Fourier(n=min(n, DOUBLES), L=L)
    n = max(n, 2 * next_fast_len(math.ceil(0.5 * L * k * sigma)))  # ω_max adds a mass of about k/10 of 1/σ
    return kind(n=n, L=L) if n <= MOST_POINTS else None  # type: ignore[no-any-return]


def cells() -> list[tuple[type, str, int, float | None]]:
    found = [(kind, sigma, k, delta) for kind in KINDS for sigma in NOISES for k in STEPS for delta in DELTAS]
    return [cell for cell in found if subject(cell[0], float(cell[1]), cell[2]) is not None]


def epsilon_at(sigma: float, k: int, delta: float | None) -> F:
    mu = math.sqrt(k) / sigma
    return F(round(1024 * (mu * mu / 2 if delta is None else gdp.epsilon(mu, delta))), 1024)


def check_cell(kind: type, sigma: str, k: int, delta: float | None) -> None:
    accountant = subject(kind, float(sigma), k)
    assert accountant is not None
    query = Query(k * Gaussian(sigma), epsilon=epsilon_at(float(sigma), k, delta))
    budget = error_budget(accountant, query)
    assert {term.verdict for term in budget.terms} == {"INSIDE"}, budget.to_json()
    assert budget.sum.overlaps(budget.total)
    if kind is Fourier and k <= 10_000:
        (term,) = (term for term in budget.terms if term.name == "discretisation")
        assert term.theorem.startswith("Poisson summation")
        assert float(term.high) < float(budget.true)  # it says something about this δ


def test_the_grid_is_wide() -> None:
    counts = {kind: sum(cell[0] is kind for cell in cells()) for kind in KINDS}
    assert counts[Fourier] == 108
    assert min(counts.values()) >= 54


SAMPLE = [cell for cell in cells() if cell[2] <= 1_000][::13]


@pytest.mark.sample(6)
@pytest.mark.parametrize(("kind", "sigma", "k", "delta"), SAMPLE)
def test_a_sample_of_cells(kind: type, sigma: str, k: int, delta: float | None) -> None:
    check_cell(kind, sigma, k, delta)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sigma", NOISES)
def test_every_cell(kind: type, sigma: str) -> None:
    for cell in cells():
        if cell[:2] == (kind, sigma):
            check_cell(*cell)
