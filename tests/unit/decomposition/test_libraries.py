"""Budgets of other people's FFT accountants: the sum holds the error, planted bugs are seen."""

import inspect
import json
from fractions import Fraction
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from dp_accounting.pld import common, pld_pmf
from fourier_accountant import common as fourier_common
from fourier_accountant import compute_delta
from prv_accountant import accountant as prv_accountant
from prv_accountant import discretisers
from prv_accountant.discrete_privacy_random_variable import DiscretePrivacyRandomVariable

from pldverify.accountants import fft_grid, registry
from pldverify.accountants.adapters.dp_accounting import PLD
from pldverify.accountants.adapters.dp_accounting_functions import Buckets, Functions, Optimistic, Vector
from pldverify.accountants.adapters.fourier_accountant import FourierAccountant
from pldverify.accountants.adapters.fourier_accountant_grid import grid
from pldverify.accountants.adapters.prv_accountant import Coarse, Estimate, Lower, Upper
from pldverify.accountants.standalone import Call
from pldverify.decomposition import fourier_accountant as decomposition
from pldverify.decomposition.error_budget import error_budget
from pldverify.decomposition.result import ErrorBudget
from pldverify.errors import NotSupported, SubjectFailure
from pldverify.mechanisms import (
    ApproximateDP,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.numbers.enclosure import Enclosure

SAMPLED = PoissonSubsampled(Gaussian(sigma=1), q="0.1")


def verdicts(budget: ErrorBudget) -> dict[str, str]:
    return {term.name: str(term.verdict) for term in budget.terms}


def observed(budget: ErrorBudget, name: str) -> Enclosure:
    return next(term.observed for term in budget.terms if term.name == name)


def holds(budget: ErrorBudget) -> bool:
    """The sum of the terms contains the error, which is known to many more digits."""
    low, high = Fraction(budget.total.lower), Fraction(budget.total.upper)
    return budget.sum.lower <= high and low <= budget.sum.upper


def small_grid(monkeypatch: pytest.MonkeyPatch, n: int, L: float) -> None:
    """Other defaults for fourier-accountant: a million points take seconds."""
    for function in (compute_delta.get_delta_R, compute_delta.get_delta_S):
        *others, _, _ = function.__defaults__
        monkeypatch.setattr(function, "__defaults__", (*others, n, L))


def changed(function: Any, before: str, after: str) -> FunctionType:
    """The function with another text in its source."""
    source = inspect.getsource(function)
    assert before in source
    names: dict[str, Any] = dict(function.__globals__)
    exec(source.replace(before, after), names)
    return names[function.__name__]  # type: ignore[no-any-return]


# fourier-accountant


@pytest.mark.parametrize(("sigma", "q", "adjacency"), [(1, "0.01", "remove"), (3, "0.2", "replace-one")])
def test_fourier_accountant(sigma: int, q: str, adjacency: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    small_grid(monkeypatch, 20_000, 10.0)
    query = Query(100 * PoissonSubsampled(Gaussian(sigma), q=q), epsilon=1, adjacency=adjacency)
    budget = error_budget(FourierAccountant(), query)
    assert set(verdicts(budget).values()) == {"INSIDE"} and holds(budget)
    assert list(verdicts(budget)) == ["tail", "truncation", "periodisation", "discretisation", "rounding"]
    assert budget.direction == ("remove" if adjacency == "remove" else "replace")


def test_a_period_that_is_too_short_is_the_dominant_term(monkeypatch: pytest.MonkeyPatch) -> None:
    small_grid(monkeypatch, 4_000, 2.0)
    query = Query(400 * PoissonSubsampled(Gaussian(2), q="0.1"), epsilon="0.5")
    budget = error_budget(FourierAccountant(), query)
    assert budget.dominant == "tail" and holds(budget)
    assert observed(budget, "periodisation").lower > 1e-3


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.fft.fft(fx * dx)", "np.fft.fft(np.roll(fx * dx, -1))"),  # losses rounded down
        ("np.linspace(-L, L-dx, nx", "np.linspace(-L, 1.001*(L-dx), nx"),  # another period than it says
        ("+ 0.5", "+ 0.502"),
    ],
)
def test_planted_in_fourier_accountant(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small_grid(monkeypatch, 20_000, 10.0)
    monkeypatch.setattr(compute_delta, "_evaluate_pld", changed(fourier_common._evaluate_pld, before, after))
    budget = error_budget(FourierAccountant(), Query(100 * SAMPLED, epsilon=1))
    assert "discretisation" in budget.broken and holds(budget)


def test_planted_rounding_in_fourier_accountant(monkeypatch: pytest.MonkeyPatch) -> None:
    small_grid(monkeypatch, 20_000, 10.0)
    coarse = changed(fourier_common._evaluate_pld, "FF1**ncomp", "np.complex64(FF1)**ncomp")
    monkeypatch.setattr(compute_delta, "_evaluate_pld", coarse)
    budget = error_budget(FourierAccountant(), Query(100 * SAMPLED, epsilon=1))
    assert budget.broken == ("rounding",) and holds(budget)


@pytest.mark.parametrize(("sigma", "q"), [(1.0, 0.01), (4.0, 1e-3), (0.7, 0.3)])
@pytest.mark.parametrize("relation", ["R", "S"])
def test_the_model_of_its_masses_covers_them(sigma: float, q: float, relation: str) -> None:
    """Against the same densities in long doubles, whose own errors are 2000 times smaller."""
    n, L = 4_000, 8.0
    x = fft_grid.points(n, L)
    steps = [(Call("step", {"noise_multiplier": sigma, "q": q}), 1)]
    masses = grid(relation, 1.0, steps, n=n, L=L).masses[0]
    direction = "remove" if relation == "R" else "replace"
    allowed = decomposition._errors(sigma, q, direction, x, masses)
    exact = _density(relation, np.longdouble(sigma), np.longdouble(q), x.astype(np.longdouble))
    off = np.abs(masses - exact * (2 * L / n))
    assert np.all(off <= allowed + 1e-300)  # less is underflow
    assert np.max(off[masses > 1e-12] / allowed[masses > 1e-12]) > 1e-3  # no bound of another size


def _density(relation: str, sigma: Any, q: Any, s: Any) -> Any:
    """KJH19's densities, without cancellation."""
    with np.errstate(all="ignore"):
        if relation == "R":
            odds = (np.expm1(s) + q) / q
            t = sigma**2 * np.log(odds) + np.longdouble(1) / 2
            slope = sigma**2 * np.exp(s) / (q * odds)
        else:
            b, c = (1 - q) * np.expm1(s), q * np.exp(-1 / (2 * sigma**2))
            r = np.sqrt(b**2 + 4 * c**2 * np.exp(s))
            u = np.where(b >= 0, (b + r) / (2 * c), 2 * c * np.exp(s) / (r - b))
            t = sigma**2 * np.log(u)
            slope = sigma**2 * (np.exp(s) * (c + (1 - q) * u) / (u * r))
        bell = q * np.exp(-((t - 1) ** 2) / (2 * sigma**2)) + (1 - q) * np.exp(-(t**2) / (2 * sigma**2))
        value = bell * slope / np.sqrt(2 * np.pi * sigma**2)
        return np.where(np.isfinite(value), value, 0)


# prv-accountant


@pytest.mark.parametrize("kind", [Lower, Estimate, Upper, Coarse])
def test_prv_accountant(kind: Any) -> None:
    budget = error_budget(kind(), Query(100 * SAMPLED, epsilon=1))
    assert set(verdicts(budget).values()) == {"INSIDE"} and holds(budget)
    assert budget.direction == "remove"
    assert ("margin" in verdicts(budget)) == (kind is not Estimate)


@pytest.mark.slow
def test_prv_accountant_with_several_parts() -> None:
    budget = error_budget(Upper(), Query(20 * SAMPLED + 5 * Laplace(4) + 10 * Gaussian(9), epsilon=1))
    assert set(verdicts(budget).values()) == {"INSIDE"} and holds(budget)


def test_mass_at_infinity_has_no_budget_of_prv_accountant() -> None:
    with pytest.raises(NotSupported, match="mass at infinity"):
        error_budget(Upper(), Query(5 * ApproximateDP("0.1", "1e-9"), epsilon="0.3"))


def test_a_planted_domain_of_prv_accountant_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prv_accountant, "compute_safe_domain_size", lambda *given, **named: 2.0)
    budget = error_budget(Upper(), Query(400 * PoissonSubsampled(Gaussian(2), q="0.1"), epsilon="0.5"))
    assert "periodisation" in budget.broken and holds(budget)


