"""The functions of dp-accounting called directly."""

import math
from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as pld

from pldverify.accountants.adapters.dp_accounting_functions import (
    Buckets,
    Composed,
    Dots,
    Functions,
    Vector,
)
from pldverify.accountants.adapters.dp_accounting_functions import Optimistic as OptimisticPLD
from pldverify.mechanisms import (
    GDP,
    ApproximateDP,
    DiscreteGaussian,
    DiscreteLaplace,
    FinitePair,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    Query,
    RandomizedResponse,
)

DP_SGD = PoissonSubsampled(Gaussian("1.5", sensitivity="1"), "0.02")
REPLACE_ONE = {"neighboring_relation": dp_accounting.NeighboringRelation.REPLACE_ONE}
BUCKETS = {"use_connect_dots": False}


@pytest.mark.parametrize(
    ("mechanism", "direct"),
    [
        (
            Gaussian(3, sensitivity=2),
            lambda: pld.from_gaussian_mechanism(3, 2, False, **BUCKETS),
        ),
        (Laplace(3, sensitivity=2), lambda: pld.from_laplace_mechanism(3, 2, False, **BUCKETS)),
        (
            DP_SGD,
            lambda: pld.from_gaussian_mechanism(1.5, 1, False, sampling_prob=0.02, **BUCKETS),
        ),
        (
            PoissonSubsampled(Laplace(3, sensitivity=2), "0.02"),
            lambda: pld.from_laplace_mechanism(3, 2, False, sampling_prob=0.02, **BUCKETS),
        ),
        (RandomizedResponse("3/4"), lambda: pld.from_randomized_response(0.5, 2, False)),
        (RandomizedResponse("5/8", 4), lambda: pld.from_randomized_response(0.5, 4, False)),
    ],
)
def test_the_optimistic_distribution_is_the_library_s(mechanism, direct) -> None:
    expected = direct().self_compose(30)
    adapter = OptimisticPLD()
    assert adapter.claim(Query(30 * mechanism, delta="1e-5")).value == expected.get_epsilon_for_delta(1e-5)
    assert adapter.claim(Query(30 * mechanism, epsilon="1.5")).value == expected.get_delta_for_epsilon(1.5)


def test_the_optimistic_distribution_takes_randomized_response_with_noise() -> None:
    query = Query(Laplace(1) + RandomizedResponse("3/4"), epsilon="1/2")
    claim = OptimisticPLD().claim(query)
    upper = Fraction(3, 4) + Fraction(1)  # basic composition of total variations: far above, but finite
    assert 0 < claim.value < upper


@pytest.mark.parametrize(
    ("mechanism", "direct"),
    [
        (Gaussian(3, sensitivity=2), lambda: pld.from_gaussian_mechanism(3, 2)),
        (DP_SGD, lambda: pld.from_gaussian_mechanism(1.5, 1, sampling_prob=0.02)),
        (DiscreteLaplace(4, 3), lambda: pld.from_discrete_laplace_mechanism(0.25, 3)),
        (DiscreteGaussian(4, 3), lambda: pld.from_discrete_gaussian_mechanism(4, 3)),
        (
            PoissonSubsampled(DiscreteGaussian(4), "0.02"),
            lambda: pld.from_discrete_gaussian_mechanism(4, sampling_prob=0.02),
        ),
        (PureDP("1/8"), lambda: pld.from_privacy_parameters(common.DifferentialPrivacyParameters(0.125))),
        (
            ApproximateDP("1/8", "1/2048"),
            lambda: pld.from_privacy_parameters(common.DifferentialPrivacyParameters(0.125, 1 / 2048)),
        ),
        (
            FinitePair(["3/4", "1/4", 0], ["1/2", "3/8", "1/8"]),
            lambda: pld.from_two_probability_mass_functions(
                {0: math.log(0.5), 1: math.log(0.375), 2: math.log(0.125)},
                {0: math.log(0.75), 1: math.log(0.25)},
                symmetric=False,
            ),
        ),
    ],
)
def test_the_distribution_is_that_of_the_constructor(mechanism, direct) -> None:
    expected, adapter = direct().self_compose(30), Functions()
    assert adapter.claim(Query(30 * mechanism, delta="0.03125")).value == expected.get_epsilon_for_delta(
        0.03125
    )
    assert adapter.claim(Query(30 * mechanism, epsilon="1.5")).value == expected.get_delta_for_epsilon(1.5)


@pytest.mark.parametrize(
    ("mechanism", "direct"),
    [
        (
            Gaussian(3, sensitivity=2),
            lambda: pld.from_gaussian_mechanism(3, 2, **REPLACE_ONE),
        ),
        (Laplace(3, sensitivity=2), lambda: pld.from_laplace_mechanism(3, 4)),
        (DiscreteLaplace(4, 3), lambda: pld.from_discrete_laplace_mechanism(0.25, 6)),
        (DiscreteGaussian(4, 3), lambda: pld.from_discrete_gaussian_mechanism(4, 6)),
        (RandomizedResponse("3/4"), lambda: pld.from_randomized_response(0.5, 2)),
    ],
)
def test_a_replaced_record_moves_the_query_twice_as_far(mechanism, direct) -> None:
    query = Query(mechanism, epsilon="1/4", adjacency="replace-one")
    assert Functions().claim(query).value == direct().get_delta_for_epsilon(0.25)


def test_the_discretisation_is_chosen_for_all_noise() -> None:
    query = Query(30 * DP_SGD, epsilon="1/2")
    buckets = pld.from_gaussian_mechanism(1.5, sampling_prob=0.02, use_connect_dots=False).self_compose(30)
    assert Buckets().claim(query).value == buckets.get_delta_for_epsilon(0.5)
    query = Query(30 * DiscreteGaussian(4), epsilon="1/2")
    dots = pld.from_discrete_gaussian_mechanism(4, use_connect_dots=True).self_compose(30)
    assert Dots().claim(query).value == dots.get_delta_for_epsilon(0.5)


def test_several_epsilons_at_once_and_a_composition_that_is_never_made() -> None:
    one = pld.from_gaussian_mechanism(1.5, sampling_prob=0.02)
    query = Query(30 * DP_SGD, epsilon="1/2")
    assert Vector().claim(query).value == one.self_compose(30).get_delta_for_epsilon([0.25, 0.5, 1.0])[1]
    expected = one.self_compose(29).get_delta_for_epsilon_for_composed_pld(one, 0.5)
    assert Composed().claim(query).value == expected
    assert "delta" in str(Vector().supports(Query(DP_SGD, delta="1e-5")))
    assert "one step" in str(Composed().supports(Query(DP_SGD, epsilon=1)))


@pytest.mark.parametrize(
    ("adapter", "query", "reason"),
    [
        (Functions, Query(DP_SGD, delta="1e-5", adjacency="add"), "got 'add'"),
        (Functions, Query(GDP(1), delta="1e-5"), "no privacy loss distribution for gdp"),
        (Functions, Query(Gaussian("1e400"), delta="1e-5"), "sigma=1e400 is beyond"),
        (Functions, Query(PoissonSubsampled(RandomizedResponse("3/4"), "0.1"), delta="1e-5"), "for random"),
        (OptimisticPLD, Query(PureDP(1), delta="1e-5"), "no optimistic estimate"),
    ],
)
def test_what_the_functions_do_not_have_is_refused(adapter, query: Query, reason: str) -> None:
    refusal = adapter().supports(query)
    assert refusal is not None and reason in refusal and "\n" not in refusal
