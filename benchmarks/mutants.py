"""Mutants of a module: its source with one small error planted, by operators on the syntax tree.

An operator takes a node and gives the nodes that may stand in its place. Docstrings, messages, annotations,
decorators and format strings are left alone. A mutant keeps the text of the module but for the node itself,
so that line numbers hold.
"""

import ast
import copy
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_FLIPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ROUNDED = {"upper": "lower", "lower": "upper", "floor": "ceil", "ceil": "floor"}
_WAYS = {"up": "down", "down": "up"}
_EXTREMES = {"min": "max", "max": "min"}
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?$")


@dataclass(frozen=True)
class Mutant:
    """One planted error: where, what stood there and what stands there now.

    Attributes:
        line: the text of the source line where the node begins, stripped.
        lines: the lines of the node, and those of its statement.
        function: the dotted name of the function or class around it.
        top_level: whether it runs when the module is imported, and never again.
        count: which one of several that read the same in one file.
        span: first line, first byte, last line and last byte of what ``text`` replaces.
    """

    path: str
    operator: str
    at: int
    line: str
    before: str
    after: str
    lines: tuple[int, int]
    statement: tuple[int, int]
    function: str
    top_level: bool
    count: int
    span: tuple[int, int, int, int]
    text: str

    def applied(self, source: str) -> str:
        """The mutated module, with as many lines as before."""
        lines = source.splitlines(keepends=True)
        first, start, last, end = self.span
        head, tail = lines[first - 1].encode()[:start].decode(), lines[last - 1].encode()[end:].decode()
        gap = "\n" * (last - first)
        text = self.text[:-1] + gap + ")" if self.text.endswith(")") else self.text + gap
        return "".join([*lines[: first - 1], head, text, tail, *lines[last:]])

    def mutated_line(self, source: str) -> str:
        """What :attr:`line` has become."""
        return self.applied(source).splitlines()[self.at - 1].strip()

    @property
    def mutation(self) -> str:
        return f"{self.before} → {self.after}"

    @property
    def name(self) -> str:
        """The same for the same error, wherever it moves within its file."""
        text = "\n".join((self.path, self.function, self.line, self.operator, self.mutation, str(self.count)))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# the operators


def comparison(node: ast.AST) -> Iterator[ast.AST]:
    """< ↔ <=, > ↔ >=, < ↔ >, == ↔ !=, is ↔ is not."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for flipped in _FLIPS.get(type(operator), ()):
                yield _with(node, ops=[*node.ops[:at], flipped(), *node.ops[at + 1 :]])


def sign(node: ast.AST) -> Iterator[ast.AST]:
    """+ ↔ −, also in place; a minus dropped."""
    yield from _swapped(node, {ast.Add: ast.Sub, ast.Sub: ast.Add})
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand


def factor(node: ast.AST) -> Iterator[ast.AST]:
    """* ↔ /."""
    yield from _swapped(node, {ast.Mult: ast.Div, ast.Div: ast.Mult})


def constant(node: ast.AST) -> Iterator[ast.AST]:
    """n → n ± 1; a float by an eighth; the last digit of a decimal that is made a number."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Constant) and type(node.value) is float:
        yield ast.Constant(node.value * 1.125 if node.value else 1.0)
        yield ast.Constant(node.value * 0.875)
    elif isinstance(node, ast.Call) and _name(node.func) in ("arb", "Fraction", "Decimal", "fmpq"):
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                for text in _neighbours(argument.value):
                    changed = [*node.args[:at], ast.Constant(text), *node.args[at + 1 :]]
                    yield _with(node, args=changed)


def rounding(node: ast.AST) -> Iterator[ast.AST]:
    """upper ↔ lower, floor ↔ ceil, "up" ↔ "down"."""
    if isinstance(node, ast.Call):
        yield from _renamed(node, _ROUNDED)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in _WAYS:
        yield ast.Constant(_WAYS[node.value])


def extreme(node: ast.AST) -> Iterator[ast.AST]:
    """min ↔ max, called or handed on."""
    if isinstance(node, ast.Call):
        yield from _renamed(node, _EXTREMES)
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Name) and argument.id in _EXTREMES:
                changed = [*node.args[:at], ast.Name(_EXTREMES[argument.id]), *node.args[at + 1 :]]
                yield _with(node, args=changed)


def dropped(node: ast.AST) -> Iterator[ast.AST]:
    """a + b and a · b → a or b; a − b and a / b → a; a += b → nothing."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        yield node.left
        if isinstance(node.op, ast.Add | ast.Mult):
            yield node.right
    if isinstance(node, ast.AugAssign):
        yield ast.Pass()


def logic(node: ast.AST) -> Iterator[ast.AST]:
    """not dropped; and ↔ or; one side of them dropped."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for at in range(len(node.values)):
            rest = [*node.values[:at], *node.values[at + 1 :]]
            yield rest[0] if len(rest) == 1 else _with(node, values=rest)


