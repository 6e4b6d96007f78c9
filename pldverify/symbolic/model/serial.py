"""Derivations as JSON: expressions in sympy's ``srepr``, read back by a whitelist and never by ``eval``."""

import ast
import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece
from pldverify.symbolic.model.obligation import Kind, Obligation, State

_CALLS: dict[str, Any] = {
    name: getattr(sp, name)
    for name in [
        "Abs",
        "Add",
        "Mul",
        "Pow",
        "Integer",
        "Rational",
        "Symbol",
        "Tuple",
        "Sum",
        "Piecewise",
        "ExprCondPair",
        "StrictLessThan",
        "LessThan",
        "StrictGreaterThan",
        "GreaterThan",
        "exp",
        "log",
        "erf",
        "erfc",
        "erfi",
        "floor",
        "ceiling",
        "sign",
        "Max",
        "Min",
        "sin",
        "cos",
        "tan",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "gamma",
        "loggamma",
        "factorial",
        "binomial",
    ]
    if hasattr(sp, name)
}
_CALLS["ExprCondPair"] = sp.functions.elementary.piecewise.ExprCondPair
_NAMES: dict[str, Any] = {
    "pi": sp.pi,
    "E": sp.E,
    "oo": sp.oo,
    "nan": sp.nan,
    "true": sp.true,
    "false": sp.false,
}
_CLASSES: dict[str, Any] = {c.__name__: c for c in (Atom, Densities, Domain, Obligation, Piece, Region)}
_CLASSES["Derivation"] = Formulas


def read(text: str) -> sp.Basic:
    """The expression whose ``srepr`` is ``text``; only known constructors with known arguments are called.

    Raises InvalidInput for anything else.
    """
    try:
        return _build(ast.parse(text, mode="eval").body)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise InvalidInput(
            f"expression must be an srepr of known functions, got {text[:60]!r}: {error}"
        ) from None


def _build(node: ast.expr) -> Any:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        arguments = [_build(argument) for argument in node.args]
        named = {str(k.arg): _build(k.value) for k in node.keywords}
        return _CALLS[node.func.id](*arguments, **named)
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, int | str | bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_build(node.operand)
    raise ValueError(f"unexpected {ast.dump(node)[:60]}")


def dumps(formulas: Formulas) -> str:
    """The formulas as a JSON document."""
    return json.dumps(_encode(formulas), ensure_ascii=False, indent=1)


def loads(text: str) -> Formulas:
    """The formulas of :func:`dumps`. Raises InvalidInput if the text does not hold them."""
    try:
        result = _decode(json.loads(text))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
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
        return Fraction(value["fraction"])
    if "tuple" in value:
        return tuple(_decode(item) for item in value["tuple"])
    if "map" in value:
        return {_decode(k): _decode(v) for k, v in value["map"]}
    if "class" in value:
        content = {k: _decode(v) for k, v in value.items() if k != "class"}
        return _CLASSES[value["class"]](**content)
    return Kind[value["kind"]] if "kind" in value else State(value["state"])
