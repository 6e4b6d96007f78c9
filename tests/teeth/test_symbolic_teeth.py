"""Planted bugs in derivations: a wrong inverse, Jacobian sign, density, mass … must fail an obligation."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import sympy as sp

from pldverify.mechanisms.expression import parse
from pldverify.symbolic import Obligation, State
from pldverify.symbolic.build import builder
from pldverify.symbolic.build.builder import derive_formulas
from pldverify.symbolic.build.user_pair import densities_of_user
from pldverify.symbolic.check.obligations import obligations
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families import poisson_gaussian
from pldverify.symbolic.families.table import family
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Densities, Region, S
from pldverify.symbolic.model.formulas import Formulas, Piece
from tests.teeth.planted import planted

Pair = tuple[Formulas, Formulas]
R = sp.Rational


@cache
def pair(text: str) -> Pair:
    densities = family(parse(text).parts[0][0], "remove").densities
    return derive_formulas(densities, text, "remove"), derive_formulas(densities.swapped(), text, "add")


def failures(forward: Formulas, backward: Formulas) -> list[Obligation]:
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
    ("the density's sign", "density", lambda p: -p.density, "ω(s) = p(L⁻¹(s))"),
    ("Q's density for P's", "density", lambda p: p.density * sp.exp(-S), "ω(s) = p(L⁻¹(s))"),
    ("a density without its Jacobian", "density", lambda p: p.density / p.jacobian, "ω(s) = p(L⁻¹(s))"),
    ("a flipped loss", "loss", lambda p: -p.loss, "e^L(t) = p(t)/q(t)"),
    ("a wrong slope", "slope", lambda p: 2 * p.slope, "L′ is the derivative"),
    ("a wrong trend", "trend", lambda p: -p.trend, "L is strictly"),
    ("a range too wide", "range", lambda p: (p.range[0] - 1, p.range[1] + 1), "range of L"),
    ("a wrong antiderivative", "p_integral", lambda p: 2 * p.p_integral, "d/ds P(L ≤ s)"),
    ("masses that do not add up", "masses", lambda p: (p.masses[0] / 2, p.masses[1]), "∫ω = 1"),
    ("δ without e^ε", "delta", lambda p: p.delta.subs(EPSILON, 0), "δ′(ε)"),
    ("δ with a constant added", "delta", lambda p: p.delta + R(1, 10**6), "δ(ε) = P(L > ε)"),
    ("a wrong antiderivative of q", "q_integral", lambda p: p.q_integral + p.region.q, "antiderivative of Q"),
    ("δ with a wrong factor", "delta", lambda p: p.delta * R(999, 1000), "δ′(ε)"),
]


@pytest.mark.sample(2)
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


@pytest.mark.slow
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


def user(p: sp.Expr, q: sp.Expr, symbol: sp.Symbol, **more: object) -> Densities:
    return densities_of_user(p, q, symbol, more.get("assumptions", {}), {})  # type: ignore[arg-type]


X, K = sp.Symbol("x", real=True), sp.Symbol("k", integer=True)
SCALE = sp.Symbol("a", positive=True)
FAMILIES: dict[str, Callable[[], Densities]] = {
    text: lambda text=text: family(parse(text).parts[0][0], "remove").densities  # type: ignore[misc]
    for text in (
        GAUSSIAN,
        POISSON,
        LAPLACE,
        "poisson(laplace(b=1), q=1/10)",
        "randomized_response(p=3/4)",
        "randomized_response(p=3/4, categories=5)",
        "pure_dp(epsilon=1)",
        "approximate_dp(epsilon=1, delta=1e-5)",
        "finite_pair(p=[1/2, 1/2, 0], q=[1/4, 1/2, 1/4])",
        "poisson(finite_pair(p=[1/2, 1/2, 0], q=[1/4, 1/2, 1/4]), q=1/10)",
        "discrete_laplace(b=2)",
        "discrete_laplace(b=2, sensitivity=3)",
        "poisson(discrete_laplace(b=2, sensitivity=3), q=1/10)",
        "discrete_gaussian(sigma=2, sensitivity=3)",
        "poisson(discrete_gaussian(sigma=2), q=1/10)",
        "binomial(n=100, p=1/2)",
        "binomial(n=100, p=1/3, sensitivity=3)",
        "poisson(binomial(n=100, p=1/2), q=1/10)",
    )
}
FAMILIES["the without-replacement pair"] = lambda: (
    family(parse("sampled_without_replacement(gaussian(sigma=1), q=1/10)").parts[0][0], "replace").densities
)
FAMILIES["a user's Laplace pair"] = lambda: user(sp.exp(-sp.Abs(X)) / 2, sp.exp(-sp.Abs(X - 1)) / 2, X)
FAMILIES["a user's pair with a parameter"] = lambda: user(
    sp.exp(-X), SCALE * sp.exp(-SCALE * X), X, assumptions={X: (0, sp.oo), SCALE: (1, sp.oo)}
)
FAMILIES["a user's pair on the integers"] = lambda: user(
    R(1, 2) ** (K + 1), R(2, 3) * R(1, 3) ** K, K, assumptions={K: (0, sp.oo)}
)
FAMILIES["a user's pair with disjoint parts"] = lambda: user(
    sp.Piecewise((1, X < 1), (0, True)), R(1, 2), X, assumptions={X: (0, 2)}
)

FEW = (
    GAUSSIAN,
    LAPLACE,
    "poisson(finite_pair(p=[1/2, 1/2, 0], q=[1/4, 1/2, 1/4]), q=1/10)",
    "discrete_laplace(b=2, sensitivity=3)",
    "binomial(n=100, p=1/2)",
    "a user's pair with a parameter",
    "a user's pair on the integers",
    "a user's pair with disjoint parts",
)
"""One of each kind, for bugs that are not looked for in all families."""

EVERYWHERE = ("an atom twice", "the next integer")
"""The bugs that are looked for in all families."""

BUILDER: list[tuple[str, str, str, int]] = [
    ("an atom twice", "(atom.p - sp.exp(EPSILON)", "(2 * atom.p - sp.exp(EPSILON)", 10),
    ("the next integer", "(sp.ceiling(threshold), ", "(sp.ceiling(threshold) + 1, ", 7),
    ("an atom on the wrong side", "atom.loss > EPSILON)", "atom.loss < EPSILON)", 5),
    ("δ_∞ twice", "    infinite = [atom.p for", "    infinite = [2 * atom.p for", 3),
    ("δ_∞ twice in δ", "            total += atom.p\n", "            total += 2 * atom.p\n", 3),
    ("atoms at +∞ left out of δ", "            total += atom.p\n", "            total += 0\n", 3),
    ("the integer before", "sp.floor(threshold))", "sp.floor(threshold) - 1)", 1),
    ("Q without e^ε on integers", "region.p - sp.exp(EPSILON) * region.q", "region.p - region.q", 4),
    ("Q without e^ε on a piece", "tails[0] - sp.exp(EPSILON) * tails[1]", "tails[0] - tails[1]", 4),
    ("a piece never all above", "(uncut, low >= EPSILON)", "(uncut, low - 1 >= EPSILON)", 4),
    ("a piece all above with Q's mass", "piece.masses[0] - sp.exp", "piece.masses[0] / 2 - sp.exp", 1),
    ("a piece cut above its range", "(piece.delta, high > EPSILON)", "(piece.delta, high + 1 > EPSILON)", 4),
    (
        "the wrong tails",
        "if piece.trend == 1 else (region.lower, threshold)",
        "if False else (region.lower, region.upper)",
        2,
    ),
    (
        "the range is too wide",
        "ends if trend == 1 else ends[::-1]",
        "(ends if trend == 1 else ends[::-1])[0], sp.oo",
        3,
    ),
    ("the slope of 2L", "sp.diff(formula, t)\n", "2 * sp.diff(formula, t)\n", 3),
    ("masses of P twice", "(sp.expand(masses[0]),", "(sp.expand(2 * masses[0]),", 3),
    ("a transform with e^{2λL}", "sp.expand(LAMBDA * atom.loss)", "sp.expand(2 * LAMBDA * atom.loss)", 5),
    ("a Jacobian without its sign", "piece.trend * p.subs", "p.subs", 1),
]


@cache
def built(name: str) -> tuple[Formulas, ...]:
    densities = FAMILIES[name]()
    return tuple(derive_formulas(d, name, "x") for d in (densities, densities.swapped()))


@pytest.mark.parametrize(("name", "old", "new", "least"), BUILDER, ids=[b[0] for b in BUILDER])
def test_a_bug_of_the_builder_fails_for_every_family_whose_formulas_it_changes(
    name: str, old: str, new: str, least: int
) -> None:
    wrong = planted(builder, (old, new))
    changed = 0
    for text in FAMILIES if name in EVERYWHERE else FEW:
        densities = FAMILIES[text]()
        pairs = [wrong.derive_formulas(d, text, "x") for d in (densities, densities.swapped())]
        for forward, backward, right in ((*pairs, built(text)[0]), (*pairs[::-1], built(text)[1])):
            if forward != right:
                changed += 1
                assert failures(forward, backward), text
    assert changed >= least


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FAMILIES)
def test_without_a_bug_of_the_builder_nothing_fails(name: str) -> None:
    forward, backward = built(name)
    assert failures(forward, backward) == [] and failures(backward, forward) == []
