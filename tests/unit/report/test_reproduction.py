"""A snippet asks the same again, and a hostile text in it stays a text."""

import ast
import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.accountants.reference import reference
from pldverify.accountants.registry import accountant
from pldverify.cli import main
from pldverify.cli.asked_as import with_references
from pldverify.report import Record, records
from pldverify.report.reproduction import python, shell
from tests.unit.report.findings import failed, finding

TEXTS = st.text(st.characters(), min_size=1).filter(lambda text: text.strip())


def record(**changed: object) -> Record:
    return records([finding(**changed)])[0]


def asked() -> Record:
    return records([pv.check("gdp", pv.Query(3 * pv.Gaussian("0.7"), epsilon="1/3", adjacency="add"))])[0]


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(python(asked()), "snippet", "exec"), {})
    assert "SOUND" in capsys.readouterr().out


ACCOUNTANT = """
import pldverify as pv

class Half(pv.Accountant):
    name, direction = {name!r}, "upper"
    asks = (pv.Query, pv.NoiseQuery, pv.RenyiQuery, pv.TailQuery, pv.TradeOffQuery)

    def claim(self, query):
        return 0.5
"""


@pytest.mark.parametrize(
    ("query", "given"),
    [
        (pv.NoiseQuery(pv.Gaussian(1), epsilon=1, delta="1e-5"), "epsilon='1', delta='1e-5'"),
        (pv.RenyiQuery(pv.Laplace(1), order="3/2"), "order='1.5'"),
        (pv.RenyiQuery(pv.Laplace(1), order="inf"), "order='inf'"),
        (pv.TailQuery(pv.Gaussian(1), loss="-1/3"), "loss='-1/3'"),
        (pv.TradeOffQuery(2 * pv.Gaussian(1), alpha="1/7"), "alpha='1/7'"),
    ],
)
def test_every_kind_of_question_is_asked_again(
    query: pv.Query, given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"{tmp_path / 'half.py'}:Half"
    (tmp_path / "half.py").write_text(ACCOUNTANT.format(name=name))
    (found,) = records([pv.check(name, query)])
    snippet = python(found)
    assert given in snippet and f"pv.{type(query).__name__}(" in snippet
    exec(compile(snippet, "snippet", "exec"), {})
    assert str(query) in capsys.readouterr().out
    assert shell(found) == "", "the command asks for ε and δ alone"


def test_the_command_runs() -> None:
    program, *arguments = shlex.split(shell(asked()))
    result = CliRunner().invoke(main, arguments)
    assert program == "pldverify"
    assert "SOUND" in result.stdout and "δ at ε=1/3 of 3 * gaussian(sigma=0.7)" in result.stdout


@given(TEXTS, TEXTS, TEXTS)
def test_python_has_three_statements_whatever_the_texts_are(who: str, what: str, delta: str) -> None:
    snippet = python(record(accountant=who, composition=what, delta=delta))
    snippet.encode("utf-8")
    loading, query, check = ast.parse(snippet).body
    strings = [
        node.value for tree in (query, check) for node in ast.walk(tree) if isinstance(node, ast.Constant)
    ]
    assert set(strings) == {what, delta, who, "add-or-remove"}
    assert ast.unparse(loading) == "import pldverify as pv"


@given(TEXTS, TEXTS, TEXTS)
def test_the_command_is_one_command_whatever_the_texts_are(who: str, what: str, delta: str) -> None:
    command = shell(record(accountant=who, composition=what, delta=delta))
    if command:
        assert command.isprintable()
        assert shlex.split(command) == [
            "pldverify", "check", who, what, f"--delta={delta}", "--adjacency=add-or-remove",
        ]  # fmt: skip
        assert not who.startswith("-") and not what.startswith("-")


@pytest.mark.parametrize(
    "changed", [{"quantity": "rdp", "delta": None}, {"delta": None}, {"composition": "x" * 5_000}]
)
def test_what_cannot_be_asked_again_has_no_snippet(changed: dict[str, object]) -> None:
    assert (python(record(**changed)), shell(record(**changed))) == ("", "")


def test_a_failure_is_asked_again_too() -> None:
    assert "planted/upper" in shell(records([failed()])[0])


FUNCTION = "def half(query):\n    return 0.5\n"


@pytest.mark.parametrize(
    ("name", "direction", "verdict"),
    [
        ("half.py:half", "lower", "SOUND"),
        ("half.py:half", "upper", "UNSOUND"),
        ("half.py:Half", "", "UNSOUND"),
    ],
)
def test_what_a_file_defines_is_asked_again_with_its_direction(
    name: str,
    direction: str,
    verdict: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "half.py").write_text(FUNCTION + ACCOUNTANT.format(name="mine"))
    stated = ["--direction", direction] if direction else []
    run = CliRunner()
    asked = ["check", name, "gaussian(1)", "--delta", "1e-6", *stated, "--json"]
    (found,) = records(json.loads(run.invoke(main, asked).stdout)["findings"])
    assert found.accountant in ("half", "mine") and found.verdict == verdict
    exec(compile(python(found), "snippet", "exec"), {})
    assert capsys.readouterr().out.split()[:2] == ["verdict", verdict]
    again = run.invoke(main, [*shlex.split(shell(found))[1:], "--json"])
    assert json.loads(again.stdout)["findings"][0]["verdict"] == verdict


def test_a_program_is_asked_again_with_its_direction() -> None:
    assert reference(accountant("command:true", "lower")) == ("command:true", "lower")
    assert reference(accountant("command:true")) == ("command:true", "")
    subject = accountant("command:true", "lower")
    (found,) = with_references([finding(accountant=subject.name)], [subject])
    assert "--direction=lower" in shell(records([found])[0])
