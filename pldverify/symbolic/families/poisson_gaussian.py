r"""Poisson-subsampled Gaussian: q N(1, σ²) + (1−q) N(0, σ²) against N(0, σ²)."""

import sympy as sp

from pldverify.symbolic.check.limits import between
from pldverify.symbolic.check.pieces import loss_variable
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families.normal import SIGMA, SIGMA_AND_Q, Q, normal
from pldverify.symbolic.families.statements import (
    density_derivative,
    integral_representation,
    loss_random_variables,
    reversal,
)
from pldverify.symbolic.model.densities import Densities, S, T, line
from pldverify.symbolic.model.formulas import Formulas, require
from pldverify.symbolic.model.obligation import Kind, Obligation, State

DENSITIES = Densities(
    "q N(1, σ²) + (1 − q) N(0, σ²) against N(0, σ²)",
    T,
    line(Q * normal(1) + (1 - Q) * normal(0), normal(0)),
    SIGMA_AND_Q,
)


def printed(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KJH19 5.2 and 10, KJH20s B.2, KH21 6.2, MTZ19, and the statements for any increasing loss."""
    piece = forward.only_piece()
    over_t, over_s = [forward.densities.outcome(piece.region)], [loss_variable(piece)]
    where = "KJH19 section 5.2, KJH20s B.2.1"
    loss = sp.log(Q * sp.exp((2 * T - 1) / (2 * SIGMA**2)) + (1 - Q))
    inverse = SIGMA**2 * sp.log((sp.exp(S) - (1 - Q)) / Q) + sp.Rational(1, 2)
    jacobian = SIGMA**2 * sp.exp(S) / (sp.exp(S) - (1 - Q))
    f = (Q * sp.exp(-((T - 1) ** 2) / (2 * SIGMA**2)) + (1 - Q) * sp.exp(-(T**2) / (2 * SIGMA**2))) / sp.sqrt(
        2 * sp.pi * SIGMA**2
    )
    density = f.subs(T, inverse) * sp.diff(inverse, S)
    return [
        prover.equal("L(t) = log(q e^((2t−1)/(2σ²)) + 1 − q)", loss, piece.loss, over_t, source=where),
        Obligation(Kind.PRINTED, "L(ℝ) = (log(1 − q), ∞)", *_range(forward), source=where),
        prover.equal(
            "L⁻¹(s) = σ² log((e^s − (1 − q))/q) + 1/2",
            inverse,
            require(piece.inverse),
            over_s,
            source=where + ", KJH19 (10.2)",
        ),
        prover.equal(
            "dL⁻¹/ds = σ² e^s/(e^s − (1 − q))",
            jacobian,
            require(piece.jacobian),
            over_s,
            source=where + ", KJH19 (10.3)",
        ),
        prover.equal(
            "ω(s) = f(g(s)) g′(s) for s > log(1 − q)",
            density,
            require(piece.density),
            over_s,
            source="KH21 section 6.2, KJH20s (C.1)",
        ),
        prover.equal(
            "ω_Y/X(y) = e^y ω_X/Y(−y)",
            require(backward.only_piece().density),
            sp.exp(S) * require(piece.density).subs(S, -S),
            [loss_variable(backward.only_piece())],
            source="KJH19 section 5.2",
        ),
        *integer_orders(prover),
        *integral_representation(forward, backward, prover),
        *reversal(forward, backward, prover),
        *loss_random_variables(forward, backward, prover),
        *density_derivative(forward, prover),
    ]


def _range(forward: Formulas) -> tuple[State, str]:
    stored = forward.only_piece().range
    same = stored == (sp.log(1 - Q), sp.oo)
    return (State.PROVED, "the range of L above") if same else (State.FAILED, f"the range is {stored}")


def integer_orders(prover: Prover) -> list[Obligation]:
    """A_α = E[(μ/μ₀)^α] for integer α: the binomial theorem, and one Gaussian integral for all its terms."""
    j = sp.Symbol("j", real=True)
    term = normal(0) * sp.exp(j * (2 * T - 1) / (2 * SIGMA**2))
    f = sp.exp((j**2 - j) / (2 * SIGMA**2)) * sp.erf((T - j) / (sp.sqrt(2) * SIGMA)) / 2
    value = between(f, T, -sp.oo, sp.oo, prover.sign)
    statement = "A_α = Σ_j C(α, j) (1 − q)^(α−j) q^j exp((j² − j)/(2σ²)), integer α; M(λ) = A_(λ+1)"
    source = "MTZ19, integer orders"
    if value is None or not prover.proves_equal(sp.diff(f, T), term):
        return [Obligation(Kind.PRINTED, statement, State.FAILED, "the Gaussian integral", source)]
    integral = prover.equal(
        "∫ μ₀ e^(j(2t−1)/(2σ²)) dt = exp((j² − j)/(2σ²))", value, sp.exp((j**2 - j) / (2 * SIGMA**2))
    )
    how = "binomial theorem, and the integral above for every j"
    return [integral, Obligation(Kind.PRINTED, statement, integral.state, how, source)]
