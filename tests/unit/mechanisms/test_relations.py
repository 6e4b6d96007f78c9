"""Relations: which adjacency a composition has, what it means, and what does not go together."""

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import directions, relation, reverse

BATCH = pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1")
SAMPLE = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")


@pytest.mark.parametrize("adjacency", ["add-or-remove", "replace-one", "zero-out"])
def test_the_two_directions_are_each_others_reverse(adjacency: str) -> None:
    first, second = directions(adjacency)
    assert (reverse(first), reverse(second)) == (second, first)
    assert relation(adjacency) == adjacency


@pytest.mark.parametrize(
    ("mechanism", "adjacency"),
    [
        (pv.Gaussian(1), "add-or-remove"),
        (SAMPLE, "add-or-remove"),
        (pv.RandomizedResponse("0.75"), "add-or-remove"),
        (BATCH, "replace-one"),
        (pv.SampledWithReplacement(pv.Gaussian(1), 5, 100), "replace-one"),
        (pv.KJH19Substitute(pv.Gaussian(1), "0.1"), "replace-one"),
        (pv.KJH20WithReplacement(pv.Gaussian(1), 5, 100), "replace-one"),
    ],
    ids=str,
)
def test_the_default_adjacency_is_the_one_that_is_defined(mechanism: Mechanism, adjacency: str) -> None:
    assert pv.Query(mechanism, epsilon=1).adjacency == adjacency


def test_a_mechanism_of_both_relations_follows_the_others() -> None:
    assert (BATCH + 3 * pv.Gaussian(2) + SAMPLE).adjacency == "replace-one"
    assert (pv.PoissonSubsampled(pv.Laplace(1), "0.1") + pv.Gaussian(2)).adjacency == "add-or-remove"


def test_incompatible_mechanisms_do_not_compose() -> None:
    with pytest.raises(
        InvalidInput, match=r"^composition must have one neighbouring relation, got "
    ) as caught:
        BATCH + pv.PoissonSubsampled(pv.Laplace(1), "0.1")
    assert str(BATCH) in str(caught.value)


@pytest.mark.parametrize(
    ("mechanism", "adjacency"),
    [
        (BATCH, "add-or-remove"),
        (BATCH, "remove"),
        (pv.PoissonSubsampled(pv.RandomizedResponse("0.75"), "0.1"), "replace-one"),
        (pv.Binomial(10, "0.3"), "replace-one"),
    ],
)
def test_a_relation_that_a_mechanism_lacks_is_refused(mechanism: Mechanism, adjacency: str) -> None:
    message = f"adjacency must be {' or '.join(mechanism.relations)} for "
    with pytest.raises(InvalidInput, match=message):
        pv.Query(mechanism, epsilon=1, adjacency=adjacency)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=message):
        pv.delta(mechanism, epsilon=1, adjacency=adjacency)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mechanism", "doubled"),
    [
        (pv.Gaussian(3), pv.Gaussian(3, sensitivity=2)),
        (pv.Laplace(3), pv.Laplace(3, sensitivity=2)),
        (pv.DiscreteGaussian(3), pv.DiscreteGaussian(3, sensitivity=2)),
        (pv.DiscreteLaplace(3), pv.DiscreteLaplace(3, sensitivity=2)),
        (pv.Binomial(100, "0.5"), pv.Binomial(100, "0.5", sensitivity=2)),
        (pv.SampledWithoutReplacement(pv.Gaussian(3), 1), pv.Gaussian(3, sensitivity=2)),
        (pv.PoissonSubsampled(pv.Gaussian(3), 1), pv.Gaussian(3, sensitivity=2)),
    ],
    ids=str,
)
def test_replacing_moves_a_query_twice_as_far_as_removing(mechanism: Mechanism, doubled: Mechanism) -> None:
    replace = pv.delta(mechanism, epsilon="0.3", adjacency="replace-one")
    remove = pv.delta(doubled, epsilon="0.3", adjacency="remove")
    assert (replace.lower, replace.upper) == (remove.lower, remove.upper)


@pytest.mark.parametrize(
    "mechanism",
    [pv.PureDP("0.5"), pv.ApproximateDP("0.5", "0.01"), pv.GDP(1), pv.RandomizedResponse("0.7", 3)],
    ids=str,
)
def test_a_mechanism_given_by_its_pair_has_it_under_both_relations(mechanism: Mechanism) -> None:
    one, other = (pv.delta(mechanism, epsilon="0.3", adjacency=a) for a in ("replace-one", "add-or-remove"))
    assert (one.lower, one.upper) == (other.lower, other.upper)
