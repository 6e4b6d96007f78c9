"""Mechanism expressions: ``10_000 * poisson(gaussian(sigma=1), q=1/100) + 5 * laplace(b=2)``.

The text is tokenised and read by recursive descent; nothing is evaluated. A number means what it says, so
0.01 is 1/100 and never a double. Grammar, beyond that of numbers (``numbers/arithmetic.py``):

    sum      = product { ("+" | "-") product }      mechanisms or numbers; of mechanisms "+" only
    product  = signed { ("*" | "/") signed }        count * mechanism, mechanism * count, or numbers
    atom     = … | name "(" arguments ")" | "[" sum { "," sum } "]" | "True" | "False" | reference
    reference = (file ".py:" name | module ":" name) [ "(" arguments ")" ]

A reference names what a Python file or module defines. Reading one means running that code, so only a caller
who hands over a loader has any read: the command line does, for the person who typed it.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, NoReturn

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_zcdp import approximate_zcdp
from pldverify.mechanisms.banded_matrix import banded_matrix
from pldverify.mechanisms.discrete_gaussians import discrete_gaussians
from pldverify.mechanisms.group import group
from pldverify.mechanisms.matrix_mechanism import matrix_mechanism, tree_aggregation
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.mechanisms.rappor import rappor
from pldverify.mechanisms.subset_selection import subset_selection
from pldverify.mechanisms.truncated_geometric import truncated_geometric
from pldverify.numbers.arithmetic import NUMBER, Arithmetic, suggestion
from pldverify.numbers.exact import brief, show
from pldverify.numbers.functions import CONSTANTS, FUNCTIONS, Term, settled
from pldverify.numbers.irrational import Irrational

Value = Fraction | Irrational | float | bool | Mechanism | Composition | tuple["Value", ...]
"""What an argument denotes; the only floats are NaN and ±∞, for the constructors to refuse."""

MECHANISMS: dict[str, type[Mechanism]] = Mechanism.expressions
"""What a name in an expression constructs; importing ``pldverify.mechanisms`` has defined all of them."""

CONSTRUCTORS: dict[str, Callable[..., Mechanism | Composition]] = {
    "approximate_zcdp": approximate_zcdp,
    "banded_matrix": banded_matrix,
    "discrete_gaussians": discrete_gaussians,
    "group": group,
    "matrix_mechanism": matrix_mechanism,
    "rappor": rappor,
    "subset_selection": subset_selection,
    "tree_aggregation": tree_aggregation,
    "truncated_geometric": truncated_geometric,
}
"""Other names: what each returns is printed in the names of mechanisms."""

_MAX_LENGTH = 100_000
"""Cap on the characters of an expression: bounds the work of the parser."""
REFERENCE = re.compile(r"(?<![\w./\\~-])[\w./\\~-]+\.py:[A-Za-z_]\w*|(?<![\w.])[A-Za-z_][\w.]*:[A-Za-z_]\w*")
"""The name of something in a Python file or module. It begins where nothing of a name stands before: what is
no name is scanned once, not from each of its characters."""
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}
_TRUTH = {"True": True, "False": False}

Load = Callable[[str, Mapping[str, Fraction | Irrational]], Mechanism | Composition]
"""What a reference with these arguments denotes. Raises InvalidInput."""


def names() -> list[str]:
    """The names of all mechanisms and constructors, in order."""
    return sorted([*MECHANISMS, *CONSTRUCTORS])


def parse(text: str, load: Load | None = None) -> Composition:
    """The composition that ``text`` denotes; ``parse(str(composition)) == composition``.

    ``load`` reads references to users' files and modules; without it there are none.
    Raises InvalidInput with one line that says what is wrong, where, and what is allowed.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"expression must be a string, got {brief(text)}")
    if len(text) > _MAX_LENGTH:
        raise InvalidInput(f"expression must have at most {_MAX_LENGTH} characters, got {len(text)}")
    parser = _Parser(text, load)
    value = parser.sum()
    parser.end()
    if not isinstance(value, Mechanism | Composition):
        raise InvalidInput(f"expression must name one of {', '.join(names())}; got {text[:40]!r}")
    return composed(value)


