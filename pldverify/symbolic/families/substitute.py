r"""The substitute pair: q N(1, σ²) + (1−q) N(0, σ²) against q N(−1, σ²) + (1−q) N(0, σ²)."""

import sympy as sp

from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.check.pieces import loss_variable
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families.family import Family
from pldverify.symbolic.families.normal import SIGMA, SIGMA_AND_Q, Q, normal
from pldverify.symbolic.model.densities import Densities, S, T, line
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Kind, Obligation, State

DENSITIES = Densities(
    "q N(1, σ²) + (1 − q) N(0, σ²) against q N(−1, σ²) + (1 − q) N(0, σ²)",
    T,
    line(Q * normal(1) + (1 - Q) * normal(0), Q * normal(-1) + (1 - Q) * normal(0)),
    SIGMA_AND_Q,
)
NOTE = "σ is the noise multiplier and t counts in units of the sensitivity"


def kjh19_substitute(mechanism: KJH19Substitute, direction: Direction) -> Family:
    """The printed pair."""
    return Family(
        "substitute",
        DENSITIES,
        {"sigma": mechanism.base.noise_multiplier, "q": mechanism.q},
        (NOTE,),
        printed,
    )


def printed(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KJH19 5.3 and KJH20s B.3."""
    piece = forward.only_piece()
    over_t, over_s = [forward.densities.outcome(piece.region)], [loss_variable(piece)]
    up, down = (sp.exp(x / (2 * SIGMA**2)) for x in (2 * T - 1, -2 * T - 1))
    wrong = sp.exp(-(2 * T - 1) / (2 * SIGMA**2))
    c, e, x = Q * sp.exp(-1 / (2 * SIGMA**2)), sp.exp(S), sp.exp(T / SIGMA**2)
    root = sp.sqrt((1 - Q) ** 2 * (1 - e) ** 2 + 4 * c**2 * e)
    solution = (-(1 - Q) * (1 - e) + root) / (2 * c)
    inverse = SIGMA**2 * sp.log(solution)
    jacobian = (
        SIGMA**2
        * ((4 * c**2 * e - 2 * (1 - Q) ** 2 * e * (1 - e)) / (2 * root) + (1 - Q) * e)
        / (root - (1 - Q) * (1 - e))
    )
    both = "KJH19 section 5.3, KJH20s B.3"
    return [
        prover.equal(
            "L(t) = log((q e^((2t−1)/(2σ²)) + 1 − q)/(q e^((−2t−1)/(2σ²)) + 1 − q))",
            sp.log((Q * up + 1 - Q) / (Q * down + 1 - Q)),
            piece.loss,
            over_t,
            source="KJH19 section 5.3",
        ),
        prover.equal(
            "L(t) = log((q e^((2t−1)/(2σ²)) + 1 − q)/(q e^(−(2t−1)/(2σ²)) + 1 − q))",
            sp.log((Q * up + 1 - Q) / (Q * wrong + 1 - Q)),
            piece.loss,
            over_t,
            source="KJH20s B.3",
            correction="the exponent of the denominator is (−2t−1)/(2σ²), as in KJH19 section 5.3",
        ),
        Obligation(Kind.PRINTED, "L(ℝ) = ℝ", *_all_reals(piece.range), source=both),
        prover.equal(
            "(c x + 1 − q)/(c/x + 1 − q) = e^L",
            (c * x + 1 - Q) / (c / x + 1 - Q),
            sp.exp(piece.loss),
            over_t,
            source=both,
        ),
        prover.equal(
            "c x² + (1 − q)(1 − e^s) x − c e^s = 0 at the printed x",
            c * solution**2 + (1 - Q) * (1 - e) * solution - c * e,
            sp.Integer(0),
            over_s,
            source=both,
        ),
        prover.equal("L⁻¹(s) = σ² log x(s)", inverse, piece.inverse, over_s, source=both),
        prover.equal("dL⁻¹/ds", jacobian, piece.jacobian, over_s, source=both),
        prover.equal("L(−t) = −L(t)", piece.loss.subs(T, -T), -piece.loss, over_t, source=both),
        prover.equal("f_Y(−t) = f_X(t)", piece.region.q.subs(T, -T), piece.region.p, over_t, source=both),
        prover.equal("L_Y/X(−t) = L_X/Y(t)", backward.only_piece().loss.subs(T, -T), piece.loss, over_t),
        prover.equal(
            "ω_X/Y(s) = ω_Y/X(s), at s = L_X/Y(t) = L_Y/X(−t)",
            piece.region.p / piece.slope,
            -(piece.region.q / sp.diff(backward.only_piece().loss, T)).subs(T, -T),
            over_t,
            source="KJH20s B.3",
        ),
    ]


def _all_reals(stored: tuple[sp.Expr, sp.Expr]) -> tuple[State, str]:
    if stored == (-sp.oo, sp.oo):
        return State.PROVED, "the range of L above"
    return State.FAILED, f"the range is {stored}"
