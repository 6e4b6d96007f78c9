"""Mechanisms, compositions and queries name the argument, the value and what is allowed."""

import math
from collections.abc import Callable

import pytest

from pldverify.errors import InvalidInput
from pldverify.mechanisms import Composition, Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse
from pldverify.mechanisms.composition import as_composition
from pldverify.mechanisms.mechanism import directions


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
        (lambda: 0 * Gaussian(1), "count must be an integer from 1 to 1000000000000, got count=0"),
        (lambda: 2.5 * Gaussian(1), "count must be an integer from 1 to 1000000000000, got count=2.5"),
        (
            lambda: 10**12 * Gaussian(1) + Gaussian(1),
            "count must be an integer from 1 to 1000000000000, got count=1000000000001",
        ),
        (lambda: Composition.of(), "composition must have at least one mechanism, got none"),
        (lambda: as_composition("gaussian"), "composition must be a mechanism or a composition, got "),
        (lambda: directions("both"), "adjacency must be one of add, remove, add-or-remove, replace-one, "),
        (lambda: Query(Gaussian(1)), "query must have exactly one of epsilon and delta"),
        (lambda: Query(Gaussian(1), epsilon=1, delta=1), "query must have exactly one of epsilon and delta"),
        (lambda: Query(Gaussian(1), epsilon=math.inf), "epsilon must be finite, got epsilon=inf"),
        (lambda: Query(Gaussian(1), delta="1.1"), "delta must be in [0, 1], got delta=1.1"),
        (lambda: Query(Gaussian(1), delta=-1e-9), "delta must be in [0, 1], got delta="),
        (lambda: Query(Gaussian(1), delta=0, adjacency="x"), "adjacency must be one of add, remove, "),
    ],
)
def test_bad_input_is_named(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        build()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
