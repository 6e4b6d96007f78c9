"""Imports flow one way. The rules are the design's; planted violations show that each one bites."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pldverify.sweeps import keys
from tests.unit.importing import importing

PACKAGE = Path(__file__).parents[2] / "pldverify"
ADAPTERS = "pldverify.accountants.adapters"
LIBRARIES = (
    "autodp diffprivlib dp_accounting flwr fourier_accountant gdpnum jax_privacy opacus opake opendp "
    "PLD_accounting prv_accountant random_allocation riskcal tensorflow_privacy tmlt"
)
SURFACE = "pldverify.cli pldverify.testing pldverify.report pldverify.hunt"
OVERVIEWS = "pldverify.overviews"
ENGINES = "pldverify.symbolic pldverify.reference pldverify.bounds"
AFTER = f"pldverify.certificate pldverify.claims pldverify.theorems pldverify.filters {OVERVIEWS} {SURFACE}"
AFTER_RULINGS = f"pldverify.sweeps pldverify.decomposition {AFTER}"
JUDGES = f"pldverify.values pldverify.rulings {AFTER_RULINGS}"
SYMBOLIC = "pldverify.symbolic"
DOORS = " ".join(f"{SYMBOLIC}.{name}" for name in ("ball_pair", "cache", "derivation", "derive", "render"))
ROOMS = {name: f"{SYMBOLIC}.{name}" for name in ("build", "check", "families", "lowering")}
RULES = {
    "pldverify.version": "pldverify",
    "pldverify.boundary": f"pldverify.numbers pldverify.mechanisms pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.web_page": f"pldverify.numbers pldverify.mechanisms pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.errors": "pldverify click rich",
    "pldverify.numbers": f"pldverify.mechanisms pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.mechanisms": f"pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.questions": f"pldverify.accountants pldverify.balls {ENGINES} {JUDGES}",
    "pldverify.accountants": f"mpmath flint {ENGINES} {JUDGES}",
    "pldverify.symbolic": f"pldverify.accountants {JUDGES}",
    "pldverify.symbolic.model": f"flint pldverify.balls {' '.join(ROOMS.values())} {DOORS}",
    "pldverify.symbolic.lowering": f"{ROOMS['build']} {ROOMS['check']} {ROOMS['families']} {DOORS}",
    "pldverify.symbolic.check": f"{ROOMS['build']} {ROOMS['families']} {DOORS}",
    "pldverify.symbolic.build": f"{ROOMS['families']} {DOORS}",
    "pldverify.symbolic.families": f"{ROOMS['build']} {DOORS}",
    "pldverify.reference": f"pldverify.accountants pldverify.bounds pldverify.quadrature {JUDGES}",
    "pldverify.bounds": f"pldverify.accountants pldverify.reference {JUDGES}",
    "pldverify.values": f"pldverify.accountants pldverify.rulings {AFTER_RULINGS}",
    "pldverify.rulings": AFTER_RULINGS,
    "pldverify.sweeps": f"pldverify.decomposition {AFTER}",
    "pldverify.decomposition": f"pldverify.values pldverify.rulings pldverify.sweeps {AFTER}",
    "pldverify.balls": f"pldverify.mechanisms pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.quadrature": (f"pldverify.accountants pldverify.balls flint sympy scipy {ENGINES} {JUDGES}"),
    "pldverify.reference.lemmas": "pldverify.reference.engines pldverify.reference.quantities",
    "pldverify.reference.laws": "pldverify.reference.engines pldverify.reference.quantities",
    "pldverify.reference.engines": "pldverify.reference.quantities pldverify.reference.choice",
    "pldverify.reference.search": "pldverify.reference.quantities pldverify.reference.choice",
    "pldverify.recheck": "pldverify",
    "pldverify.audit": f"pldverify.mechanisms pldverify.accountants {ENGINES} {JUDGES}",
    "pldverify.certificate": f"pldverify.sweeps pldverify.claims {OVERVIEWS} {SURFACE}",
    "pldverify.overviews": f"pldverify.certificate pldverify.claims pldverify.theorems {SURFACE}",
    "pldverify.claims": f"pldverify.theorems pldverify.decomposition {SURFACE}",
    "pldverify.filters": f"pldverify.accountants pldverify.sweeps {OVERVIEWS} {SURFACE}",
    "pldverify.hunt": "pldverify.cli pldverify.reference flint mpmath",
}
"""Modules below the key import nothing below the values."""
MAKERS = "pldverify.numbers.enclosure pldverify.reference.engines.conclude"
"""Where an Enclosure may be made: it is a theorem, and only a proved statement makes one."""

PROVING = (
    "pldverify.balls",
    "pldverify.reference.lemmas",
    "pldverify.reference.laws",
    "pldverify.reference.engines",
    "pldverify.reference.fast",
)
"""What must be believed; it chooses nothing in floats."""
DOUBLES = "pldverify.balls.doubles"
"""The one file that computes in floats, each error bounded."""
FLOATS = "pldverify.reference.search numpy scipy"
MAKE_FLOATS = {"float", "short"}
"""What makes a float, or a parameter of a float that was searched for; a text may print one."""
EXACT = set(["ceil", "comb", "factorial", "floor", "gcd", "inf", "isfinite", "isinf", "isqrt", "lcm", "prod"])
"""Functions of ``math`` that are exact for integers and rationals, and ∞."""


@dataclass(frozen=True)
class Import:
    """One imported module, and whether it loads with the importing module."""

    module: str
    line: int
    eager: bool


def below(module: str, parent: str) -> bool:
    return module == parent or module.startswith(parent + ".")


@cache
def imports(source: str, module: str, *, package: bool = False) -> tuple[Import, ...]:
    """Every import in ``source``, also those in functions, under TYPE_CHECKING and by import_module("…")."""
    found: list[Import] = []
    for node, eager in importing(source):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            start = parts[: len(parts) - node.level + package] if node.level else []
            origin = ".".join([*start, *([node.module] if node.module else [])])
            names = [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
        elif _last(node.func) in ("import_module", "__import__"):
            names = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
        found += [Import(name, node.lineno, eager) for name in names]
    return tuple(found)


def _last(called: ast.expr) -> str:
    """The last part of a name."""
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def violations(source: str, module: str, *, package: bool = False) -> list[str]:
    """What ``module`` imports and must not, one line each."""
    found = set()
    forbidden = [name for owner, names in RULES.items() if below(module, owner) for name in names.split()]
    for item in imports(source, module, package=package):
        if any(below(item.module, name) for name in forbidden):
            found.add(f"{module}:{item.line} imports {item.module}")
        if item.module.partition(".")[0] in LIBRARIES.split():
            if module == f"pldverify.{item.module.partition('.')[0]}":
                continue  # a part of that library: loaded by its users alone
            if not below(module, ADAPTERS):
                found.add(f"{module}:{item.line} imports {item.module} outside the adapters")
            elif item.eager:
                found.add(f"{module}:{item.line} imports {item.module} at module level")
    return sorted(found)


def float_violations(source: str, module: str) -> list[str]:
    """Float code in a module that proves, one line each."""
    if module == DOUBLES or not any(below(module, owner) for owner in PROVING):
        return []
    found = {
        f"{module}:{item.line} imports {item.module}"
        for item in imports(source, module)
        if any(below(item.module, name) for name in FLOATS.split())
    }
    tree = ast.parse(source)
    printed = {
        id(part) for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for part in ast.walk(text)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last(node.func) in MAKE_FLOATS and id(node) not in printed:
            found.add(f"{module}:{node.lineno} calls {_last(node.func)}")
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("math", "cmath"):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "cmath"):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            names = ["as" for alias in node.names if alias.name in ("math", "cmath") and alias.asname]
        else:
            continue
        found |= {f"{module}:{node.lineno} uses math.{name}" for name in names if name not in EXACT}
    return sorted(found)


@cache
def modules() -> tuple[tuple[str, Path], ...]:
    named = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        named.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return tuple(named)


def test_no_module_imports_what_it_must_not() -> None:
    found = [
        violation
        for module, path in modules()
        for violation in violations(path.read_text("utf-8"), module, package=path.name == "__init__.py")
    ]
    assert found == []


def test_nothing_that_proves_uses_floats() -> None:
    found = [line for module, path in modules() for line in float_violations(path.read_text("utf-8"), module)]
    assert found == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pldverify.reference.laws.gaussian", "from pldverify.reference.search.cumulant import cumulant"),
        ("pldverify.reference.laws.gaussian", "def f():\n    from pldverify.reference import search"),
        ("pldverify.reference.laws.hints.allocation", "import numpy as np"),
        ("pldverify.reference.laws.hints.allocation", "from pldverify.reference.search.tilt import tilt"),
        ("pldverify.reference.fast.hints.schedule", "import math\nx = math.exp(1)"),
        ("pldverify.reference.lemmas.layers", "import scipy.special"),
        ("pldverify.reference.lemmas.layers", "import math\nx = math.exp(1)"),
        ("pldverify.reference.lemmas.layers", "from math import sqrt"),
        ("pldverify.reference.laws.gaussian", "import math as m"),
        ("pldverify.reference.laws.smooth", "rate = near(ball(float(slope)))"),
        ("pldverify.reference.laws.smooth", "from pldverify.balls import ball\nrate = ball.short(slope)"),
        ("pldverify.balls.normal", "import cmath\ny = list(map(cmath.log, [1]))"),
    ],
)
def test_planted_floats_are_found(module: str, source: str) -> None:
    assert float_violations(source, module) != []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pldverify.reference.laws.hints.allocation", "import math\nx = math.ceil(1)"),
        ("pldverify.reference.laws.smooth", "def f(x: float) -> str:\n    return f'got {float(x):.3g}'"),
        ("pldverify.reference.laws.binomial", "import math\nx = math.comb(4, 2) + math.ceil(3)"),
        ("pldverify.reference.search.tilt", "import numpy"),
        ("pldverify.reference.lemmas.layers", "from pldverify.balls.ball import ball"),
    ],
)
def test_exact_arithmetic_passes(module: str, source: str) -> None:
    assert float_violations(source, module) == []


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
        ("pldverify.accountants.fourier", "from .. import rulings"),
        ("pldverify.accountants.fourier", "import importlib\nimportlib.import_module('pldverify.bounds')"),
        ("pldverify.accountants.adapters.x", "from pldverify.symbolic.derive import derive"),
        ("pldverify.accountants.adapters.x", "import dp_accounting"),
        ("pldverify.accountants.adapters.x", "if True:\n    from prv_accountant import PRVAccountant"),
        ("pldverify.accountants.adapters.x", "class A:\n    import opacus.accountants"),
        ("pldverify.accountants.registry", "def f():\n    import dp_accounting"),
        ("pldverify.accountants.fourier", "from pldverify.decomposition.term import Term"),
        ("pldverify.accountants.worker.serve", "from pldverify.rulings.soundness import judge"),
        ("pldverify.decomposition.prv", "def f():\n    import prv_accountant"),
        ("pldverify.decomposition.prv", "from pldverify.rulings.soundness import judge"),
        ("pldverify.decomposition.prv", "from pldverify.cli.budget import budget"),
        ("pldverify.rulings.check", "from pldverify.decomposition.error_budget import error_budget"),
        ("pldverify.values.verdict", "def f():\n    from pldverify.rulings.decide import decide"),
        ("pldverify.reference.engines.inversion.contour", "from pldverify.decomposition import truth"),
        ("pldverify.bounds.chernoff", "from pldverify.values.truth import truth"),
        ("pldverify.rulings.check", "def f():\n    from dp_accounting.pld import pld"),
        ("pldverify.cli.check", "__import__('autodp')"),
        ("pldverify.opacus", "import autodp"),
        ("pldverify.questions.draw", "from pldverify.accountants.registry import accountant"),
        ("pldverify.questions.kinds", "def f():\n    from pldverify.reference import choice"),
        (
            "pldverify.reference.engines.inversion.contour",
            "from pldverify.accountants.registry import accountants",
        ),
        ("pldverify.reference.engines.inversion.contour", "from pldverify.bounds import chernoff"),
        (
            "pldverify.reference.engines.inversion.contour",
            "import typing\nif typing.TYPE_CHECKING:\n    import riskcal",
        ),
        ("pldverify.bounds.chernoff", "import pldverify.reference.quantities.delta as d"),
        ("pldverify.symbolic.derive", "async def f():\n    import pldverify.accountants"),
        ("pldverify.recheck", "from pldverify.rulings.decide import decide"),
        ("pldverify.recheck", "def f():\n    from pldverify import errors"),
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
        ("pldverify.symbolic.families.gaussian", "from pldverify.symbolic.build.loss import loss"),
        ("pldverify.mechanisms.gaussian", "def f():\n    from pldverify.reference import delta"),
        ("pldverify.numbers.enclosure", "from pldverify.mechanisms import Gaussian"),
        ("pldverify.rulings.check", "from pldverify.cli.answer import answer"),
        ("pldverify.rulings.check", "from pldverify.sweeps.store import Store"),
        ("pldverify.sweeps.run", "from pldverify.cli.progress import progress"),
        ("pldverify.accountants.ask", "def f():\n    from pldverify.sweeps import store"),
        ("pldverify.quadrature.pairs", "from pldverify.reference.laws.gaussian import GaussianLaw"),
        ("pldverify.quadrature.saddle", "def f():\n    from pldverify.reference.search.tilt import tilt"),
        ("pldverify.quadrature.law", "from pldverify.balls.ball import ball"),
        ("pldverify.quadrature.user_densities", "from pldverify.symbolic.model.serial import read"),
        ("pldverify.quadrature.user_densities", "import sympy as sp"),
        ("pldverify.reference.choice", "from pldverify.quadrature import delta"),
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
        ("pldverify.reference.engines.inversion.contour", "import flint, mpmath"),
        ("pldverify.values.truth", "from pldverify import reference"),
        ("pldverify.rulings.certify", "from pldverify.rulings.decide import decide"),
        ("pldverify.reference.engines.inversion.contour", "import flint, mpmath"),
        ("pldverify.values.truth", "from pldverify import reference"),
        ("pldverify.rulings.certify", "from pldverify.rulings.decide import decide"),
        ("pldverify.symbolic.build.builder", "from pldverify.symbolic.check.prover import Prover"),
        ("pldverify.symbolic.checked", "from pldverify.symbolic.build import builder"),
        ("pldverify.referenced", "import pldverify.accountants"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert violations(source, module) == []


def made(source: str) -> list[int]:
    """Lines on which an Enclosure is made."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Enclosure"
    ]


