"""K(θ) = log M(θ) with its first two derivatives, in floats: what searches steer by. It proves nothing."""

from pldverify.reference.search.cumulants import (  # noqa: F401  (each teaches ``cumulant`` its law)
    anchored,
    atomic,
    composed_loss,
    density_pair,
    discrete_gaussian,
    gaussian,
    gaussian_mixture,
    gaussian_pair,
    laplace,
    poisson_discrete_gaussian,
    randomized_response,
    smooth,
    some_jump,
)
from pldverify.reference.search.cumulants.law import cumulant

__all__ = ["cumulant"]
