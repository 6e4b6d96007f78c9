"""A derivative says nothing of a jump: arctan(1/t) falls on both sides of 0 and climbs by π there.

Monotony, masses by antiderivatives and decay of densities all rest on continuity, which was asked of nothing.
"""

import pytest
import sympy as sp

from pldverify.symbolic import Kind, State
from pldverify.symbolic.check.masses import derivative
from pldverify.symbolic.check.pieces import positive_densities
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Domain, Variable

T = sp.Symbol("t", real=True)
K = sp.Symbol("k", integer=True)
PROVER = Prover(Domain.of({}))
REALS = Variable(T, -sp.oo, sp.oo)


def test_a_denominator_that_vanishes_has_no_sign() -> None:
    assert PROVER.sign(sp.diff(sp.atan(1 / T), T), [REALS]) is None
    assert PROVER.sign(sp.diff(sp.atan(1 / T), T), [Variable(T, sp.Integer(0), sp.oo)]) == -1


@pytest.mark.parametrize(
    ("function", "over", "state"),
    [
        (sp.atan(1 / T), REALS, State.FAILED),
        (1 / T, REALS, State.FAILED),
        (sp.floor(T), REALS, State.FAILED),
        (sp.sign(T - 1), REALS, State.FAILED),
        (sp.Piecewise((0, T < 1), (1, True)), REALS, State.FAILED),
        (sp.Sum(T**K * sp.exp(-(K**2)), (K, -sp.oo, sp.oo)), REALS, State.FAILED),
        (sp.log(T**2), REALS, State.FAILED),
        (sp.gamma(T), REALS, State.FAILED),
        (sp.tan(T), REALS, State.FAILED),
        (1 / K, Variable(K, -sp.oo, sp.oo, is_integer=True), State.FAILED),
        (sp.atan(1 / T), Variable(T, sp.Integer(0), sp.oo), State.PROVED),
        (sp.log(1 + T**2) / (2 + sp.exp(T)), REALS, State.PROVED),
        (sp.floor(K / 2), Variable(K, -sp.oo, sp.oo, is_integer=True), State.PROVED),
    ],
)
def test_continuity_has_a_proof_of_its_own(function: sp.Expr, over: Variable, state: State) -> None:
    found = PROVER.continuous("it is continuous", function, over)
    assert found.kind is Kind.CONTINUOUS and found.state is state


def test_an_antiderivative_that_jumps_gives_no_mass() -> None:
    """−arctan(1/t) has the derivative 1/(1 + t²), and the difference 0 over the reals."""
    region = Region(-sp.oo, sp.oo, 1 / (1 + T**2), sp.Integer(0))
    densities = Densities("Cauchy", T, (region,), PROVER.domain)
    for f, state in ((-sp.atan(1 / T), State.FAILED), (sp.atan(T), State.PROVED)):
        one, unbroken = derivative("P", densities, region, f, region.p, PROVER, Kind.MASS)
        assert one.state is State.PROVED and unbroken.state is state


def test_a_loss_that_jumps_is_not_monotone() -> None:
    """The law is that of a uniform angle, tilted; L falls wherever it has a derivative."""
    cauchy, loss = 1 / (sp.pi * (1 + T**2)), sp.atan(1 / T)
    tilted = cauchy * sp.exp(loss)
    falls = PROVER.positive("L falls", -sp.diff(loss, T), [REALS], kind=Kind.MONOTONE)
    assert falls.state is State.FAILED
    densities = Densities("tilted", T, (Region(-sp.oo, sp.oo, tilted, cauchy),), PROVER.domain)
    found = positive_densities(densities, densities.regions[0], PROVER)
    assert [o.state for o in found if o.kind is Kind.CONTINUOUS] == [State.FAILED, State.PROVED]
