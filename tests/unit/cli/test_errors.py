"""Exit codes that scripts rely on; bad input gets one line, never a traceback."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import Result

from pldverify.errors import NoConvergence, OracleDisagreement

Run = Callable[..., Result]
CERTIFY = {"--sigma": "1", "--q": "0.01", "--steps": "100", "--delta": "1e-6", "--epsilon": "3"}


def certify(**changes: str) -> list[str]:
    options = CERTIFY | {f"--{name}": value for name, value in changes.items()}
    return ["certify", *(word for option in options.items() for word in option)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["delta", "gaussian(0)", "--epsilon", "1"], "sigma must be > 0, got sigma=0"),
        (["delta", "gaussian(-1)", "--epsilon", "1"], "sigma must be > 0, got sigma=-1"),
        (["delta", "gaussian(nan)", "--epsilon", "1"], "sigma must be finite, got sigma=nan"),
        (["delta", "poisson(gaussian(1), q=0)", "--epsilon", "1"], "q must be in (0, 1], got q=0"),
        (["delta", "poisson(gaussian(1), q=2)", "--epsilon", "1"], "q must be in (0, 1], got q=2"),
        (["delta", "0 * gaussian(1)", "--epsilon", "1"], "count must be an integer from 1 to 1000000000000"),
        (["delta", "1.5 * gaussian(1)", "--epsilon", "1"], "count must be an integer from 1 to "),
        (
            ["delta", "mystery(1)", "--epsilon", "1"],
            "got mechanism='mystery': mechanism must be one of above_threshold, ",
        ),
        (["delta", "gaussian(1", "--epsilon", "1"], "expression must have ')' at character 11"),
        (["delta", "", "--epsilon", "1"], "expression must have a number or a mechanism"),
        (["delta", "gaussian(1)", "--epsilon", "nan"], "epsilon must be finite, got epsilon=nan"),
        (["delta", "gaussian(1)", "--epsilon", "-inf"], "epsilon must be finite, got epsilon=-inf"),
        (["delta", "gaussian(1)", "--epsilon", "one"], "epsilon must be a decimal or a fraction"),
        (["delta", "gaussian(1)", "--epsilon", "1", "--digits", "0"], "digits must be an integer from 1"),
        (["delta", "gaussian(1)", "--epsilon", "1", "--digits", "2.5"], "digits must be an integer from 1"),
        (["delta", "gaussian(1)", "--epsilon", "1", "--digits", "1e9"], "digits must be an integer from 1"),
        (["delta", "gaussian(1)", "--epsilon", "1", "--adjacency", "both"], "Invalid value for "),
        (["delta", "gaussian(1)"], "Missing option '--epsilon'"),
        (["delta"], "Missing "),
        (["epsilon", "gaussian(1)", "--delta", "1.1"], "delta must be in [0, 1], got delta=1.1"),
        (["epsilon", "gaussian(1)", "--delta", "-0.1"], "delta must be in [0, 1], got delta=-0.1"),
        (["epsilon", "gaussian(1)", "--delta", "nan"], "delta must be finite, got delta=nan"),
        (["rdp", "gaussian(1)", "--order", "0"], "order must be > 0 (a number, or inf), got order=0"),
        (["rdp", "gaussian(1)", "--order", "-2"], "order must be > 0 (a number, or inf), got order=-2"),
        (
            ["rdp", "gaussian(1)", "--order=-inf"],
            "order must be a decimal or a fraction > 0, or inf, got order='-inf'",
        ),
        (
            ["rdp", "gaussian(1)", "--order", "nan"],
            "order must be a decimal or a fraction > 0, or inf, got order='nan'",
        ),
        (
            ["rdp", "gaussian(1)", "--order", "two"],
            "order must be a decimal or a fraction > 0, or inf, got order='two'",
        ),
        (["tail", "gaussian(1)", "--epsilon", "nan"], "epsilon must be finite, got epsilon=nan"),
        (["check", "nobody"], "got accountant='nobody': accountant must be one of dp-accounting"),
        (["check", "dp-accounting", "--timeout", "0"], "timeout must be > 0"),
        (["check", "dp-accounting", "--timeout", "soon"], "timeout must be a decimal or a fraction"),
        (certify(sigma="-1"), "--noise-multiplier (or --sigma) must be >= 0, got -1"),
        (certify(q="1.5"), "--sampling-probability (or --q) must be in [0, 1], got 1.5"),
        (certify(q="nan"), "--sampling-probability (or --q) must be finite, got nan"),
        (certify(steps="-1"), "steps must be an integer from 0 to 1000000000000, got steps=-1"),
        (certify(steps="1.5"), "steps must be an integer from 0 to 1000000000000, got steps=1.5"),
        (certify(steps="1e13"), "steps must be an integer from 0 to 1000000000000, got steps="),
        (certify(delta="2"), "delta must be in [0, 1], got delta=2"),
        (certify(epsilon="-1"), "epsilon must be >= 0, got epsilon=-1"),
        (certify(epsilon="inf"), "epsilon must be finite, got epsilon=inf"),
        (["certify"], "Missing option "),
        (["nothing"], "No such command"),
    ],
)
def test_bad_input_is_named_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    for extra in ([], ["--json"]):
        if extra and arguments[0] == "nothing":
            continue
        result = run(*arguments, *extra)
        assert result.exit_code == 2
        assert result.stdout == ""
        last = result.stderr.splitlines()[-1]
        assert last.startswith(f"Error: {message}")
        assert "Traceback" not in result.stderr


def test_a_missing_library_names_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pldverify.accountants.adapters.adapter.find_spec", lambda _: None)
    result = run("check", "dp-accounting")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert 'pip install "pldverify[accountants]"' in result.stderr


@pytest.mark.parametrize("command", [["delta", "--epsilon"], ["epsilon", "--delta"], ["tail", "--epsilon"]])
def test_no_convergence_is_undecided(run: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    def gives_up(*_: object, **__: object) -> None:
        raise NoConvergence("wanted 30 digits, reached 2")

    monkeypatch.setattr(f"pldverify.{command[0]}", gives_up)
    result = run(command[0], "gaussian(1)", command[1], "0.5", "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "Error: undecided: wanted 30 digits, reached 2\n"


@pytest.mark.parametrize("bug", [ZeroDivisionError("bug"), OracleDisagreement("bug"), RecursionError("bug")])
def test_a_crash_is_never_taken_for_a_refutation(
    run: Run, monkeypatch: pytest.MonkeyPatch, bug: Exception
) -> None:
    def crashes(*_: object, **__: object) -> None:
        raise bug

    monkeypatch.setattr("pldverify.delta", crashes)
    result = run("delta", "gaussian(1)", "--epsilon", "1")
    assert (result.exit_code, result.stdout) == (70, "")
    assert "Traceback" in result.stderr
    assert "please report it" in result.stderr.splitlines()[-1]


def test_ctrl_c_exits_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pldverify.delta", interrupted)
    assert run("delta", "gaussian(1)", "--epsilon", "1").exit_code == 130


def test_python_m_pldverify() -> None:
    command = [sys.executable, "-m", "pldverify", "delta", "laplace(b=1)", "--epsilon", "0.5", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["composition"] == "laplace(b=1)"
    refused = subprocess.run([*command[:-3], "--epsilon", "nan"], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")


def test_a_terminal_without_greek_still_gets_an_answer() -> None:
    command = [sys.executable, "-X", "utf8=0", "-m", "pldverify", "delta", "laplace(b=1)", "--epsilon", "0.5"]
    environment = {"PYTHONIOENCODING": "latin-1", "PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stdout.startswith(b"?(?=0.5) = 0.2211992")


def test_help_and_version(run: Run) -> None:
    assert "Exit codes:" in run("--help").stdout
    assert "poisson" in run("--help").stdout
    assert run("--version").stdout.startswith("pldverify, version ")
    for command in ("delta", "epsilon", "rdp", "tail", "check", "certify"):
        assert run(command, "--help").exit_code == 0
