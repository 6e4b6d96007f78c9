"""pldverify: proved enclosures of differential-privacy parameters, and verdicts on accountants.

``import pldverify as pv`` is cheap: every name loads its module when it is first used. All that
``pldverify.mechanisms`` makes public is here too.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pldverify import errors as errors
from pldverify.version import __version__ as __version__

if TYPE_CHECKING:
    from pldverify import quadrature as quadrature
    from pldverify import report as report
    from pldverify.accountants.accountant import Accountant as Accountant
    from pldverify.accountants.adapters.batch_selection import from_batch_selection as from_batch_selection
    from pldverify.accountants.adapters.dp_event import from_dp_event as from_dp_event
    from pldverify.accountants.adapters.dp_event import to_dp_event as to_dp_event
    from pldverify.accountants.registry import accountant_names as accountant_names
    from pldverify.claims.certify import certify as certify
    from pldverify.claims.certify_file import certify_file as certify_file
    from pldverify.claims.save import save as save
    from pldverify.decomposition.error_budget import error_budget as error_budget
    from pldverify.filters.filter import Filter as Filter
    from pldverify.filters.odometer import Odometer as Odometer
    from pldverify.mechanisms import *  # noqa: F403
    from pldverify.mechanisms.approximate_zcdp import approximate_zcdp as approximate_zcdp
    from pldverify.mechanisms.banded_matrix import banded_matrix as banded_matrix
    from pldverify.mechanisms.discrete_gaussians import discrete_gaussians as discrete_gaussians
    from pldverify.mechanisms.dp_sgd import dp_sgd as dp_sgd
    from pldverify.mechanisms.dp_sgd import from_opacus_history as from_opacus_history
    from pldverify.mechanisms.group import group as group
    from pldverify.mechanisms.matrix_mechanism import matrix_mechanism as matrix_mechanism
    from pldverify.mechanisms.matrix_mechanism import tree_aggregation as tree_aggregation
    from pldverify.mechanisms.random_allocation import random_allocation as random_allocation
    from pldverify.mechanisms.rappor import rappor as rappor
    from pldverify.mechanisms.subset_selection import subset_selection as subset_selection
    from pldverify.mechanisms.truncated_geometric import truncated_geometric as truncated_geometric
    from pldverify.numbers.claim import Claim as Claim
    from pldverify.numbers.enclosure import Enclosure as Enclosure
    from pldverify.numbers.estimate import Estimate as Estimate
    from pldverify.numbers.interval import Interval as Interval
    from pldverify.overviews.overview import overview as overview
    from pldverify.reference.engines.conclude import prove_again as prove_again
    from pldverify.reference.quantities.attacks import advantage as advantage
    from pldverify.reference.quantities.attacks import bayes_risk as bayes_risk
    from pldverify.reference.quantities.attacks import tpr as tpr
    from pldverify.reference.quantities.bracket import bracket as bracket
    from pldverify.reference.quantities.calibrate import calibrate as calibrate
    from pldverify.reference.quantities.conversions import delta_from_rdp as delta_from_rdp
    from pldverify.reference.quantities.conversions import epsilon_from_rdp as epsilon_from_rdp
    from pldverify.reference.quantities.conversions import zcdp_delta as zcdp_delta
    from pldverify.reference.quantities.conversions import zcdp_epsilon as zcdp_epsilon
    from pldverify.reference.quantities.moments import mgf as mgf
    from pldverify.reference.quantities.moments import moments as moments
    from pldverify.reference.quantities.privacy_loss_cdf import privacy_loss_cdf as privacy_loss_cdf
    from pldverify.reference.quantities.profile import Profile as Profile
    from pldverify.reference.quantities.profile import profile as profile
    from pldverify.reference.quantities.questions import delta as delta
    from pldverify.reference.quantities.questions import epsilon as epsilon
    from pldverify.reference.quantities.questions import rdp as rdp
    from pldverify.reference.quantities.questions import tail as tail
    from pldverify.reference.quantities.questions import trade_off as trade_off
    from pldverify.rulings.check import check as check
    from pldverify.rulings.finding import Finding as Finding
    from pldverify.sweeps.grid import Grid as Grid
    from pldverify.sweeps.sweep import sweep as sweep
    from pldverify.symbolic.derive import derive as derive
    from pldverify.symbolic.derive import derive_pair as derive_pair
    from pldverify.values.least import gdp as gdp
    from pldverify.values.least import zcdp as zcdp

_HOMES = {
    "Accountant": "pldverify.accountants.accountant",
    "Claim": "pldverify.numbers.claim",
    "Enclosure": "pldverify.numbers.enclosure",
    "Estimate": "pldverify.numbers.estimate",
    "Filter": "pldverify.filters.filter",
    "Finding": "pldverify.rulings.finding",
    "Grid": "pldverify.sweeps.grid",
    "Interval": "pldverify.numbers.interval",
    "NoiseQuery": "pldverify.mechanisms.noise_query",
    "Odometer": "pldverify.filters.odometer",
    "Profile": "pldverify.reference.quantities.profile",
    "RenyiQuery": "pldverify.mechanisms.renyi_query",
    "TailQuery": "pldverify.mechanisms.tail_query",
    "TradeOffQuery": "pldverify.mechanisms.trade_off_query",
    "accountant_names": "pldverify.accountants.registry",
    "advantage": "pldverify.reference.quantities.attacks",
    "approximate_zcdp": "pldverify.mechanisms.approximate_zcdp",
    "banded_matrix": "pldverify.mechanisms.banded_matrix",
    "bayes_risk": "pldverify.reference.quantities.attacks",
    "bracket": "pldverify.reference.quantities.bracket",
    "calibrate": "pldverify.reference.quantities.calibrate",
    "certify": "pldverify.claims.certify",
    "certify_file": "pldverify.claims.certify_file",
    "check": "pldverify.rulings.check",
    "delta": "pldverify.reference",
    "delta_from_rdp": "pldverify.reference.quantities.conversions",
    "derive": "pldverify.symbolic",
    "derive_pair": "pldverify.symbolic",
    "discrete_gaussians": "pldverify.mechanisms.discrete_gaussians",
    "dp_sgd": "pldverify.mechanisms.dp_sgd",
    "epsilon": "pldverify.reference",
    "epsilon_from_rdp": "pldverify.reference.quantities.conversions",
    "error_budget": "pldverify.decomposition.error_budget",
    "from_batch_selection": "pldverify.accountants.adapters.batch_selection",
    "from_dp_event": "pldverify.accountants.adapters.dp_event",
    "from_opacus_history": "pldverify.mechanisms.dp_sgd",
    "gdp": "pldverify.values.least",
    "group": "pldverify.mechanisms.group",
    "matrix_mechanism": "pldverify.mechanisms.matrix_mechanism",
    "mgf": "pldverify.reference.quantities.moments",
    "moments": "pldverify.reference.quantities.moments",
    "overview": "pldverify.overviews.overview",
    "prove_again": "pldverify.reference.engines.conclude",
    "profile": "pldverify.reference.quantities.profile",
    "privacy_loss_cdf": "pldverify.reference.quantities.privacy_loss_cdf",
    "random_allocation": "pldverify.mechanisms.random_allocation",
    "rappor": "pldverify.mechanisms.rappor",
    "rdp": "pldverify.reference",
    "save": "pldverify.claims.save",
    "subset_selection": "pldverify.mechanisms.subset_selection",
    "sweep": "pldverify.sweeps.sweep",
    "tail": "pldverify.reference",
    "to_dp_event": "pldverify.accountants.adapters.dp_event",
    "tpr": "pldverify.reference.quantities.attacks",
    "trade_off": "pldverify.reference",
    "tree_aggregation": "pldverify.mechanisms.matrix_mechanism",
    "truncated_geometric": "pldverify.mechanisms.truncated_geometric",
    "zcdp": "pldverify.values.least",
    "zcdp_delta": "pldverify.reference.quantities.conversions",
    "zcdp_epsilon": "pldverify.reference.quantities.conversions",
}
"""Where a name that is no mechanism is defined."""


def _mechanisms() -> dict[str, type]:
    """Public classes of ``pldverify.mechanisms`` by name."""
    found = vars(import_module("pldverify.mechanisms"))
    return {name: value for name, value in found.items() if isinstance(value, type)}


def _names() -> list[str]:
    return sorted(["errors", "quadrature", "report", *_HOMES, *_mechanisms()])


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _names()
    if name in ("quadrature", "report"):
        return import_module(f"pldverify.{name}")
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif not name.startswith("_") and name in _mechanisms():
        value = _mechanisms()[name]
    else:
        raise AttributeError(f"module 'pldverify' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*_names(), "__version__"]
