"""Lowering to mpmath: arbitrary precision, no error bound; the values are estimates."""

from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import sympy as sp

from pldverify.errors import NotSupported
from pldverify.symbolic.lowering.program import Backend, compile_expression


def to_mpmath(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., Any]:
    """A function of ``symbols`` (in this order) at mpmath's working precision.

    Arguments may be anything that ``mpmath.mpmathify`` takes. Raises NotSupported for an unknown node,
    InvalidInput for a free symbol that is not among ``symbols``.
    """
    names = [symbol.name for symbol in symbols]
    program = compile_expression(expression, names, MpmathBackend())
    return lambda *values: program({n: mpmath.mpmathify(v) for n, v in zip(names, values, strict=True)})


class MpmathBackend(Backend):
    """mpmath numbers."""

    name = "to_mpmath"

    def integer(self, value: int) -> Any:
        return mpmath.mpf(value)

    def rational(self, numerator: int, denominator: int) -> Any:
        return mpmath.mpf(numerator) / denominator

    def constant(self, name: str) -> Any:
        return {"pi": +mpmath.pi, "e": +mpmath.e, "inf": mpmath.inf, "-inf": mpmath.ninf}[name]

    def add(self, terms: Sequence[Any]) -> Any:
        return mpmath.fsum(terms)

    def multiply(self, factors: Sequence[Any]) -> Any:
        return mpmath.fprod(factors)

    def power(self, base: Any, exponent: Any) -> Any:
        return mpmath.power(base, exponent)

    def integer_power(self, base: Any, exponent: int) -> Any:
        return base**exponent

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        table = {"abs": mpmath.fabs, "ceiling": mpmath.ceil, "max": max, "min": min}
        return (table[name] if name in table else getattr(mpmath, name))(*arguments)

    def select(self, branches: Sequence[tuple[Any, str, Any, Callable[[], Any]]]) -> Any:
        for left, relation, right, value in branches:
            if {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[relation]:
                return value()
        return mpmath.nan

    def as_integer(self, value: Any) -> int:
        if value != int(value):
            raise NotSupported(f"{self.name}: a summation bound must be an integer, got {value}")
        return int(value)

    def theta(self, quadratic: Any, linear: Any, constant: Any) -> Any:
        return mpmath.exp(constant) * mpmath.jtheta(3, linear / 2j, mpmath.exp(-quadratic)).real
