"""Objects that a user names, in real files; each failure shows the user's own line and no frame of ours."""

import sys
from pathlib import Path

import pytest

from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.named import find, is_reference, own_line

MINE = """
from __future__ import annotations
from dataclasses import KW_ONLY, dataclass
from neighbour_of_mine import seven

@dataclass(frozen=True)
class Thing:
    _: KW_ONLY
    size: int = seven

class Outer:
    class Inner: pass
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "neighbour_of_mine.py").write_text("seven = 7\n")
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_a_file_finds_its_neighbours_and_makes_dataclasses(mine: Path) -> None:
    assert find(f"{mine}:Thing")().size == 7  # type: ignore[operator]
    assert find(f"{mine}:Outer.Inner").__name__ == "Inner"  # type: ignore[attr-defined]


def test_a_file_runs_once_and_again_when_it_has_changed(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = find(f"{mine}:Thing")
    monkeypatch.chdir(mine.parent)
    assert find("mine.py:Thing") is first
    mine.write_text(MINE.replace("= seven", "= 1234"))
    assert find("./mine.py:Thing")().size == 1234  # type: ignore[operator]
    assert list(mine.parent.glob("__pycache__/mine*")) == []


def test_a_module_is_found_in_the_folder_of_the_command(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mine.parent / "module_of_mine_for_named.py").write_text("answer = 42\n")
    monkeypatch.chdir(mine.parent)
    assert find("module_of_mine_for_named:answer") == 42


def test_a_module_that_is_there_changes_no_path() -> None:
    before = list(sys.path)
    assert find("fractions:Fraction").__name__ == "Fraction"  # type: ignore[attr-defined]
    assert sys.path == before


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("\nimport no_such_module_at_all\n", "ModuleNotFoundError: No module named 'no_such_module_at_all' "),
        ("x = 1\ndef f():\n    return x / 0\nf()\n", "ZeroDivisionError: division by zero "),
        ("raise ValueError('two\\nlines')", "ValueError: two lines "),
        ("x = = 1", "SyntaxError: invalid syntax (broken.py, line 1)"),
        ("import sys; sys.exit(3)", "SystemExit: 3 "),
        ("import pldverify as pv\npv.Gaussian(-1)", "sigma must be > 0, got sigma=-1 "),
        ("a = 1", "must define Thing, got a"),
        ("", "must define Thing, got nothing"),
    ],
)
def test_what_fails_is_told_in_one_line(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(InvalidInput) as caught:
        find(f"{path}:Thing")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value) and "pldverify/" not in str(caught.value)
    assert str(path) not in sys.modules or "must define" in message


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("\nimport no_such_module_at_all\n", "(broken.py, line 2: import no_such_module_at_all)"),
        ("def f():\n    return 1 / 0\nf()\n", "(broken.py, line 2: return 1 / 0)"),
        ("import json\njson.loads('{')\n", "(broken.py, line 2: json.loads('{'))"),
    ],
)
def test_the_line_is_the_users_own(tmp_path: Path, source: str, line: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(InvalidInput) as caught:
        find(f"{path}:Thing")
    assert str(caught.value).endswith(line)


def test_the_line_of_a_module_is_its_own_too(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mine.parent / "broken_module_of_mine.py").write_text("x = 1\nimport no_such_module_at_all\n")
    monkeypatch.syspath_prepend(mine.parent)
    with pytest.raises(InvalidInput) as caught:
        find("broken_module_of_mine:x")
    assert str(caught.value).endswith("(broken_module_of_mine.py, line 2: import no_such_module_at_all)")
    with pytest.raises(InvalidInput) as caught:
        find("no_such_module_at_all:x")
    assert str(caught.value).endswith("No module named 'no_such_module_at_all'")


def test_an_error_without_a_line_has_none() -> None:
    assert own_line(ValueError("x")) == ""


def test_a_missing_library_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "lacking.py"
    path.write_text("from pldverify.errors import MissingLibrary\nraise MissingLibrary('pip install x')")
    with pytest.raises(MissingLibrary, match="pip install x"):
        find(f"{path}:Thing")


@pytest.mark.parametrize("place", ["nowhere.py", "no.such.module"])
def test_what_is_not_there_is_bad_input(place: str) -> None:
    with pytest.raises(InvalidInput, match=r"must be a Python file|ModuleNotFoundError"):
        find(f"{place}:Thing")


def test_what_is_a_reference() -> None:
    for text in ("mine.py:Thing", "a.b:C.d", "../x y/mine.py:Thing", "C:/mine.py:Thing"):
        assert is_reference(text)
    for text in ("", "rdp", "dp-accounting/pld", ":Thing", "mine.py:", "m:f.<locals>.C", "1:2"):
        assert not is_reference(text)
