import json
from fractions import Fraction

import pytest

from pldverify.accountants.worker import objects
from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    ApproximateDP,
    DiscreteGaussian,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    Query,
    SampledWithoutReplacement,
)
from pldverify.mechanisms.noise_query import NoiseQuery

STEP = PoissonSubsampled(Gaussian(1), "1/4")


@pytest.mark.parametrize(
    ("composition", "scaled"),
    [
        (3 * Gaussian(2, sensitivity=2), 3 * Gaussian(3, sensitivity=2)),
        (Laplace(2), Laplace(3)),
        (10 * STEP + Gaussian(2), 10 * PoissonSubsampled(Gaussian("3/2"), "1/4") + Gaussian(3)),
        (SampledWithoutReplacement(Gaussian(2), "1/4"), SampledWithoutReplacement(Gaussian(3), "1/4")),
    ],
)
def test_all_noise_is_multiplied(composition, scaled) -> None:
    query = NoiseQuery(composition, epsilon=1, delta="1e-5")
    assert query.at(Fraction(3, 2)) == Query(scaled, delta="1e-5")
    assert query.quantity == "noise"


def test_without_noise_all_is_published() -> None:
    query = NoiseQuery(10 * STEP + Laplace(2), epsilon=1, delta="1e-5")
    bare = ApproximateDP(0, 1)
    assert query.at(Fraction(0)) == Query(10 * PoissonSubsampled(bare, "1/4") + bare, delta="1e-5")


def test_it_arrives_in_a_worker_as_it_was() -> None:
    query = NoiseQuery(10 * STEP, epsilon="1/3", delta="1e-5", adjacency="add")
    assert objects.read(json.loads(json.dumps(objects.write(query)))) == query


def test_what_it_can_t_ask_is_refused() -> None:
    with pytest.raises(InvalidInput, match="both epsilon and delta"):
        NoiseQuery(STEP, epsilon=1)
    with pytest.raises(InvalidInput, match="rational numbers"):
        NoiseQuery(Gaussian("sqrt(2)"), epsilon=1, delta="1e-5")
    with pytest.raises(InvalidInput, match="epsilon must be"):
        NoiseQuery(STEP, epsilon=-1, delta="1e-5")
    with pytest.raises(InvalidInput, match="Gaussian or Laplace noise"):
        NoiseQuery(DiscreteGaussian(1), epsilon=1, delta="1e-5")