def test_planted_left_nodes_of_prv_accountant_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def left(self: Any, variable: Any, domain: Any) -> Any:
        nodes = domain.ts()
        masses = variable.probability(nodes, nodes + domain.dt())
        return DiscretePrivacyRandomVariable(masses, domain, log_pmc_inf=0.0)

    monkeypatch.setattr(discretisers.CellCentred, "discretise", left)
    budget = error_budget(Estimate(), Query(400 * PoissonSubsampled(Gaussian(2), q="0.1"), epsilon=2))
    assert "discretisation" in budget.broken and holds(budget)
    assert observed(budget, "discretisation").upper < 0


# dp-accounting


RESPONSES = RandomizedResponse("0.6")


@pytest.mark.parametrize(
    ("kind", "query"),
    [
        (PLD, Query(50 * Laplace(10), epsilon=1)),
        (PLD, Query(25 * Gaussian(10), epsilon=1)),
        (Functions, Query(25 * Gaussian(10), epsilon=1, adjacency="replace-one")),
        (Buckets, Query(50 * Laplace(10), epsilon=1)),
        (Functions, Query(3 * Laplace(1) + 2 * Laplace(3), epsilon=1)),
    ],
)
def test_dp_accounting(kind: Any, query: Query) -> None:
    budget = error_budget(kind(), query)
    assert set(verdicts(budget).values()) == {"INSIDE"} and holds(budget)
    assert observed(budget, "discretisation").lower >= 0
    names = list(verdicts(budget))
    assert names[0] == "discretisation" and names[-1] == "rounding"


