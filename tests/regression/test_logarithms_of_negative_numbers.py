"""Logarithms were compared as log|f|, and nobody asked for the sign of f: false formulas were PROVED."""

from dataclasses import replace

import pytest
import sympy as sp

from pldverify.mechanisms.expression import parse
from pldverify.symbolic import State
from pldverify.symbolic.build.builder import derive_formulas
from pldverify.symbolic.check.obligations import obligations
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families.normal import SIGMA, SIGMA_AND_Q, Q
from pldverify.symbolic.families.poisson_gaussian import printed
from pldverify.symbolic.families.table import family
from pldverify.symbolic.model.densities import S
from pldverify.symbolic.model.domain import Domain, Variable

X = sp.Symbol("x", real=True)
LINE = Variable(X, -sp.oo, sp.oo)
UNIT = Variable(X, sp.Integer(0), sp.Integer(1))
ABOVE = Variable(S, 1 - Q, sp.oo, logarithmic=True)
RIGHT = SIGMA**2 * sp.log((sp.exp(S) - (1 - Q)) / Q) + sp.Rational(1, 2)
WRONG = SIGMA**2 * sp.log((1 - Q - sp.exp(S)) / Q) + sp.Rational(1, 2)

FALSE = [
    (sp.log(-X), sp.log(X), LINE),
    (sp.log(1 - X), sp.log(X - 1), LINE),
    (sp.log(1 - X), sp.log(X - 1), UNIT),
    (2 * sp.log(-X), sp.log(X**2), UNIT),
    (sp.log(X - 2) + sp.log(X - 3), sp.log((X - 2) * (X - 3)), UNIT),
    (sp.sqrt(X - 1) ** 2 + sp.sqrt(X - 1), X - 1 + sp.sqrt(X - 1), UNIT),
    (sp.sqrt(X - 2) * sp.sqrt(X - 3), sp.sqrt((X - 2) * (X - 3)), UNIT),
    ((X - 1) ** X * (X - 1), (X - 1) ** (X + 1), UNIT),
    (sp.log(sp.log(X)), sp.log(sp.log(X**2)) - sp.log(2), UNIT),
]


@pytest.mark.parametrize(("left", "right", "variable"), FALSE)
def test_what_is_not_real_is_not_proved(left: sp.Expr, right: sp.Expr, variable: Variable) -> None:
    found = Prover(Domain.of({})).equal("a = b", left, right, [variable])
    assert found.state is State.FAILED


def test_where_the_sign_is_proved_the_same_rules_hold() -> None:
    prover = Prover(Domain.of({}))
    assert prover.equal("a", sp.log(1 - X) + sp.log(X), sp.log(X - X**2), [UNIT]).state is State.PROVED
    assert prover.equal("b", sp.sqrt(1 - X) * sp.sqrt(1 - X), 1 - X, [UNIT]).state is State.PROVED
    assert (
        prover.equal("c", sp.log(-sp.log(X)), sp.log(-sp.log(X**2)) - sp.log(2), [UNIT]).state is State.PROVED
    )


def test_a_sign_needs_real_parts_too() -> None:
    prover = Prover(Domain.of({}))
    assert prover.sign(sp.log(X - 1) ** 2 + 1, [UNIT]) is None
    assert prover.sign(sp.log(X) ** 2 + 1, [Variable(X, sp.Integer(0), sp.oo)]) == 1
    assert prover.sign(sp.log(X) ** 2 + 1, [LINE]) is None


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_inverse_of_the_subsampled_gaussian_with_a_wrong_sign(direction: str) -> None:
    densities = family(parse("poisson(gaussian(sigma=1), q=1/100)").parts[0][0], "remove").densities
    pair = [derive_formulas(d, "x", "y") for d in (densities, densities.swapped())]
    forward, backward = pair if direction == "remove" else pair[::-1]
    piece = forward.only_piece()
    wrong = WRONG if direction == "remove" else WRONG.subs(S, -S)
    planted = replace(forward, pieces=(replace(piece, inverse=wrong, jacobian=sp.diff(wrong, S)),))
    failed = {o.statement for o in obligations(planted, backward) if o.state is State.FAILED}
    assert {"L(L⁻¹(s)) = s", "L⁻¹(L(t)) = t", "L⁻¹(s) is real and in the region"} <= failed


def test_the_printed_inverse_is_not_proved_equal_to_a_wrong_one() -> None:
    prover = Prover(SIGMA_AND_Q)
    assert prover.equal("right", RIGHT, RIGHT + 0, [ABOVE]).state is State.PROVED
    assert prover.equal("wrong", WRONG, RIGHT, [ABOVE]).state is State.FAILED
    densities = family(parse("poisson(gaussian(sigma=1), q=1/100)").parts[0][0], "remove").densities
    forward, backward = (derive_formulas(d, "x", "y") for d in (densities, densities.swapped()))
    planted = replace(forward, pieces=(replace(forward.only_piece(), inverse=WRONG),))
    found = [o for o in printed(planted, backward, prover) if o.source.endswith("KJH19 (10.2)")]
    assert [o.state for o in found] == [State.FAILED]
