"""The README's examples print what it says, up to timings and to digits beyond the fifteenth."""

import doctest
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from pldverify.cli import main

README = Path(__file__).parents[2] / "README.md"


def stable(text: str) -> str:
    """``text`` without what may change when an engine proves more digits or runs faster."""
    text = re.sub(r"(\d\.\d{14})\d*", r"\1…", text)
    text = re.sub(r"± [\d.]+(e-\d+)?", "± …", text)
    text = re.sub(r"\d+ proved digits", "… proved digits", text)
    return re.sub(r"\d+\.\d{3} s\b", "… s", text)


def sessions() -> list[tuple[list[str], str]]:
    """Every ``$ pldverify …`` with the output that follows it."""
    blocks = re.findall(r"```console\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    parts = [part for block in blocks for part in block.split("$ pldverify ")[1:]]
    return [(shlex.split(part.partition("\n")[0]), part.partition("\n")[2]) for part in parts]


def test_the_command_line_tour() -> None:
    assert len(sessions()) >= 5
    for arguments, printed in sessions():
        assert stable(CliRunner().invoke(main, arguments).stdout) == stable(printed)


def test_stable_keeps_fifteen_digits() -> None:
    assert stable("δ = 1.000083743394811998e-6 ± 1.2e-37") == "δ = 1.00008374339481…e-6 ± …"
    assert stable("1.000083743394811") != stable("1.000083743394711")
    assert stable("engine: contour, 0.046 s") == "engine: contour, … s"


def test_the_python_session() -> None:
    result = doctest.testfile(
        str(README), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert result.attempted >= 6
    assert result.failed == 0