class _Parser(Arithmetic):
    """One pass over the tokens of one expression."""

    tokens_of = re.compile(
        rf"(?P<reference>{REFERENCE.pattern})"
        rf"|(?P<number>{NUMBER})"
        r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
        r"|(?P<symbol>\*\*|[-+*/^%(),=\[\]])"
        r"|(?P<space>\s+)"
        r"|(?P<other>.)",
        re.DOTALL,
    )
    atoms = "a number or a mechanism"
    following = "'+', '*' or the end"

    def __init__(self, text: str, load: Load | None) -> None:
        super().__init__(text)
        self.load = load

    def sum(self) -> Any:
        """Of mechanisms all at once, in linear time."""
        start, first = self.index, self.product()
        if not isinstance(first, Mechanism | Composition):
            return self.rest_of_sum(start, first)
        values = [first]
        while self.accept("+"):
            value = self.product()
            if not isinstance(value, Mechanism | Composition):
                raise InvalidInput(
                    f"expression must have a mechanism on both sides of '+', got {_text(value)}"
                )
            values.append(value)
        if len(values) == 1:
            return first
        return Composition.together([composed(value) for value in values])

    def times(self, start: int, left: Any, right: Any) -> Any:
        if isinstance(left, Mechanism | Composition) and isinstance(right, Fraction):
            left, right = right, left
        if isinstance(right, Mechanism | Composition):
            return composed(right).__rmul__(self.settle(left, start))
        return super().times(start, left, right)

    def negative(self, value: Any) -> Any:
        return -value if isinstance(value, float) else super().negative(value)

    def atom(self) -> Any:
        kind, text, _ = self.tokens[self.index]
        if kind == "reference":
            return self.reference(text)
        if self.peek() != "[":
            return super().atom()
        self.nest()
        self.expect("[")
        items = [self.argument()]
        while self.accept(","):
            items.append(self.argument())
        self.expect("]")
        self.depth -= 1
        return tuple(items)

    def named(self, name: str) -> Any:
        if name.lower() in _NOT_FINITE:
            self.index += 1
            return _NOT_FINITE[name.lower()]
        if name in _TRUTH:
            self.index += 1
            return _TRUTH[name]
        if name not in MECHANISMS and name not in CONSTRUCTORS:
            return super().named(name)
        self.index += 1
        return _construct(name, *self.arguments(name))

    def unknown(self, name: str) -> NoReturn:
        near = suggestion(name, [*names(), *FUNCTIONS, *CONSTANTS])
        raise InvalidInput(
            f"got mechanism={name[:40]!r}{near}: mechanism must be one of {', '.join(names())}"
        )

    def reference(self, text: str) -> Any:
        if self.load is None:
            raise InvalidInput(f"{text} must be read where code may be run: on the command line alone")
        self.index += 1
        positional, named = self.arguments(text) if self.peek() == "(" else ([], {})
        numbers: dict[str, Fraction | Irrational] = {}
        for name, value in named.items():
            if not isinstance(value, Fraction | Irrational):
                raise InvalidInput(f"{text} must have numbers as arguments, got {name}={_text(value)}")
            numbers[name] = value
        if positional:
            raise InvalidInput(f"{text} must have named arguments only, such as {text}(sigma=2)")
        return self.load(text, numbers)

    def arguments(self, name: str) -> tuple[list[Value], dict[str, Value]]:
        """What stands between the brackets that open here, by position and by name."""
        self.nest()
        self.expect("(")
        positional: list[Value] = []
        named: dict[str, Value] = {}
        while self.peek() != ")":
            key = self.keyword()
            if key in named or (named and not key):
                self.fail(f"each argument of {name} once, the named ones last,")
            if key:
                named[key] = self.argument()
            else:
                positional.append(self.argument())
            if not self.accept(","):
                break
        self.expect(")")
        self.depth -= 1
        return positional, named

    def argument(self) -> Value:
        start = self.index
        return self.settle(self.sum(), start)

    def settle(self, value: Any, start: int) -> Value:
        """A number that is not rational with the text that denotes it."""
        if isinstance(value, Fraction | float | bool | Mechanism | Composition | tuple):
            return value
        return settled(value, self.since(start), "number")

    def keyword(self) -> str:
        """The ``name`` of a ``name=`` that stands here, else the empty string."""
        kind, text, _ = self.tokens[self.index]
        if kind != "name" or self.tokens[self.index + 1][:2] != ("symbol", "="):
            return ""
        self.index += 2
        return text

    def number(self, value: Any) -> Term:
        if isinstance(value, float | bool | Mechanism | Composition | tuple):
            raise InvalidInput(
                f"expression must have numbers around '-', '*', '/' and '^', got {_text(value)}"
            )
        return super().number(value)


def _construct(name: str, positional: list[Value], named: dict[str, Value]) -> Mechanism | Composition:
    constructor: Callable[..., Mechanism | Composition] = MECHANISMS.get(name) or CONSTRUCTORS[name]
    form = signature(constructor)
    try:
        form.bind(*positional, **named)
    except TypeError as error:
        arguments = ", ".join(
            key if parameter.default in (Parameter.empty, None) else f"{key}={parameter.default}"
            for key, parameter in form.parameters.items()
            if parameter.kind is not Parameter.KEYWORD_ONLY  # another name of one of these
        )
        strange = [key for key in named if key not in form.parameters]
        why = (
            f"it has no argument {brief(strange[0])}{suggestion(strange[0], list(form.parameters))}"
            if strange
            else str(error)
        )
        raise InvalidInput(f"{name} must be called as {name}({arguments}): {why}") from None
    return constructor(*positional, **named)


def _text(value: object) -> str:
    text = show(value) if isinstance(value, Fraction) else str(value)
    return text if len(text) <= 40 else text[:40] + "…"
