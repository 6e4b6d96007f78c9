r"""One tree walk for real and for complex balls; unknown nodes are refused.

An expression is compiled once into a list of steps, one for each distinct subexpression, so shared
subexpressions are evaluated once a call. Branches of a ``Piecewise`` are compiled apart and evaluated
only when they are chosen. A ``Sum`` has an integer range when it is evaluated, or is the theta series
:math:`\sum_{n\in\mathbb Z} e^{-\alpha n^2 + \beta n + \gamma}`, which has a name of its own in every backend.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import add, mul
from typing import Any, Protocol

import sympy as sp

from pldverify.errors import InvalidInput, NotSupported


class Backend(Protocol):
    """What a target must offer; values are of the target's own number type."""

    name: str

    def integer(self, value: int) -> Any: ...
    def rational(self, numerator: int, denominator: int) -> Any: ...
    def constant(self, name: str) -> Any: ...
    def power(self, base: Any, exponent: Any) -> Any: ...
    def integer_power(self, base: Any, exponent: int) -> Any: ...
    def function(self, name: str, arguments: Sequence[Any]) -> Any: ...
    def select(self, branches: Sequence[tuple[Any, str, Any, Callable[[], Any]]]) -> Any:
        """The branch of the first comparison ``left <relation> right`` that holds."""

    def as_integer(self, value: Any) -> int:
        """The integer that a summation bound is; raises NotSupported if it is none."""

    def theta(self, quadratic: Any, linear: Any, constant: Any) -> Any:
        """The series over all integers n of exp(−quadratic n² + linear n + constant)."""


_NODES = (
    sp.exp, sp.log, sp.erf, sp.erfc, sp.erfi, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.Max, sp.Min, sp.sin,
    sp.cos, sp.tan, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.gamma, sp.loggamma, sp.factorial, sp.binomial,
)  # fmt: skip
FUNCTIONS: Mapping[type, str] = {node: node.__name__.lower() for node in _NODES}
"""The nodes that every backend knows, besides sums, products, powers, Piecewise and Sum."""

_CONSTANTS = {sp.pi: "pi", sp.E: "e", sp.oo: "inf", sp.S.NegativeInfinity: "-inf"}
_RELATIONS = {
    sp.StrictLessThan: "<",
    sp.LessThan: "<=",
    sp.StrictGreaterThan: ">",
    sp.GreaterThan: ">=",
}

Environment = Mapping[str, Any]
Step = Callable[[list[Any], Environment], Any]


@dataclass(frozen=True)
class Program:
    """A compiled expression: call it with an environment {symbol name: value}."""

    steps: tuple[Step, ...]

    def __call__(self, environment: Environment) -> Any:
        values: list[Any] = []
        for step in self.steps:
            values.append(step(values, environment))
        return values[-1]


def compile_expression(expression: sp.Expr, names: Sequence[str], backend: Backend) -> Program:
    """Compile ``expression`` in the variables ``names`` for ``backend``.

    Raises NotSupported for a node that the backend does not know, InvalidInput for a free symbol that
    ``names`` does not list.
    """
    unknown = sorted(s.name for s in expression.free_symbols if s.name not in names)
    if unknown:
        raise InvalidInput(f"symbols must be among {', '.join(names) or 'none'}, got {', '.join(unknown)}")
    return _Compiler(tuple(names), backend).program(expression)


