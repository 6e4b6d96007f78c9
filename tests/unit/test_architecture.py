"""Imports flow one way. The rules are the design's; planted violations show that each one bites."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pldverify"
ADAPTERS = "pldverify.accountants.adapters"
LIBRARIES = "dp_accounting prv_accountant fourier_accountant opacus autodp riskcal jax_privacy"
SURFACE = "pldverify.cli pldverify.testing pldverify.report"
ENGINES = "pldverify.symbolic pldverify.reference pldverify.bounds"
SYMBOLIC = "pldverify.symbolic"
DOORS = " ".join(f"{SYMBOLIC}.{name}" for name in ("ball_pair", "cache", "derivation", "derive", "render"))
ROOMS = {name: f"{SYMBOLIC}.{name}" for name in ("build", "check", "families", "lowering")}
JUDGES = f"pldverify.compare pldverify.certificate pldverify.theorems {SURFACE}"
RULES = {
    "pldverify.errors": "pldverify click rich",
    "pldverify.numbers": f"pldverify.mechanisms pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.mechanisms": f"pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.accountants": f"mpmath flint {ENGINES} {JUDGES}",
    "pldverify.symbolic": f"pldverify.accountants {JUDGES}",
    "pldverify.symbolic.model": f"flint {' '.join(ROOMS.values())} {DOORS}",
    "pldverify.symbolic.lowering": f"{ROOMS['build']} {ROOMS['check']} {ROOMS['families']} {DOORS}",
    "pldverify.symbolic.check": f"{ROOMS['build']} {ROOMS['families']} {DOORS}",
    "pldverify.symbolic.build": f"{ROOMS['families']} {DOORS}",
    "pldverify.symbolic.families": DOORS,
    "pldverify.reference": f"pldverify.accountants pldverify.bounds {JUDGES}",
    "pldverify.bounds": f"pldverify.accountants pldverify.reference {JUDGES}",
    "pldverify.compare": f"pldverify.certificate pldverify.theorems {SURFACE}",
    "pldverify.certificate": SURFACE,
    "pldverify.certificate.recheck": "pldverify.accountants pldverify.compare pldverify.reference",
}
"""Modules below the key import nothing below the values."""


@dataclass(frozen=True)
class Import:
    """One imported module, and whether it loads with the importing module."""

    module: str
    line: int
    eager: bool


def below(module: str, parent: str) -> bool:
    return module == parent or module.startswith(parent + ".")


def imports(source: str, module: str, *, package: bool = False) -> Iterator[Import]:
    """Every import in ``source``, also those in functions, under TYPE_CHECKING and by import_module("…")."""
    tree = ast.parse(source)
    lazy = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            start = parts[: len(parts) - node.level + package] if node.level else []
            origin = ".".join([*start, *([node.module] if node.module else [])])
            names = [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            names = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
        for name in names:
            yield Import(name, node.lineno, id(node) not in lazy)


def violations(source: str, module: str, *, package: bool = False) -> list[str]:
    """What ``module`` imports and must not, one line each."""
    found = set()
    for item in imports(source, module, package=package):
        for owner, forbidden in RULES.items():
            if below(module, owner) and any(below(item.module, name) for name in forbidden.split()):
                found.add(f"{module}:{item.line} imports {item.module}")
        if any(below(item.module, library) for library in LIBRARIES.split()):
            if not below(module, ADAPTERS):
                found.add(f"{module}:{item.line} imports {item.module} outside the adapters")
            elif item.eager:
                found.add(f"{module}:{item.line} imports {item.module} at module level")
    return sorted(found)


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def test_no_module_imports_what_it_must_not() -> None:
    found = [
        violation
        for module, path in modules()
        for violation in violations(path.read_text("utf-8"), module, package=path.name == "__init__.py")
    ]
    assert found == []


def test_the_walk_sees_the_whole_package() -> None:
    seen = {module for module, _ in modules()}
    assert {"pldverify", "pldverify.errors", "pldverify.accountants.adapters", "pldverify.cli.group"} <= seen


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pldverify.accountants.fourier", "import mpmath"),
        ("pldverify.accountants.fourier", "def f():\n    from flint import arb"),
        ("pldverify.accountants.fourier", "from pldverify.reference import delta"),
        ("pldverify.accountants.fourier", "from pldverify import reference"),
        ("pldverify.accountants.fourier", "from ..reference.delta import delta"),
        ("pldverify.accountants.fourier", "from .. import compare"),
        ("pldverify.accountants.fourier", "import importlib\nimportlib.import_module('pldverify.bounds')"),
        ("pldverify.accountants.adapters.x", "from pldverify.symbolic.derive import derive"),
        ("pldverify.accountants.adapters.x", "import dp_accounting"),
        ("pldverify.accountants.adapters.x", "if True:\n    from prv_accountant import PRVAccountant"),
        ("pldverify.accountants.adapters.x", "class A:\n    import opacus.accountants"),
        ("pldverify.accountants.registry", "def f():\n    import dp_accounting"),
        ("pldverify.compare.check", "def f():\n    from dp_accounting.pld import pld"),
        ("pldverify.cli.check", "__import__('autodp')"),
        ("pldverify.reference.contour", "from pldverify.accountants.registry import accountants"),
        ("pldverify.reference.contour", "from pldverify.bounds import chernoff"),
        ("pldverify.reference.contour", "import typing\nif typing.TYPE_CHECKING:\n    import riskcal"),
        ("pldverify.bounds.chernoff", "import pldverify.reference.delta as d"),
        ("pldverify.symbolic.derive", "async def f():\n    import pldverify.accountants"),
        ("pldverify.symbolic.check.delta", "from pldverify.symbolic.build.builder import total_delta"),
        (
            "pldverify.symbolic.check.masses",
            "def f():\n    from pldverify.symbolic.build import antiderivative",
        ),
        ("pldverify.symbolic.check.limits", "from ..build.limits import loss_limit"),
        (
            "pldverify.symbolic.check.obligations",
            "import typing\nif typing.TYPE_CHECKING:\n    import pldverify.symbolic.build",
        ),
        ("pldverify.symbolic.check.total_mass", "from pldverify.symbolic.families.table import family"),
        ("pldverify.symbolic.build.builder", "from pldverify.symbolic.families.normal import normal"),
        ("pldverify.symbolic.lowering.to_arb", "from pldverify.symbolic.check.prover import Prover"),
        ("pldverify.symbolic.model.formulas", "def f():\n    from pldverify.symbolic.render import latex"),
        ("pldverify.symbolic.model.domain", "from pldverify.symbolic.check.algebra import Generators"),
        ("pldverify.symbolic.families.density_pair", "from pldverify.symbolic.derive import derive"),
        ("pldverify.certificate.recheck", "from pldverify.compare.decide import decide"),
        ("pldverify.certificate.recheck", "from pldverify.reference.contour import contour"),
        ("pldverify.mechanisms.gaussian", "def f():\n    from pldverify.reference import delta"),
        ("pldverify.numbers.enclosure", "from pldverify.mechanisms import Gaussian"),
        ("pldverify.compare.check", "from pldverify.cli.answer import answer"),
    ],
)
def test_a_planted_violation_is_found(module: str, source: str) -> None:
    assert violations(source, module) != []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pldverify.accountants.adapters.x", "def f():\n    import dp_accounting"),
        ("pldverify.accountants.adapters.x", "from pldverify.mechanisms.query import Query"),
        ("pldverify.accountants.adapters.x", "from pldverify.accountants.adapters import dp_accounting"),
        ("pldverify.reference.contour", "import flint, mpmath"),
        ("pldverify.compare.truth", "from pldverify import reference"),
        ("pldverify.certificate.certify", "from pldverify.compare.decide import decide"),
        ("pldverify.symbolic.build.builder", "from pldverify.symbolic.check.prover import Prover"),
        ("pldverify.symbolic.checked", "from pldverify.symbolic.build import builder"),
        ("pldverify.referenced", "import pldverify.accountants"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert violations(source, module) == []


def symbolic_imports() -> dict[str, set[str]]:
    """{module: modules of symbolic that it imports}, lazily or not."""
    found = {m: path for m, path in modules() if below(m, SYMBOLIC)}
    graph = {}
    for module, path in found.items():
        named = {
            i.module for i in imports(path.read_text("utf-8"), module, package=path.name == "__init__.py")
        }
        graph[module] = {name for name in named if name in found and name not in (module, SYMBOLIC)}
    return graph


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import themselves by way of others."""
    left = {module: set(names) for module, names in graph.items()}
    while free := [module for module, names in left.items() if not names & left.keys()]:
        for module in free:
            del left[module]
    return sorted(left)


def test_symbolic_has_no_import_circle() -> None:
    graph = symbolic_imports()
    assert len(graph) > 30 and circles(graph) == []


def test_a_planted_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()}) == ["a", "b", "c"]
