"""The adapters against prv-accountant called directly."""

import math
from fractions import Fraction

import prv_accountant as prv
import pytest

from pldverify.accountants.adapters.prv_accountant import (
    Coarse,
    Estimate,
    Fine,
    Lower,
    RDPCurve,
    Reserved,
    Upper,
)
from pldverify.errors import NotSupported
from pldverify.mechanisms import (
    ApproximateDP,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    Query,
    RandomizedResponse,
)
from pldverify.mechanisms.renyi_query import RenyiQuery

DP_SGD = PoissonSubsampled(Gaussian(3, sensitivity=2), "0.02")
SAMPLED = prv.PoissonSubsampledGaussianMechanism(sampling_probability=0.02, noise_multiplier=1.5)
ADAPTERS = [Lower, Estimate, Upper]


@pytest.mark.parametrize(
    ("mechanism", "variable"),
    [
        (DP_SGD, SAMPLED),
        (Gaussian(3, sensitivity=2), prv.GaussianMechanism(3, 2)),
        (Laplace(3, sensitivity=2), prv.LaplaceMechanism(mu=2 / 3)),
        (RandomizedResponse("3/4"), prv.PureDPMechanism(math.log(3))),
        (PureDP("1/8"), prv.PureDPMechanism(0.125)),
        (ApproximateDP("1/8", "1e-8"), prv.ApproximateDPMechanism(0.125, 1e-8)),
    ],
)
def test_the_triple_is_the_library_s(mechanism, variable) -> None:
    direct = prv.PRVAccountant(
        prvs=[variable], max_self_compositions=[30], eps_error=0.1, delta_error=1e-5 / 1000
    )
    expected = direct.compute_epsilon(1e-5, [30])
    claims = [adapter().claim(Query(30 * mechanism, delta="1e-5")).value for adapter in ADAPTERS]
    for claim, value in zip(claims, expected, strict=True):
        assert abs(claim - Fraction(value)) <= Fraction(1, 10**12)  # log(3) by two routes, an ulp apart


def test_the_error_in_delta_is_that_of_the_library_s_own_accountants() -> None:
    direct = prv.PRVAccountant(prvs=[SAMPLED], max_self_compositions=[30], eps_error=0.1, delta_error=1e-9)
    expected = direct.compute_delta(0.5, [30])
    query = Query(30 * DP_SGD, epsilon="1/2")
    assert tuple(adapter().claim(query).value for adapter in ADAPTERS) == expected


def test_mechanisms_are_composed_in_one_accountant() -> None:
    direct = prv.PRVAccountant(
        prvs=[prv.LaplaceMechanism(mu=0.25), SAMPLED],
        max_self_compositions=[3, 7],
        eps_error=0.1,
        delta_error=1e-6 / 1000,
    )
    claim = Upper().claim(Query(7 * DP_SGD + 3 * Laplace(4), delta="1e-6"))
    assert claim.value == direct.compute_epsilon(1e-6, [3, 7])[2]
    assert claim.parameters["max_self_compositions"] == "[3, 7]"


def test_only_the_estimate_promises_the_errors_that_were_asked_for() -> None:
    query = Query(30 * DP_SGD, delta="1e-5")
    promise = Estimate().claim(query).promise
    assert promise is not None
    assert promise.epsilon == Fraction(0.1) and promise.delta == Fraction(1e-5 / 1000)
    assert Upper().claim(query).promise is None and Lower().claim(query).promise is None
    assert Upper().claim(query).parameters["eps_error"] == "0.1"
    assert Upper().claim(query).parameters["rounded"] == "delta=1e-05, q=0.02"


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_subsampled_variable_answers_for_remove_and_is_used_for_both(adapter) -> None:
    values = {
        adapter().claim(Query(30 * DP_SGD, delta="1e-5", adjacency=adjacency)).value
        for adjacency in ("remove", "add-or-remove")
    }
    assert len(values) == 1
    add = Query(30 * DP_SGD, delta="1e-5", adjacency="add")
    assert "direction remove" in adapter().supports(add)
    assert adapter().supports(Query(30 * Gaussian(1), delta="1e-5", adjacency="add")) is None


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(DP_SGD, delta="1e-5", adjacency="replace-one"), "got 'replace-one'"),
        (Query(PoissonSubsampled(Laplace(1), "0.1"), delta="1e-5"), "no privacy random variable for poisson"),
        (Query(RandomizedResponse("3/4", 3), delta="1e-5"), "no privacy random variable for randomized_resp"),
    ],
)
def test_what_the_library_does_not_have_is_refused(query: Query, reason: str) -> None:
    refusal = Upper().supports(query)
    assert refusal is not None and reason in refusal
    with pytest.raises(NotSupported):
        Upper().claim(query)


@pytest.mark.parametrize("p", ["0", "1/4", "1/2", "1"])
def test_randomized_response_needs_a_finite_loss(p: str) -> None:
    query = Query(RandomizedResponse(p), delta="1e-5")
    assert "1/2 < p < 1" in Upper().supports(query)
    with pytest.raises(NotSupported):
        Upper().claim(query)


def test_log_odds_keep_their_digits_near_one_half() -> None:
    """log(p/(1−p)) = 2 atanh(2p − 1) = 4h + 16 h³/3 + … at p = 1/2 + h."""
    claim = Upper().claim(Query(RandomizedResponse(Fraction(1, 2) + Fraction(1, 10**12)), delta="1e-5"))
    assert claim.parameters["composition"] == "1 * PureDPMechanism(eps=4e-12)"


@pytest.mark.parametrize(
    ("mechanism", "variable"),
    [
        (Gaussian(3, sensitivity=2), prv.GaussianMechanism(3, 4)),
        (Laplace(3, sensitivity=2), prv.LaplaceMechanism(mu=4 / 3)),
    ],
)
def test_a_replaced_record_moves_the_query_twice_as_far(mechanism, variable) -> None:
    direct = prv.PRVAccountant([variable], 0.1, 1e-8, [30]).compute_epsilon(1e-5, [30])
    assert Upper().claim(Query(30 * mechanism, delta="1e-5", adjacency="replace-one")).value == direct[2]


@pytest.mark.parametrize(
    ("adapter", "error", "most"), [(Coarse, 1.0, 30), (Fine, 0.01, 30), (Reserved, 0.1, 300)]
)
def test_other_errors_and_a_reserve_of_compositions(adapter, error: float, most: int) -> None:
    direct = prv.PRVAccountant([SAMPLED], error, 1e-8, [most]).compute_epsilon(1e-5, [30])
    assert adapter().claim(Query(30 * DP_SGD, delta="1e-5")).value == direct[2]


def test_the_divergence_is_that_of_the_variables() -> None:
    expected = 30 * SAMPLED.rdp(2.5) + 2 * prv.LaplaceMechanism(mu=0.25).rdp(2.5)
    claim = RDPCurve().claim(RenyiQuery(30 * DP_SGD + 2 * Laplace(4), order="5/2"))
    assert abs(float(claim.value) - expected) < 1e-15
    assert "finite" in str(RDPCurve().supports(RenyiQuery(ApproximateDP(1, "1e-5"), order=2)))
    assert "not asked" in str(RDPCurve().supports(Query(DP_SGD, delta="1e-5")))
