"""δ(ε) taken apart into intervals of ε: equal functions in other shapes pass, other functions fail."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp

from pldverify.symbolic import Kind, Obligation, State
from pldverify.symbolic.build.builder import derive_formulas
from pldverify.symbolic.check.delta import delta_obligations, tails
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families import laplace
from pldverify.symbolic.families.atomic import outcomes
from pldverify.symbolic.model.densities import EPSILON
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.formulas import Formulas

R = sp.Rational
E = sp.exp(EPSILON)
NO_PARAMETERS = Domain.of({})
PAIR = derive_formulas(
    outcomes("three losses", [R(1, 2), R(1, 4), R(1, 4)], [R(1, 4), R(1, 4), R(1, 2)], NO_PARAMETERS),
    "x",
    "y",
)
LAPLACE = derive_formulas(laplace.DENSITIES, "x", "y")


def total(formulas: Formulas, delta: sp.Expr) -> Obligation:
    found = delta_obligations(replace(formulas, delta=delta), Prover(formulas.densities.domain))
    assert {o.kind for o in found} == {Kind.DELTA}
    return found[-1]


def branch(value: sp.Expr, condition: object) -> sp.Expr:
    return sp.Piecewise((value, condition), (0, True))


TOP, MIDDLE, BOTTOM = R(1, 2) - E / 4, R(1, 4) - E / 4, R(1, 4) - E / 2
LOG2 = sp.log(2)


@pytest.mark.parametrize(
    "delta",
    [
        branch(TOP, EPSILON < LOG2) + branch(MIDDLE, EPSILON < 0) + branch(BOTTOM, EPSILON < -LOG2),
        branch(TOP, EPSILON <= LOG2) + branch(MIDDLE, EPSILON <= 0) + branch(BOTTOM, LOG2 <= -EPSILON),
        2 * branch(TOP / 2, LOG2 > EPSILON) + branch(MIDDLE, EPSILON < 0) + branch(BOTTOM, -LOG2 > EPSILON),
        branch(TOP, sp.log(4) / 2 > EPSILON) + branch(MIDDLE, EPSILON < 0) + branch(BOTTOM, -LOG2 > EPSILON),
    ],
)
def test_the_same_function_in_other_shapes(delta: sp.Expr) -> None:
    assert total(PAIR, delta).state is State.PROVED


@pytest.mark.parametrize(
    "delta",
    [
        branch(TOP, EPSILON < LOG2) + branch(MIDDLE, EPSILON < 0),
        branch(TOP, EPSILON < LOG2) + branch(MIDDLE, EPSILON < 0) + branch(2 * BOTTOM, EPSILON < -LOG2),
        branch(TOP, EPSILON < LOG2) + branch(MIDDLE, EPSILON < 1) + branch(BOTTOM, EPSILON < -LOG2),
        branch(TOP, EPSILON > LOG2) + branch(MIDDLE, EPSILON < 0) + branch(BOTTOM, EPSILON < -LOG2),
        branch(TOP, EPSILON < LOG2)
        + branch(MIDDLE, EPSILON < 0)
        + branch(BOTTOM, EPSILON < -LOG2)
        + R(1, 10**9),
        TOP + branch(MIDDLE, EPSILON < 0) + branch(BOTTOM, EPSILON < -LOG2),
        sp.Piecewise((TOP, EPSILON < LOG2)) + branch(MIDDLE, EPSILON < 0) + branch(BOTTOM, EPSILON < -LOG2),
        sp.Max(0, TOP) + sp.Max(0, MIDDLE) + sp.Max(0, BOTTOM),
        sp.nan,
    ],
)
def test_other_functions_and_what_cannot_be_read(delta: sp.Expr) -> None:
    assert total(PAIR, delta).state is State.FAILED


def test_a_function_that_is_wrong_on_one_interval_only_is_disproved() -> None:
    wrong = branch(TOP, EPSILON < LOG2) + branch(MIDDLE, EPSILON < 0) + branch(2 * BOTTOM, EPSILON < -LOG2)
    assert total(PAIR, wrong).disproved


def test_a_piece_between_two_atoms() -> None:
    assert total(LAPLACE, LAPLACE.delta).state is State.PROVED
    for wrong in (LAPLACE.delta * R(1001, 1000), LAPLACE.delta - LAPLACE.atoms[0].p, LAPLACE.delta + E):
        assert total(LAPLACE, wrong).state is State.FAILED


CHANGES: list[Callable[[sp.Expr], sp.Expr]] = [
    lambda delta: delta + 1,
    lambda delta: 2 * delta,
    lambda delta: delta + E,
    lambda delta: delta.subs(EPSILON, EPSILON / 2),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_wrong_delta_of_a_piece_fails(change: Callable[[sp.Expr], sp.Expr]) -> None:
    piece = LAPLACE.only_piece()
    assert piece.delta is not None
    wrong = replace(LAPLACE, pieces=(replace(piece, delta=change(piece.delta)),))
    found = delta_obligations(wrong, Prover(LAPLACE.densities.domain))
    assert found[0].state is State.FAILED and found[0].disproved


def test_tails_of_a_piece_without_antiderivative_prove_nothing() -> None:
    piece = replace(LAPLACE.only_piece(), p_integral=None)
    assert tails(piece, LAPLACE.outcome, Prover(LAPLACE.densities.domain))[0] is sp.nan
