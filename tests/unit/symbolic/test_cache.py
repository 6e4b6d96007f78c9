"""The disk cache: a second call reads it, damage asks for a new derivation, and nothing in it can run."""

import json
import os
import stat
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
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
B = sp.Symbol("b", positive=True)


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
    before = set(tmp_path.rglob("*"))  # ``found`` may have been derived just now
    cache.recall(KEY, lambda: found)
    assert set(tmp_path.rglob("*")) - before - {tmp_path / "derivations"} == {cache.path_of(KEY)}


def test_the_folder_is_the_users_alone(found: Formulas) -> None:
    cache.recall(KEY, lambda: found)
    assert stat.S_IMODE(cache.path_of(KEY).parent.stat().st_mode) == 0o700


def test_a_folder_that_others_may_enter_is_not_used(found: Formulas) -> None:
    cache.recall(KEY, lambda: found)
    folder = cache.path_of(KEY).parent
    for mode in (0o770, 0o707, 0o710, 0o755):
        folder.chmod(mode)
        with pytest.raises(AssertionError):
            cache.recall(KEY, never)
    folder.chmod(0o700)
    assert cache.recall(KEY, never) == found


def test_a_folder_of_somebody_else_is_not_used(found: Formulas, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.recall(KEY, lambda: found)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(AssertionError):
        cache.recall(KEY, never)
    monkeypatch.delattr(os, "geteuid")  # a system that does not tell
    with pytest.raises(AssertionError):
        cache.recall(KEY, never)


def test_a_link_to_a_folder_is_not_used(found: Formulas, tmp_path: Path) -> None:
    cache.recall(KEY, lambda: found)
    folder = cache.path_of(KEY).parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(AssertionError):
        cache.recall(KEY, never)


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
        "Tuple('1')",
        "exp('1')",
        "Abs('1')",
        "Max('1', '2')",
        "Integer('1')",
        "Rational(1.5)",
        "Symbol('t', real='1')",
        "Symbol('__import__(1)')",
        "Symbol('t', cls=1)",
        "Add(Integer(1), 1)",
        "Piecewise(Tuple(Integer(1), true))",
        "ExprCondPair(Integer(1), Integer(1))",
        "Sum(Integer(1), Integer(2))",
        "Add(*Tuple())",
        "Integer(9**9)",
        "Integer(" + "9" * 4001 + ")",
        "Pow(Integer(9), Pow(Integer(9), Integer(9)))",
        "Pow(Integer(9), Integer(387420489))",
        "exp(Mul(Integer(387420489), log(Integer(9))))",
        "factorial(Integer(387420489))",
        "floor(exp(Integer(387420489)))",
        "Add(" * 10_000 + ")" * 10_000,
        "-" * 100_000 + "oo",
    ):
        with pytest.raises(InvalidInput):
            read(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"delta_infinity": {', '"delta_infinity": "1 - 1", "notes": {'),
        ('"trend": ', '"trend": "1", "tren": '),
        ('"disproved": false', '"disproved": 0'),
        ('"fraction": "2"', '"fraction": "1e999999999"'),
        ('"fraction": "2"', '"fraction": "2 "'),
        ('"family": "laplace"', '"family": 1'),
        ('"direction": "remove"', '"direction": {"tuple": []}'),
    ],
)
def test_every_field_has_its_type(found: Formulas, old: str, new: str) -> None:
    """A string where a formula belongs would be evaluated by what works with it."""
    text = dumps(replace(found, values={B: Fraction(2)}))
    assert old in text and loads(text)
    with pytest.raises(InvalidInput):
        loads(text.replace(old, new, 1))


def test_json_is_json(found: Formulas) -> None:
    document = json.loads(Derivation.of(found).to_json())
    assert document["class"] == "Derivation" and document["family"] == "laplace"
    assert {o["state"]["state"] for o in document["obligations"]["tuple"]} == {"PROVED"}
