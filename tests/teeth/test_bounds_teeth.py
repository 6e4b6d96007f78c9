"""Planted bugs that the budgets and the attacks on the bounds must find, and attribute to the right term."""

import math
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from flint import arb

from pldverify.accountants import fft_grid, heterogeneous_fourier, prv
from pldverify.accountants.fourier import Fourier
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.accountants.prv import PRVEstimate
from pldverify.balls.ball import ball, working
from pldverify.bounds.right_grid import right_grid
from pldverify.decomposition import steps, truth
from pldverify.decomposition.error_budget import error_budget
from pldverify.decomposition.grid import GridPart, Kernel, wrapped_sum
from pldverify.mechanisms import Gaussian, Query, RandomizedResponse

GAUSSIAN = Query(10 * Gaussian(sigma=4), epsilon=1)
RESPONSE = Query(20 * RandomizedResponse("0.6"), epsilon="0.9")


def test_nothing_is_found_without_a_bug() -> None:
    assert error_budget(Fourier(n=400, L=10.0), GAUSSIAN).broken == ()
    assert error_budget(HeterogeneousFourierUpper(n=400, L=10.0), RESPONSE).broken == ()


def test_a_sum_with_the_wrong_kernel_is_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    original = fft_grid.hockey_stick
    monkeypatch.setattr(
        fft_grid, "hockey_stick", lambda masses, L, eps: original(masses, L, eps) * (1 + 1e-6)
    )
    assert error_budget(Fourier(n=400, L=10.0), GAUSSIAN).broken == ("rounding",)


def test_a_single_precision_fft_is_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    original = fft_grid.transform
    monkeypatch.setattr(
        fft_grid,
        "transform",
        lambda masses: original(masses).astype(np.complex64).astype(complex) * (1 + 1e-7),
    )
    assert "rounding" in error_budget(Fourier(n=400, L=10.0), GAUSSIAN).broken


def test_losses_rounded_down_where_up_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    original = heterogeneous_fourier.place
    monkeypatch.setattr(
        heterogeneous_fourier, "place", lambda x, p, *, n, L, side: original(x, p, n=n, L=L, side="left")
    )
    assert error_budget(HeterogeneousFourierUpper(n=400, L=10.0), RESPONSE).broken == ("discretisation",)


def test_prv_without_the_matched_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mean that is off by 0.2 in each of 10 steps moves the curve further than any coupling allows."""
    original = prv.truncated_mean
    monkeypatch.setattr(prv, "truncated_mean", lambda loss, L: original(loss, L) + 0.2)
    assert error_budget(PRVEstimate(), GAUSSIAN).broken == ("discretisation",)


@pytest.mark.parametrize(("name", "broken"), [("chernoff_tail", "tail"), ("periodisation", "periodisation")])
def test_a_bound_that_is_too_small(monkeypatch: pytest.MonkeyPatch, name: str, broken: str) -> None:
    """The bound to the power 3, at a small L, where the reference isolates the term."""
    original = getattr(truth, name)
    query = Query(10 * Gaussian(sigma=4), epsilon="0.1")
    accountant = Fourier(n=400, L=1.0)
    assert broken not in error_budget(accountant, query).broken

    def small(*arguments: Any) -> arb:
        value: arb = original(*arguments)
        return value**3 / 100 if value.is_finite() else value

    monkeypatch.setattr(truth, name, small)
    assert broken in error_budget(accountant, query).broken


def test_a_rounding_bound_that_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "convolution_rounding", lambda parts, **rest: arb(2) ** -80)
    assert error_budget(Fourier(n=400, L=10.0), GAUSSIAN).broken == ("rounding",)


def test_a_kernel_without_the_tilted_part_is_seen() -> None:
    masses = np.array([0.25, 0.25, 0.5])
    with working(256):
        value = wrapped_sum([GridPart(masses, -1, 2)], 8, Kernel(F(1), F(1, 2), 4), goal=F(1, 10**20))
        indicator = 0.25 * 0.5 * 2 + 0.25
        assert not value.overlaps(arb(indicator))
        exact = 0.5 * -math.expm1(-0.5) * 0.5 + 0.25 * -math.expm1(-1.5)
        assert float(value) == pytest.approx(exact, rel=1e-14, abs=0)


def test_a_bound_without_the_losses_below_epsilon_is_found_by_the_attack() -> None:
    """What the printed theorem forgets: the attack sees the violation when ``tail`` is P(S ≥ ε)."""
    grown = 1 - ball(F(-1, 20)).exp()  # an atom at 9/10 goes to 1, ε = 19/20
    assert grown > right_grid(0, 0, 1, 1)
    assert not grown > right_grid(1, 0, 1, 1)
