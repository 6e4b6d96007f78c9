"""The adapters against dp-accounting called directly."""

import math
from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from pldverify.accountants.adapters.dp_accounting import (
    PLD,
    RDP,
    PLDIntegers,
    PLDMixture,
    PLDNested,
    RDPCurve,
    RDPIntegerOrders,
    RDPIntegers,
    RDPNested,
    RDPWideOrders,
)
from pldverify.errors import NotSupported
from pldverify.mechanisms import (
    ZCDP,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
    SampledWithReplacement,
)
from pldverify.mechanisms.renyi_query import RenyiQuery

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


def test_what_was_passed_and_what_was_rounded_is_stated() -> None:
    parameters = PLD().claim(Query(10 * DP_SGD, delta="1e-5")).parameters
    assert parameters["composition"] == (
        "10 * PoissonSampledDpEvent(sampling_probability=0.02, event=GaussianDpEvent(noise_multiplier=1.5))"
    )
    assert parameters["rounded"] == "delta=1e-05, q=0.02"
    assert parameters["value_discretization_interval"] == "1e-4"
    assert PLD().claim(Query(Gaussian(1), delta="1/1024")).parameters["rounded"] == "none"
    orders = RDP().claim(Query(Gaussian(1), delta="1/1024")).parameters["orders"]
    assert orders == "default, 156 from 1.1 to 1024"


@pytest.mark.parametrize("adapter", [PLD, RDP])
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(DP_SGD, delta="1e-5", adjacency="remove"), "got 'remove'"),
        (Query(Gaussian(1), delta="1e-5", adjacency="add"), "got 'add'"),
        (Query(SampledWithReplacement(Gaussian(1), 3, 10), delta="1e-5"), "event for sampled_with_repl"),
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


@pytest.mark.parametrize(
    ("adapter", "accountant", "mechanism", "event"),
    [
        (PLD, PLDAccountant, Gaussian(3, sensitivity=2), dp_accounting.GaussianDpEvent(1.5)),
        (PLD, PLDAccountant, DP_SGD, SAMPLED),
        (RDP, RdpAccountant, Gaussian(3, sensitivity=2), dp_accounting.GaussianDpEvent(1.5)),
        (RDP, RdpAccountant, Laplace(3, sensitivity=2), dp_accounting.LaplaceDpEvent(1.5)),
        (
            RDP,
            RdpAccountant,
            SampledWithoutReplacement(Gaussian(3), "3/100"),
            dp_accounting.SampledWithoutReplacementDpEvent(100, 3, dp_accounting.GaussianDpEvent(3.0)),
        ),
    ],
)
def test_replaced_records(adapter, accountant, mechanism, event) -> None:
    expected = accountant(neighboring_relation=REPLACE_ONE).compose(event, 30)
    claim = adapter().claim(Query(30 * mechanism, delta="1e-5", adjacency="replace-one"))
    assert claim.value == expected.get_epsilon(1e-5)
    assert claim.parameters["neighboring_relation"] == "REPLACE_ONE"


def test_discrete_laplace_has_its_rate_as_parameter() -> None:
    expected = PLDAccountant().compose(dp_accounting.dp_event.DiscreteLaplaceDpEvent(0.25, 2), 30)
    assert PLD().claim(Query(30 * DiscreteLaplace(4, 2), delta="1e-5")).value == expected.get_epsilon(1e-5)


def test_zcdp_is_an_event_of_the_rdp_accountant() -> None:
    expected = RdpAccountant().compose(dp_accounting.ZCDpEvent(0.25), 30)
    assert RDP().claim(Query(30 * ZCDP("1/4"), delta="1e-5")).value == expected.get_epsilon(1e-5)


@pytest.mark.parametrize(
    ("adapter", "accountant", "sigma"), [(RDPNested, RdpAccountant, 3.0), (RDPIntegers, RdpAccountant, 3)]
)
def test_a_nested_event_is_the_whole_composition(adapter, accountant, sigma) -> None:
    four = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(sigma), 4)
    sampled = dp_accounting.SelfComposedDpEvent(dp_accounting.PoissonSampledDpEvent(0.02, four), 30)
    expected = accountant().compose(dp_accounting.ComposedDpEvent([sampled]))
    claim = adapter().claim(Query(30 * DP_SGD, delta="1e-5"))
    assert claim.value == expected.get_epsilon(1e-5)
    assert f"noise_multiplier={sigma!r})" in claim.parameters["composition"]


@pytest.mark.parametrize(("adapter", "sigma"), [(PLDNested, 2.0), (PLDIntegers, 2)])
def test_the_pld_accountant_takes_nested_events(adapter, sigma) -> None:
    step = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(sigma), 30)
    expected = PLDAccountant().compose(dp_accounting.ComposedDpEvent([step]))
    claim = adapter().claim(Query(30 * Gaussian(2), delta="1/1024"))
    assert claim.value == expected.get_epsilon(1 / 1024)
    assert f"noise_multiplier={sigma!r})" in claim.parameters["composition"]


def test_a_mixture_of_gaussians_is_dp_sgd() -> None:
    mixture = dp_accounting.dp_event.MixtureOfGaussiansDpEvent(1.5, [0.0, 1.0], [0.98, 0.02])
    claim = PLDMixture().claim(Query(30 * DP_SGD, delta="1e-5"))
    expected = PLDAccountant(value_discretization_interval=1e-3).compose(mixture, 30)
    assert claim.value == expected.get_epsilon(1e-5)
    assert PLDMixture().supports(Query(Gaussian(1), delta="1e-5", adjacency="replace-one"))
    assert PLDMixture().supports(Query(Laplace(1), delta="1e-5"))


@pytest.mark.parametrize("adapter", [RDPIntegerOrders, RDPWideOrders])
def test_custom_orders_are_passed_as_they_are(adapter) -> None:
    expected = RdpAccountant(list(adapter.orders)).compose(SAMPLED, 30)
    claim = adapter().claim(Query(30 * DP_SGD, delta="1e-5"))
    assert claim.value == expected.get_epsilon(1e-5)
    assert claim.parameters["orders"].startswith(f"custom, {len(adapter.orders)} from")


def test_what_the_library_warns_of_is_stated() -> None:
    """A Rényi divergence that does not converge is left out, with a warning through ``logging``."""
    query = Query(PoissonSubsampled(Gaussian("0.5"), "0.5"), delta="1e-5")
    warned = RDPWideOrders().claim(query).parameters
    assert "warnings" in warned, warned
    assert "warnings" not in RDP().claim(Query(Gaussian(1), delta="1e-5")).parameters


def test_the_divergence_is_the_accountant_s_own() -> None:
    expected = RdpAccountant([2.5]).compose(SAMPLED, 30).compose(dp_accounting.LaplaceDpEvent(4.0), 2)
    claim = RDPCurve().claim(RenyiQuery(30 * DP_SGD + 2 * Laplace(4), order="5/2"))
    assert abs(float(claim.value) - expected.rdp[0]) < 1e-15
    assert claim.parameters["order"] == "2.5"
