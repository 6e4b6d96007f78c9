"""calibrate: the value passes, its neighbour fails, both asked again; what is left out is what is found."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from click.testing import Result

import pldverify as pv

Run = Callable[..., Result]
TARGET = ["--epsilon", "1", "--delta", "1e-5"]


def found(run: Run, *arguments: str) -> dict[str, Any]:
    result = run("calibrate", *arguments, *TARGET, "--json")
    assert result.exit_code == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.mark.parametrize(
    ("arguments", "parameter", "neighbour"),
    [
        (["--q", "0.01", "--steps", "1000"], "sigma", Fraction(-1, 1000)),
        (["--batch-size", "100", "--dataset-size", "10,000", "--epochs", "10"], "sigma", Fraction(-1, 1000)),
        (["--sigma", "2", "--steps", "1000"], "q", Fraction(1, 100_000)),
        (["--sigma", "2", "--q", "0.01"], "steps", Fraction(1)),
        (["50 * laplace(b={sigma})"], "sigma", Fraction(-1, 1000)),
        (["1000 * poisson(gaussian(sigma=2), q={q})"], "q", Fraction(1, 100_000)),
        (["{steps} * gaussian(sigma=20)"], "steps", Fraction(1)),
    ],
)
def test_the_value_passes_and_its_neighbour_fails(
    run: Run, arguments: list[str], parameter: str, neighbour: Fraction
) -> None:
    document = found(run, *arguments)
    assert document["parameter"] == parameter
    target, value = Fraction(1, 10**5), document["value"]
    assert Fraction(document["passes"]["upper"]) <= target < Fraction(document["fails"]["lower"])
    again = pv.delta(document["composition"], epsilon=1, digits=8)
    assert again.upper <= target
    assert again.lower <= Fraction(document["passes"]["upper"])
    assert value in document["composition"]
    if parameter != "steps":
        worse = document["composition"].replace(value, f"({Fraction(value) + neighbour})")
        assert pv.delta(worse, epsilon=1, digits=8).lower > target


def test_range_and_resolution(run: Run) -> None:
    document = found(run, "5 * gaussian(sigma={sigma})", "--low", "1", "--high", "100", "--resolution", "1/2")
    assert Fraction(document["value"]).denominator in (1, 2)
    last = found(run, "gaussian(sigma={sigma})", "--low", "50", "--high", "100")
    assert (last["value"], last["fails"]) == ("50", None)


def test_text_for_people(run: Run) -> None:
    result = run("calibrate", "gaussian(sigma={sigma})", *TARGET, "--explain")
    value, met, fails, *more = result.stdout.splitlines()
    assert value.startswith("sigma = 3.")
    assert "(ε=1, δ=1e-5) is met, proved: δ(ε) = 9.9" in met
    beside = Fraction(value.partition("= ")[2]) - Fraction("0.001")
    assert fails.startswith(f"sigma = {float(beside)} fails, proved: δ(ε) = 1.00")
    assert [line.partition(" engine")[0] for line in more if "engine: " in line] == ["passes:", "fails:"]
    assert "sigma = " in result.stderr


@pytest.mark.parametrize(
    ("expression", "delta", "low", "standing", "met", "fails"),
    [
        ("kjh19_substitute(gaussian({sigma}), q=0.1)", "1e-5", "1", "lower bound", " by the pairs", ""),
        ("gaussian({sigma})", "1e-3", "2", "exact", "", ""),
        ("3 * permute_and_flip(1/8) + gaussian({sigma})", "1e-3", "3", "upper bound", "", " by the pairs"),
    ],
)
def test_what_is_proved_of_the_pairs_alone(
    run: Run, expression: str, delta: str, low: str, standing: str, met: str, fails: str
) -> None:
    """What only bounds from below does not meet a budget, what only bounds from above does not fail it."""
    ends = "--low", low, "--high", str(int(low) + 1), "--resolution", "1/2"
    asked = [expression, "--epsilon", "1", "--delta", delta, *ends]
    assert json.loads(run("calibrate", *asked, "--json").stdout)["pairs"] == standing
    _, first, *_, last = run("calibrate", *asked).stdout.splitlines()
    assert f"is met{met}, proved:" in first and f"fails{fails}, proved:" in last


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gaussian(sigma=1)"], "EXPR must have one of {sigma}, {q}, {steps} in the place of a number, got"),
        (["poisson(gaussian({sigma}), q={q})"], "EXPR must have one of {sigma}, {q}, {steps}"),
        (["gaussian({mu})"], "EXPR must have one of {sigma}, {q}, {steps}"),
        (["gaussian({sigma})", "--q", "1"], "EXPR must stand alone, without --sampling-probability"),
        (["--sigma", "1"], "one of --noise-multiplier, --sampling-probability and --steps must be left out"),
        ([], "one of --noise-multiplier, --sampling-probability and --steps must be left out"),
        (["--sigma", "1", "--sampling", "allocation", "--participations", "3"], "one of --noise-multiplier"),
        (["--sigma", "1", "--q", "1", "--steps", "1"], "one of --noise-multiplier, --sampling-probability"),
        (["gaussian({sigma})", "--low", "0"], "low must be > 0, got low=0"),
        (["gaussian({sigma})", "--low", "9", "--high", "3"], "low and high must have 1 to"),
        (["gaussian({sigma})", "--high", "1"], "sigma must reach delta=1e-5 between low and high"),
        (["gaussian({sigma})", "--resolution", "-1"], "resolution must be > 0, got resolution=-1"),
    ],
)
def test_bad_input(run: Run, arguments: list[str], message: str) -> None:
    result = run("calibrate", *arguments, *TARGET)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"Error: {message}")
