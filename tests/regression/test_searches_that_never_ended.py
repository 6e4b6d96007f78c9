"""Loops of searches that NaN, or doubles further apart than a step, kept from their end."""

import math
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType, SimpleNamespace

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.search import smoothing

MOST = 100_000
"""Calls of a function that a search may make."""


@pytest.fixture
def at_most(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, str], None]:
    """Give a module functions of ``math`` of which one ends the test when it is called too often."""

    def limit(module: ModuleType, name: str) -> None:
        calls, function = 0, getattr(math, name)

        def limited(*arguments: float) -> float:
            nonlocal calls
            calls += 1
            if calls > MOST:
                pytest.fail(f"{name} was called more than {MOST} times")
            return float(function(*arguments))

        functions = {key: value for key, value in vars(math).items() if not key.startswith("_")}
        monkeypatch.setattr(module, "math", SimpleNamespace(**{**functions, name: limited}))

    return limit


def test_smoothing_refuses_a_continuous_loss_before_it_searches(
    at_most: Callable[[ModuleType, str], None],
) -> None:
    at_most(smoothing, "log")
    steps = 25 * pv.SampledWithoutReplacement(pv.Gaussian("1.241e-4"), "1")
    with pytest.raises(NotSupported, match=r"not all losses of .* are discrete"):
        smoothing.plan_smoothing(product(steps, "replace"), "delta", Fraction("7.132e187"), digits=3)


@pytest.mark.parametrize("log_delta", [math.nan, -math.inf, -1e300, -40.0, math.inf])
@pytest.mark.parametrize("log_density", [math.nan, -math.inf, -1e300, -40.0, math.inf])
@pytest.mark.parametrize("variance", [1e-300, 1.0, 1e300])
def test_a_cut_is_found_or_refused(
    log_delta: float, log_density: float, variance: float, at_most: Callable[[ModuleType, str], None]
) -> None:
    at_most(smoothing, "log")
    goals = log_delta, log_density
    if all(goal > -math.inf for goal in goals):
        edge = smoothing._edge(variance, *goals)
        rest = -variance * edge * edge / 2 - math.log(math.pi * edge) if edge < math.inf else -math.inf
        assert rest + math.log(2) <= log_delta and rest - math.log(variance) <= log_density
    else:
        with pytest.raises(NoConvergence, match="no cut"):
            smoothing._edge(variance, *goals)


@pytest.mark.parametrize("p", [-1e3, -1e13, -1e20, -1e100, -1e300])
@pytest.mark.parametrize("variance", [1, 10**6])
@pytest.mark.parametrize("q", [0.001, 0.5, 0.999])
def test_a_mode_far_out_is_found(p: float, variance: int, q: float) -> None:
    law = PoissonDiscreteGaussianLaw(Fraction(variance), 1, Fraction(q), "remove")

    def slope(x: int) -> Fraction:
        """Of −x²/2 + pσ² log w, which falls."""
        y = Fraction(math.exp(max(-700, (2 * x - 1) / (2 * variance))))
        return Fraction(p) * Fraction(q) * y / (1 - Fraction(q) + Fraction(q) * y) - x

    first, last = law.window(Fraction(p))
    assert slope(first) > 0 > slope(last)


def test_outcomes_without_number_are_refused() -> None:
    law = PoissonDiscreteGaussianLaw(Fraction(10**30), 1, Fraction(1, 2), "remove")
    with pytest.raises(NoConvergence, match="outcomes count"):
        law.window(Fraction(-(10**300)))
