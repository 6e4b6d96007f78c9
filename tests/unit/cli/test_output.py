"""What leaves the command line: lines that steer nothing; files, in test_reports.py, too."""

import os
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from pldverify.cli.console import messages, output, wrapped
from pldverify.cli.output import echo, put, put_or_print
from tests.unit.claims.claims import HOSTILE


@pytest.mark.parametrize("text", HOSTILE)
def test_no_line_steers_the_terminal(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever way it takes: a line, a text, a cell; on both streams."""
    table = Table(text, title=text)
    table.add_row(text)
    echo(text)
    echo(text, err=True)
    for console in (output(), messages()):
        for shown in (text, Text(text, style="bold"), wrapped(console, text), table):
            console.print(shown)
            console.print(shown, end="", soft_wrap=True)
    for stream in capsys.readouterr():
        assert stream and all(line.isprintable() for line in stream.split("\n"))


def test_colours_stay(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    output().print(Text("CERTIFIED\x1b[2J", style="green"))
    said = capsys.readouterr().out
    assert said.startswith("\x1b[32m") and "\\x1b[2J" in said and said.count("\x1b") == 2


def test_a_dash_is_a_file_or_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    put("-", "of a file")
    put_or_print("-", "said")
    assert (tmp_path / "-").read_text() == "of a file" and capsys.readouterr().out == "said"


def test_a_file_that_can_not_be_replaced_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "page"
    place.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        put(str(place), "new")
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]
