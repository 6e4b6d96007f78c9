"""hunt: what was found on standard output, reports in a folder, the worst kind as exit code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from pldverify.cli.exits import Exit
from pldverify.cli.hunt import exit_code
from pldverify.hunt import bug_report
from pldverify.hunt.grouping import KINDS, Cause, Group
from pldverify.hunt.hunt import Hunt
from pldverify.hunt.reproduction import Ran

Run = Callable[..., Result]
PLANTED = f"{Path(__file__).parents[1] / 'hunt' / 'planted.py'}:Planted"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than some questions, however much time there is."""
    made = Hunt.__init__
    monkeypatch.setattr(Hunt, "__init__", lambda *them, **options: made(*them, questions=25, **options))


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_what_is_found_is_printed_and_reported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bug_report, "ran", lambda *_: Ran(("planted",), "", False))
    out = tmp_path / "new" / "reports"
    result = run("hunt", PLANTED, "--minutes", "60", "--seed", "1", "--out", str(out))
    assert result.exit_code == Exit.REFUTED
    assert "1. Planted unknown: " in result.stdout
    assert "is on the wrong side of the true one" in result.stdout and f"reports in {out}" in result.stdout
    told = json.loads((out / "hunt.json").read_text("utf-8"))
    assert "UNSOUND" in [each["finding"]["verdict"] for each in told["found"] if each["kind"] == "violation"]
    reports = sorted(path.name for path in out.glob("*.md"))
    assert len(reports) == len(told["found"]) and "violation-planted.md" in str(reports)
    assert (out / reports[0]).read_text("utf-8").startswith("# Planted unknown: ")
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 100


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_json_is_one_document(run: Run) -> None:
    result = run("hunt", PLANTED, "--minutes", "60", "--json")
    assert json.loads(result.stdout)["seed"] == 0


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("violation", Exit.REFUTED),
        ("rounding", Exit.REFUTED),
        ("crash", Exit.UNDECIDED),
        ("wrong estimate", Exit.UNDECIDED),
        ("loose", Exit.SOUND),
    ],
)
def test_the_worst_kind_decides_the_exit_code(kind: str, code: Exit) -> None:
    assert kind in KINDS
    group = Group(Cause(kind, "planted", ""), None, None)  # type: ignore[arg-type]  # nothing else is read
    assert exit_code([group]) == code
    assert exit_code([]) == Exit.SOUND


def test_a_folder_that_cannot_be_made_is_told_before_the_hunt(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("hunt", PLANTED, "--out", str(tmp_path / "file" / "inside"))
    assert result.exit_code == Exit.BAD_INPUT and "--out must be a folder" in result.stderr
