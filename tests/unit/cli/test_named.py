"""References to users' files and modules: what they may name, and what is said when they fail."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import pldverify as pv
from pldverify.cli import named
from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse

Run = Callable[..., Result]
MINE = """
import pldverify as pv, sympy as sp
t, c = sp.Symbol("t", real=True), sp.Symbol("c")
def density(mean): return sp.exp(-(t - mean) ** 2 / 2) / sp.sqrt(2 * sp.pi)
family = pv.derive_pair(density(c), density(0), t, {c: (0, sp.oo)})
pair = family.mechanism(c=1)
several = 2 * pv.Laplace(1) + pv.Gaussian(3)
def made(sigma): return pv.Gaussian(sigma)
nothing = 3
"""


@pytest.fixture(autouse=True)
def _mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_named.py").write_text(MINE)
    (tmp_path / "broken.py").write_text("raise ValueError('oh\\nno')")
    (tmp_path / "leaving.py").write_text("import sys; sys.exit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_pair_in_a_file_is_answered(run: Run) -> None:
    result = run("delta", "1000 * ./mine_named.py:pair", "--epsilon", "600", "--digits", "15", "--json")
    assert result.exit_code == 0, result.output
    truth = pv.delta(1000 * pv.Gaussian(1), epsilon=600, digits=15)
    assert json.loads(result.stdout)["lower_float"] == pytest.approx(float(truth.lower), rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("mine_named:several", 2 * pv.Laplace(1) + pv.Gaussian(3)),
        ("3 * mine_named:several + laplace(b=1)", 7 * pv.Laplace(1) + 3 * pv.Gaussian(3)),
        ("2 * ./mine_named.py:made(sigma=1/2)", 2 * pv.Gaussian("0.5")),
        ("poisson(mine_named:made(sigma=2), q=0.1)", 1 * pv.PoissonSubsampled(pv.Gaussian(2), "0.1")),
    ],
)
def test_what_a_reference_means(text: str, meant: pv.Composition) -> None:
    assert named.composition(text) == 1 * meant


def test_parameters_of_a_derivation() -> None:
    both = named.composition("mine_named:family(c=1) + ./mine_named.py:pair")
    assert both.steps == 2 and len(both.parts) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("./none.py:pair", "must be a Python file"),
        ("./mine_named.py:other", "must define other, got"),
        ("./mine_named.py:nothing", "must be a mechanism, a composition or a derivation, got int"),
        ("./mine_named.py:pair(c=1)", "must be a derivation or a function to take arguments"),
        ("./mine_named.py:family", "values must be given for c"),
        ("./mine_named.py:made(1)", "named arguments only"),
        ("./mine_named.py:made(mu=1)", "failed: TypeError"),
        ("./broken.py:pair", "failed: ValueError: oh no"),
        ("./leaving.py:pair", "failed: SystemExit: 3"),
        ("no.such.module:pair", "failed: ModuleNotFoundError"),
    ],
)
def test_what_fails_is_one_line_without_a_traceback(run: Run, text: str, message: str) -> None:
    result = run("delta", text, "--epsilon", "1")
    assert result.exit_code == 2 and message in result.stderr
    assert "Traceback" not in result.output and len(result.stderr.strip().splitlines()) == 1


def test_a_library_call_runs_no_code() -> None:
    with pytest.raises(InvalidInput, match="on the command line alone"):
        parse("10 * ./broken.py:pair")


def test_a_derivation_is_shown(run: Run) -> None:
    result = run("derive", "./mine_named.py:family")
    assert result.exit_code == 0 and "PROVED" in result.output
