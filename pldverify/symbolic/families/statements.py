r"""What the papers print for any pair with one increasing loss; some of it holds only after a correction."""

import sympy as sp

from pldverify.symbolic.check.delta import tails
from pldverify.symbolic.check.pieces import loss_variable
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import EPSILON, S
from pldverify.symbolic.model.formulas import Formulas, require
from pldverify.symbolic.model.obligation import Obligation


def integral_representation(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KJH19 Corollaries 9 and 11, KJH20s Corollaries A.6 and A.8, for a single step (k = 1)."""
    piece = forward.only_piece()
    over = [loss_variable(piece, EPSILON)]
    p_tail, q_tail = tails(piece, forward.outcome, prover)
    delta = require(piece.delta)
    return [
        prover.equal(
            "δ(ε) = ∫_ε^∞ (1 − e^(ε−s)) ω(s) ds = P(L > ε) − e^ε Q(L > ε)",
            p_tail - sp.exp(EPSILON) * q_tail,
            delta,
            over,
            source="KJH19 Corollary 9, KJH20s Corollary A.6",
        ),
        prover.equal(
            "δ(ε) = ∫_ε^∞ (1 − e^(−s)) ω(s) ds, at k = 1",
            p_tail - q_tail,
            delta,
            over,
            source="KJH20s Corollary A.8",
            correction="the kernel is 1 − e^(ε−s): δ(ε) = ∫_ε^∞ (1 − e^(ε−s)) (ω *^k ω)(s) ds",
        ),
        prover.equal(
            "δ(ε) = ∫_−∞^∞ (1 − e^(ε−y)) ω(y) dy, at k = 1",
            1 - sp.exp(EPSILON),
            delta,
            over,
            source="KJH19 Corollary 11",
            correction="the lower limit is ε; over the whole line the integral is 1 − e^ε",
        ),
    ]


def reversal(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KJH20s Lemma A.9 with Definition A.5 as printed, and the last line of its proof."""
    piece, other = forward.only_piece(), backward.only_piece()
    t = forward.outcome
    over_s, over_t = [loss_variable(piece)], [forward.densities.outcome(piece.region)]
    signed = other.region.p.subs(t, require(other.inverse)) * require(other.jacobian)
    return [
        prover.equal(
            "ω_X/Y(s) = e^s ω_Y/X(−s), with ω_Y/X(s) = f_Y(L⁻¹(s)) dL⁻¹/ds of Definition A.5",
            require(piece.density),
            sp.exp(S) * signed.subs(S, -S),
            over_s,
            source="KJH20s Lemma A.9 with Definition A.5",
            correction="L_Y/X decreases, so Definition A.5 (KJH19 Lemma 5) needs |dL⁻¹/ds|; then it holds",
        ),
        prover.equal(
            "f_X/L′_X/Y = e^(L_X/Y) f_Y/L′_Y/X",
            piece.region.p / piece.slope,
            sp.exp(piece.loss) * piece.region.q / sp.diff(other.loss, t),
            over_t,
            source="KJH20s proof of Lemma A.9, last line of the display after (A.8)",
            correction="f_X/L′_X/Y = −e^(L_X/Y) f_Y/L′_Y/X; it cancels the missing absolute value",
        ),
        prover.equal(
            "dL⁻¹_Y/X/ds ≥ 0, as the proof says: it equals |dL⁻¹_Y/X/ds|",
            require(other.jacobian),
            other.trend * require(other.jacobian),
            [loss_variable(other)],
            source="KJH19 proof of Lemma 8, KJH20s proof of Lemma A.4",
            correction="negative for Y/X, as L_Y/X decreases; the formulas hold with the absolute value",
        ),
    ]


def loss_random_variables(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """GLW21 Theorem 3.3, equations (5) and (6); Y is the loss under P, X the loss under Q."""
    piece = forward.only_piece()
    over, t = [loss_variable(piece)], forward.outcome
    under_q = piece.trend * piece.region.q.subs(t, require(piece.inverse)) * require(piece.jacobian)
    second = _curvature(require(piece.delta)).subs(EPSILON, S)
    return [
        prover.equal(
            "Y(t) = δ″(t) − δ′(t)", second, require(piece.density), over, source="GLW21 equation (6)"
        ),
        prover.equal(
            "Y(t) = e^t X(t)",
            require(piece.density),
            sp.exp(S) * under_q,
            over,
            source="GLW21 Definition 3.1",
        ),
        prover.equal(
            "X(t) = e^t (δ″(t) − δ′(t))",
            sp.exp(S) * require(piece.density),
            under_q,
            over,
            source="GLW21 equation (6)",
            correction="X(t) = e^(−t) (δ″(t) − δ′(t)), as Definition 3.1 says Y(t) = e^t X(t)",
        ),
    ]


def _curvature(delta: sp.Expr) -> sp.Expr:
    first = sp.diff(delta, EPSILON)
    return sp.diff(first, EPSILON) - first


def density_derivative(forward: Formulas, prover: Prover) -> list[Obligation]:
    """KJH19 section 10.4: ω' by the chain rule."""
    piece, t = forward.only_piece(), forward.outcome
    inverse, jacobian = require(piece.inverse), require(piece.jacobian)
    slope = sp.diff(piece.region.p, t).subs(t, inverse)
    printed = slope * jacobian**2 + piece.region.p.subs(t, inverse) * sp.diff(jacobian, S)
    return [
        prover.equal(
            "ω′ = f′(L⁻¹) (dL⁻¹/dy)² + f(L⁻¹) d²L⁻¹/dy²",
            printed,
            sp.diff(require(piece.density), S),
            [loss_variable(piece)],
            source="KJH19 section 10.4",
        )
    ]
