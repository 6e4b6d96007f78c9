"""What is asked about: an expression, or the flags of a run, and exact numbers in both."""

import json
from collections.abc import Callable
from fractions import Fraction

import click
import pytest
from click.testing import Result

from pldverify.cli import main
from pldverify.cli.run import NAMES, flag

Run = Callable[..., Result]
DELTA = ["--delta", "1e-5", "--digits", "4", "--json"]
WITHOUT = {"convert", "derive", "env", "freeze", "hunt", "recheck", "report", "teeth", "theorems"}
"""Commands that ask about no composition."""


def asked(run: Run, *arguments: str) -> str:
    return str(json.loads(run("epsilon", *arguments, *DELTA).stdout)["composition"])


@pytest.mark.parametrize("name", sorted(set(main.commands) - WITHOUT))
def test_every_question_takes_the_flags_of_a_run(name: str) -> None:
    options = {
        each for param in main.commands[name].params if isinstance(param, click.Option) for each in param.opts
    }
    assert {flag(each) for each in NAMES} | {"--sigma", "--q"} <= options


@pytest.mark.parametrize(
    ("flags", "meant"),
    [
        ("--sigma 2 --q 0.1 --steps 7", "7 * poisson(gaussian(sigma=2), q=0.1)"),
        (
            "--noise-multiplier 2 --sampling-probability 1% --steps 10_0",
            "100 * poisson(gaussian(sigma=2), q=0.01)",
        ),
        (
            "--sigma 2 --batch-size 600 --dataset-size 60,000 --steps 1,000",
            "1000 * poisson(gaussian(sigma=2), q=0.01)",
        ),
        (
            "--sigma 1.1 --batch-size 256 --dataset-size 60000 --epochs 15",
            "3516 * poisson(gaussian(sigma=1.1), q=8/1875)",
        ),
        ("--sigma 2 --q 256/60000 --steps 2^4", "16 * poisson(gaussian(sigma=2), q=8/1875)"),
        ("--sigma sqrt(2) --q 0.5 --steps 1", "poisson(gaussian(sigma=sqrt(2)), q=0.5)"),
        ("--sigma 3 --q 1 --steps 2", "2 * gaussian(sigma=3)"),
        (
            "--sampling balls-and-bins --sigma 4 --q 0.001 --epochs 20",
            "20 * balls_and_bins(gaussian(sigma=4), batches=1000)",
        ),
        (
            "--sampling truncated-poisson --sigma 4 --batch-size 1 --dataset-size 9 --max-batch 9 --steps 2",
            "2 * truncated_poisson(gaussian(sigma=4), q=1/9, dataset_size=9, max_batch=9)",
        ),
        (
            "--sampling fixed --sigma 4 --q 0.01 --steps 1",
            "sampled_without_replacement(gaussian(sigma=4), q=0.01)",
        ),
        (
            "--sampling allocation --sigma 4 --steps 1,000 --participations 2",
            "2 * balls_and_bins(gaussian(sigma=4), batches=500, participations=2, steps=1000)",
        ),
        (
            "--sampling cyclic-poisson --sigma 4 --q 0.1 --cycle-length 8 --steps 100",
            "13 * poisson(gaussian(sigma=4), q=0.1)",
        ),
    ],
)
def test_what_the_flags_mean(run: Run, flags: str, meant: str) -> None:
    assert asked(run, *flags.split()) == meant
    assert asked(run, meant) == meant


def test_irrational_questions(run: Run) -> None:
    found = json.loads(run("delta", "gaussian(sigma=sqrt(2))", "--epsilon", "ln(2)", "--json").stdout)
    assert found["epsilon"] == "ln(2)"
    value = Fraction("0.083160763909243860958839184421612945879369659899")  # Balle and Wang 2018, Theorem 5
    assert abs(Fraction(found["lower"]) - value) < Fraction(1, 10**46)


