"""Examples in docstrings are run, wherever they stand, so that none is left behind when its module moves."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pldverify"


def modules_with_examples() -> list[str]:
    found = [path for path in sorted(PACKAGE.rglob("*.py")) if ">>> " in path.read_text("utf-8")]
    return [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in found]


def run(module: object) -> doctest.TestResults:
    return doctest.testmod(module, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]


def test_there_are_examples() -> None:
    assert "pldverify.decomposition.error_budget" in modules_with_examples()


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_print_what_they_say(name: str) -> None:
    result = run(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_a_wrong_example_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrong_example.py").write_text('"""\n>>> 1 + 1\n3\n"""\n')
    monkeypatch.syspath_prepend(tmp_path)
    assert run(import_module("wrong_example")).failed == 1
