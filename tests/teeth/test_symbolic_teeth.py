"""Planted bugs in derivations: a wrong inverse, Jacobian sign, density, mass … must fail an obligation."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import sympy as sp

from pldverify.mechanisms.expression import parse
from pldverify.symbolic import Derivation, Obligation, State
from pldverify.symbolic.build.builder import derive_formulas
from pldverify.symbolic.check.obligations import obligations
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families import poisson_gaussian
from pldverify.symbolic.families.table import family
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Region, S
from pldverify.symbolic.model.formulas import Piece

Pair = tuple[Derivation, Derivation]
R = sp.Rational


@cache
def pair(text: str) -> Pair:
    densities = family(parse(text).parts[0][0], "remove").densities
    return derive_formulas(densities, text, "remove"), derive_formulas(densities.swapped(), text, "add")


def failures(forward: Derivation, backward: Derivation) -> list[Obligation]:
    return [o for o in obligations(forward, backward) if o.state is State.FAILED]


def mutated(text: str, **changes: Callable[[Piece], object]) -> list[Obligation]:
    forward, backward = pair(text)
    piece = forward.only_piece()
    wrong = replace(piece, **{name: change(piece) for name, change in changes.items()})
    return failures(replace(forward, pieces=(wrong,)), backward)


POISSON = "poisson(gaussian(sigma=1), q=1/100)"
GAUSSIAN = "gaussian(sigma=1)"
LAPLACE = "laplace(b=1)"
TEXTS = [GAUSSIAN, POISSON, LAPLACE]


@pytest.mark.parametrize("text", TEXTS)
def test_without_a_planted_bug_nothing_fails(text: str) -> None:
    assert failures(*pair(text)) == []


PLANTED: list[tuple[str, str, Callable[[Piece], object], str]] = [
    ("a shifted inverse", "inverse", lambda p: p.inverse + R(1, 1000), "L(L⁻¹(s)) = s"),
    ("a mirrored inverse", "inverse", lambda p: 1 - p.inverse, "L(L⁻¹(s)) = s"),
    ("the inverse of the other direction", "inverse", lambda p: p.inverse.subs(S, -S), "L(L⁻¹(s)) = s"),
    ("the Jacobian's sign", "jacobian", lambda p: -p.jacobian, "Jacobian"),
    ("a Jacobian off by a factor", "jacobian", lambda p: p.jacobian * (1 + R(1, 10**9)), "Jacobian"),
    ("the inverse Jacobian", "jacobian", lambda p: 1 / p.jacobian, "Jacobian"),
    ("the second derivative's sign", "jacobian_slope", lambda p: p.jacobian_slope + 1, "d²L⁻¹/ds²"),
    ("the density's sign", "density", lambda p: -p.density, "ω(s) = p(L⁻¹(s))"),
    ("Q's density for P's", "density", lambda p: p.density * sp.exp(-S), "ω(s) = p(L⁻¹(s))"),
    ("a density without its Jacobian", "density", lambda p: p.density / p.jacobian, "ω(s) = p(L⁻¹(s))"),
    ("ω′ for ω″", "density_second", lambda p: p.density_first + S, "ω″ = d/ds ω′"),
    ("a wrong ω′", "density_first", lambda p: p.density_first + p.density, "ω′ = d/ds ω"),
    ("a flipped loss", "loss", lambda p: -p.loss, "e^L(t) = p(t)/q(t)"),
    ("a wrong slope", "slope", lambda p: 2 * p.slope, "L′ is the derivative"),
    ("a wrong trend", "trend", lambda p: -p.trend, "L is strictly"),
    ("a wrong curvature", "curvature", lambda p: p.curvature + 1, "L″ is the derivative"),
    ("a range too wide", "range", lambda p: (p.range[0] - 1, p.range[1] + 1), "range of L"),
    ("a wrong antiderivative", "p_integral", lambda p: 2 * p.p_integral, "d/ds P(L ≤ s)"),
    ("masses that do not add up", "masses", lambda p: (p.masses[0] / 2, p.masses[1]), "∫ω = 1"),
    ("δ without e^ε", "delta", lambda p: p.delta.subs(EPSILON, 0), "δ′(ε)"),
    ("δ with a constant added", "delta", lambda p: p.delta + R(1, 10**6), "δ(ε) = P(L > ε)"),
    ("a wrong antiderivative of q", "q_integral", lambda p: p.q_integral + p.region.q, "antiderivative of Q"),
    ("δ with a wrong factor", "delta", lambda p: p.delta * R(999, 1000), "δ′(ε)"),
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("name", "field", "change", "caught"), PLANTED, ids=[p[0] for p in PLANTED])
def test_a_planted_bug_in_a_piece_is_caught(
    text: str, name: str, field: str, change: Callable[[Piece], object], caught: str
) -> None:
    if (text, field) == (GAUSSIAN, "range"):
        change = lambda p: (sp.Integer(0), p.range[1])  # noqa: E731
    if (text, field) == (POISSON, "range"):
        change = lambda p: (sp.log(1 - poisson_gaussian.Q / 2), sp.oo)  # noqa: E731
    found = mutated(text, **{field: change})
    assert any(caught in o.statement for o in found), (name, [o.statement for o in found])


def test_a_wrong_density_of_the_mechanism_is_caught() -> None:
    """The mixture with q and 1 − q exchanged against formulas of the right one."""
    forward, backward = pair(POISSON)
    piece = forward.only_piece()
    q = poisson_gaussian.Q
    swapped = piece.region.p.subs(q, 1 - q)
    wrong = replace(piece, region=replace(piece.region, p=swapped))
    found = failures(replace(forward, pieces=(wrong,)), backward)
    assert {"e^L(t) = p(t)/q(t)"} <= {o.statement for o in found}
    assert any(o.disproved for o in found)


def test_a_wrong_atom_is_caught() -> None:
    forward, backward = pair(LAPLACE)
    first, second = forward.atoms
    for wrong in (
        replace(first, p=first.p / 2),
        replace(first, loss=2 * first.loss),
        replace(first, q=first.p),
    ):
        found = failures(replace(forward, atoms=(wrong, second)), backward)
        assert any(o.statement.startswith("atom at") for o in found)


def test_a_wrong_transform_is_caught() -> None:
    forward, backward = pair(GAUSSIAN)
    assert forward.mgf is not None
    for wrong in (
        forward.mgf.subs(LAMBDA, 2 * LAMBDA),
        forward.mgf * 2,
        forward.mgf + LAMBDA,
        forward.mgf**2,
    ):
        found = failures(replace(forward, mgf=wrong), backward)
        assert any(o.statement.startswith("M(λ) = E") for o in found)


def test_a_wrong_total_is_caught() -> None:
    for text in (LAPLACE, "discrete_laplace(b=1, sensitivity=3)", "pure_dp(epsilon=1)"):
        forward, backward = pair(text)
        assert failures(forward, backward) == []
        found = failures(replace(forward, delta=forward.delta + R(1, 10**6)), backward)
        assert [o.statement for o in found] == ["δ(ε) is the sum over pieces and atoms"]


def test_a_wrong_other_direction_is_caught() -> None:
    forward, backward = pair(POISSON)
    other = backward.only_piece()
    assert other.density is not None
    found = failures(forward, replace(backward, pieces=(replace(other, density=other.density * 2),)))
    assert any("ω_P‖Q(s) = e^s ω_Q‖P(−s)" in o.statement for o in found)


def test_a_wrong_printed_formula_fails_with_what_is_right() -> None:
    """KJH19 5.2's inverse with the shift 1/2 left out is caught by the comparison with print."""
    forward, backward = pair(POISSON)
    piece = forward.only_piece()
    assert piece.inverse is not None
    shifted = replace(forward, pieces=(replace(piece, inverse=piece.inverse - R(1, 2)),))
    found = poisson_gaussian.printed(shifted, backward, Prover(forward.densities.domain))
    (inverse,) = [o for o in found if o.statement.startswith("L⁻¹(s)")]
    assert inverse.disproved


def test_a_lattice_with_a_wrong_step_or_inverse_is_caught() -> None:
    text = "binomial(n=10, p=1/2)"
    forward, backward = pair(text)
    piece = forward.only_piece()
    assert piece.inverse is not None
    for wrong in (
        replace(piece, inverse=piece.inverse + 1),
        replace(piece, slope=-piece.slope),
        replace(piece, loss=piece.loss + 1),
        replace(
            piece,
            region=Region(
                piece.region.lower, piece.region.upper, piece.region.q, piece.region.q, piece.region.ratio
            ),
        ),
    ):
        assert failures(replace(forward, pieces=(wrong,)), backward)
