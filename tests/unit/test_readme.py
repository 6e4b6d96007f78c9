"""The README and the pages of docs/ print what they say, up to timings and to digits beyond the fifteenth."""

import doctest
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import pldverify as pv
from pldverify.cli import main
from pldverify.cli.exits import MEANINGS
from pldverify.cli.run import NAMES, flag
from pldverify.sweeps.builtin_queries import builtin_queries

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
MOST_LINES, WIDEST = 120, 110
"""Two screens."""
UNBREAKABLE = ("|", "python3 -m venv")
"""A row of a table, and a command to be copied, stand in one line."""


def stable(text: str) -> str:
    """``text`` without what may change when an engine proves more digits or runs faster."""
    text = re.sub(r"(\d\.\d{14})\d*", r"\1…", text)
    text = re.sub(r"± [\d.]+(e-\d+)?", "± …", text)
    text = re.sub(r"\d+ proved digits", "… proved digits", text)
    text = re.sub(r"\d+\.\d{3} s\b", "… s", text)
    text = re.sub(r" +\d+\.\d\d$", " …", text, flags=re.MULTILINE)  # seconds, in the last column
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def agree(printed: str, shown: str) -> bool:
    """Whether that is ``printed``; a line ``[…]`` stands for any lines."""
    wanted = re.escape(stable(shown)).replace(re.escape("\n[…]\n"), "\n(.*\n)+")
    return re.fullmatch(wanted, stable(printed)) is not None


def sessions(page: Path) -> list[tuple[list[str], str]]:
    """Every ``$ pldverify …`` with the output that follows it."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    parts = [part for block in blocks for part in block.split("$ pldverify ")[1:]]
    return [(shlex.split(part.partition("\n")[0]), part.partition("\n")[2]) for part in parts]


def rows(page: str, title: str) -> list[list[str]]:
    """Cells of the table below a heading of a page of docs/."""
    section = (ROOT / "docs" / page).read_text("utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in lines[2:]]


# --- the README ---


def too_long(text: str) -> list[str]:
    """What does not fit on two screens: lines that could break, and too many of them."""
    lines = text.splitlines()
    wide = [line for line in lines if len(line) > WIDEST and not line.startswith(UNBREAKABLE)]
    return [*wide, *lines[MOST_LINES:]]


def test_the_readme_fits_two_screens() -> None:
    assert too_long(README.read_text("utf-8")) == []


def test_a_longer_readme_would_be_seen() -> None:
    assert too_long("x\n" * MOST_LINES) == []
    assert too_long("x\n" * MOST_LINES + "more") == ["more"]
    assert too_long("x" * 111 + "\n|" + "x" * 200) == ["x" * 111]


def test_every_page_is_linked_from_the_readme() -> None:
    text = README.read_text("utf-8")
    assert [page.name for page in PAGES[1:] if f"docs/{page.name}" not in text] == []


def test_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


# --- examples ---


@pytest.mark.parametrize("page", [page for page in PAGES if sessions(page)], ids=lambda page: page.stem)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    monkeypatch.setenv("COLUMNS", "80")
    for arguments, shown in sessions(page):
        printed = CliRunner().invoke(main, arguments).stdout
        assert agree(printed, shown), f"{arguments} prints\n{printed}"


def test_there_are_commands_to_run() -> None:
    assert len(sessions(README)) >= 2
    told = {arguments[0] for arguments, _ in sessions(ROOT / "docs/command_line.md")}
    assert told == set(main.commands) - {"hunt"}  # which takes minutes, and finds what it finds


def test_what_is_left_out_is_whole_lines() -> None:
    assert agree("a\nb\nc\nd\n", "a\n[…]\nd\n")
    assert not agree("a\nd\n", "a\n[…]\nd\n")
    assert not agree("a\nb\nx\n", "a\n[…]\nd\n")


def test_stable_keeps_fifteen_digits() -> None:
    assert stable("δ = 1.000083743394811998e-6 ± 1.2e-37") == "δ = 1.00008374339481…e-6 ± …"
    assert stable("1.000083743394811") != stable("1.000083743394711")
    assert stable("engine: contour, 0.046 s") == "engine: contour, … s"


@pytest.mark.parametrize(("page", "least"), [("README.md", 6), ("docs/python.md", 5)])
def test_python_sessions_print_what_is_shown(page: str, least: int) -> None:
    result = doctest.testfile(
        str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert result.attempted >= least
    assert result.failed == 0


# --- tables that repeat the code ---


def test_every_public_name_has_a_row() -> None:
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    first = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    assert {name for cell in first for name in re.findall(r"`(\w+)`", cell)} == set(pv.__all__)


def test_options_of_several_commands() -> None:
    taking: dict[str, set[str]] = {}
    for name, command in main.commands.items():
        for option in command.params:
            if isinstance(option, click.Option):
                taking.setdefault(option.opts[0], set()).add(name)
    several = {option: names for option, names in taking.items() if len(names) > 1}
    of_a_run = [several.pop(flag(name)) for name in NAMES]
    others = {"convert", "derive", "env", "freeze", "hunt", "recheck", "report", "teeth", "theorems"}
    assert all(names == set(main.commands) - others for names in of_a_run)
    table = rows("command_line.md", "Options of several commands")
    assert {option: set(names.split(", ")) for option, names, _ in table} == several


def test_flags_of_a_run() -> None:
    table = "".join(cell for row in rows("command_line.md", "What is asked about") for cell in row)
    assert [name for name in NAMES if flag(name) not in table] == []


def test_exit_codes() -> None:
    table = [[code, meaning.replace("`", "")] for code, meaning in rows("command_line.md", "Exit codes")]
    assert table == [[str(int(code)), meaning.replace("`", "")] for code, meaning in MEANINGS.items()]


def test_the_number_of_built_in_questions() -> None:
    assert f"({len(builtin_queries())} of them:" in (ROOT / "docs" / "check.md").read_text("utf-8")


def test_every_engine_has_a_row() -> None:
    from pldverify.reference import choice, engines

    engines.load()
    text = (ROOT / "docs" / "engines.md").read_text("utf-8")
    shown = set(re.findall(r"^\| `([^` ]+)` \|", text, re.MULTILINE))  # slopes have one row for all
    assert shown == {name for name in choice.ENGINES if not name.endswith(" slope")}