def test_enclosures_are_made_where_they_are_proved() -> None:
    sources = ((module, path.read_text("utf-8")) for module, path in modules())
    found = {module for module, source in sources if "Enclosure" in source and made(source)}
    assert "pldverify.reference.engines.conclude" in found
    assert [m for m in found if not any(below(m, maker) for maker in MAKERS.split())] == []


@pytest.mark.parametrize(
    "source", ["Enclosure(0, 1, 'x')", "def f():\n    return numbers.Enclosure(0, 1, 'x')"]
)
def test_an_enclosure_made_elsewhere_would_be_seen(source: str) -> None:
    assert made(source) != []


def graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """{module: modules among them that it imports, at any time}, of {module: source}."""
    return {
        module: {item.module for item in imports(source, module)} & set(sources) - {module}
        for module, source in sources.items()
    }


def test_what_is_kept_is_kept_under_all_that_it_depends_on() -> None:
    """A store kept verdicts of another judge: the room ``values`` was forgotten."""
    edges = graph({module: path.read_text("utf-8") for module, path in modules()})
    for start, rooms in (("values.truth", keys._TRUTH), ("rulings.check", keys._VERDICT)):
        seen, left = set[str](), [f"pldverify.{start}"]
        while left:
            module = left.pop()
            if module not in seen:
                seen.add(module)
                left += edges[module]
        found = {module.split(".")[1] for module in seen if module.count(".") > 1}
        assert found >= {"reference", "values", "numbers"}
        assert found <= set(rooms)


