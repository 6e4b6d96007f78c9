"""What ties P‖Q to Q‖P, and the transform M(λ)."""

import sympy as sp

from pldverify.symbolic.check.limits import between
from pldverify.symbolic.check.masses import derivative
from pldverify.symbolic.check.pieces import loss_variable, tagged
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import LAMBDA, S
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece, require
from pldverify.symbolic.model.obligation import Kind, Obligation, State

_NAME = "ω_P‖Q(s) = e^s ω_Q‖P(−s)"
_DUALITY = "M_Q‖P(λ) = M_P‖Q(−1−λ)"


def reversal_obligations(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KJH20s Lemma A.9 with the absolute Jacobian, piece by piece, and its form for atoms."""
    pairs = zip(tagged(forward), backward.pieces, strict=True)
    result = [_piece(forward, piece, other, prover, tag) for (piece, tag), other in pairs]
    atoms = zip(forward.atoms, backward.atoms, strict=True)
    return [*result, *(o for atom, other in atoms for o in _atom(atom, other, prover))]


def _piece(forward: Formulas, piece: Piece, other: Piece, prover: Prover, tag: str) -> Obligation:
    over_t = [forward.densities.outcome(piece.region)]
    if forward.densities.is_integer:
        statement = f"{_NAME}: L_Q‖P(t) = −L_P‖Q(t), so that p(t) = e^L q(t){tag}"
        return prover.equal(statement, sp.exp(other.loss), sp.exp(-piece.loss), over_t, kind=Kind.REVERSAL)
    left, right = require(piece.density), require(other.density)
    if piece.inverse is not None and other.inverse is not None:
        right = sp.exp(S) * right.subs(S, -S)
        return prover.equal(_NAME + tag, left, right, [loss_variable(piece)], kind=Kind.REVERSAL)
    left = left if piece.inverse is None else left.subs(S, piece.loss)
    right = right if other.inverse is None else right.subs(S, other.loss)
    statement = f"{_NAME}, at s = L(t){tag}"
    return prover.equal(statement, left, sp.exp(piece.loss) * right, over_t, kind=Kind.REVERSAL)


def _atom(atom: Atom, other: Atom, prover: Prover) -> list[Obligation]:
    if all(prover.proves_equal(a, b) for a, b in ((atom.p, other.q), (atom.q, other.p))):
        return []
    statement = f"{_NAME}: atom at L = {atom.loss}"
    return [Obligation(Kind.REVERSAL, statement, State.FAILED, "the atoms differ")]


def transform_obligations(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """M(λ) by its antiderivatives; M_Q‖P(λ) = M_P‖Q(−1−λ), for the integrands and for the closed forms."""
    p, q = (sp.Symbol(letter, positive=True) for letter in ("p_t", "q_t"))
    left = sp.exp((LAMBDA + 1) * sp.log(q) - LAMBDA * sp.log(p))
    right = sp.exp((-1 - LAMBDA + 1) * sp.log(p) - (-1 - LAMBDA) * sp.log(q))
    statement = f"{_DUALITY}: equal integrands q^(λ+1) p^(−λ)"
    result = [prover.equal(statement, left, right, kind=Kind.TRANSFORM)]
    if forward.mgf is None:
        return result
    result += _transform(forward, prover)
    at_zero = forward.mgf.subs(LAMBDA, 0), 1 - forward.delta_infinity
    result.append(prover.equal("M(0) = 1 − δ_∞", *at_zero, kind=Kind.TRANSFORM))
    if backward.mgf is not None:
        sides = backward.mgf, forward.mgf.subs(LAMBDA, -1 - LAMBDA)
        result.append(prover.equal(f"{_DUALITY}: closed forms", *sides, kind=Kind.TRANSFORM))
    return result


def _transform(forward: Formulas, prover: Prover) -> list[Obligation]:
    """M(λ) is the sum of p e^{λL} over atoms and of ∫ p e^{λL} over pieces, by proved antiderivatives."""
    t, result = forward.outcome, []
    total = sp.Add(*(a.p * sp.exp(LAMBDA * a.loss) for a in forward.atoms if not a.loss.is_infinite))
    for piece, tag in tagged(forward):
        f = require(piece.tilted_integral)
        integrand = piece.region.p * sp.exp(LAMBDA * piece.loss)
        name = f"p e^(λL){tag}"
        result += derivative(name, forward.densities, piece.region, f, integrand, prover, Kind.TRANSFORM)
        total += require(between(f, t, piece.region.lower, piece.region.upper, prover.sign))
    expected = "M(λ) = E[e^(λL); L < ∞]"
    return [*result, prover.equal(expected, require(forward.mgf), total, kind=Kind.TRANSFORM)]
