"""report: stored findings in other formats; what is no finding, or would be overwritten, is told first."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pldverify import report
from pldverify.cli import main
from pldverify.cli.exits import Exit
from tests.unit.report.findings import finding, mixed

Run = Callable[..., Result]
FORMATS = ("csv", "html", "junit", "markdown", "sarif")


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "findings.json"
    path.write_text(json.dumps({"findings": mixed()}), "utf-8")
    return path


def written(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def test_every_format_at_once(run: Run, stored: Path, tmp_path: Path) -> None:
    options = [word for name in FORMATS for word in (f"--{name}", str(tmp_path / name))]
    result = run("report", str(stored), *options, f"--json={tmp_path / 'json'}")
    assert (result.exit_code, result.output) == (0, "")
    for name in FORMATS:
        assert written(tmp_path / name) == getattr(report, name)(mixed())
    assert json.loads(written(tmp_path / "json")) == {"findings": mixed()}


def test_nothing_but_what_was_asked_for_is_left_behind(run: Run, stored: Path, tmp_path: Path) -> None:
    run("report", str(stored), "--csv", str(tmp_path / "a.csv"))
    assert {path.name for path in tmp_path.iterdir()} == {"findings.json", "a.csv"}


def test_without_an_option_a_summary_is_printed(run: Run, stored: Path) -> None:
    assert run("report", str(stored)).stdout == report.markdown(mixed())


def test_of_a_hunt_the_worst_of_each_cause(run: Run, tmp_path: Path) -> None:
    found = [
        {"kind": "violation", "times": 2, "found": finding(later=1), "finding": each} for each in mixed()
    ]
    path = tmp_path / "hunt.json"
    path.write_text(json.dumps({"accountant": "a", "seed": 1, "found": found}), "utf-8")
    assert run("report", str(path)).stdout == report.markdown(mixed())


@pytest.mark.parametrize("name", FORMATS)
def test_standard_output(run: Run, stored: Path, name: str) -> None:
    result = run("report", str(stored), f"--{name}", "-")
    assert result.stdout_bytes.decode("utf-8") == getattr(report, name)(mixed())


def test_json_alone_is_standard_output_and_takes_no_word_that_follows(run: Run, stored: Path) -> None:
    before = stored.read_bytes()
    result = run("report", "--json", str(stored))
    assert json.loads(result.stdout) == {"findings": mixed()}
    assert stored.read_bytes() == before


def test_several_files_and_standard_input(run: Run, stored: Path) -> None:
    result = CliRunner().invoke(
        main, ["report", str(stored), "-", str(stored), "--json"], input=json.dumps([finding(later=1)])
    )
    assert json.loads(result.stdout)["findings"] == [*mixed(), finding(later=1), *mixed()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "must be JSON"),
        ("[NaN]", "NaN is no JSON"),
        ("3", "must have a list of findings"),
        ('{"findings": {}}', "must have a list of findings"),
        ('[{"verdict": "SOUND"}]', "finding 1: accountant: Field required"),
        ("[" * 100_000, "must be JSON"),
        ('[{"verdict": "SOUND", "accountant": "a", "composition": "b", "query": 3}]', "finding 1"),
        ('{"found": 3}', "must have a list of findings"),
        ('{"found": [3]}', "finding 1 must be a finding or its JSON, got int"),
        ('{"found": [{"kind": "loose"}]}', "finding 1 must be a finding or its JSON, got NoneType"),
    ],
)
def test_what_is_no_findings(run: Run, tmp_path: Path, text: str, said: str) -> None:
    path, out = tmp_path / "wrong.json", tmp_path / "out.csv"
    path.write_text(text)
    result = run("report", str(path), "--csv", str(out))
    assert result.exit_code == Exit.BAD_INPUT
    assert said in result.stderr and result.stderr.count("\n") == 1
    assert not out.exists()


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xff")
    for name, said in (("nowhere", "No such file"), (".", "Is a directory"), ("latin", "no UTF-8")):
        result = run("report", str(tmp_path / name))
        assert result.exit_code == Exit.BAD_INPUT and said in result.stderr


def test_an_input_is_never_overwritten(run: Run, stored: Path, tmp_path: Path) -> None:
    before = stored.read_bytes()
    (tmp_path / "link").symlink_to(stored)
    for option in (["--html", str(stored)], [f"--json={stored}"], ["--csv", str(tmp_path / "link")]):
        result = run("report", str(stored), *option)
        assert result.exit_code == Exit.BAD_INPUT and "must not be a file that is read" in result.stderr
    assert stored.read_bytes() == before


def test_a_hostile_composition_is_not_run(run: Run, tmp_path: Path) -> None:
    mine, path = tmp_path / "mine.py", tmp_path / "f.json"
    mine.write_text("raise SystemExit('it was run')")
    path.write_text(json.dumps([finding(composition=f"{mine}:pair", accountant=f"{mine}:Class")]))
    result = run("report", str(path), "--html", str(tmp_path / "a.html"))
    assert (result.exit_code, result.output) == (0, "")