def circles(edges: dict[str, set[str]]) -> list[str]:
    """Modules that import each other, directly or not; a package's own __init__ is left out."""
    reach = {module: set(near) for module, near in edges.items()}
    for middle in reach:
        for module in reach:
            if middle in reach[module]:
                reach[module] |= reach[middle]
    return sorted(module for module in reach if module in reach[module])


def test_no_module_imports_itself_by_way_of_others() -> None:
    sources = {module: path.read_text("utf-8") for module, path in modules() if path.name != "__init__.py"}
    assert len(sources) > 500
    assert circles(graph(sources)) == []


def back_arrows(source: str, module: str) -> list[str]:
    """What a module takes from ``pldverify`` itself, which hands on the names of all others."""
    known = {name for name, _ in modules()}
    return [
        f"{module}:{item.line} takes {item.module}"
        for item in imports(source, module)
        if item.module.count(".") == 1 and below(item.module, "pldverify") and item.module not in known
    ]


def test_no_module_takes_a_name_from_the_root() -> None:
    files = [(module, path) for module, path in modules() if module != "pldverify"]
    assert [arrow for module, path in files for arrow in back_arrows(path.read_text("utf-8"), module)] == []
    planted = "from pldverify import reference\n\ndef f():\n    from pldverify import __version__"
    assert back_arrows(planted, "pldverify.hunt.planted") == [
        "pldverify.hunt.planted:4 takes pldverify.__version__"
    ]


def test_a_planted_circle_is_found() -> None:
    sources = {
        "a.one": "from a.two import x",
        "a.two": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import three",
        "a.three": "def f():\n    from a import one",
        "a.four": "import a.one",
    }
    assert circles(graph(sources)) == ["a.one", "a.three", "a.two"]


@pytest.mark.slow
def test_only_balls_opens_the_door_to_flint() -> None:
    found = [
        f"{module}:{item.line}"
        for module, path in modules()
        if not below(module, "pldverify.balls")
        for item in imports(path.read_text("utf-8"), module)
        if below(item.module, "flint")
    ]
    assert found == []
