"""Mechanisms: dominating pairs, adjacency, composition. They say what, and compute nothing."""

from pldverify.mechanisms.composition import Composition
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse

__all__ = ["Composition", "Gaussian", "Laplace", "PoissonSubsampled", "Query", "RandomizedResponse"]
