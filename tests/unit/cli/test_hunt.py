"""hunt: what was found on standard output, reports in a folder, the worst kind as exit code."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result

import pldverify as pv
from pldverify.cli.exits import Exit
from pldverify.cli.hunt import exit_code
from pldverify.hunt import bug_report
from pldverify.hunt.grouping import KINDS, Cause, Group, collect
from pldverify.hunt.hunt import Hunt
from pldverify.hunt.reproduction import Ran

Run = Callable[..., Result]
QUERY = pv.Query(3 * pv.Gaussian(1), delta="1e-5")
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
    assert "1. Planted: " in result.stdout
    assert "is on the wrong side of the true one" in result.stdout and f"reports in {out}" in result.stdout
    told = json.loads((out / "hunt.json").read_text("utf-8"))
    assert "UNSOUND" in [each["finding"]["verdict"] for each in told["found"] if each["kind"] == "violation"]
    summary = run("report", str(out / "hunt.json"))
    assert summary.exit_code == 0 and f"{len(told['found'])} findings: " in summary.stdout
    names = {each["finding"]["asked_as"]["name"] for each in told["found"]}
    assert len(names) == 1 and names.pop().endswith("planted.py:Planted")
    reports = sorted(path.name for path in out.glob("*.md"))
    assert len(reports) == len(told["found"]) and "violation-planted.md" in str(reports)
    assert (out / reports[0]).read_text("utf-8").startswith("# Planted: ")
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 100


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_json_is_one_document(run: Run) -> None:
    result = run("hunt", PLANTED, "--minutes", "60", "--json")
    assert json.loads(result.stdout)["seed"] == 0


def test_who_refuses_everything_is_not_sound(run: Run, tmp_path: Path) -> None:
    """A hunt that could ask nothing ended with 0."""
    (tmp_path / "refuses.py").write_text(
        "import pldverify as pv\nclass Refuses(pv.Accountant):\n    direction = 'upper'\n"
        "    def supports(self, query):\n        return 'no'\n    def claim(self, query):\n        return 1\n"
    )
    result = run("hunt", f"{tmp_path / 'refuses.py'}:Refuses", "--minutes", "0.02")
    assert (result.exit_code, "0 findings in 0 questions" in result.stdout) == (Exit.UNDECIDED, True)


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


def test_what_is_known_is_counted_and_what_was_found_is_written_down(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def ran(hunting: Hunt) -> None:
        hunting._panel.asked["gdp/upper"] = 1
        collect(hunting._search.groups, pv.check(lambda query: 0.5, QUERY, direction="upper"))

    monkeypatch.setattr(Hunt, "run", ran)
    file = tmp_path / "known.json"
    first = run("hunt", "gdp/upper", "--write-baseline", str(file))
    assert first.exit_code == Exit.REFUTED and "1 findings in 1 questions" in first.stdout
    again = run("hunt", "gdp/upper", "--baseline", str(file), "--write-baseline", str(file))
    assert (again.exit_code, again.stdout) == (Exit.SOUND, "0 findings and 1 known in 1 questions, seed 0\n")
    assert json.loads(run("hunt", "gdp/upper", "--baseline", str(file), "--json").stdout)["known"] == 1
    (known,) = json.loads(file.read_text("utf-8"))["known"]
    assert (known["kind"], known["question"]) == ("violation", str(QUERY))


def test_a_baseline_that_is_none_is_told_before_the_hunt(run: Run, tmp_path: Path) -> None:
    result = run("hunt", "gdp/upper", "--baseline", str(tmp_path / "absent"))
    assert (
        result.exit_code == Exit.BAD_INPUT and "--baseline must be a file that can be read" in result.stderr
    )
    result = run("hunt", "gdp/upper", "--write-baseline", str(tmp_path / "no" / "file"))
    assert result.exit_code == Exit.BAD_INPUT
    assert "--write-baseline must be a file that can be written" in result.stderr


def test_a_folder_that_cannot_be_made_is_told_before_the_hunt(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("hunt", PLANTED, "--out", str(tmp_path / "file" / "inside"))
    assert result.exit_code == Exit.BAD_INPUT and "--out must be a folder" in result.stderr


def test_reports_are_written_though_nobody_reads_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """``hunt … --out DIR | head`` left no report."""

    def gone(*_: object) -> None:
        raise BrokenPipeError

    module, written = import_module("pldverify.cli.hunt"), []
    monkeypatch.setattr(module, "_print", gone)
    monkeypatch.setattr(module, "_write", lambda hunting, out: written.append(out))
    hunting = SimpleNamespace(seed=0, questions=1, known=[], broken={}, groups=[])
    with pytest.raises(BrokenPipeError):
        module._report(hunting, "mine.py:half", [], tmp_path, False)
    assert written == [tmp_path]
