"""jax-privacy's batch selection strategies: each as its guarantees say, all others refused by name."""

from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.as_composition import as_composition


def test_what_is_no_strategy_is_refused_by_its_name() -> None:
    with pytest.raises(NotSupported, match="pldverify has no mechanism for 'object'"):
        pv.from_batch_selection(object(), noise_multiplier=1)


def strategy(name: str, **arguments: Any) -> Any:
    """One of the installed library's."""
    library = pytest.importorskip("jax_privacy.batch_selection")
    if "partition_type" in arguments:
        arguments["partition_type"] = library.PartitionType[arguments["partition_type"]]
    return getattr(library, name)(**arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "meant"),
    [
        (
            "CyclicPoissonSampling",
            {"sampling_prob": 0.25, "iterations": 8},
            "8 * poisson(gaussian(2), q=1/4)",
        ),
        (
            "CyclicPoissonSampling",
            {"sampling_prob": 0.25, "iterations": 8, "truncated_batch_size": 50},
            "8 * truncated_poisson(gaussian(2), q=1/4, dataset_size=100, max_batch=50)",
        ),
        (
            "CyclicPoissonSampling",
            {"sampling_prob": 1, "iterations": 40, "cycle_length": 10},
            "4 * shuffled(gaussian(2), batches=10, persistent=1)",
        ),
        (
            "CyclicPoissonSampling",
            {"sampling_prob": 1, "iterations": 10, "cycle_length": 10, "partition_type": "INDEPENDENT"},
            "balls_and_bins(gaussian(2), batches=10)",
        ),
        (
            "BallsInBinsSampling",
            {"iterations": 40, "cycle_length": 10},
            "balls_and_bins(gaussian(1), batches=10)",
        ),
        (
            "FixedBatchSampling",
            {"batch_size": 10, "iterations": 8},
            "8 * sampled_without_replacement(gaussian(2), q=1/10)",
        ),
        (
            "FixedBatchSampling",
            {"batch_size": 10, "iterations": 8, "replace": True},
            "8 * sampled_with_replacement(gaussian(2), m=10, n=100)",
        ),
    ],
)
def test_a_strategy_is_read_as_its_guarantees_say(name: str, arguments: dict[str, Any], meant: str) -> None:
    found = pv.from_batch_selection(strategy(name, **arguments), noise_multiplier=2, dataset_size=100)
    if "gaussian(1)" in meant:  # 2/√4, an irrational number's text
        ours, theirs = (pv.delta(each, epsilon=1, digits=3) for each in (found, as_composition(meant)))
        assert ours.overlaps(theirs)
    else:
        assert found == as_composition(meant)


@pytest.mark.parametrize(
    ("name", "arguments", "error", "message"),
    [
        ("BallsInBinsSampling", {"iterations": 15, "cycle_length": 10}, InvalidInput, "must be whole cycles"),
        (
            "CyclicPoissonSampling",
            {"sampling_prob": 1, "iterations": 9, "cycle_length": 3},
            InvalidInput,
            "cycle_length must divide dataset_size",
        ),
        (
            "CyclicPoissonSampling",
            {"sampling_prob": 0.5, "iterations": 9, "cycle_length": 3},
            NotSupported,
            "groups that are drawn at random and hidden",
        ),
        (
            "BMinSepSampling",
            {"sampling_prob": 0.5, "iterations": 9, "min_sep": 3},
            NotSupported,
            "no mechanism for 'BMinSepSampling': Monte Carlo",
        ),
    ],
)
def test_others_are_refused(
    name: str, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        pv.from_batch_selection(strategy(name, **arguments), noise_multiplier=2, dataset_size=100)


def test_the_number_of_records_is_asked_for() -> None:
    fixed = strategy("FixedBatchSampling", batch_size=10, iterations=8)
    with pytest.raises(InvalidInput, match="dataset_size must be given for FixedBatchSampling"):
        pv.from_batch_selection(fixed, noise_multiplier=2)
