r"""Lowering to balls: every value encloses the exact value of the expression, or is not finite.

``to_arb`` is for real arguments, ``to_acb`` for integrands of ``acb.integral``: with ``analytic=True`` a
node returns a non-finite ball wherever it is not holomorphic on its argument (logarithms and powers on
their cuts, absolute values and maxima where they kink, comparisons that are not constant).
Unknown nodes are refused: a node without an enclosure must not look like one.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, cast

import sympy as sp

from pldverify.balls import acb, arb, fmpq, fmpz
from pldverify.balls.ball import ball
from pldverify.balls.compare import at_most, less, surely_less
from pldverify.errors import NotSupported
from pldverify.symbolic.lowering.program import Backend, compile_expression


def to_arb(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., arb]:
    """A function of ``symbols`` (in this order) that takes ints, Fractions or arb and returns a ball.

    Works at flint's current precision ``flint.ctx.prec``. A value outside a node's domain (a logarithm
    of a ball that touches 0) gives a non-finite ball. Raises NotSupported for an unknown node,
    InvalidInput for a free symbol that is not among ``symbols`` or a value that is no exact number.
    """
    names = [symbol.name for symbol in symbols]
    program = compile_expression(expression, names, ArbBackend())
    return lambda *values: program({n: ball(v) for n, v in zip(names, values, strict=True)})


def to_acb(expression: sp.Expr, symbol: sp.Symbol) -> Callable[[acb, bool], acb]:
    """An integrand ``f(z, analytic)`` for ``acb.integral`` over ``symbol``. Raises as :func:`to_arb`."""
    backend = AcbBackend()
    program = compile_expression(expression, [symbol.name], backend)

    def integrand(z: acb, analytic: bool) -> acb:
        backend.analytic = bool(analytic)
        return cast(acb, program({symbol.name: z}))

    return integrand


def _hull(values: Sequence[arb]) -> arb:
    return reduce(arb.union, values)


def _decide(left: arb, relation: str, right: arb) -> bool | None:
    """True or False if the comparison holds or fails for all members of the balls, else None."""
    ordered = (right, left) if relation in (">", ">=") else (left, right)
    return (at_most if relation in ("<=", ">=") else less)(*ordered)


class ArbBackend(Backend):
    """Real balls."""

    name = "to_arb"

    def integer(self, value: int) -> arb:
        return arb(fmpz(value))

    def rational(self, numerator: int, denominator: int) -> arb:
        return arb(fmpq(numerator, denominator))

    def constant(self, name: str) -> arb:
        makers = {"pi": arb.pi, "e": arb.const_e, "inf": arb.pos_inf, "-inf": arb.neg_inf}
        return makers[name]()

    def integer_power(self, base: arb, exponent: int) -> arb:
        return base ** fmpz(exponent)

    def power(self, base: arb, exponent: arb) -> arb:
        if exponent == arb(1) / 2:
            return base.sqrt()
        return (exponent * base.log()).exp() if surely_less(0, base) else base**exponent

    def function(self, name: str, arguments: Sequence[arb]) -> arb:
        first = arguments[0]
        if name == "abs":
            return abs(first)
        if name == "sign":
            return first.sgn()
        if name in ("max", "min"):
            return reduce(arb.max if name == "max" else arb.min, arguments)
        if name == "binomial":
            return _binomial(first, arguments[1])
        if name == "loggamma":
            return first.lgamma()
        if name == "factorial":
            return (first + 1).gamma()
        return cast(arb, getattr(first, "ceil" if name == "ceiling" else name)())

    def select(self, branches: Sequence[tuple[Any, str, Any, Callable[[], Any]]]) -> arb:
        possible: list[arb] = []
        for left, relation, right, value in branches:
            decided = _decide(left, relation, right)
            if decided is not False:
                possible.append(value())
            if decided is True:
                return _hull(possible)
        return arb.nan()

    def as_integer(self, value: arb) -> int:
        number = value.unique_fmpz()
        if number is None or not value.is_exact():
            raise NotSupported(f"{self.name}: a summation bound must be an integer, got {value}")
        return int(number)

    def theta(self, quadratic: arb, linear: arb, constant: arb) -> arb:
        if not surely_less(0, quadratic):
            return arb.nan()
        pi = acb(arb.pi())
        tau = acb(0, 1) * quadratic / pi
        value: acb = acb.modular_theta(linear / (acb(0, 2) * pi), tau)[2]
        return value.real * constant.exp()


def _binomial(top: arb, bottom: arb) -> arb:
    """Γ(n+1) / (Γ(k+1) Γ(n−k+1)); the falling product where k is a small exact integer."""
    k = bottom.unique_fmpz() if bottom.is_exact() else None
    if k is not None and 0 <= k <= 1000:
        product = arb(1)
        for j in range(int(k)):
            product = product * (top - j) / (j + 1)
        return product
    return (top + 1).gamma() * (bottom + 1).rgamma() * (top - bottom + 1).rgamma()


class AcbBackend(Backend):
    """Complex balls for rigorous integration; ``analytic`` is the flag of the current call."""

    name = "to_acb"

    def __init__(self) -> None:
        self.analytic = False

    def integer(self, value: int) -> acb:
        return acb(fmpz(value))

    def rational(self, numerator: int, denominator: int) -> acb:
        return acb(arb(fmpq(numerator, denominator)))

    def constant(self, name: str) -> acb:
        return acb(ArbBackend().constant(name))

    def integer_power(self, base: acb, exponent: int) -> acb:
        return base ** fmpz(exponent)

    def power(self, base: acb, exponent: acb) -> acb:
        if exponent == acb(1) / 2:
            return base.sqrt(analytic=self.analytic)
        return base.pow(exponent, analytic=self.analytic)

    def function(self, name: str, arguments: Sequence[acb]) -> acb:
        first = arguments[0]
        if name == "log":
            return first.log(analytic=self.analytic)
        if name == "abs":
            return first.real_abs(analytic=self.analytic)
        if name == "sign":
            return first.real_sgn(analytic=self.analytic)
        if name in ("floor", "ceiling"):
            rounded = first.real_floor if name == "floor" else first.real_ceil
            return rounded(analytic=self.analytic)
        if name in ("max", "min"):
            larger = acb.real_max if name == "max" else acb.real_min
            return reduce(partial(larger, analytic=self.analytic), arguments)
        if name in ("exp", "erf", "erfc", "erfi", "sin", "cos", "tan", "sinh", "cosh", "tanh", "gamma"):
            return cast(acb, getattr(first, name)())
        if name == "factorial":
            return (first + 1).gamma()
        raise NotSupported(f"{self.name} does not know the node {name}")

    def select(self, branches: Sequence[tuple[Any, str, Any, Callable[[], Any]]]) -> acb:
        possible: list[acb] = []
        for left, relation, right, value in branches:
            decided = _decide(left.real, relation, right.real)
            if decided is not False:
                possible.append(value())
            if decided is True:
                break
        else:
            return acb(arb.nan(), arb.nan())
        if len(possible) == 1:
            return possible[0]
        if self.analytic:
            return acb(arb.nan(), arb.nan())
        return acb(_hull([v.real for v in possible]), _hull([v.imag for v in possible]))

    def as_integer(self, value: acb) -> int:
        return ArbBackend().as_integer(value.real)

    def theta(self, quadratic: acb, linear: acb, constant: acb) -> acb:
        raise NotSupported(f"{self.name} does not integrate theta series")
