"""Runs in the words of their configurations: q and the number of steps are exact, each said in one way."""

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.batches import SCHEMES, Sampling
from pldverify.mechanisms.expression import parse


def test_the_sampling_probability_is_exact_and_no_step_is_left_out() -> None:
    run = pv.dp_sgd(noise_multiplier="1.1", batch_size=256, dataset_size=60_000, epochs=15)
    assert run == 3516 * pv.PoissonSubsampled(pv.Gaussian("1.1"), Fraction(256, 60_000))
    assert 15 * 60_000 / 256 == 3515.625  # TensorFlow Privacy: ceil; Opacus: int(15 / (1/235)) = 3525


@pytest.mark.parametrize(
    ("batch", "records", "epochs", "steps"),
    [(100, 1000, 1, 10), (100, 1001, 1, 11), (300, 1000, "0.5", 2), (1, 3, 1, 3), (10, 10**12, "1e-11", 1)],
)
def test_steps_of_epochs(batch: int, records: int, epochs: str, steps: int) -> None:
    run = pv.dp_sgd(noise_multiplier=1, batch_size=batch, dataset_size=records, epochs=epochs)
    assert run.steps == steps == math.ceil(Fraction(epochs) * records / batch)


def test_other_ways_to_say_it() -> None:
    step = pv.PoissonSubsampled(pv.Gaussian(2), "0.01")
    assert pv.dp_sgd(noise_multiplier=2, sampling_probability="1%", steps=10) == 10 * step
    assert pv.dp_sgd(noise_multiplier=2, sampling_probability="0.01", epochs="1/3") == 34 * step
    assert pv.dp_sgd(noise_multiplier=2, batch_size=5, dataset_size=5, steps=3) == 3 * pv.Gaussian(2)
    root = pv.dp_sgd(noise_multiplier="sqrt(2)", sampling_probability="0.01", steps=1)
    assert str(root) == "poisson(gaussian(sigma=sqrt(2)), q=0.01)"


def test_a_float_is_a_double_and_a_text_a_decimal() -> None:
    said = pv.dp_sgd(noise_multiplier=1, sampling_probability="0.01", steps=1)
    assert said != pv.dp_sgd(noise_multiplier=1, sampling_probability=0.01, steps=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epochs": 1}, "sampling_probability must be given, or batch_size with dataset_size"),
        ({"batch_size": 1, "epochs": 1}, "batch_size and dataset_size must be given together"),
        (
            {"batch_size": 1, "dataset_size": 2, "sampling_probability": "0.5", "steps": 1},
            "sampling_probability must stand without batch_size and dataset_size",
        ),
        ({"batch_size": 1, "dataset_size": 2}, "steps or epochs must be given"),
        ({"batch_size": 1, "dataset_size": 2, "epochs": 1, "steps": 2}, "steps must stand without epochs"),
        ({"batch_size": 3, "dataset_size": 2, "epochs": 1}, "batch_size must be at most dataset_size, got 3"),
        ({"batch_size": 0, "dataset_size": 2, "epochs": 1}, "batch_size must be > 0"),
        ({"batch_size": 1, "dataset_size": "2.5", "epochs": 1}, "dataset_size must be an integer"),
        ({"sampling_probability": 2, "steps": 1}, "sampling_probability must be in"),
        ({"sampling_probability": 1, "steps": "1.5"}, "steps must be an integer"),
        ({"sampling_probability": "1/3", "epochs": -1}, "epochs must be >= 0"),
        ({"sampling_probability": "1e-12", "epochs": 2}, "steps must be an integer from 0 to 1000000000000"),
    ],
)
def test_bad_runs_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        pv.dp_sgd(noise_multiplier=1, **arguments)  # type: ignore[arg-type]


def test_the_noise_is_checked_by_its_own_name() -> None:
    with pytest.raises(InvalidInput, match=r"^noise_multiplier must be >= 0, got noise_multiplier=-1"):
        pv.dp_sgd(noise_multiplier=-1, sampling_probability="0.1", steps=1)


SIZES = {"batch_size": 100, "dataset_size": 10_000}
BY_NAME = [
    ({"sampling": "poisson", **SIZES, "epochs": 3}, "300 * poisson(gaussian(2), q=0.01)"),
    (
        {"sampling": "truncated-poisson", **SIZES, "epochs": 3, "max_batch": 150},
        "300 * truncated_poisson(gaussian(2), q=0.01, dataset_size=10000, max_batch=150)",
    ),
    ({"sampling": "fixed", **SIZES, "steps": 7}, "7 * sampled_without_replacement(gaussian(2), q=0.01)"),
    (
        {"sampling": "fixed-with-replacement", **SIZES, "steps": 7},
        "7 * sampled_with_replacement(gaussian(2), m=100, n=10000)",
    ),
    ({"sampling": "shuffled", **SIZES, "epochs": 3}, "3 * shuffled(gaussian(2), batches=100)"),
    (
        {"sampling": "balls-and-bins", "sampling_probability": "1%", "steps": 300},
        "3 * balls_and_bins(gaussian(2), batches=100)",
    ),
    (
        {"sampling": "allocation", "steps": 100, "participations": 4},
        "4 * balls_and_bins(gaussian(2), batches=25, participations=4, steps=100)",
    ),
    (
        {"sampling": "cyclic-poisson", **SIZES, "cycle_length": 8, "epochs": 1},
        "13 * poisson(gaussian(2), q=0.08)",
    ),
    (
        {"sampling": "cyclic-poisson", "sampling_probability": "0.1", "cycle_length": 16, "epochs": 2},
        "20 * poisson(gaussian(2), q=0.1)",
    ),
]
"""By the words of the schemes, and what that is."""


