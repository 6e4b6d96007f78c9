"""Lowering to numpy: float64 arrays, elementwise, no error bound."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from pldverify.errors import NotSupported
from pldverify.symbolic.lowering.program import Backend, compile_expression


def to_numpy(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., Any]:
    """A float64 function of ``symbols`` (in this order); arguments broadcast like numpy arrays.

    Raises NotSupported for an unknown node, InvalidInput for a free symbol that is not among ``symbols``.
    """
    names = [symbol.name for symbol in symbols]
    program = compile_expression(expression, names, NumpyBackend())

    def function(*values: Any) -> Any:
        arrays = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in values))
        with np.errstate(all="ignore"):
            result = program(dict(zip(names, arrays, strict=True)))
        return np.broadcast_to(result, arrays[0].shape).copy()[()] if arrays else np.float64(result)

    return function


class NumpyBackend(Backend):
    """float64 arrays; special functions come from scipy."""

    name = "to_numpy"

    def integer(self, value: int) -> Any:
        return np.float64(value)

    def rational(self, numerator: int, denominator: int) -> Any:
        return np.float64(numerator / denominator)

    def constant(self, name: str) -> Any:
        return np.float64({"pi": np.pi, "e": np.e, "inf": np.inf, "-inf": -np.inf}[name])

    def power(self, base: Any, exponent: Any) -> Any:
        return np.power(base, exponent)

    def integer_power(self, base: Any, exponent: int) -> Any:
        return np.power(base, np.float64(exponent))

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        from scipy import special

        if name in ("max", "min"):
            combine = np.maximum if name == "max" else np.minimum
            return combine.reduce(np.broadcast_arrays(*arguments))
        table = {
            "erf": special.erf,
            "erfc": special.erfc,
            "erfi": special.erfi,
            "atan": np.arctan,
            "ceiling": np.ceil,
            "gamma": special.gamma,
            "loggamma": special.gammaln,
            "factorial": special.factorial,
            "binomial": special.binom,
        }
        return (table[name] if name in table else getattr(np, name))(*arguments)

    def select(self, branches: Sequence[tuple[Any, str, Any, Callable[[], Any]]]) -> Any:
        relations = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
        conditions = [relations[relation](left, right) for left, relation, right, _ in branches]
        values = [value() for *_, value in branches]
        together = np.broadcast_arrays(*conditions, *values)
        half = len(branches)
        return np.select(list(together[:half]), list(together[half:]), default=np.nan)

    def as_integer(self, value: Any) -> int:
        numbers = np.unique(value)
        if numbers.size != 1 or numbers[0] != int(numbers[0]):
            raise NotSupported(f"{self.name}: a summation bound must be one integer, got {value}")
        return int(numbers[0])

    def theta(self, quadratic: Any, linear: Any, constant: Any) -> Any:
        centre = np.round(linear / (2 * quadratic))
        reach = int(np.ceil(np.max(np.sqrt(745 / quadratic)))) + 1
        places = (centre + j for j in range(-reach, reach + 1))
        return sum(np.exp(-quadratic * n**2 + linear * n + constant) for n in places)
