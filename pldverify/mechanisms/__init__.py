"""Mechanisms: dominating pairs, adjacency, composition. They say what, and compute nothing.

A name with an ``as`` is public, here and in ``pldverify``; all else about a mechanism stands in its own file.
"""

from pldverify.mechanisms.above_threshold import AboveThreshold as AboveThreshold
from pldverify.mechanisms.approximate_dp import ApproximateDP as ApproximateDP
from pldverify.mechanisms.balls_and_bins import BallsAndBins as BallsAndBins
from pldverify.mechanisms.binomial import Binomial as Binomial
from pldverify.mechanisms.density_pair import DensityPair as DensityPair
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian as DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace as DiscreteLaplace
from pldverify.mechanisms.exponential import Exponential as Exponential
from pldverify.mechanisms.finite_pair import FinitePair as FinitePair
from pldverify.mechanisms.gaussian import Gaussian as Gaussian
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold as GaussianAboveThreshold
from pldverify.mechanisms.gdp import GDP as GDP
from pldverify.mechanisms.gnmax import GNMax as GNMax
from pldverify.mechanisms.group_dp import GroupDP as GroupDP
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute as KJH19Substitute
from pldverify.mechanisms.kjh20_with_replacement import KJH20WithReplacement as KJH20WithReplacement
from pldverify.mechanisms.laplace import Laplace as Laplace
from pldverify.mechanisms.mechanism import Composition as Composition
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians as MixtureOfGaussians
from pldverify.mechanisms.noisy_max import NoisyMax as NoisyMax
from pldverify.mechanisms.permute_and_flip import PermuteAndFlip as PermuteAndFlip
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled as PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP as PureDP
from pldverify.mechanisms.query import Query as Query
from pldverify.mechanisms.randomized_response import RandomizedResponse as RandomizedResponse
from pldverify.mechanisms.renyi_dp import RenyiDP as RenyiDP
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect as RepeatAndSelect
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement as SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import (
    SampledWithoutReplacement as SampledWithoutReplacement,
)
from pldverify.mechanisms.shuffle_model import ShuffleModel as ShuffleModel
from pldverify.mechanisms.shuffled_batches import ShuffledBatches as ShuffledBatches
from pldverify.mechanisms.thresholded_histogram import ThresholdedHistogram as ThresholdedHistogram
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson as TruncatedPoisson
from pldverify.mechanisms.zcdp import ZCDP as ZCDP
