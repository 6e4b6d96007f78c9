"""K(θ) = log M(θ) with its first two derivatives, in floats: it guides searches and proves nothing."""

from pldverify.reference.search.cumulants import (  # noqa: F401  (each teaches ``cumulant`` its law)
    allocation,
    anchored,
    atomic,
    bounded_range,
    composed_loss,
    density_pair,
    discrete_gaussian,
    fixed_choices,
    gaussian,
    gaussian_mixture,
    gaussian_pair,
    known_mixture,
    laplace,
    poisson_discrete_gaussian,
    poisson_gaussian_laplace,
    sampled_zcdp,
    smooth,
)
from pldverify.reference.search.cumulants.law import cumulant

__all__ = ["cumulant"]
