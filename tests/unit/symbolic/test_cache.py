"""The disk cache: a second call reads it, damage asks for a new derivation, and nothing in it can run."""

import json
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse
from pldverify.symbolic import Derivation, cache, derive
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.serial import dumps, loads, read

KEY = "a key"


@pytest.fixture
def found(derived: Callable[..., Derivation]) -> Formulas:
    derivation = derived("laplace(b=2)")
    return Formulas(**{f.name: getattr(derivation, f.name) for f in fields(Formulas)})


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLDVERIFY_CACHE_DIR", str(tmp_path))
    return tmp_path


def never() -> Formulas:
    raise AssertionError("the cache was not used")


def test_what_is_written_is_read_back_equal(found: Formulas) -> None:
    assert loads(dumps(found)) == found
    cache.recall(KEY, lambda: found)
    assert cache.recall(KEY, never) == found


def test_nothing_but_the_file_is_left(found: Formulas, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}  # ``found`` may have been derived just now
    cache.recall(KEY, lambda: found)
    assert {path.name for path in tmp_path.iterdir()} - before == {cache.path_of(KEY).name}


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: '{"class": "Derivation"}',
        lambda text: text.replace("Derivation", "Path"),
        lambda text: text.replace('"PROVED"', '"MAYBE"'),
        lambda text: text.replace("Symbol('b'", "__import__('os').system('b'"),
        lambda text: "\x00\xff",
    ],
)
def test_a_damaged_file_is_made_again(found: Formulas, damage: Callable[[str], str]) -> None:
    cache.recall(KEY, lambda: found)
    path = cache.path_of(KEY)
    path.write_text(damage(path.read_text("utf-8")), "utf-8")
    calls = []
    again = cache.recall(KEY, lambda: calls.append(1) or found)  # type: ignore[func-returns-value]
    assert again == found and calls == [1]
    assert cache.recall(KEY, never) == found


def test_versions_and_source_are_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.path_of(KEY)
    monkeypatch.setattr(cache, "__version__", "0.0.0")
    other_version = cache.path_of(KEY)
    monkeypatch.setattr(cache, "_source_digest", lambda: "other source")
    assert len({before, other_version, cache.path_of(KEY), cache.path_of("another key")}) == 4


def test_a_directory_that_cannot_be_written_costs_nothing(
    found: Formulas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    monkeypatch.setenv("PLDVERIFY_CACHE_DIR", str(blocked))
    assert cache.recall(KEY, lambda: found) == found


def test_where_the_cache_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLDVERIFY_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.directory() == tmp_path / "pldverify"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.directory() == Path.home() / ".cache" / "pldverify"


def test_derive_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = parse("pure_dp(epsilon=1)").parts[0][0]
    first = derive(mechanism)
    module = import_module("pldverify.symbolic.derive")  # the package's name ``derive`` is the function
    monkeypatch.setattr(module, "_prove", lambda *_: never())
    assert derive(mechanism) == first


def test_the_reader_knows_what_derivations_use_and_nothing_else() -> None:
    expression = sp.exp(sp.Symbol("t", real=True)) ** 2 / 3 + sp.pi
    assert read(sp.srepr(expression)) == expression
    for text in (
        "__import__('os').system('true')",
        "exp.__class__",
        "Lambda(Symbol('x'), Symbol('x'))",
        "Function('f')(1)",
        "open('x')",
        "1 +",
        "[1]",
        "Integer(1) if 1 else 2",
    ):
        with pytest.raises(InvalidInput):
            read(text)


def test_json_is_json(found: Formulas) -> None:
    document = json.loads(Derivation.of(found).to_json())
    assert document["class"] == "Derivation" and document["family"] == "laplace"
    assert {o["state"]["state"] for o in document["obligations"]["tuple"]} == {"PROVED"}
