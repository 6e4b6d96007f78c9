"""A user's own densities as mpmath functions, read from sympy's ``srepr`` without sympy.

Only known functions of known arguments are taken; nothing is evaluated as Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from pldverify.errors import NotSupported
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.quadrature.arithmetic import Real
from pldverify.quadrature.pieces import Integers, Interval, Logs, Pair

Function = Callable[[Real], Real]
"""Of the outcome."""

_PLAIN = {
    *("exp", "log", "erf", "erfc", "erfi", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh"),
    *("gamma", "loggamma", "factorial", "binomial", "floor", "sign"),
}
"""Functions that mpmath calls by sympy's name."""
_OTHER = {"ceiling": "ceil", "Abs": "fabs"}


def user_pair(mp: Any, mechanism: DensityPair, moves: int) -> Pair:
    """The regions of the pair, under either relation. Raises NotSupported for functions unknown here."""
    pieces: list[Integers | Interval] = []
    for lower, upper, p, q in mechanism.regions:
        ends = [_function(mp, text, mechanism.symbol)(mp.mpf(0)) for text in (lower, upper)]
        logs = _logs(mp, _function(mp, p, mechanism.symbol), _function(mp, q, mechanism.symbol))
        make = _integers if mechanism.is_integer else _interval
        pieces.append(make(mp, ends[0], ends[1], logs))
    return tuple(pieces)


def _integers(mp: Any, lower: Real, upper: Real, logs: Logs) -> Integers:
    low = None if lower == mp.ninf else int(mp.ceil(lower))
    high = None if upper == mp.inf else int(mp.floor(upper))
    start = low if low is not None else high if high is not None else 0
    return Integers(low, high, logs, start)


def _interval(mp: Any, lower: Real, upper: Real, logs: Logs) -> Interval:
    centre = lower if lower != mp.ninf else upper if upper != mp.inf else mp.mpf(0)
    return Interval(lower, upper, logs, centre, mp.mpf(1))


def _logs(mp: Any, p: Function, q: Function) -> Logs:
    def log(value: Real) -> Real:
        return mp.log(mp.re(value)) if mp.re(value) > 0 else mp.ninf

    return lambda t: (log(p(t)), log(q(t)))


def _function(mp: Any, text: str, symbol: str) -> Function:
    """The function of ``symbol`` that an ``srepr`` denotes."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise NotSupported(f"the quadrature can't read the density {text[:60]!r}") from None
    return _read(mp, tree, symbol)


def _read(mp: Any, node: ast.expr, symbol: str) -> Function:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _read(mp, node.operand, symbol)
        return lambda t: -inner(t)
    if isinstance(node, ast.Name):
        return _constant(mp, node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _call(mp, node.func.id, node.args, symbol)
    raise NotSupported(f"the quadrature can't read {ast.unparse(node)[:60]!r} in a density")


def _constant(mp: Any, name: str) -> Function:
    values = {"pi": +mp.pi, "E": +mp.e, "oo": mp.inf}
    if name not in values:
        raise NotSupported(f"the quadrature does not know {name} in a density")
    return lambda t: values[name]


def _call(mp: Any, name: str, arguments: list[ast.expr], symbol: str) -> Function:
    if name == "Symbol":
        if ast.literal_eval(arguments[0]) != symbol:
            raise NotSupported(f"all symbols need numbers, got {ast.unparse(arguments[0])}")
        return lambda t: t
    if name in ("Integer", "Rational"):
        numbers = [mp.mpf(ast.literal_eval(argument)) for argument in arguments]
        value = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
        return lambda t: value
    parts = [_read(mp, argument, symbol) for argument in arguments]
    if name == "Add":
        return lambda t: mp.fsum(part(t) for part in parts)
    if name == "Mul":
        return lambda t: mp.fprod(part(t) for part in parts)
    if name == "Pow":
        return lambda t: mp.power(parts[0](t), parts[1](t))
    if name in ("Max", "Min"):
        choose = max if name == "Max" else min
        return lambda t: choose(part(t) for part in parts)
    if name == "exp":
        return lambda t: _exp(mp, parts[0](t))
    if name in _PLAIN or name in _OTHER:
        function = getattr(mp, _OTHER.get(name, name))
        return lambda t: function(*(part(t) for part in parts))
    raise NotSupported(f"the quadrature does not know {name} in a density")


def _exp(mp: Any, value: Real) -> Real:
    """e^value, 0 or +∞ where its exponent would not fit into memory."""
    if mp.isfinite(value) and abs(value) > mp.mpf(10) ** 100:
        return mp.inf if value > 0 else mp.mpf(0)
    return mp.exp(value)
