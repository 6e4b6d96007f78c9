"""The normal density and the letters of the Gaussian family."""

import sympy as sp

from pldverify.symbolic.model.densities import T
from pldverify.symbolic.model.domain import Domain

SIGMA = sp.Symbol("sigma", positive=True)
Q = sp.Symbol("q", positive=True)
"""Noise multiplier σ (standard deviation over the distance of the means) and sampling probability q."""

ZERO, ONE = sp.Integer(0), sp.Integer(1)
SIGMA_ONLY = Domain.of({SIGMA: (ZERO, sp.oo)})
SIGMA_AND_Q = Domain.of({SIGMA: (ZERO, sp.oo), Q: (ZERO, ONE)})


def normal(mean: sp.Expr | int, t: sp.Expr = T) -> sp.Expr:
    """The density of N(mean, σ²) at t."""
    return sp.exp(-((t - mean) ** 2) / (2 * SIGMA**2)) / (sp.sqrt(2 * sp.pi) * SIGMA)


def cumulative(x: sp.Expr) -> sp.Expr:
    """Φ(x), the standard normal distribution function, by erfc."""
    return sp.erfc(-x / sp.sqrt(2)) / 2
