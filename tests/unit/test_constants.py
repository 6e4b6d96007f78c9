"""One constant, one docstring: every number at the top of a module of the package says what it is."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pldverify"
NUMBERS = ("Fraction", "Decimal", "arb", "float", "math.", "np.")
"""What a call that makes a number begins with; a formula of sympy is none."""
STILL_BARE = {"certificate/document.py", "recheck.py"}
"""Files with numbers that say nothing yet; nothing may be added, and a file that is mended must leave."""


def numeric(value: ast.expr) -> bool:
    """Whether an expression is made of numbers alone: operators, calls such as Fraction(1, 2), tuples."""
    match value:
        case ast.Constant():
            return isinstance(value.value, int | float | complex) and not isinstance(value.value, bool)
        case ast.UnaryOp():
            return numeric(value.operand)
        case ast.BinOp():
            sides = (value.left, value.right)
            return any(map(numeric, sides)) and all(numeric(x) or isinstance(x, ast.Name) for x in sides)
        case ast.Call():
            number = ast.unparse(value.func).startswith(NUMBERS)
            return number and bool(value.args) and all(map(numeric, value.args))
        case ast.Tuple() | ast.List() | ast.Set():
            return bool(value.elts) and all(map(numeric, value.elts))
        case ast.Starred():
            return numeric(value.value)
        case ast.GeneratorExp():
            return numeric(value.elt) and all(isinstance(each.iter, ast.Call) for each in value.generators)
        case ast.Attribute():
            return ast.unparse(value) in ("math.inf", "math.pi", "math.e")
        case _:
            return False


def told(after: ast.stmt | None) -> bool:
    """Whether the next statement is a docstring."""
    match after:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return bool(text.strip())
    return False


def bare(source: str) -> list[str]:
    """Names of numbers without a docstring of their own; those of one tuple share it, and so have none."""
    body, found = ast.parse(source).body, []
    for node, after in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                continue
        shared = len(targets) > 1 or isinstance(targets[0], ast.Tuple)
        if numeric(value) and (shared or not told(after)):
            found += [name.id for t in targets for name in ast.walk(t) if isinstance(name, ast.Name)]
    return found


@cache
def offenders() -> dict[str, list[str]]:
    """By file of the package, the numbers in it that say nothing."""
    files = {str(path.relative_to(PACKAGE)): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    return {name: names for name, source in files.items() if (names := bare(source))}


def test_every_number_has_a_docstring_of_its_own() -> None:
    assert {name: names for name, names in offenders().items() if name not in STILL_BARE} == {}


def test_a_file_that_is_mended_leaves_the_list() -> None:
    assert STILL_BARE - offenders().keys() == set()


@pytest.mark.parametrize(
    "source",
    [
        "_A = 3",
        "_A = 3\n# a comment is no docstring",
        "_A = 3\n''",
        "_A: int = 3\n_TEXT = 'no docstring'",
        "_A = -(2**60)",
        "_A = Fraction(1, 2**60)",
        "_A = math.log(0.3)",
        "_A = 0.5 * OTHER",
        "_A = (0.5, 1.0, -1.0)",
        "_A = (0.0, *(i / 14 for i in range(15)))",
    ],
)
def test_a_bare_number_would_be_seen(source: str) -> None:
    assert bare(source) == ["_A"]


@pytest.mark.parametrize("source", ["_A, _B = 1, 2.0", "_A = _B = 1", "_A, _B = Fraction(1), (2, 3)"])
def test_a_shared_docstring_would_be_seen(source: str) -> None:
    assert bare(f"{source}\n'''The one, and the other.'''") == ["_A", "_B"]


@pytest.mark.parametrize(
    "source",
    [
        "_A = 3\n'''Digits.'''",
        "_A: float = 3.0\n'''Nats.'''",
        "_A = Fraction(1, 3)\n'''Nats.'''",
        "_NAME = 'text'",
        "_FLAG = True",
        "_ROWS = {1: 2}",
        "Number = int | float",
        "_A, _B = 'ab'",
        "def f() -> None:\n    a, b = 1, 2",
    ],
)
def test_what_has_one_or_is_no_number_passes(source: str) -> None:
    assert bare(source) == []
