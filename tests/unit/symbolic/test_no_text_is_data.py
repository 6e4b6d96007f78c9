"""Nothing in the symbolic layer decides by what is written for people: statements, arguments, titles."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pldverify.symbolic

TEXTS = {"statement", "how", "right", "argument", "title", "notes"}
"""Attributes that are written for people."""

READING = {
    "startswith",
    "endswith",
    "split",
    "rsplit",
    "find",
    "index",
    "partition",
    "strip",
    "removeprefix",
    "count",
}


def read(source: str) -> Iterator[int]:
    """Lines that compare, search, cut or test a text for people."""
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            parts = [node.value]
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READING
        ):
            parts = [node.func.value]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            parts = list(node.args)
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            parts = [node.test]
        elif isinstance(node, ast.BoolOp):
            parts = list(node.values)
        if any(isinstance(part, ast.Attribute) and part.attr in TEXTS for part in parts):
            yield node.lineno


def test_nothing_reads_a_statement() -> None:
    package = Path(str(pldverify.symbolic.__file__)).parent
    files = sorted(path for path in package.rglob("*.py") if path.name != "render.py")  # which shows them
    assert len(files) > 40
    assert [f"{path.name}:{line}" for path in files for line in read(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "source",
    [
        'def f(o): return "has total mass 1" in o.statement',
        'def f(o): return o.how.startswith("disproved")',
        "def f(shown): return shown.how[11:]",
        'def f(o): return o.statement == "L(L⁻¹(s)) = s"',
        "def f(o): return 1 if o.how else 2",
        "def f(o): return bool(o) and o.right",
        'def f(o): return re.search("x", o.statement)',
        "def f(densities): return bool(densities) or densities.title",
    ],
)
def test_a_planted_reader_is_found(source: str) -> None:
    assert list(read(source)) == [1]


def test_showing_a_text_is_allowed() -> None:
    assert list(read('def f(o): return f"{o.statement}: {o.argument}"')) == []
