"""Which family a mechanism belongs to: the one table."""

from collections.abc import Callable
from typing import Any

from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms import approximate_dp, finite_pair, gdp, pure_dp, zcdp
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.binomial import Binomial
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.exponential import Exponential
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.gnmax import GNMax
from pldverify.mechanisms.group_dp import GroupDP
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.kjh20_with_replacement import KJH20WithReplacement
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians
from pldverify.mechanisms.permute_and_flip import PermuteAndFlip
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Direction
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.shuffle_model import ShuffleModel
from pldverify.mechanisms.truncated_geometric import TruncatedGeometric
from pldverify.symbolic.families import (
    atomic,
    binomial,
    density_pair,
    discrete,
    gaussian,
    laplace,
    mixture,
    poisson,
    selection,
    substitute,
    with_replacement,
    without_replacement,
)
from pldverify.symbolic.families.family import Family

FAMILIES: dict[type[Mechanism], Callable[[Any, Direction], Family]] = {
    approximate_dp.ApproximateDP: atomic.approximate_dp,
    TruncatedGeometric: atomic.approximate_dp,
    Binomial: binomial.binomial,
    DensityPair: density_pair.density_pair,
    DiscreteGaussian: discrete.discrete_gaussian,
    DiscreteLaplace: discrete.discrete_laplace,
    Exponential: selection.exponential,
    finite_pair.FinitePair: atomic.finite_pair,
    gdp.GDP: gaussian.gdp,
    Gaussian: gaussian.gaussian,
    GroupDP: discrete.group_dp,
    KJH19Substitute: substitute.kjh19_substitute,
    KJH20WithReplacement: with_replacement.kjh20_with_replacement,
    Laplace: laplace.laplace,
    MixtureOfGaussians: mixture.mixture_of_gaussians,
    PermuteAndFlip: selection.permute_and_flip,
    PoissonSubsampled: lambda mechanism, direction: poisson.poisson(mechanism, direction, family),
    pure_dp.PureDP: atomic.pure_dp,
    RandomizedResponse: atomic.randomized_response,
    SampledWithoutReplacement: without_replacement.sampled_without_replacement,
    SampledWithReplacement: without_replacement.sampled_with_replacement,
}


def family(mechanism: Mechanism, direction: Direction) -> Family:
    """The family of a mechanism in one direction. Raises NotSupported and InvalidInput."""
    if isinstance(mechanism, zcdp.ZCDP | RenyiDP | GaussianAboveThreshold | GNMax | RepeatAndSelect):
        raise NotSupported(f"{mechanism} bounds δ(ε) but fixes no pair, so there is nothing to derive")
    if isinstance(mechanism, BallsAndBins | HiddenBatch | ShuffleModel):
        raise NotSupported(f"no dominating pair of {mechanism} is on a line, so there is nothing to derive")
    relation = "replace-one" if direction in ("replace", "replace-back") else "add-or-remove"
    if type(mechanism) not in FAMILIES:
        raise NotSupported(f"there is no derivation for {mechanism}")
    if relation not in mechanism.relations:
        raise InvalidInput(
            f"direction must be one for which {mechanism} has a pair, got direction={direction}"
        )
    return FAMILIES[type(mechanism)](mechanism, direction)
