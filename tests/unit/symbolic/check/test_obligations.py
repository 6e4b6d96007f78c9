"""The checker on its own: formulas written by hand, without any builder, and what each part of it refuses."""

from dataclasses import replace

import pytest
import sympy as sp

from pldverify.symbolic import Kind, State
from pldverify.symbolic.build.builder import derive_formulas
from pldverify.symbolic.check.cover import cover_obligations
from pldverify.symbolic.check.masses import infinite_mass, piece_masses
from pldverify.symbolic.check.obligations import obligations
from pldverify.symbolic.check.pieces import positive_densities, tagged, termwise
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.check.reversal import reversal_obligations
from pldverify.symbolic.check.total_mass import _enclosed
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Densities, Region, S, T
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece

ONE, ZERO = sp.Integer(1), sp.Integer(0)
E = sp.exp(EPSILON)


def exponentials(p_rate: int, q_rate: int) -> Formulas:
    """Exp(a) against Exp(b): everything written down from the textbook."""
    a, b = sp.Integer(p_rate), sp.Integer(q_rate)
    p, q, trend = a * sp.exp(-a * T), b * sp.exp(-b * T), 1 if b > a else -1
    region = Region(ZERO, sp.oo, p, q)
    inverse = (S - sp.log(a / b)) / (b - a)
    jacobian = 1 / (b - a)
    density = trend * p.subs(T, inverse) * jacobian
    ends = (sp.log(a / b), sp.oo) if trend == 1 else (-sp.oo, sp.log(a / b))
    beyond = [sp.exp(-rate * inverse.subs(S, EPSILON)) for rate in (a, b)]
    tails = beyond if trend == 1 else [1 - x for x in beyond]
    delta = tails[0] - E * tails[1]
    total = sp.Piecewise((1 - E, ends[0] >= EPSILON), (delta, True))
    if trend == -1:
        total = sp.Piecewise((delta, ends[1] > EPSILON), (0, True))
    tilted = -sp.exp(LAMBDA * sp.log(a / b)) * a * sp.exp((LAMBDA * (b - a) - a) * T) / (a - LAMBDA * (b - a))
    piece = Piece(
        region=region,
        loss=sp.log(a / b) + (b - a) * T,
        slope=b - a,
        trend=trend,
        range=ends,
        inverse=inverse,
        jacobian=jacobian,
        density=density,
        p_integral=-sp.exp(-a * T),
        q_integral=-sp.exp(-b * T),
        tilted_integral=tilted,
        masses=(ONE, ONE),
        delta=delta,
    )
    densities = Densities("Exp(a) against Exp(b)", T, (region,), Domain.of({}))
    return Formulas("hand", "remove", densities, (piece,), (), ZERO, total, None)


@pytest.mark.parametrize("rates", [(1, 2), (2, 1), (3, 7)])
def test_formulas_from_a_textbook_are_proved(rates: tuple[int, int]) -> None:
    found = obligations(exponentials(*rates), exponentials(*rates[::-1]))
    assert [(o.statement, o.argument) for o in found if o.state is not State.PROVED] == []
    kinds = {o.kind for o in found}
    assert kinds == set(Kind) - {Kind.PRINTED}


def test_the_builder_agrees_with_the_textbook() -> None:
    hand = exponentials(1, 2)
    built = derive_formulas(hand.densities, "hand", "remove")
    assert (built.only_piece().range, built.delta_infinity) == (hand.only_piece().range, hand.delta_infinity)


def test_what_is_missing_fails() -> None:
    hand, back = exponentials(1, 2), exponentials(2, 1)
    for name in ("jacobian", "density"):
        piece = replace(hand.only_piece(), **{name: None})
        found = obligations(replace(hand, pieces=(piece,)), back)
        assert any(o.state is State.FAILED for o in found), name


def covered(formulas: Formulas) -> bool:
    found = cover_obligations(formulas, Prover(formulas.densities.domain))
    return all(o.state is State.PROVED for o in found)


def regions(*ends: tuple[object, object], symbol: sp.Symbol = T) -> Formulas:
    """Regions with one atom each."""
    parts = [Region(*map(sp.sympify, pair), ONE, ONE) for pair in ends]
    densities = Densities("regions", symbol, tuple(parts), Domain.of({}))
    return Formulas(
        "r", "remove", densities, (), tuple(Atom(r, ZERO, ONE, ONE) for r in parts), ZERO, None, None
    )


def test_regions_that_overlap_or_are_out_of_order_are_seen() -> None:
    n = sp.Symbol("n", integer=True)
    assert covered(regions((0, 1), (1, 2), (3, sp.oo))) and covered(regions((0, 1), (2, 2), symbol=n))
    assert covered(regions((0, 0)))
    for ends in ([(0, 2), (1, 3)], [(1, 2), (0, 1)], [(0, sp.oo), (1, 2)], [(0, 1), (-sp.oo, 2)], [(2, 1)]):
        assert not covered(regions(*ends))
    assert not covered(regions((0, 1), (1, 2), symbol=n))
    root = sp.sqrt(2)
    assert covered(regions((0, root), (root, 2))) and not covered(regions((0, root), (1, 2)))


def test_outcomes_that_are_left_out_twice_or_other_are_seen() -> None:
    hand = exponentials(1, 2)
    piece = hand.only_piece()
    halves = tuple(
        replace(piece, region=replace(piece.region, lower=a, upper=b)) for a, b in ((ZERO, ONE), (ONE, sp.oo))
    )
    for pieces in ((piece,), halves, halves[::-1]):
        assert covered(replace(hand, pieces=pieces))
    other = replace(piece, region=replace(piece.region, p=piece.region.q))
    for pieces in ((), halves[:1], halves[1:], (piece, piece), (*halves, halves[0]), (other,)):
        assert not covered(replace(hand, pieces=pieces))


