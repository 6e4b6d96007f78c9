"""Mechanisms: dominating pairs, adjacency, composition. They say what, and compute nothing."""

from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.binomial import Binomial
from pldverify.mechanisms.composition import Composition
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.kjh20_with_replacement import KJH20WithReplacement
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.zcdp import ZCDP

__all__ = [
    "GDP",
    "ZCDP",
    "ApproximateDP",
    "Binomial",
    "Composition",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "FinitePair",
    "Gaussian",
    "KJH19Substitute",
    "KJH20WithReplacement",
    "Laplace",
    "PoissonSubsampled",
    "PureDP",
    "Query",
    "RandomizedResponse",
    "SampledWithReplacement",
    "SampledWithoutReplacement",
]
