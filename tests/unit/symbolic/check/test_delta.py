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


@pytest.fixture(scope="module")
def pair() -> Formulas:
    three = outcomes("three losses", [R(1, 2), R(1, 4), R(1, 4)], [R(1, 4), R(1, 4), R(1, 2)], NO_PARAMETERS)
    return derive_formulas(three, "x", "y")


@pytest.fixture(scope="module")
def of_laplace() -> Formulas:
    return derive_formulas(laplace.DENSITIES, "x", "y")


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
def test_the_same_function_in_other_shapes(pair: Formulas, delta: sp.Expr) -> None:
    assert total(pair, delta).state is State.PROVED


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
def test_other_functions_and_what_cannot_be_read(pair: Formulas, delta: sp.Expr) -> None:
    assert total(pair, delta).state is State.FAILED


def test_a_function_that_is_wrong_on_one_interval_only_is_disproved(pair: Formulas) -> None:
    wrong = branch(TOP, EPSILON < LOG2) + branch(MIDDLE, EPSILON < 0) + branch(2 * BOTTOM, EPSILON < -LOG2)
    assert total(pair, wrong).disproved


def test_a_piece_between_two_atoms(of_laplace: Formulas) -> None:
    assert total(of_laplace, of_laplace.delta).state is State.PROVED
    for wrong in (
        of_laplace.delta * R(1001, 1000),
        of_laplace.delta - of_laplace.atoms[0].p,
        of_laplace.delta + E,
    ):
        assert total(of_laplace, wrong).state is State.FAILED


CHANGES: list[Callable[[sp.Expr], sp.Expr]] = [
    lambda delta: delta + 1,
    lambda delta: 2 * delta,
    lambda delta: delta + E,
    lambda delta: delta.subs(EPSILON, EPSILON / 2),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_wrong_delta_of_a_piece_fails(of_laplace: Formulas, change: Callable[[sp.Expr], sp.Expr]) -> None:
    piece = of_laplace.only_piece()
    assert piece.delta is not None
    wrong = replace(of_laplace, pieces=(replace(piece, delta=change(piece.delta)),))
    found = delta_obligations(wrong, Prover(of_laplace.densities.domain))
    assert found[0].state is State.FAILED and found[0].disproved


def test_tails_of_a_piece_without_antiderivative_prove_nothing(of_laplace: Formulas) -> None:
    piece = replace(of_laplace.only_piece(), p_integral=None)
    assert tails(piece, of_laplace.outcome, Prover(of_laplace.densities.domain))[0] is sp.nan
