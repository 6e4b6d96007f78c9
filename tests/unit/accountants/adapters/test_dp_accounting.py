"""The adapters against dp-accounting called directly."""

import math
from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import RdpAccountant

from pldverify.accountants.adapters.dp_accounting import PLD, RDP, OptimisticPLD
from pldverify.errors import NotSupported
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse

DP_SGD = PoissonSubsampled(Gaussian("1.5", sensitivity="1"), "0.02")
SAMPLED = dp_accounting.PoissonSampledDpEvent(0.02, dp_accounting.GaussianDpEvent(1.5))
REPLACE_ONE = dp_accounting.NeighboringRelation.REPLACE_ONE


@pytest.mark.parametrize(("adapter", "accountant"), [(PLD, PLDAccountant), (RDP, RdpAccountant)])
@pytest.mark.parametrize(
    ("mechanism", "event"),
    [
        (Gaussian(3, sensitivity=2), dp_accounting.GaussianDpEvent(1.5)),
        (Laplace(3, sensitivity=2), dp_accounting.LaplaceDpEvent(1.5)),
        (DP_SGD, SAMPLED),
    ],
)
def test_accountants_answer_what_the_library_answers(adapter, accountant, mechanism, event) -> None:
    expected = accountant().compose(event, 30)
    assert adapter().claim(Query(30 * mechanism, delta="1e-5")).value == expected.get_epsilon(1e-5)
    assert adapter().claim(Query(30 * mechanism, epsilon="1.5")).value == expected.get_delta(1.5)


@pytest.mark.parametrize(("adapter", "accountant"), [(PLD, PLDAccountant), (RDP, RdpAccountant)])
@pytest.mark.parametrize(("p", "categories"), [("3/4", 2), ("5/8", 4)])
def test_randomized_response_is_buckets_under_replacement(adapter, accountant, p, categories) -> None:
    """Half of the time one category at random, else the truth: p = 1/2 + 1/2k."""
    event = dp_accounting.RandomizedResponseDpEvent(noise_parameter=0.5, num_buckets=categories)
    expected = accountant(neighboring_relation=REPLACE_ONE).compose(event, 4)
    claim = adapter().claim(Query(4 * RandomizedResponse(p, categories), delta="1e-3"))
    assert claim.value == expected.get_epsilon(1e-3)
    assert claim.parameters["neighboring_relation"] == "REPLACE_ONE"


def test_different_mechanisms_are_composed() -> None:
    expected = PLDAccountant().compose(SAMPLED, 7).compose(dp_accounting.LaplaceDpEvent(4.0), 3)
    claim = PLD().claim(Query(7 * DP_SGD + 3 * Laplace(4), delta="1e-6"))
    # The order of composition is the adapter's own, so the two may differ by rounding.
    assert abs(claim.value / Fraction(expected.get_epsilon(1e-6)) - 1) < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("mechanism", "direct"),
    [
        (Gaussian(3, sensitivity=2), pld.from_gaussian_mechanism(3, 2, False, use_connect_dots=False)),
        (Laplace(3, sensitivity=2), pld.from_laplace_mechanism(3, 2, False, use_connect_dots=False)),
        (DP_SGD, pld.from_gaussian_mechanism(1.5, 1, False, sampling_prob=0.02, use_connect_dots=False)),
        (
            PoissonSubsampled(Laplace(3, sensitivity=2), "0.02"),
            pld.from_laplace_mechanism(3, 2, False, sampling_prob=0.02, use_connect_dots=False),
        ),
        (RandomizedResponse("3/4"), pld.from_randomized_response(0.5, 2, False)),
        (RandomizedResponse("5/8", 4), pld.from_randomized_response(0.5, 4, False)),
    ],
)
def test_the_optimistic_distribution_is_the_library_s(mechanism, direct) -> None:
    expected = direct.self_compose(30)
    adapter = OptimisticPLD()
    assert adapter.claim(Query(30 * mechanism, delta="1e-5")).value == expected.get_epsilon_for_delta(1e-5)
    assert adapter.claim(Query(30 * mechanism, epsilon="1.5")).value == expected.get_delta_for_epsilon(1.5)


def test_the_optimistic_distribution_takes_randomized_response_with_noise() -> None:
    query = Query(Laplace(1) + RandomizedResponse("3/4"), epsilon="1/2")
    claim = OptimisticPLD().claim(query)
    upper = Fraction(3, 4) + Fraction(1)  # basic composition of total variations: far above, but finite
    assert 0 < claim.value < upper


def test_what_was_passed_and_what_was_rounded_is_stated() -> None:
    parameters = PLD().claim(Query(10 * DP_SGD, delta="1e-5")).parameters
    assert parameters["composition"] == (
        "10 * PoissonSampledDpEvent(sampling_probability=0.02, event=GaussianDpEvent(noise_multiplier=1.5))"
    )
    assert parameters["rounded"] == "q=0.02, delta=1e-05"
    assert parameters["value_discretization_interval"] == "1e-4"
    assert PLD().claim(Query(Gaussian(1), delta="1/1024")).parameters["rounded"] == "none"
    orders = RDP().claim(Query(Gaussian(1), delta="1/1024")).parameters["orders"]
    assert orders == "default, 156 from 1.1 to 1024"


@pytest.mark.parametrize("adapter", [PLD, RDP, OptimisticPLD])
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(DP_SGD, delta="1e-5", adjacency="remove"), "for 'remove'"),
        (Query(Gaussian(1), delta="1e-5", adjacency="add"), "for 'add'"),
        (Query(Gaussian(1), delta="1e-5", adjacency="replace-one"), "for 'replace-one'"),
        (Query(PoissonSubsampled(RandomizedResponse("3/4"), "0.1"), delta="1e-5"), "for poisson(random"),
        (Query(RandomizedResponse("1/4"), delta="1e-5"), "p >= 1/2"),
        (Query(Gaussian("1e400"), delta="1e-5"), "=1e400 is beyond the largest double"),
        (Query(Gaussian(1), delta="1e-400"), "delta=1e-400 is below the smallest double"),
    ],
)
def test_what_cannot_be_passed_on_unchanged_is_refused(adapter, query: Query, reason: str) -> None:
    refusal = adapter().supports(query)
    assert refusal is not None and reason in refusal and "\n" not in refusal
    with pytest.raises(NotSupported):
        adapter().claim(query)


@pytest.mark.parametrize("adapter", [PLD, RDP])
def test_no_relation_covers_randomized_response_with_noise(adapter) -> None:
    refusal = adapter().supports(Query(Laplace(1) + RandomizedResponse("3/4"), delta="1e-5"))
    assert refusal is not None and "no neighbouring relation" in refusal


def test_infinite_epsilon_is_passed_on() -> None:
    assert RDP().claim(Query(Gaussian(1), delta=0)).value == math.inf
