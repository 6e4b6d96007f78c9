"""Three rules for a total mass of 1: what they prove adds up to 1, and near misses are not proved."""

from dataclasses import replace

import pytest
import sympy as sp

from pldverify.mechanisms.expression import parse
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.check.total_rules import (
    Pairs,
    Rule,
    _binomial,
    _binomial_weights,
    _gaussian_integral,
    _is_mixture,
    binomial_mixture_of_normals,
    normalised_series,
    shifted_binomials,
)
from pldverify.symbolic.families.table import family
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Domain

R = sp.Rational
CASES = [
    (normalised_series, "discrete_gaussian(sigma=2, sensitivity=3)", "remove"),
    (normalised_series, "poisson(discrete_gaussian(sigma=2), q=1/10)", "remove"),
    (shifted_binomials, "binomial(n=100, p=1/2)", "remove"),
    (shifted_binomials, "binomial(n=100, p=1/3, sensitivity=3)", "remove"),
    (shifted_binomials, "poisson(binomial(n=100, p=1/2, sensitivity=2), q=1/10)", "remove"),
    (binomial_mixture_of_normals, "kjh20_with_replacement(gaussian(sigma=1), m=50, n=100)", "replace"),
]


def pairs(densities: Densities, index: int) -> Pairs:
    return [(region, (region.p, region.q)[index]) for region in densities.regions]


def densities_of(text: str, direction: str) -> Densities:
    return family(parse(text).parts[0][0], direction).densities  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(("rule", "text", "direction"), CASES)
def test_what_adds_up_is_proved(rule: Rule, text: str, direction: str, index: int) -> None:
    densities = densities_of(text, direction)
    prover = Prover(densities.domain)
    assert rule(densities, pairs(densities, index), prover) is not None
    others = {normalised_series, shifted_binomials, binomial_mixture_of_normals} - {rule}
    assert all(other(densities, pairs(densities, index), prover) is None for other in others)


@pytest.mark.sample(14)
@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("factor", [R(2), R(10**12 + 1, 10**12)])
@pytest.mark.parametrize(("rule", "text", "direction"), CASES)
def test_another_total_is_not(rule: Rule, text: str, direction: str, factor: sp.Expr, index: int) -> None:
    densities = densities_of(text, direction)
    heavier = [(region, factor * density) for region, density in pairs(densities, index)]
    assert rule(densities, heavier, Prover(densities.domain)) is None


@pytest.mark.parametrize("index", [0, 1])
def test_binomials_need_every_outcome(index: int) -> None:
    densities = densities_of("binomial(n=100, p=1/3, sensitivity=3)", "remove")
    everything, prover = pairs(densities, index), Prover(densities.domain)
    carrying = [i for i, (_, density) in enumerate(everything) if density != 0]
    for i in carrying:
        fewer = [*everything[:i], *everything[i + 1 :]]
        assert shifted_binomials(densities, fewer, prover) is None
        region, density = everything[i]
        if region.lower == region.upper:
            heavier = [*everything[:i], (region, 2 * density), *everything[i + 1 :]]
            assert shifted_binomials(densities, heavier, prover) is None


@pytest.mark.parametrize("outcome", ["n + 1", "n + 3", "0", "n + 4", "2"])
def test_an_outcome_that_may_be_reached_is_not_left_out(outcome: str) -> None:
    """Of n ≥ 1 trials moved by 3, outcomes are 3 … n + 3, so n + 1 is one where n ≥ 2."""
    n, t = sp.Symbol("n", integer=True, positive=True), sp.Symbol("t", integer=True)
    p = sp.Symbol("p", positive=True)
    prover = Prover(Domain.of({n: (sp.Integer(1), sp.oo), p: (sp.Integer(0), sp.Integer(1))}))
    at = sp.sympify(outcome, {"n": n})
    nothing = Region(at, at, sp.Integer(0), sp.Integer(0))
    left_out = _is_mixture(nothing, sp.Integer(0), {(n, sp.Integer(3)): sp.Integer(1)}, t, p, prover)
    assert left_out is (outcome in ("0", "2", "n + 4"))


def test_weights_do_not_depend_on_the_outcome() -> None:
    n, t = sp.Symbol("n", integer=True, positive=True), sp.Symbol("t", integer=True)
    p, q = sp.symbols("p q", positive=True)
    both = q * _binomial(n, t, p) + (1 - q) * _binomial(n, t - 2, p)
    assert _binomial_weights(both, t, p) == {(n, 0): q, (n, 2): 1 - q}
    for wrong in (t * _binomial(n, t, p), _binomial(n, 2 * t, p), q**t, sp.binomial(n, t) * q**t):
        assert _binomial_weights(wrong, t, p) is None


def test_an_integral_is_of_a_gaussian_alone() -> None:
    t, prover = sp.Symbol("t", real=True), Prover(Domain.of({}))
    assert _gaussian_integral(3 * sp.exp(-2 * (t - 1) ** 2), t, prover) == 3 * sp.sqrt(sp.pi / 2)
    for shape in (-(t**2) + t**3, -(t**2) - t**4, -(t**2) - sp.Abs(t), -t, t**2):
        assert _gaussian_integral(sp.exp(shape), t, prover) is None
    assert _gaussian_integral(t * sp.exp(-(t**2)), t, prover) is None


def test_a_series_needs_all_integers() -> None:
    densities = densities_of("discrete_gaussian(sigma=2)", "remove")
    (region,) = densities.regions
    half = Region(sp.Integer(0), sp.oo, region.p, region.q)
    cut = replace(densities, regions=(half,))
    assert normalised_series(cut, pairs(cut, 0), Prover(cut.domain)) is None
