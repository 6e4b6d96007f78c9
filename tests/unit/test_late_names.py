"""Public names stand in the stub beside a package, once, and are found where it says."""

import ast
import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pldverify
import pldverify.testing
from pldverify import late_names

STUB = """\
from lately.inner import Kind as Kind
from lately.inner import made as made
from lately import room as room
from lately.stars import *
from lately.hidden import Other
"""


@pytest.fixture(params=["folder", "zip"])
def lately(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[object]:
    """A package with a stub, and nothing else in its ``__init__.py``."""
    folder = tmp_path / "all" / "lately"
    folder.mkdir(parents=True)
    code = "from pldverify import late_names\n__getattr__, __dir__ = late_names.attach(__name__)\n"
    files = {
        "__init__.py": code,
        "__init__.pyi": STUB,
        "inner.py": "class Kind: pass\nmade = 3\nother = 4\n",
        "room.py": "",
        "stars.py": "class Star: pass\nfound = 5\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    found = folder.parent
    if request.param == "zip":
        found = Path(shutil.make_archive(str(tmp_path / "wheel"), "zip", found))
    monkeypatch.syspath_prepend(found)
    yield importlib.import_module("lately")
    for name in [each for each in sys.modules if each.partition(".")[0] == "lately"]:
        del sys.modules[name]


def test_names_load_their_modules_when_they_are_used(lately: object) -> None:
    assert "lately.inner" not in sys.modules
    assert lately.made == 3 and vars(lately)["made"] == 3  # type: ignore[attr-defined]
    assert "lately.inner" in sys.modules and "lately.stars" not in sys.modules
    assert lately.room is sys.modules["lately.room"]  # type: ignore[attr-defined]


def test_a_star_hands_on_classes_alone(lately: object) -> None:
    assert dir(lately) == lately.__all__ == ["Kind", "Star", "made", "room"]  # type: ignore[attr-defined]
    assert lately.Star.__module__ == "lately.stars"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["Other", "other", "found", "_private"])
def test_what_the_stub_does_not_hand_on_is_no_name(lately: object, name: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'lately' has no attribute '{name}'"):
        getattr(lately, name)


@pytest.mark.parametrize("package", [pldverify, pldverify.testing])
def test_every_line_of_a_stub_is_read(package: object) -> None:
    file = str(package.__file__)  # type: ignore[attr-defined]
    lines = ast.parse(Path(file).with_suffix(".pyi").read_text("utf-8")).body
    said = [
        (line.module, each.name) for line in lines if isinstance(line, ast.ImportFrom) for each in line.names
    ]
    known = late_names.homes(package.__name__)  # type: ignore[attr-defined]
    assert len(said) == len(lines) > 10
    assert [name for _, name in said if name != "*"] == list(known)
    assert all(known[name] == module for module, name in said if name != "*")


@pytest.mark.parametrize("package", [pldverify, pldverify.testing])
def test_every_name_is_there(package: object) -> None:
    for name in dir(package):
        assert getattr(package, name) is not None
