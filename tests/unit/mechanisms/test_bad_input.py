"""Mechanisms, compositions and queries name the argument, the value and what is allowed."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    ApproximateDP,
    Binomial,
    Composition,
    DiscreteGaussian,
    DiscreteLaplace,
    FinitePair,
    Gaussian,
    GroupDP,
    KJH19Substitute,
    KJH20WithReplacement,
    Laplace,
    PoissonSubsampled,
    PureDP,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
    SampledWithReplacement,
)
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import directions


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Gaussian(0), "sigma must be > 0, got sigma=0"),
        (lambda: Gaussian(-1), "sigma must be > 0, got sigma=-1"),
        (lambda: Gaussian(math.nan), "sigma must be finite, got sigma=nan"),
        (lambda: Gaussian("inf"), "sigma must be finite, got sigma=inf"),
        (lambda: Gaussian(1, sensitivity=0), "sensitivity must be > 0, got sensitivity=0"),
        (lambda: Laplace("-0.5"), "b must be > 0, got b=-0.5"),
        (lambda: Laplace(1, sensitivity=-math.inf), "sensitivity must be finite, got sensitivity=-inf"),
        (lambda: PoissonSubsampled(Gaussian(1), 0), "q must be in (0, 1], got q=0"),
        (lambda: PoissonSubsampled(Gaussian(1), "1.5"), "q must be in (0, 1], got q=1.5"),
        (lambda: PoissonSubsampled(Gaussian(1), math.nan), "q must be finite, got q=nan"),
        (lambda: PoissonSubsampled(3, "0.1"), "base must be a Gaussian mechanism or another of "),
        (lambda: RandomizedResponse("1.01"), "p must be in [0, 1], got p=1.01"),
        (lambda: RandomizedResponse("0.5", categories=1), "categories must be an integer from 2 to "),
        (lambda: RandomizedResponse("0.5", categories="2.5"), "categories must be an integer from 1 to "),
        (lambda: DiscreteGaussian(0), "sigma must be > 0, got sigma=0"),
        (lambda: DiscreteGaussian(1, sensitivity="0.5"), "sensitivity must be an integer from 1 to "),
        (lambda: DiscreteLaplace(math.nan), "b must be finite, got b=nan"),
        (lambda: DiscreteLaplace(1, sensitivity=0), "sensitivity must be an integer from 1 to "),
        (lambda: Binomial(0, "0.5"), "n must be an integer from 1 to 100000, got n=0"),
        (lambda: Binomial(10, 1), "p must be in (0, 1), got p=1"),
        (lambda: Binomial(10, "0.5", sensitivity=11), "sensitivity must be at most n=10, got sensitivity=11"),
        (lambda: PureDP(-1), "epsilon must be >= 0, got epsilon=-1"),
        (lambda: PureDP(math.inf), "epsilon must be finite, got epsilon=inf"),
        (lambda: ApproximateDP(1, 2), "delta must be in [0, 1], got delta=2"),
        (lambda: GroupDP(-1, 0, 2), "epsilon must be >= 0, got epsilon=-1"),
        (lambda: GroupDP(1, 2, 2), "delta must be in [0, 1], got delta=2"),
        (lambda: GroupDP(1, 0, 10_001), "m must be an integer from 1 to 10000, got m=10001"),
        (lambda: GDP(0), "mu must be > 0, got mu=0"),
        (lambda: ZCDP("-0.5"), "rho must be > 0, got rho=-0.5"),
        (lambda: FinitePair([1], [1, 0]), "q must be as long as p, got 1 and 2 outcomes"),
        (lambda: FinitePair([], []), "p must have 1 to 10000 numbers, got 0"),
        (lambda: FinitePair(["0.5", "0.4"], [1, 0]), "p must sum to exactly 1, got a sum of 0.9"),
        (lambda: FinitePair([1, 0], [2, -1]), "q[0] must be in [0, 1], got q[0]=2"),
        (lambda: FinitePair("10", [1]), "p must be a list of numbers, got p='10'"),
        (lambda: FinitePair(1, [1]), "p must be a list of numbers, got p=1"),
        (
            lambda: SampledWithoutReplacement(GroupDP(1, 0, 2), "0.1"),  # type: ignore[arg-type]
            "base must be a Gaussian mechanism, a Laplace one, PureDP or ApproximateDP, got ",
        ),
        (lambda: SampledWithoutReplacement(Gaussian(1), 0), "q must be in (0, 1], got q=0"),
        (lambda: SampledWithReplacement(Gaussian(1), 1, 1), "n must be an integer from 2 to "),
        (lambda: SampledWithReplacement(Gaussian(1), 0, 5), "m must be an integer from 1 to 100000, got m=0"),
        (lambda: SampledWithReplacement(GDP(1), 1, 5), "base must be a Gaussian mechanism, a Laplace one, "),
        (lambda: SampledWithReplacement(PureDP(1), 1001, 5), "m must be an integer from 1 to 1000, got m="),
        (lambda: KJH19Substitute(Gaussian(1), "1.5"), "q must be in (0, 1], got q=1.5"),
        (
            lambda: KJH20WithReplacement(Gaussian(1), 1001, 5),
            "m must be an integer from 1 to 1000, got m=1001",
        ),
        (
            lambda: PoissonSubsampled(ZCDP(1), 1),
            "q must be < 1 for a composition on one sample, got q=1 for ",
        ),
        (
            lambda: PoissonSubsampled(SampledWithoutReplacement(Gaussian(1), "0.5"), "0.5"),
            "base must be a Gaussian mechanism or another of ",
        ),
        (
            lambda: PoissonSubsampled(Gaussian(1) + 2 * Laplace(1), "0.5"),
            "mechanisms on one sample must be all Gaussian or GDP or zCDP promises, or Gaussian or GDP ones ",
        ),
        (
            lambda: PoissonSubsampled(Gaussian(1) + Gaussian("sqrt(2)"), "0.5"),
            "mechanisms on one sample must have rational parameters, got ",
        ),
        (lambda: 0 * Gaussian(1), "count must be an integer from 1 to 1000000000000, got count=0"),
        (lambda: 2.5 * Gaussian(1), "count must be an integer from 1 to 1000000000000, got count=2.5"),
        (
            lambda: 10**12 * Gaussian(1) + Gaussian(1),
            "count must be an integer from 1 to 1000000000000, got count=1000000000001",
        ),
        (lambda: Composition.of(), "composition must have at least one mechanism, got none"),
        (lambda: as_composition("gaussian"), "expression must have '(' at character 9, got the end"),
        (lambda: as_composition(["gaussian"]), "composition must be a mechanism or a composition, got "),
        (lambda: directions("both"), "adjacency must be one of add, remove, add-or-remove, replace-one, "),
        (lambda: Query(Gaussian(1)), "query must have exactly one of epsilon and delta"),
        (lambda: Query(Gaussian(1), epsilon=1, delta=1), "query must have exactly one of epsilon and delta"),
        (lambda: Query(Gaussian(1), epsilon=math.inf), "epsilon must be finite, got epsilon=inf"),
        (lambda: Query(Gaussian(1), delta="1.1"), "delta must be in [0, 1], got delta=1.1"),
        (lambda: Query(Gaussian(1), delta=-1e-9), "delta must be in [0, 1], got delta="),
        (lambda: Query(Gaussian(1), delta=0, adjacency="x"), "adjacency must be one of add, remove, "),
        (lambda: Query(Gaussian(1), delta=0, adjacency=["add"]), "adjacency must be one of add, remove, "),
        (lambda: as_composition(10**5000), "composition must be a mechanism or a composition, got a int of "),
        (lambda: PoissonSubsampled(Fraction(1, 10**9999), 1), "base must be a Gaussian mechanism or another"),
        (lambda: Gaussian([10**5000]), "sigma must be a number or a decimal string, got sigma=a list of "),
    ],
)
def test_bad_input_is_named(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        build()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
