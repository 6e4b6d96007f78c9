"""Every public name has an example in its docstring, and the examples are run, wherever they stand.

An example knows ``pv``, as if a session had begun with ``import pldverify as pv``, and the names of its
module.
"""

import doctest
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

import pldverify

PACKAGE = Path(__file__).parents[2] / "pldverify"
SITE = PACKAGE.parent / "website"


# --- the examples are run ---


def modules_with_examples() -> list[str]:
    paths = [path for folder in (PACKAGE, SITE) for path in sorted(folder.rglob("*.py"))]
    found = [path for path in paths if re.search("^ *>>> ", path.read_text("utf-8"), re.MULTILINE)]
    parts = [path.relative_to(PACKAGE.parent).with_suffix("").parts for path in found]
    return [".".join(part[:-1] if part[-1] == "__init__" else part) for part in parts]


def run(module: types.ModuleType) -> doctest.TestResults:
    return doctest.testmod(module, extraglobs={"pv": pldverify}, optionflags=doctest.ELLIPSIS)


def test_there_are_examples() -> None:
    assert {"pldverify.decomposition.error_budget", "pldverify.quadrature"} <= set(modules_with_examples())


@pytest.mark.sample(42)
@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_print_what_they_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLDVERIFY_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "agg")
    result = run(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_a_wrong_example_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrong_example.py").write_text('"""\n>>> 1 + 1\n3\n"""\n')
    monkeypatch.syspath_prepend(tmp_path)
    assert run(import_module("wrong_example")).failed == 1


# --- every public name has one ---


def methods(kind: type) -> Iterator[types.FunctionType]:
    """The public methods that our classes define, wherever they are inherited from."""
    for name, member in inspect.getmembers_static(kind):
        function = getattr(member, "__func__", member)
        if name.startswith("_") or not isinstance(function, types.FunctionType):
            continue  # a property is shown where its class is
        if function.__module__.split(".")[0] == kind.__module__.split(".")[0]:
            yield function


def returned(function: object) -> list[type]:
    """Our classes that a function is annotated to return."""
    annotation = typing.get_type_hints(function, vars(sys.modules[function.__module__])).get("return")
    kinds = typing.get_args(annotation) or (annotation,)
    return [kind for kind in kinds if isinstance(kind, type) and kind.__module__.startswith("pldverify.")]


def public(names: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """(name, object) of all that a user meets: names, their methods, and methods of what they return."""
    kinds: dict[str, type] = {}
    for name, value in names.items():
        yield name, value
        if isinstance(value, type):
            kinds[value.__name__] = value
        elif inspect.isfunction(value):
            kinds |= {kind.__name__: kind for kind in returned(value)}
        elif name == "quadrature":
            yield from ((f"{name}.{n}", f) for n, f in vars(value).items() if inspect.isfunction(f))
    for kind in kinds.values():
        yield from ((function.__qualname__, function) for function in methods(kind))


def lacking(names: Mapping[str, object]) -> set[str]:
    """Names without an example."""
    return {name for name, value in public(names) if ">>> " not in (inspect.getdoc(value) or "")}


def test_every_public_name_has_an_example() -> None:
    assert lacking({name: getattr(pldverify, name) for name in pldverify.__all__}) == set()


def test_what_users_meet_is_looked_at() -> None:
    found = {name for name, _ in public({name: getattr(pldverify, name) for name in pldverify.__all__})}
    assert {"Gaussian", "Composition.of", "Profile.plot", "Certificate.to_json", "quadrature.tail"} <= found
    assert {"Derivation.mechanism", "Formulas.only_piece", "ErrorBudget.table"} <= found


class Silent:
    """Nothing to see."""

    def method(self) -> Fraction:
        """Nothing."""
        return Fraction(0)


def returns_silent() -> Silent:
    """Nothing.

    >>> 1
    1
    """
    return Silent()


def test_a_name_without_an_example_would_be_seen() -> None:
    assert lacking({"Silent": Silent}) == {"Silent", "Silent.method"}
    assert lacking({"returns_silent": returns_silent}) == set()
    assert lacking({"certify": pldverify.certify}) == set()
