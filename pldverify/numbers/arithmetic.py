"""Numbers as people write them: ``256/60000``, ``1%``, ``1/(50000*ln(50000))``, ``sqrt(2)``, ``2^10``.

The text is tokenised and read by recursive descent; nothing is evaluated by Python. Grammar, with the
precedences of Python:

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "-" | "+" } power
    power   = atom [ ("**" | "^") signed ]
    atom    = number [ "%" ] | "pi" | ("sqrt" | "ln" | "log" | "exp") "(" sum ")" | "(" sum ")"

What is rational is exact. What is not is enclosed, see ``functions.py``. Logarithms are natural. Length,
nesting and the size of every intermediate result are bounded.
"""

import re
from collections.abc import Callable
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

from pldverify.errors import InvalidInput
from pldverify.numbers.functions import CONSTANTS, FUNCTIONS, Term, add, divide, multiply, power, settled
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.literal import MAX_LENGTH, bounded, literal, short

NUMBER = r"(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?"
_PLAIN = re.compile(rf"[-+]?(?:{NUMBER}|[0-9][0-9_]*/[0-9_]+)")
_GROUPS = re.compile(r"(?<![\w.,])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![\w,])")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]{1,20},[0-9]{1,20}")
_MAX_DEPTH = 50
"""Cap on the nesting of brackets and powers, far below Python's own limit on recursion."""


def evaluate(text: str, name: str) -> Fraction | Irrational:
    """The number that ``text`` denotes; the argument ``name`` is named where it denotes none.

    Raises InvalidInput, in time that the length of the text bounds.
    """
    if _PLAIN.fullmatch(text):
        return literal(text, name)
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"{name} must have at most {MAX_LENGTH} characters, got {len(text)}")
    try:
        reader = Arithmetic(text)
        value = reader.sum()
        reader.end()
        return settled(value, text, name)
    except InvalidInput as error:
        point = f"write {text.replace(',', '.')}" if _DECIMAL_COMMA.fullmatch(text) else error
        point = f"{point} or {without_groups(text)}" if _GROUPS.fullmatch(text) else point
        raise InvalidInput(
            f"{name} must be a decimal or a fraction such as 0.01, 1e-6 or 1/250, or made of such, "
            f"got {name}={short(text)!r}: {point}"
        ) from None


def without_groups(text: str) -> str:
    """``text`` without the commas of ``60,000``, where no comma separates arguments."""
    return _GROUPS.sub(lambda match: match[0].replace(",", ""), text)


def suggestion(name: str, known: list[str]) -> str:
    """`` (did you mean …?)`` for a name that is nearly one of the ``known``, else nothing."""
    near = get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


class Arithmetic:
    """One pass over the tokens of one text. A mechanism expression is read by what is derived from it."""

    tokens_of: ClassVar[re.Pattern[str]] = re.compile(
        rf"(?P<number>{NUMBER})"
        r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
        r"|(?P<symbol>\*\*|[-+*/^%()])"
        r"|(?P<space>\s+)"
        r"|(?P<other>.)",
        re.DOTALL,
    )
    atoms: ClassVar[str] = "a number"
    """What may stand where a number does."""
    following: ClassVar[str] = "an operator or the end"

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            (str(match.lastgroup), match[0], match.start() + 1)
            for match in self.tokens_of.finditer(text)
            if match.lastgroup != "space"
        ]
        self.tokens.append(("end", "the end", len(text) + 1))
        self.index = 0
        self.depth = 0

    def fail(self, expected: str) -> NoReturn:
        """Raises InvalidInput: what is expected here, and what stands here."""
        kind, text, position = self.tokens[self.index]
        found = text if kind == "end" else repr(text[:40])
        raise InvalidInput(f"expression must have {expected} at character {position}, got {found}")

    def since(self, start: int) -> str:
        """The text from a token up to here."""
        last = self.tokens[self.index - 1]
        return self.text[self.tokens[start][2] - 1 : last[2] - 1 + len(last[1])]

    def peek(self) -> str:
        """The symbol that stands here, else the empty string."""
        kind, text, _ = self.tokens[self.index]
        return text if kind == "symbol" else ""

    def accept(self, *symbols: str) -> bool:
        """Whether one of the symbols stands here; it is passed."""
        found = self.peek() in symbols
        self.index += found
        return found

    def expect(self, symbol: str) -> None:
        if not self.accept(symbol):
            self.fail(repr(symbol))

    def end(self) -> None:
        if self.tokens[self.index][0] != "end":
            self.fail(self.following)

    def nest(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise InvalidInput(f"expression must nest at most {_MAX_DEPTH} brackets and powers, got more")

    def sum(self) -> Any:
        start = self.index
        return self.rest_of_sum(start, self.product())

    def rest_of_sum(self, start: int, value: Any) -> Any:
        """What follows the first term of a sum."""
        while (sign := self.peek()) in ("+", "-"):
            self.index += 1
            term = self.product()
            value = self.apply(add, start, value, term if sign == "+" else self.negative(term))
        return value

    def product(self) -> Any:
        start, value = self.index, self.signed()
        while self.peek() in ("*", "/"):
            if self.accept("*"):
                value = self.times(start, value, self.signed())
            else:
                self.expect("/")
                value = self.apply(divide, start, value, self.signed())
        return value

    def times(self, start: int, left: Any, right: Any) -> Any:
        return self.apply(multiply, start, left, right)

    def signed(self) -> Any:
        signs = []
        while (sign := self.peek()) in ("+", "-"):
            self.index += 1
            signs.append(sign)
        value = self.power()
        if not signs:
            return value
        return self.negative(value) if signs.count("-") % 2 else self.number(value)

    def negative(self, value: Any) -> Any:
        return multiply(Fraction(-1), self.number(value))

    def power(self) -> Any:
        start, value = self.index, self.atom()
        if self.accept("**", "^"):
            self.nest()
            value = self.apply(power, start, value, self.signed())
            self.depth -= 1
        return value

    def atom(self) -> Any:
        kind, text, _ = self.tokens[self.index]
        if kind == "number":
            self.index += 1
            value = literal(text, "number")
            return value / 100 if self.accept("%") else value
        if kind == "name":
            return self.named(text)
        if self.peek() != "(":
            self.fail(self.atoms)
        return self.bracket()

    def bracket(self) -> Any:
        """( sum )"""
        self.nest()
        self.expect("(")
        value = self.sum()
        self.expect(")")
        self.depth -= 1
        return value

    def named(self, name: str) -> Any:
        """A constant, or a function of one number."""
        start = self.index
        if name in CONSTANTS:
            self.index += 1
            return CONSTANTS[name]()
        if name not in FUNCTIONS:
            self.unknown(name)
        self.index += 1
        return self.apply(FUNCTIONS[name], start, self.bracket())

    def unknown(self, name: str) -> NoReturn:
        known = [*FUNCTIONS, *CONSTANTS]
        self.fail(f"a number, or one of {', '.join(known)}{suggestion(name, known)}")

    def number(self, value: Any) -> Term:
        """``value``, which is one. Raises InvalidInput."""
        term: Term = value
        return term

    def apply(self, function: Callable[..., Term], start: int, *values: Any) -> Term:
        """A function of numbers, bounded. Raises InvalidInput with the text that denotes it."""
        terms = [self.number(value) for value in values]
        try:
            result = function(*terms)
        except InvalidInput as error:
            raise InvalidInput(f"expression must {error}, got {short(self.since(start))}") from None
        return bounded(result, "number") if isinstance(result, Fraction) else result
