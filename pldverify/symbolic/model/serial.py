"""Derivations as JSON: expressions in sympy's ``srepr``, read back without ever becoming code.

Constructors of sympy evaluate strings. So arguments are built before they are handed on, only by what is
listed here, and each has the type that is expected: text stays in names of symbols and numbers, which are
checked and of a limited size. Fields of the data have the types that their classes say.
"""

import ast
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from re import ASCII, fullmatch
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import sympy as sp
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import Boolean

from pldverify.errors import InvalidInput
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece
from pldverify.symbolic.model.obligation import Kind, Obligation, State

SYMPY_RAISES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError, SyntaxError,
    SystemError, TypeError, ValueError,
)  # fmt: skip
"""What sympy may raise where it is asked for what it can not do, and Python of text that is none."""

LONGEST_TEXT = 2**20
"""Characters of an expression."""

LONGEST_NAME = 64
"""Characters of a symbol's name."""

_MOST_DIGITS = 4000
"""Digits of a number; Python reads no more than 4,300."""

_MOST_BITS = 2**16
"""Bits of a number that a constructor may compute."""

_LARGEST_COUNT = 2**12
"""Largest number of which a factorial is taken, or that is an exponent of a constant."""

_CONSTRUCTORS = (
    sp.Abs, sp.Add, sp.Mul, sp.Pow, sp.Tuple, sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan,
    sp.GreaterThan, sp.exp, sp.log, sp.erf, sp.erfc, sp.erfi, sp.floor, sp.ceiling, sp.sign, sp.Max, sp.Min,
    sp.sin, sp.cos, sp.tan, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.gamma, sp.loggamma, sp.factorial,
    sp.binomial,
)  # fmt: skip
_OF_EXPRESSIONS: dict[str, Any] = {constructor.__name__: constructor for constructor in _CONSTRUCTORS}
_NAMES: dict[str, Any] = {
    "pi": sp.pi,
    "E": sp.E,
    "oo": sp.oo,
    "nan": sp.nan,
    "true": sp.true,
    "false": sp.false,
}
_ASSUMPTIONS = {"real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer"}
_CLASSES: dict[str, Any] = {c.__name__: c for c in (Atom, Densities, Domain, Obligation, Piece, Region)}
_CLASSES["Derivation"] = Formulas


def read(text: str) -> sp.Basic:
    """The expression whose ``srepr`` is ``text``; only known constructors with known arguments are called.

    Raises InvalidInput for anything else.
    """
    try:
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"longer than {LONGEST_TEXT} characters")
        return _build(ast.parse(text, mode="eval").body)
    except SYMPY_RAISES as error:
        raise InvalidInput(
            f"expression must be an srepr of known functions, got {text[:60]!r}: {error}"
        ) from None


def is_name(text: object) -> bool:
    """Whether a symbol may have the name."""
    return isinstance(text, str) and text.isidentifier() and len(text) <= LONGEST_NAME


def _build(node: ast.expr) -> sp.Basic:
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
        return -_expression(_build(node.operand))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError(f"unexpected {type(node).__name__}")
    name = node.func.id
    if name == "Symbol":
        return _symbol(node)
    if node.keywords:
        raise ValueError(f"unexpected {node.keywords[0].arg}")
    if name in ("Integer", "Rational"):
        return sp.Rational(*map(_integer, node.args))
    arguments = [_build(argument) for argument in node.args]
    if name == "ExprCondPair":
        value, condition = arguments
        if not isinstance(condition, Boolean):
            raise ValueError(f"a condition must be one, got {condition}")
        return ExprCondPair(_expression(value), condition)
    if name == "Piecewise" and arguments and all(isinstance(pair, ExprCondPair) for pair in arguments):
        return sp.Piecewise(*arguments)
    if name == "Sum" and len(arguments) == 2 and isinstance(arguments[1], sp.Tuple):
        return sp.Sum(_expression(arguments[0]), arguments[1])
    if name not in _OF_EXPRESSIONS:
        raise ValueError(f"unexpected {name}")
    _refuse_what_explodes(name, [_expression(argument) for argument in arguments])
    return _OF_EXPRESSIONS[name](*arguments)


def _expression(value: sp.Basic) -> sp.Expr:
    if not isinstance(value, sp.Expr):
        raise ValueError(f"an argument must be an expression, got {value}")
    return value


def _symbol(node: ast.Call) -> sp.Symbol:
    """A name and assumptions that are true or false."""
    (name,) = [argument.value if isinstance(argument, ast.Constant) else None for argument in node.args]
    said = {str(k.arg): k.value.value if isinstance(k.value, ast.Constant) else None for k in node.keywords}
    if (
        not is_name(name)
        or not said.keys() <= _ASSUMPTIONS
        or not all(type(v) is bool for v in said.values())
    ):
        raise ValueError("a symbol must have a name, and assumptions that are known")
    return sp.Symbol(name, **said)