def guard(node: ast.AST) -> Iterator[ast.AST]:
    """A condition whose only effect is to raise, or to return a bound that holds always, never holds."""
    if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and _gives_up(node.body[0]):
        yield _with(node, test=ast.Constant(False))
    if isinstance(node, ast.Raise):
        yield ast.Pass()


OPERATORS: dict[str, Callable[[ast.AST], Iterator[ast.AST]]] = {
    operator.__name__: operator
    for operator in (comparison, sign, factor, constant, rounding, extreme, dropped, logic, guard)
}


def _with(node: ast.AST, **changes: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in changes.items():
        setattr(other, name, value)
    return other


def _swapped(node: ast.AST, swaps: dict[type[ast.operator], type[ast.operator]]) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in swaps:
        yield _with(node, op=swaps[type(node.op)]())


def _renamed(node: ast.Call, names: dict[str, str]) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Attribute) and node.func.attr in names:
        yield _with(node, func=_with(node.func, attr=names[node.func.attr]))
    elif isinstance(node.func, ast.Name) and node.func.id in names:
        yield _with(node, func=ast.Name(names[node.func.id]))


def _name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _neighbours(text: str) -> Iterator[str]:
    """The decimal with its last digit one more and one less."""
    if _NUMBER.match(text):
        mantissa, letter, exponent = text.partition("e")
        digits = len(mantissa.partition(".")[2])
        for step in (1, -1):
            value = int(mantissa.replace(".", "")) + step
            shifted = f"{'-' * (value < 0)}{abs(value):0{digits + 1}d}"
            whole = f"{shifted[:-digits]}.{shifted[-digits:]}" if digits else shifted
            yield whole + letter + exponent


def _gives_up(node: ast.stmt) -> bool:
    """Whether a statement raises, or returns None or an infinity."""
    if isinstance(node, ast.Return):
        return node.value is None or ast.unparse(node.value).endswith(("None", "inf", "inf()", "arb.nan()"))
    return isinstance(node, ast.Raise)


# the sites


def mutants(source: str, path: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    lines, seen = source.splitlines(), dict[tuple[str, ...], int]()
    for node, statement, function, top_level in sites(ast.parse(source)):
        for operator, change in OPERATORS.items():
            for changed in change(node):
                before, after = _shown(node), _shown(changed)
                if before == after:
                    continue
                at = node.lineno  # type: ignore[attr-defined]
                key = function, lines[at - 1].strip(), operator, before, after
                seen[key] = seen.get(key, 0) + 1
                yield Mutant(
                    path=path,
                    operator=operator,
                    at=at,
                    line=lines[at - 1].strip(),
                    before=before,
                    after=after,
                    lines=_span(node),
                    statement=_span(statement),
                    function=function,
                    top_level=top_level,
                    count=seen[key],
                    span=_place(node),
                    text=_text(changed),
                )


class Site(NamedTuple):
    """A node that may be mutated, its statement, the function or class around both, and whether it runs on
    import alone."""

    node: ast.AST
    statement: ast.stmt
    function: str
    top_level: bool


def sites(
    node: ast.AST, statement: ast.stmt | None = None, function: str = "", top_level: bool = True
) -> Iterator[Site]:
    """Every site below a node."""
    if isinstance(node, ast.stmt):
        statement = node
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}".lstrip(".")
    elif statement is not None:
        yield Site(node, statement, function, top_level)
    inside = top_level and not isinstance(node, ast.FunctionDef)
    for child in _children(node):  # arguments: defaults are evaluated where the function is defined
        yield from sites(
            child, statement, function, top_level if isinstance(child, ast.arguments) else inside
        )


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node and means something when the program runs."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    hidden = {"decorator_list", "annotation", "returns", "type_params", "ctx"}
    if isinstance(node, ast.ClassDef):
        hidden |= {"bases", "keywords"}
    for name, value in ast.iter_fields(node):
        if name not in hidden:
            children = value if isinstance(value, list) else [value]
            yield from (child for child in children if isinstance(child, ast.AST))


def _place(node: ast.AST) -> tuple[int, int, int, int]:
    """What is replaced: the node, of a guard its condition."""
    node = node.test if isinstance(node, ast.If) else node
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _text(changed: ast.AST) -> str:
    """What is put there: expressions in brackets, as precedence may ask for them."""
    changed = changed.test if isinstance(changed, ast.If) else changed
    return ast.unparse(changed) if isinstance(changed, ast.stmt) else f"({ast.unparse(changed)})"


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}"
    return ast.unparse(node)


def _span(node: ast.AST) -> tuple[int, int]:
    """First and last line; of a compound statement those of its head."""
    first = node.lineno  # type: ignore[attr-defined]
    if isinstance(node, ast.If | ast.While):
        return first, node.test.end_lineno or first
    if isinstance(node, ast.For):
        return first, node.iter.end_lineno or first
    if isinstance(node, ast.With):
        return first, node.items[-1].context_expr.end_lineno or first
    if isinstance(node, ast.Try):
        return first, first
    return first, node.end_lineno or first  # type: ignore[attr-defined]