def test_mass_beyond_the_inverse_is_not_overlooked() -> None:
    """A wrong range, too: every formula of ω would still hold inside it."""
    hand, back = exponentials(1, 2), exponentials(2, 1)
    piece = replace(hand.only_piece(), range=(sp.Integer(0), sp.oo))
    failed = [o.kind for o in obligations(replace(hand, pieces=(piece,)), back) if o.state is State.FAILED]
    assert Kind.RANGE in failed and Kind.DELTA in failed


def test_a_density_with_the_sign_of_a_falling_loss_is_not_positive() -> None:
    """ω = p/L′ with L′ < 0, called rising."""
    hand, back = exponentials(2, 1), exponentials(1, 2)
    piece = hand.only_piece()
    forged = replace(piece, trend=1, density=-piece.density)
    for formulas, state in ((hand, State.PROVED), (replace(hand, pieces=(forged,)), State.FAILED)):
        found = obligations(formulas, back)
        assert [o.state for o in found if o.statement.startswith("ω(s) > 0")] == [state]


@pytest.mark.parametrize(
    ("factor", "state"), [(1, State.PROVED_ON_A_BOX), (2, State.FAILED), (3, State.FAILED)]
)
def test_a_total_mass_by_quadrature_is_one(factor: int, state: State) -> None:
    density = factor * sp.Rational(15, 16) * (1 - T**2) ** 2
    pair = Densities("", T, (Region(-ONE, ONE, density, density),), Domain.of({}))
    found = _enclosed(pair, 0, "mass")
    assert found.state is state and found.disproved == (state is State.FAILED)


def without_inverse(formulas: Formulas) -> Formulas:
    """ω as a function of the outcome."""
    piece = formulas.only_piece()
    assert piece.density is not None
    changed = replace(piece, inverse=None, density=piece.density.subs(S, piece.loss))
    return replace(formulas, pieces=(changed,))


@pytest.mark.parametrize(("factor", "state"), [(1, State.PROVED), (2, State.FAILED)])
def test_densities_are_reversed_with_and_without_an_inverse(factor: int, state: State) -> None:
    hand, back, prover = exponentials(1, 2), exponentials(2, 1), Prover(Domain.of({}))
    other = back.only_piece()
    back = replace(back, pieces=(replace(other, density=factor * other.density),))
    for forward in (hand, without_inverse(hand)):
        for backward in (back, without_inverse(back)):
            (found,) = reversal_obligations(forward, backward, prover)
            assert found.state is state


@pytest.mark.parametrize("count", [1, 2, 3])
def test_pieces_are_told_apart_where_there_are_several(count: int) -> None:
    hand = exponentials(1, 2)
    tags = [tag for _, tag in tagged(replace(hand, pieces=count * hand.pieces))]
    assert len(set(tags)) == count and (tags == [""]) == (count == 1)


def test_an_inverse_needs_no_antiderivative() -> None:
    hand, back = exponentials(1, 2), exponentials(2, 1)
    piece = replace(hand.only_piece(), p_integral=None, q_integral=None, tilted_integral=None, masses=None)
    found = piece_masses(hand.densities, piece, Prover(Domain.of({})), "")
    assert found == [] and piece_masses(hand.densities, hand.only_piece(), Prover(Domain.of({})), "")
    assert obligations(replace(hand, pieces=(piece,)), back)


@pytest.mark.parametrize(("factor", "state"), [(1, State.PROVED), (-1, State.FAILED), (2, State.FAILED)])
def test_an_infinite_mass_of_binomials_is_added_up(factor: int, state: State) -> None:
    """Pascal's rule: C(n, 2) = C(n − 1, 1) + C(n − 1, 2)."""
    n = sp.Symbol("n", integer=True, positive=True)
    domain, nothing = Domain.of({n: (ONE, sp.oo)}), Region(ZERO, ZERO, ONE, ZERO)
    atoms = tuple(Atom(nothing, sp.oo, sp.binomial(n - 1, j), ZERO) for j in (1, 2))
    total = factor * sp.binomial(n, 2)
    formulas = Formulas("", "remove", Densities("", T, (nothing,), domain), (), atoms, total, None, None)
    assert infinite_mass(formulas, Prover(domain)).state is state


def test_negative_weights_of_binomials_are_not_positive_by_form() -> None:
    k = sp.Symbol("k", integer=True)
    weights = sp.binomial(4, k) * (1 + 2 * k - k**2) / 16
    densities = Densities(
        "a negative mass", k, (Region(ZERO, sp.Integer(4), weights, sp.binomial(4, k) / 16),), Domain.of({})
    )
    p, _, q, _ = positive_densities(densities, densities.regions[0], Prover(densities.domain))
    assert p.state is State.FAILED and q.state is State.PROVED


def test_terms_are_divided_by_the_one_below() -> None:
    """C(n, k − 1)/C(n, k) = k/(n − k + 1)."""
    n, k = sp.symbols("n k", integer=True, positive=True)
    one, before = sp.binomial(n, k), sp.binomial(n, k - 1)
    found = termwise(2 * one + before, one, {})
    assert found is not None and sp.cancel(found - 2 - k / (n - k + 1)) == 0
    assert termwise(one, 2 * one + before, {}) is None


def test_a_binomial_coefficient_is_not_positive_beyond_its_range() -> None:
    """C(4, k) is 0 from k = 5 on."""
    k = sp.Symbol("k", integer=True)
    densities = Densities(
        "", k, (Region(ZERO, sp.Integer(9), sp.binomial(4, k), sp.binomial(9, k)),), Domain.of({})
    )
    p, _, q, _ = positive_densities(densities, densities.regions[0], Prover(densities.domain))
    assert p.state is State.FAILED and q.state is State.PROVED
