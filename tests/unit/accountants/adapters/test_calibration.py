"""The calibrations against their libraries called directly."""

from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting import gaussian_mechanism
from dp_accounting.pld import accountant, common

from pldverify.accountants.adapters.calibration import (
    AutoDP,
    DPAccountingGaussian,
    DPAccountingLaplace,
    DPAccountingPLD,
    DPAccountingRDP,
    DPAccountingSigma,
    OpacusPRV,
    OpacusRDP,
)
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query
from pldverify.mechanisms.noise_query import NoiseQuery

GOAL = common.DifferentialPrivacyParameters(1.0, 1e-5)
STEP = PoissonSubsampled(Gaussian(1), "1/4")


def asked(composition) -> NoiseQuery:
    return NoiseQuery(composition, epsilon=1, delta="1e-5")


@pytest.mark.parametrize(
    ("adapter", "kind"),
    [(DPAccountingPLD, dp_accounting.pld.PLDAccountant), (DPAccountingRDP, dp_accounting.rdp.RdpAccountant)],
)
def test_dp_accounting_s_search_over_its_accountants(adapter, kind) -> None:
    found = float(adapter().claim(asked(30 * STEP)).value)
    step = dp_accounting.PoissonSampledDpEvent(0.25, dp_accounting.GaussianDpEvent(found))
    assert 1 - 1e-4 < kind().compose(step, 30).get_epsilon(1e-5) <= 1


@pytest.mark.slow
def test_dp_accounting_s_smallest_noise() -> None:
    claim = DPAccountingGaussian().claim(asked(30 * Gaussian(1)))
    assert claim.value == accountant.get_smallest_gaussian_noise(GOAL, 30)
    claim = DPAccountingGaussian().claim(asked(3 * STEP))
    assert claim.value == accountant.get_smallest_subsampled_gaussian_noise(GOAL, 3, sampling_prob=0.25)
    claim = DPAccountingLaplace().claim(asked(3 * Laplace(1)))
    assert claim.value == accountant.get_smallest_laplace_noise(GOAL, 3)
    claim = DPAccountingSigma().claim(asked(Gaussian(1)))
    assert claim.value == gaussian_mechanism.get_sigma_gaussian(1.0, 1e-5)
    assert claim.parameters["delta"] == "1e-05" and claim.parameters["epsilon"] == "1.0"


@pytest.mark.slow
@pytest.mark.parametrize(("adapter", "kind"), [(OpacusRDP, "rdp"), (OpacusPRV, "prv")])
def test_opacus(adapter, kind: str) -> None:
    utils = pytest.importorskip("opacus.accountants.utils")
    expected = utils.get_noise_multiplier(
        target_epsilon=1.0, target_delta=1e-5, sample_rate=0.25, steps=30, accountant=kind
    )
    assert adapter().claim(asked(30 * STEP)).value == expected


def test_autodp() -> None:
    pytest.importorskip("autodp")
    assert abs(AutoDP().claim(asked(Gaussian(1))).value - Fraction("3.730631634815958")) < Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("adapter", "query", "reason"),
    [
        (DPAccountingPLD, asked(30 * STEP + Gaussian(1)), "mechanisms must be at most 1"),
        (DPAccountingPLD, asked(Gaussian(2)), "no calibration of gaussian(sigma=2)"),
        (DPAccountingPLD, asked(Laplace(1)), "no calibration of laplace"),
        (DPAccountingLaplace, asked(Gaussian(1)), "no calibration of gaussian"),
        (DPAccountingSigma, asked(2 * Gaussian(1)), "steps must be at most 1"),
        (DPAccountingSigma, asked(STEP), "no calibration of poisson"),
        (DPAccountingPLD, Query(Gaussian(1), delta="1e-5"), "not asked for the quantity epsilon"),
        (DPAccountingPLD, NoiseQuery(STEP, epsilon=1, delta=0, adjacency="add"), "got 'add'"),
    ],
)
def test_what_they_do_not_have_is_refused(adapter, query: Query, reason: str) -> None:
    assert reason in str(adapter().supports(query))