def _integer(node: ast.expr) -> int:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if not isinstance(node, ast.Constant) or type(node.value) is not int or node.value >= 10**_MOST_DIGITS:
        raise ValueError(f"a number must be an integer of at most {_MOST_DIGITS} digits")
    return sign * node.value


def _refuse_what_explodes(name: str, arguments: list[sp.Expr]) -> None:
    """Constructors evaluate constants: 9^(9^9), (9^9)!, ⌊e^(9^9)⌋, and e^(9^9 log 9), which is a power."""
    constant = not any(argument.free_symbols for argument in arguments)
    numbers = [abs(number) for argument in arguments for number in argument.atoms(sp.Rational)]
    largest = max(numbers, default=sp.Integer(0))
    if name == "Pow":
        base, power = arguments
        bits = max(
            int(n).bit_length() for r in (base.atoms(sp.Rational) or [sp.Integer(1)]) for n in (r.p, r.q)
        )
        refused = not base.free_symbols and isinstance(power, sp.Rational) and bits * abs(power) > _MOST_BITS
        refused = refused or (not power.free_symbols and power.has(sp.log) and largest > _LARGEST_COUNT)
    elif name in ("factorial", "gamma", "loggamma", "binomial"):
        refused = constant and largest > _LARGEST_COUNT
    elif name in ("floor", "ceiling"):
        refused = constant and not isinstance(arguments[0], sp.Rational)
    else:
        refused = name == "exp" and arguments[0].has(sp.log) and largest > _LARGEST_COUNT and constant
    if refused:
        raise ValueError(f"{name} of constants that are too large")


def dumps(formulas: Formulas) -> str:
    """The formulas as a JSON document."""
    return json.dumps(_encode(formulas), ensure_ascii=False, indent=1)


def loads(text: str) -> Formulas:
    """The formulas of :func:`dumps`. Raises InvalidInput if the text does not hold them."""
    try:
        result = _decode(json.loads(text))
    except SYMPY_RAISES as error:
        raise InvalidInput(f"text must be a derivation in JSON, got {text[:40]!r}: {error!r}") from None
    if not isinstance(result, Formulas):
        raise InvalidInput(f"text must be a derivation in JSON, got {type(result).__name__}")
    return result


def _encode(value: Any) -> Any:
    if isinstance(value, State):
        return {"state": value.value}
    if isinstance(value, Kind):
        return {"kind": value.name}
    if isinstance(value, sp.Basic):
        return {"srepr": sp.srepr(value), "text": str(value)}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if is_dataclass(value):
        content = {f.name: _encode(getattr(value, f.name)) for f in fields(value)}
        return {"class": "Derivation" if isinstance(value, Formulas) else type(value).__name__, **content}
    if isinstance(value, tuple | list):
        return {"tuple": [_encode(item) for item in value]}
    if isinstance(value, dict):
        return {"map": [[_encode(k), _encode(v)] for k, v in value.items()]}
    return value


def _decode(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "srepr" in value:
        return read(value["srepr"])
    if "fraction" in value:
        if not fullmatch(r"-?\d{1,4000}(/\d{1,4000})?", value["fraction"], flags=ASCII):
            raise ValueError("a fraction must be two integers")
        return Fraction(value["fraction"])
    if "tuple" in value:
        return tuple(_decode(item) for item in value["tuple"])
    if "map" in value:
        return {_decode(k): _decode(v) for k, v in value["map"]}
    if "class" in value:
        return _typed(_CLASSES[value["class"]], {k: _decode(v) for k, v in value.items() if k != "class"})
    return Kind[value["kind"]] if "kind" in value else State(value["state"])


def _typed(cls: Any, content: dict[str, Any]) -> Any:
    """The data, each field of the type that its class says."""
    for name, hint in _hints(cls).items():
        if name in content and not _is_a(content[name], hint):
            raise TypeError(f"{cls.__name__}.{name} must be {hint}")
    return cls(**content)


_hints = lru_cache(maxsize=16)(get_type_hints)


def _is_a(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_is_a(value, each) for each in inner)
    if origin is tuple:
        each = inner[:1] * len(value) if isinstance(value, tuple) and inner[-1] is Ellipsis else inner
        return isinstance(value, tuple) and len(value) == len(each) and all(map(_is_a, value, each))
    if origin is Mapping:
        pairs = value.items() if isinstance(value, dict) else [(None, None)]
        return all(_is_a(k, inner[0]) and _is_a(v, inner[1]) for k, v in pairs)
    return type(value) is hint if hint in (int, bool, str) else isinstance(value, hint)
