r"""Gaussian mechanism: N(1, σ²) against N(0, σ²), in units of the distance of the means."""

import sympy as sp

from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.check.pieces import loss_variable
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families.family import Family, moves
from pldverify.symbolic.families.normal import SIGMA, SIGMA_ONLY, cumulative, normal
from pldverify.symbolic.families.statements import (
    density_derivative,
    integral_representation,
    loss_random_variables,
    reversal,
)
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Densities, S, T, line
from pldverify.symbolic.model.formulas import Formulas, require
from pldverify.symbolic.model.obligation import Obligation

NOTE = "σ is the noise multiplier and t counts in units of the distance of the two means"
DENSITIES = Densities("N(1, σ²) against N(0, σ²)", T, line(normal(1), normal(0)), SIGMA_ONLY)


def gaussian(mechanism: Gaussian, direction: Direction) -> Family:
    """A replaced record moves the mean by two sensitivities."""
    return Family(
        "gaussian", DENSITIES, {"sigma": mechanism.noise_multiplier / moves(direction)}, (NOTE,), printed
    )


def gdp(mechanism: GDP, direction: Direction) -> Family:
    """μ-GDP is the Gaussian pair with σ = 1/μ."""
    return Family("gaussian", DENSITIES, {"sigma": 1 / mechanism.mu}, (NOTE, "σ = 1/μ"), printed)


def printed(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KH21 6.1 and Lemma E.1, GLW21 section 1, and the statements for any increasing loss."""
    piece = forward.only_piece()
    over = [loss_variable(piece)]
    law = SIGMA * sp.exp(-((S - 1 / (2 * SIGMA**2)) ** 2) * SIGMA**2 / 2) / sp.sqrt(2 * sp.pi)
    tilted = (
        SIGMA * sp.exp(-((S - (1 + 2 * LAMBDA) / (2 * SIGMA**2)) ** 2) * SIGMA**2 / 2) / sp.sqrt(2 * sp.pi)
    )
    curve = cumulative(-EPSILON * SIGMA + 1 / (2 * SIGMA)) - sp.exp(EPSILON) * cumulative(
        -EPSILON * SIGMA - 1 / (2 * SIGMA)
    )
    alpha = sp.Symbol("alpha", positive=True)
    rdp = sp.log(require(forward.mgf).subs(LAMBDA, alpha - 1)) / (alpha - 1)
    return [
        prover.equal("ω_G = N(1/(2σ²), 1/σ²)", law, require(piece.density), over, source="KH21 section 6.1"),
        prover.equal("α-RDP is α/(2σ²)", alpha / (2 * SIGMA**2), rdp, source="KH21 section 6.1"),
        prover.equal(
            "e^(λs) ω_G(s) = exp(3λ/(2σ²)) ω̃(s), ω̃ = N((1 + 2λ)/(2σ²), 1/σ²)",
            sp.exp(3 * LAMBDA / (2 * SIGMA**2)) * tilted,
            sp.exp(LAMBDA * S) * require(piece.density),
            over,
            source="KH21 proof of Lemma 1 in Appendix E and (E.3)",
            correction="the factor is M(λ) = exp((λ² + λ)/(2σ²)); the printed one is it only at λ = 2",
        ),
        prover.equal(
            "e^(λs) ω_G(s) = M(λ) ω̃(s)",
            require(forward.mgf) * tilted,
            sp.exp(LAMBDA * S) * require(piece.density),
            over,
        ),
        prover.equal(
            "δ(ε) = Φ(−εσ + 1/(2σ)) − e^ε Φ(−εσ − 1/(2σ))",
            curve,
            require(piece.delta),
            [loss_variable(piece, EPSILON)],
            source="GLW21 section 1",
        ),
        *integral_representation(forward, backward, prover),
        *reversal(forward, backward, prover),
        *loss_random_variables(forward, backward, prover),
        *density_derivative(forward, prover),
    ]