class _Compiler:
    def __init__(self, names: tuple[str, ...], backend: Backend) -> None:
        self.names, self.backend = names, backend
        self.steps: list[Step] = []
        self.places: dict[sp.Basic, int] = {}

    def program(self, expression: sp.Expr) -> Program:
        self.place(expression)
        return Program(tuple(self.steps))

    def apart(self, expression: sp.Expr, *more: str) -> Program:
        return _Compiler(self.names + more, self.backend).program(expression)

    def place(self, node: sp.Expr) -> int:
        if node not in self.places:
            step = self.step(node)
            self.steps.append(step)
            self.places[node] = len(self.steps) - 1
        return self.places[node]

    def step(self, node: sp.Expr) -> Step:
        backend = self.backend
        if isinstance(node, sp.Integer):
            number = int(node)
            return lambda values, env: backend.integer(number)
        if isinstance(node, sp.Rational):
            numerator, denominator = int(node.p), int(node.q)
            return lambda values, env: backend.rational(numerator, denominator)
        if node in _CONSTANTS:
            constant = _CONSTANTS[node]
            return lambda values, env: backend.constant(constant)
        if isinstance(node, sp.Symbol):
            name = str(node.name)
            return lambda values, env: env[name]
        if isinstance(node, sp.Piecewise):
            return self.piecewise(node)
        if isinstance(node, sp.Sum):
            return self.sum(node)
        if isinstance(node, sp.Pow) and isinstance(node.exp, sp.Integer):
            at, power = self.place(node.base), int(node.exp)
            return lambda values, env: backend.integer_power(values[at], power)
        if isinstance(node, sp.Add | sp.Mul | sp.Pow):
            places = [self.place(argument) for argument in node.args]
            if isinstance(node, sp.Add | sp.Mul):
                combine = add if isinstance(node, sp.Add) else mul
                return lambda values, env: reduce(combine, [values[i] for i in places])
            return lambda values, env: backend.power(values[places[0]], values[places[1]])
        if type(node) in FUNCTIONS:
            places = [self.place(argument) for argument in node.args]
            function = FUNCTIONS[type(node)]
            return lambda values, env: backend.function(function, [values[i] for i in places])
        raise NotSupported(f"{backend.name} does not know the node {type(node).__name__} in {node}")

    def piecewise(self, node: sp.Piecewise) -> Step:
        branches: list[tuple[Program, str, Program, Program]] = []
        for value, condition in node.args:
            if condition == sp.true:
                left: sp.Expr = sp.Integer(0)
                relation, right = "<=", sp.Integer(0)
            elif type(condition) in _RELATIONS:
                left, relation, right = condition.lhs, _RELATIONS[type(condition)], condition.rhs
            else:
                raise NotSupported(f"{self.backend.name} does not know the condition {condition}")
            branches.append((self.apart(left), relation, self.apart(right), self.apart(value)))
        select = self.backend.select
        return lambda values, env: select(
            [(a(env), relation, b(env), partial(value, env)) for a, relation, b, value in branches]
        )

    def sum(self, node: sp.Sum) -> Step:
        if len(node.limits) != 1:
            raise NotSupported(f"{self.backend.name} knows sums over one index only, got {node}")
        index, lower, upper = node.limits[0]
        if (lower, upper) == (-sp.oo, sp.oo):
            return self.series(node.function, index)
        low, high = self.apart(lower), self.apart(upper)
        term, backend = self.apart(node.function, index.name), self.backend

        def finite(values: list[Any], env: Environment) -> Any:
            first, last = backend.as_integer(low(env)), backend.as_integer(high(env))
            each = (term({**env, index.name: backend.integer(n)}) for n in range(first, last + 1))
            return reduce(add, each, backend.integer(0))

        return finite

    def series(self, term: sp.Expr, index: sp.Symbol) -> Step:
        factor, argument = sp.Integer(1), sp.Integer(0)
        for part in sp.Mul.make_args(term):
            if isinstance(part, sp.exp):
                argument += part.args[0]
            else:
                factor *= part
        powers = sp.Poly(sp.expand(argument), index) if argument.has(index) else None
        if factor.has(index) or powers is None or powers.degree() != 2:
            raise NotSupported(f"{self.backend.name} knows infinite sums of Gaussian terms only, got {term}")
        quadratic, linear, constant = (self.apart(c) for c in (-powers.nth(2), powers.nth(1), powers.nth(0)))
        scale, backend = self.apart(factor), self.backend
        return lambda values, env: scale(env) * backend.theta(quadratic(env), linear(env), constant(env))
