"""pldverify: proved enclosures of differential-privacy parameters, and verdicts on accountants.

``import pldverify as pv`` is cheap: every name loads its module when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pldverify import errors

if TYPE_CHECKING:
    from pldverify.certificate.certify import certify
    from pldverify.decomposition.error_budget import error_budget
    from pldverify.judge.check import check
    from pldverify.judge.finding import Finding
    from pldverify.mechanisms.approximate_dp import ApproximateDP
    from pldverify.mechanisms.binomial import Binomial
    from pldverify.mechanisms.composition import Composition
    from pldverify.mechanisms.density_pair import DensityPair
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
    from pldverify.numbers.claim import Claim
    from pldverify.numbers.enclosure import Enclosure
    from pldverify.numbers.estimate import Estimate
    from pldverify.reference.calibrate import calibrate
    from pldverify.reference.conversions import delta_from_rdp, epsilon_from_rdp, zcdp_delta, zcdp_epsilon
    from pldverify.reference.delta import delta, tail
    from pldverify.reference.epsilon import epsilon
    from pldverify.reference.moments import mgf, moments
    from pldverify.reference.privacy_loss_cdf import privacy_loss_cdf
    from pldverify.reference.rdp import rdp
    from pldverify.reference.trade_off import trade_off
    from pldverify.symbolic.derive import derive, derive_pair

__version__ = "0.1.0"

__all__ = [
    "GDP",
    "ZCDP",
    "ApproximateDP",
    "Binomial",
    "Claim",
    "Composition",
    "DensityPair",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Enclosure",
    "Estimate",
    "Finding",
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
    "calibrate",
    "certify",
    "check",
    "delta",
    "delta_from_rdp",
    "derive",
    "derive_pair",
    "epsilon",
    "epsilon_from_rdp",
    "error_budget",
    "errors",
    "mgf",
    "moments",
    "privacy_loss_cdf",
    "rdp",
    "tail",
    "trade_off",
    "zcdp_delta",
    "zcdp_epsilon",
]

_HOMES = {
    "ApproximateDP": "pldverify.mechanisms.approximate_dp",
    "Binomial": "pldverify.mechanisms.binomial",
    "Claim": "pldverify.numbers.claim",
    "Composition": "pldverify.mechanisms.composition",
    "DensityPair": "pldverify.mechanisms.density_pair",
    "DiscreteGaussian": "pldverify.mechanisms.discrete_gaussian",
    "DiscreteLaplace": "pldverify.mechanisms.discrete_laplace",
    "Enclosure": "pldverify.numbers.enclosure",
    "Estimate": "pldverify.numbers.estimate",
    "Finding": "pldverify.judge.finding",
    "FinitePair": "pldverify.mechanisms.finite_pair",
    "GDP": "pldverify.mechanisms.gdp",
    "Gaussian": "pldverify.mechanisms.gaussian",
    "KJH19Substitute": "pldverify.mechanisms.kjh19_substitute",
    "KJH20WithReplacement": "pldverify.mechanisms.kjh20_with_replacement",
    "Laplace": "pldverify.mechanisms.laplace",
    "PoissonSubsampled": "pldverify.mechanisms.poisson_subsampled",
    "PureDP": "pldverify.mechanisms.pure_dp",
    "Query": "pldverify.mechanisms.query",
    "RandomizedResponse": "pldverify.mechanisms.randomized_response",
    "SampledWithReplacement": "pldverify.mechanisms.sampled_with_replacement",
    "SampledWithoutReplacement": "pldverify.mechanisms.sampled_without_replacement",
    "ZCDP": "pldverify.mechanisms.zcdp",
    "calibrate": "pldverify.reference.calibrate",
    "certify": "pldverify.certificate.certify",
    "check": "pldverify.judge.check",
    "delta": "pldverify.reference",
    "delta_from_rdp": "pldverify.reference.conversions",
    "derive": "pldverify.symbolic",
    "derive_pair": "pldverify.symbolic",
    "epsilon": "pldverify.reference",
    "epsilon_from_rdp": "pldverify.reference.conversions",
    "error_budget": "pldverify.decomposition.error_budget",
    "mgf": "pldverify.reference.moments",
    "moments": "pldverify.reference.moments",
    "privacy_loss_cdf": "pldverify.reference.privacy_loss_cdf",
    "rdp": "pldverify.reference",
    "tail": "pldverify.reference",
    "trade_off": "pldverify.reference.trade_off",
    "zcdp_delta": "pldverify.reference.conversions",
    "zcdp_epsilon": "pldverify.reference.conversions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pldverify' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