@pytest.mark.parametrize(("arguments", "meant"), BY_NAME)
def test_every_scheme_by_its_name(arguments: dict[str, Any], meant: str) -> None:
    assert pv.dp_sgd(noise_multiplier=2, **arguments) == parse(meant)


def test_no_scheme_is_forgotten() -> None:
    assert {arguments["sampling"] for arguments, _ in BY_NAME} == set(SCHEMES) == set(get_args(Sampling))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sampling": "poison"}, "sampling must be one of poisson, truncated-poisson, "),
        ({"sampling": ["poisson"]}, "sampling must be one of poisson, truncated-poisson, "),
        ({"sampling": "truncated-poisson", **SIZES, "steps": 1}, "max_batch must be given for sampling"),
        (
            {"sampling": "truncated-poisson", "sampling_probability": "0.1", "max_batch": 2, "steps": 1},
            "batch_size must be given for sampling = truncated-poisson",
        ),
        (
            {"sampling": "fixed-with-replacement", "sampling_probability": "0.1", "steps": 1},
            "batch_size must be given for sampling = fixed-with-replacement",
        ),
        ({**SIZES, "steps": 1, "max_batch": 2}, "max_batch must be left out for sampling = poisson"),
        (
            {"sampling": "fixed", "batch_size": "1.5", "dataset_size": 3, "steps": 1},
            "batch_size must be an integer",
        ),
        ({"sampling": "allocation", "steps": 9}, "participations must be given for sampling = allocation"),
        ({"sampling": "allocation", "participations": 9}, "steps must be given for sampling = allocation"),
        (
            {"sampling": "allocation", "steps": 9, "participations": 3, **SIZES},
            "batch_size must be left out for sampling = allocation",
        ),
        (
            {"sampling": "allocation", "steps": 9, "participations": 10},
            "participations must be at most steps=9",
        ),
        (
            {"sampling": "allocation", "steps": 9, "participations": 10, "noise_multiplier": 0},
            "participations must be at most steps=9",
        ),
        ({"sampling": "cyclic-poisson", **SIZES, "steps": 1}, "cycle_length must be given for sampling"),
        (
            {"sampling": "cyclic-poisson", **SIZES, "steps": 1, "cycle_length": 3},
            "cycle_length must divide dataset_size for sampling = cyclic-poisson, got 3 groups of 10000",
        ),
        (
            {"sampling": "cyclic-poisson", **SIZES, "steps": 1, "cycle_length": 200},
            "batch_size must be at most dataset_size / cycle_length",
        ),
    ],
)
def test_what_is_not_said_of_the_batches_is_refused_by_its_name(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        pv.dp_sgd(**{"noise_multiplier": 1, **arguments})


@pytest.mark.parametrize("sampling", ["shuffled", "balls-and-bins"])
def test_epochs_that_are_cut_short_are_refused(sampling: Any) -> None:
    """And batches that do not divide the data: a smaller last one may be run, or dropped."""
    with pytest.raises(InvalidInput, match=r"whole number of batches .* got 234.375 of them: an expression"):
        pv.dp_sgd(noise_multiplier=1, sampling=sampling, batch_size=256, dataset_size=60_000, epochs=1)
    with pytest.raises(InvalidInput, match=r"^steps must be whole epochs .* got 150 steps of 100 an epoch"):
        pv.dp_sgd(noise_multiplier=1, sampling=sampling, **SIZES, epochs="1.5")


@pytest.mark.parametrize(("arguments", "_"), BY_NAME)
def test_no_noise_and_no_step_of_every_scheme(arguments: dict[str, Any], _: str) -> None:
    """Without noise a record that takes part is published."""
    none = {name: value for name, value in arguments.items() if name != "epochs"} | {"steps": 0}
    assert pv.dp_sgd(noise_multiplier=2, **none) == pv.Composition.of((pv.PureDP(0), 1))
    if arguments["sampling"] == "truncated-poisson":
        with pytest.raises(InvalidInput, match=r"^noise_multiplier must be > 0 for sampling = trunc"):
            pv.dp_sgd(noise_multiplier=0, **arguments)
    else:
        assert pv.bracket(pv.dp_sgd(noise_multiplier=0, **arguments), delta="1e-6").lower == math.inf


def test_an_opacus_history() -> None:
    """As ``RDPAccountant.history`` holds it: floats, one row for each change of σ or q."""
    found = pv.from_opacus_history([(1.5, 0.5, 1000), (1.0, 0.5, 500), (1.5, 0.5, 1), (2.0, 1.0, 7)])
    half = Fraction(1, 2)
    assert found == (
        1001 * pv.PoissonSubsampled(pv.Gaussian("1.5"), half)
        + 500 * pv.PoissonSubsampled(pv.Gaussian(1), half)
        + 7 * pv.Gaussian(2)
    )


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ("abc", "history must be triples"),
        (7, "history must be triples"),
        ([(1.0, 0.5)], r"history\[0\] must be \(noise multiplier, q, steps\)"),
        ([(1.0, 0.5, 1), (1.0, 2.0, 1)], r"history\[1\]: q must be in \[0, 1\]"),
        ([(1.0, 0.5, -1)], r"history\[0\]: steps must be an integer"),
    ],
)
def test_bad_histories_are_refused(history: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        pv.from_opacus_history(history)  # type: ignore[arg-type]


def test_whatever_has_a_history_is_read() -> None:
    """An accountant, and an engine that has one."""
    rows = [(1.5, 0.5, 10)]
    accountant = SimpleNamespace(history=rows)
    for thing in (accountant, SimpleNamespace(accountant=accountant)):
        assert pv.from_opacus_history(thing) == pv.from_opacus_history(rows)
    with pytest.raises(InvalidInput, match="or an Opacus accountant or PrivacyEngine"):
        pv.from_opacus_history(object())


def test_gaussian_noise_by_its_other_names() -> None:
    assert pv.Gaussian(standard_deviation="1.1") == pv.Gaussian("1.1") == pv.Gaussian(noise_multiplier="1.1")
    assert pv.Gaussian(noise_multiplier="0.1", sensitivity=3) == pv.Gaussian("0.3", 3)
    assert pv.Gaussian(noise_multiplier=0.1, sensitivity=3).sigma == 3 * Fraction(0.1)
    irrational = pv.Gaussian(noise_multiplier=3, sensitivity="sqrt(2)").sigma
    assert irrational.lower**2 < 18 < irrational.upper**2
    assert parse("poisson(gaussian(noise_multiplier=2), q=0.1)") == parse("poisson(gaussian(sigma=2), q=0.1)")
    for wrong in ({}, {"sigma": 1, "noise_multiplier": 1}, {"noise_multiplier": 0, "sensitivity": 2}):
        with pytest.raises(InvalidInput):
            pv.Gaussian(**wrong)


def test_laplace_noise_by_its_standard_deviation() -> None:
    found = pv.Laplace(standard_deviation=2, sensitivity=3)
    least, greatest = found.ends()
    assert least.sensitivity == greatest.sensitivity == 3
    assert greatest.b**2 < 2 < least.b**2  # b = √2: more noise, less δ
    assert str(pv.Laplace(standard_deviation="1 + sqrt(2)")) == "laplace(b=(1 + sqrt(2))/sqrt(2))"
    assert parse("laplace(standard_deviation=2)") == parse("laplace(b=2/sqrt(2))")
    for wrong in ({}, {"b": 1, "standard_deviation": 1}, {"standard_deviation": 0}):
        with pytest.raises(InvalidInput):
            pv.Laplace(**wrong)


def test_what_runs_nothing_loses_nothing_and_what_has_no_noise_all_that_is_sampled() -> None:
    nothing = [pv.dp_sgd(noise_multiplier=s, sampling_probability=q, steps=k) for s, q, k in NOTHING]
    nothing += [pv.from_opacus_history([]), pv.from_opacus_history([(1.0, 0.0, 5), (1.0, 0.5, 0)])]
    nothing.append(pv.dp_sgd(noise_multiplier=1, sampling_probability="0.1", epochs=0))
    assert set(nothing) == {pv.Composition.of((pv.PureDP(0), 1))}
    assert pv.epsilon(nothing[0], delta=0).upper == 0
    bare = pv.dp_sgd(noise_multiplier=0, sampling_probability="0.01", steps=10)
    assert pv.delta(bare, epsilon=7).lower <= 1 - Fraction(99, 100) ** 10 <= pv.delta(bare, epsilon=7).upper
    assert pv.epsilon(bare, delta="0.09").lower == math.inf
    assert pv.from_opacus_history([(1.0, 0.5, 2), (1.0, 0.0, 5)]) == pv.from_opacus_history([(1.0, 0.5, 2)])


NOTHING = ((1, "0.1", 0), (1, 0, 10), (0, 0, 10), (0, "0.1", 0))
