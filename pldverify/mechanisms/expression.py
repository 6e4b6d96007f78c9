"""Mechanism expressions: ``10_000 * poisson(gaussian(sigma=1), q=1/100) + 5 * laplace(b=2)``.

The text is tokenised and read by recursive descent; nothing is evaluated. A number means what it says, so
0.01 is 1/100 and never a double. Grammar:

    sum      = product { "+" product }                      at least one mechanism on each side of "+"
    product  = power { ("*" | "/") power }                  count * mechanism, or arithmetic of numbers
    power    = { "-" } atom [ "**" { "-" } atom ]           numbers only
    atom     = number | name "(" arguments ")" | "(" sum ")" | "[" sum { "," sum } "]" | reference
    reference = (file ".py:" name | module ":" name) [ "(" arguments ")" ]

A reference names what a Python file or module defines. Reading one means running that code, so only a caller
who hands over a loader has any read: the command line does, for the person who typed it.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import Parameter, signature
from typing import NoReturn

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism, as_composition
from pldverify.numbers.exact import MAX_BITS, brief, rational, show

Value = Fraction | float | Mechanism | Composition | tuple["Value", ...]
"""What a part of an expression denotes; the only floats are NaN and ±∞, for the constructors to refuse."""

MECHANISMS: dict[str, Callable[..., Mechanism]] = dict(sorted(Mechanism.expressions.items()))
"""What a name in an expression constructs; importing the package has defined all of them."""

_MAX_LENGTH = 100_000
_MAX_DEPTH = 50
REFERENCE = re.compile(r"[\w./\\~-]+\.py:[A-Za-z_]\w*|[A-Za-z_][\w.]*:[A-Za-z_]\w*")
"""The name of something in a Python file or module."""
_TOKEN = re.compile(
    rf"(?P<reference>{REFERENCE.pattern})"
    r"|(?P<number>(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<symbol>\*\*|[-+*/(),=\[\]])"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}


Load = Callable[[str, Mapping[str, Fraction]], Mechanism | Composition]
"""What a reference with these arguments denotes. Raises InvalidInput."""


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
        raise InvalidInput(f"expression must name one of {', '.join(MECHANISMS)}; got {text[:40]!r}")
    return as_composition(value)


class _Parser:
    """One pass over the tokens of one expression."""

    def __init__(self, text: str, load: Load | None) -> None:
        self.load = load
        self.tokens = [
            (str(match.lastgroup), match[0], match.start() + 1)
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "space"
        ]
        self.tokens.append(("end", "the end", len(text) + 1))
        self.index = 0
        self.depth = 0

    def fail(self, expected: str) -> NoReturn:
        kind, text, position = self.tokens[self.index]
        found = text if kind == "end" else repr(text[:40])
        raise InvalidInput(f"expression must have {expected} at character {position}, got {found}")

    def peek(self) -> str:
        kind, text, _ = self.tokens[self.index]
        return text if kind == "symbol" else ""

    def accept(self, symbol: str) -> bool:
        found = self.peek() == symbol
        self.index += found
        return found

    def expect(self, symbol: str) -> None:
        if not self.accept(symbol):
            self.fail(repr(symbol))

    def end(self) -> None:
        if self.tokens[self.index][0] != "end":
            self.fail("'+', '*' or the end")

    def sum(self) -> Value:
        values = [self.product()]
        while self.accept("+"):
            values.append(self.product())
        if len(values) == 1:
            return values[0]
        return Composition.of(*(part for value in values for part in _mechanisms(value).parts))

    def product(self) -> Value:
        value = self.power()
        while self.peek() in ("*", "/"):
            if self.accept("*"):
                factor = self.power()
                if isinstance(factor, Mechanism | Composition):
                    value = as_composition(factor).__rmul__(value)
                else:
                    value = _bounded(_number(value), _number(factor), "*")
            else:
                self.expect("/")
                value = _bounded(_number(value), _number(self.power()), "/")
        return value

    def power(self) -> Value:
        value = self.signed()
        return _bounded(_number(value), _number(self.signed()), "**") if self.accept("**") else value

    def signed(self) -> Value:
        negative = False
        signs = 0
        while self.accept("-"):
            negative, signs = not negative, signs + 1
        value = self.atom()
        if not signs:
            return value
        if isinstance(value, float):
            return -value
        return -_number(value) if negative else _number(value)

    def atom(self) -> Value:
        kind, text, _ = self.tokens[self.index]
        if kind == "number":
            self.index += 1
            return rational(text, "number")
        if kind == "name" and text.lower() in _NOT_FINITE:
            self.index += 1
            return _NOT_FINITE[text.lower()]
        if kind == "name":
            return self.call(text)
        if kind == "reference":
            return self.reference(text)
        if self.peek() not in ("(", "["):
            self.fail("a number or a mechanism")
        self.nest()
        if self.accept("("):
            value = self.sum()
            self.expect(")")
        else:
            self.expect("[")
            items = [self.sum()]
            while self.accept(","):
                items.append(self.sum())
            self.expect("]")
            value = tuple(items)
        self.depth -= 1
        return value

    def call(self, name: str) -> Value:
        if name not in MECHANISMS:
            raise InvalidInput(f"mechanism must be one of {', '.join(MECHANISMS)}; got {name[:40]!r}")
        self.index += 1
        return _construct(name, *self.arguments(name))

    def reference(self, text: str) -> Value:
        if self.load is None:
            raise InvalidInput(f"{text} must be read where code may be run: on the command line alone")
        self.index += 1
        positional, named = self.arguments(text) if self.peek() == "(" else ([], {})
        numbers = {name: _number(value) for name, value in named.items()}
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
            value = self.sum()
            if key:
                named[key] = value
            else:
                positional.append(value)
            if not self.accept(","):
                break
        self.expect(")")
        self.depth -= 1
        return positional, named

    def keyword(self) -> str:
        """The ``name`` of a ``name=`` that stands here, else the empty string."""
        kind, text, _ = self.tokens[self.index]
        if kind != "name" or self.tokens[self.index + 1][:2] != ("symbol", "="):
            return ""
        self.index += 2
        return text

    def nest(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise InvalidInput(f"expression must nest at most {_MAX_DEPTH} brackets, got more")


def _construct(name: str, positional: list[Value], named: dict[str, Value]) -> Mechanism:
    constructor = MECHANISMS[name]
    form = signature(constructor)
    try:
        form.bind(*positional, **named)
    except TypeError as error:
        arguments = ", ".join(
            key if parameter.default is Parameter.empty else f"{key}={parameter.default}"
            for key, parameter in form.parameters.items()
        )
        raise InvalidInput(f"{name} must be called as {name}({arguments}): {error}") from None
    return constructor(*positional, **named)


def _mechanisms(value: Value) -> Composition:
    if not isinstance(value, Mechanism | Composition):
        raise InvalidInput(f"expression must have a mechanism on both sides of '+', got {_text(value)}")
    return as_composition(value)


def _number(value: Value) -> Fraction:
    if not isinstance(value, Fraction):
        raise InvalidInput(f"expression must have numbers around '-', '/' and '**', got {_text(value)}")
    return value


def _bounded(left: Fraction, right: Fraction, operator: str) -> Fraction:
    """``left operator right``, refused before it grows beyond what any privacy parameter needs."""
    shown = f"{_text(left)} {operator} {_text(right)}"
    if operator == "*":
        result = left * right
    elif right == 0 and operator == "/":
        raise InvalidInput(f"expression must not divide by zero, got {shown}")
    elif operator == "/":
        result = left / right
    else:
        size = max(left.numerator.bit_length(), left.denominator.bit_length())
        if right.denominator != 1 or abs(right) * size > MAX_BITS or (left == 0 and right < 0):
            raise InvalidInput(f"expression must have a moderate integer as exponent, got {shown}")
        result = left ** int(right)
    return rational(result, "number")


def _text(value: Value) -> str:
    text = show(value) if isinstance(value, Fraction) else str(value)
    return text if len(text) <= 40 else text[:40] + "…"
