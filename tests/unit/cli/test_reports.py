"""Options that write findings: every file whole or as it was, and nothing lost where one fails."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from pldverify import report
from pldverify.cli.reports import Outputs
from pldverify.errors import InvalidInput
from tests.unit.report.findings import finding, mixed


def no_table() -> None:
    pytest.fail("a table beside a document")


def nothing() -> None:
    """For a person."""


def broken(*_: object) -> str:
    raise RuntimeError("the format is broken")


@pytest.fixture(autouse=True)
def rescued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def files(folder: Path, *names: str) -> Mapping[str, str]:
    return {name: str(folder / name) for name in names}


def test_a_table_is_printed_where_no_format_takes_standard_output(tmp_path: Path) -> None:
    printed: list[bool] = []
    Outputs(files(tmp_path, "csv")).write(mixed(), lambda: printed.append(True))
    assert printed == [True]
    Outputs({"csv": "-"}).write(mixed(), no_table)


def test_a_format_that_fails_loses_nothing(
    tmp_path: Path, rescued: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report, "html", broken)
    printed: list[bool] = []
    with pytest.raises(RuntimeError, match="the format is broken"):
        Outputs(files(tmp_path, "html", "csv", "sarif")).write(mixed(), lambda: printed.append(True))
    assert (tmp_path / "csv").read_bytes().decode() == report.csv(mixed())
    assert (tmp_path / "sarif").exists() and not (tmp_path / "html").exists()
    assert printed == [True]
    (saved,) = rescued.iterdir()
    assert json.loads(saved.read_text("utf-8")) == {"findings": mixed()}
    assert str(saved) in capsys.readouterr().err


def test_findings_that_were_written_are_not_saved_again(
    tmp_path: Path, rescued: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "html", broken)
    with pytest.raises(RuntimeError):
        Outputs(files(tmp_path, "html", "json")).write(mixed(), nothing)
    assert json.loads((tmp_path / "json").read_text("utf-8")) == {"findings": mixed()}
    assert list(rescued.iterdir()) == []


def test_every_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report, "html", broken)
    gone = {"csv": str(tmp_path / "nowhere" / "csv"), "html": str(tmp_path / "html")}
    with pytest.raises(InvalidInput, match="--csv must be a file that can be written"):
        Outputs(gone).write(mixed(), nothing)
    assert "Error: the format is broken" in capsys.readouterr().err


def test_a_file_stays_as_it_was_until_the_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "csv").write_text("what stood there")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            Outputs(files(tmp_path, "csv")).write(mixed(), nothing)
    assert (tmp_path / "csv").read_text() == "what stood there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["csv", "tmp"]


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    Outputs({"csv": str(link)}).write(mixed(), nothing)
    assert link.is_symlink() and target.read_text("utf-8").startswith('"verdict"')
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    mask = os.umask(0o022)
    Outputs({"csv": str(tmp_path / "new")}).write(mixed(), nothing)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o644


def test_two_formats_in_one_place(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    for first, second in (("-", "-"), (str(tmp_path / "a"), str(tmp_path / "link"))):
        with pytest.raises(InvalidInput, match="--csv and --html must have different files"):
            Outputs({"csv": first, "html": second})


def test_a_lone_surrogate_is_written(tmp_path: Path) -> None:
    document = finding(reason="\ud800")
    Outputs(files(tmp_path, "json", "html", "csv", "junit", "sarif", "markdown")).write([document], nothing)
    assert json.loads((tmp_path / "json").read_text("utf-8")) == {"findings": [document]}
    for name in ("html", "csv"):
        assert "\\ud800" in (tmp_path / name).read_text("utf-8")