def test_masses_in_doubles_are_below_by_their_rounding() -> None:
    budget = error_budget(Functions(), Query(5 * ApproximateDP("0.1", "1e-8"), epsilon="0.2"))
    assert budget.broken == ("discretisation",) and holds(budget)
    assert -1e-16 < observed(budget, "discretisation").upper < 0


def test_the_tail_that_an_optimistic_distribution_adds_is_seen() -> None:
    """A finding: ``self_compose`` adds tail_mass_truncation at infinity to a lower bound as well."""
    budget = error_budget(Optimistic(), Query(50 * Laplace(10), epsilon=1))
    assert budget.broken == ("truncation",) and holds(budget)
    assert observed(budget, "discretisation").upper <= 0
    assert float(observed(budget, "truncation").lower) == pytest.approx(1e-15, rel=1e-6, abs=0)


def test_the_count_that_the_accountant_ignores_is_seen() -> None:
    """A finding of ``tests/regression``: a count of randomised response is one."""
    budget = error_budget(PLD(), Query(100 * RESPONSES, epsilon=1, adjacency="replace-one"))
    assert "discretisation" in budget.broken and holds(budget)


def test_a_planted_grid_to_the_left_of_dp_accounting_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from dp_accounting.pld import privacy_loss_distribution as functions

    honest = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap

    def left(interval: float, low: int, high: int, deltas: Any) -> Any:
        return honest(interval, low - 1, high - 1, deltas)

    monkeypatch.setattr(functions.pld_pmf, "create_pmf_pessimistic_connect_dots_fixed_gap", left)
    budget = error_budget(PLD(), Query(50 * Laplace(10), epsilon=1))
    assert budget.broken == ("discretisation",) and holds(budget)
    assert observed(budget, "discretisation").upper < 0


def test_a_planted_period_of_dp_accounting_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = common.compute_self_convolve_bounds

    def narrow(values: Any, count: int, tail: float = 0, orders: Any = None) -> tuple[int, int]:
        low, high = honest(values, count, tail, orders)
        quarter = (high - low) // 4
        return low + quarter, high - quarter

    monkeypatch.setattr(common, "compute_self_convolve_bounds", narrow)
    budget = error_budget(PLD(), Query(50 * Laplace(10), epsilon=1))
    assert budget.broken == ("periodisation",) and holds(budget)


# refusals


@pytest.mark.parametrize(
    ("accountant", "query", "reason"),
    [
        (partial(registry.accountant, "riskcal"), Query(SAMPLED, epsilon=0), "FFT accountant that it knows"),
        (Vector, Query(SAMPLED, epsilon=1), "a way of its own"),
        (
            FourierAccountant,
            Query(SampledWithoutReplacement(Gaussian(2), q="0.1"), epsilon=1),
            "moments are not bounded far out",
        ),
    ],
)
def test_refusals(accountant: Any, query: Query, reason: str) -> None:
    with pytest.raises(NotSupported, match=reason):
        error_budget(accountant(), query)


def test_a_library_that_changes_its_mind_has_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    small_grid(monkeypatch, 2_000, 10.0)
    monkeypatch.setattr(FourierAccountant, "claim", lambda self, query: Upper().claim(query))
    with pytest.raises(SubjectFailure, match="when asked again"):
        error_budget(FourierAccountant(), Query(SAMPLED, epsilon=1))


def test_what_a_library_raises_is_its_failure() -> None:
    """Its loop over log(1 − q) has no answer for q = 1."""
    with pytest.raises(SubjectFailure, match="fourier-accountant raised OverflowError"):
        error_budget(FourierAccountant(), Query(10 * Gaussian(5), epsilon=1))


@pytest.mark.slow
def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from pldverify.cli import main

    asked = ["budget", "50 * laplace(b=10)", "--epsilon", "1", "--accountant"]
    inside = CliRunner().invoke(main, [*asked, "dp-accounting", "--json"])
    assert inside.exit_code == 0 and json.loads(inside.stdout)["broken"] == []
    outside = CliRunner().invoke(main, [*asked, "dp-accounting/pld-optimistic"])
    assert outside.exit_code == 1 and "truncation is outside of its bound: proved" in outside.stdout