def test_the_adjacency_is_the_composition_s_own(run: Run) -> None:
    for expression, adjacency in (
        ("gaussian(1)", "add-or-remove"),
        ("sampled_without_replacement(gaussian(4), q=0.5)", "replace-one"),
    ):
        found = json.loads(run("delta", expression, "--epsilon", "1", "--digits", "3", "--json").stdout)
        assert found["adjacency"] == adjacency


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "EXPR or the flags of a run must be given"),
        ("gaussian(1) --sigma 1", "EXPR must stand alone, without --noise-multiplier of a run"),
        ("gaussian(1) --epochs 1", "EXPR must stand alone, without --epochs of a run"),
        ("--q 0.1 --steps 3", "--noise-multiplier must be given"),
        ("--sigma 1 --q 0.1", "--steps or --epochs must be given"),
        ("--sigma 1 --q 0.1 --steps 3 --epochs 3", "--steps must stand without --epochs"),
        ("--sigma 1 --steps 3", "--sampling-probability must be given, or --batch-size with --dataset-size"),
        (
            "--sigma 1 --sampling truncated-poisson --batch-size 3 --dataset-size 9 --steps 3",
            "--max-batch must be given for --sampling = truncated-poisson",
        ),
        (
            "--sigma 1 --sampling allocation --steps 3",
            "--participations must be given for --sampling = allocation",
        ),
        (
            "--sigma 1 --q 0.1 --steps 3 --max-batch 9",
            "--max-batch must be left out for --sampling = poisson",
        ),
        (
            "--sigma 1 --q 0.1 --steps 3 --sampling shufled",
            "Invalid value for '--sampling': 'shufled' is not",
        ),
        ("--sigma 1 --batch-size 3 --steps 3", "--batch-size and --dataset-size must be given together"),
        (
            "--sigma 1 --q 1 --batch-size 3 --steps 3",
            "--sampling-probability must stand without --batch-size",
        ),
        ("--sigma 1 --batch-size 9 --dataset-size 3 --steps 3", "batch_size must be at most dataset_size"),
        ("--sigma 1 --q 110% --steps 3", "--sampling-probability (or --q) must be in [0, 1]"),
        ("--sigma 1 --q 1,5 --steps 3", "--sampling-probability (or --q) must be a decimal or a fraction"),
        ("--sigma 1 --q 0.1 --steps 3 --engine countour", "engine must be one of threshold, "),
        (
            "poison(gaussian(1),q=0.1)",
            "got mechanism='poison' (did you mean poisson?): mechanism must be one of above_threshold, ",
        ),
        ("gaussian(sgima=1)", "gaussian must be called as gaussian(sigma, sensitivity=1)"),
    ],
)
def test_bad_input(run: Run, arguments: str, message: str) -> None:
    result = run("epsilon", *arguments.split(), "--delta", "1e-5")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}") and result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["certfy"], "Did you mean one of: 'certify'"),
        (["delta", "gaussian(1)", "--epsilon", "1", "--adjacancy", "add"], "Did you mean '--adjacency'?"),
        (["delta", "gaussian(1)", "--epsilon", "1", "--engine", "countour"], "(did you mean contour?)"),
        (["delta", "poison(gaussian(1), q=0.1)", "--epsilon", "1"], "(did you mean poisson?)"),
        (["check", "gpd"], "did you mean gdp?"),
        (["budget", "gaussian(1)", "--accountant", "fourrier", "--epsilon", "1"], "did you mean fourier?"),
    ],
)
def test_what_was_meant(run: Run, arguments: list[str], meant: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert meant in result.stderr


@pytest.mark.parametrize("digits", ["0", "5000", "1.5"])
def test_the_range_in_the_error_is_the_range(run: Run, digits: str) -> None:
    for command in ("delta", "tail", "certify", "profile", "rdp"):
        point = {"delta": [], "rdp": ["--order", "2"], "certify": ["--delta", "0.1"]}.get(command, [])
        more = [] if command == "rdp" else ["--epsilon", "1"]
        result = run(command, "gaussian(1)", *more, *point, "--digits", digits)
        assert result.stderr == f"Error: digits must be an integer from 1 to 1000, got digits={digits}\n"
    assert run("delta", "gaussian(1)", "--epsilon", "1", "--digits", "1000").exit_code == 0
