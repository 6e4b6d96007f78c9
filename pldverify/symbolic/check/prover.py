r"""The prover: equalities by algebra, signs by algebra or in balls on a box, disproofs in balls at a point.

What counts as a proof:

* ``equal``: the difference (or, for logarithms, the quotient of the exponentials) reduces to the zero
  polynomial in the generators of :mod:`pldverify.symbolic.check.algebra`; both sides must be real, so every
  argument of a logarithm or root needs a proved sign.
* ``sign``: all irreducible factors have coefficients of one sign in positive generators; failing
  that, ball arithmetic over a stated box, by subdivision.

A statement without a proof is searched for a counterexample at exact rational points: if a ball excludes
it, it is disproved; if not, it is FAILED all the same, and the text says that no proof was found.
"""

from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import PldverifyError
from pldverify.symbolic.check.algebra import Generators, Irreducible
from pldverify.symbolic.lowering.to_arb import to_arb
from pldverify.symbolic.model.domain import Box, Domain, Variable
from pldverify.symbolic.model.obligation import Kind, Obligation, State

_PRECISION = 128
_BOX_CAP = 4096


def generators_of(domain: Domain, variables: Sequence[Variable] = ()) -> Generators:
    """Generators in which every bounded parameter and variable is expressed by positive ones."""
    substitution: dict[sp.Symbol, sp.Expr] = {}
    for symbol, (lower, upper) in domain.intervals.items():
        if (lower, upper) not in ((0, sp.oo), (-sp.oo, sp.oo)):
            substitution[symbol], _ = Variable(symbol, lower, upper).expressed()
    for variable in variables:
        expressed, _ = variable.expressed()
        if expressed != variable.symbol:
            substitution[variable.symbol] = expressed
        if variable.is_integer and not variable.lower.is_infinite and not variable.upper.is_infinite:
            substitution.update(_room(variable, expressed))
    return Generators(substitution)


def _room(variable: Variable, expressed: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    """The parameter n of an upper end n + c as t + j − c, with j ≥ 0, so that t ≤ n + c is known."""
    parameter, constant = variable.upper.as_independent(sp.Symbol, as_Add=True)[::-1]
    if not isinstance(parameter, sp.Symbol) or parameter in variable.lower.free_symbols:
        return {}
    j = sp.Dummy(f"{parameter.name}_j", integer=True, nonnegative=True)
    return {parameter: expressed + j - constant}


class Prover:
    """Proves statements over one parameter domain; keeps its generators, so repeated work is shared."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._plain = Generators(known=domain.facts())
        self._generators: dict[tuple[Variable, ...], Generators] = {}
        self._positive: dict[tuple[sp.Expr, tuple[Variable, ...]], bool] = {}

    def generators(self, variables: Sequence[Variable]) -> Generators:
        """The generators over the parameters and ``variables``."""
        key = tuple(variables)
        if key not in self._generators:
            self._generators[key] = generators_of(self.domain, variables)
        return self._generators[key]

    # -- equality -------------------------------------------------------------------------------

    def equal(
        self,
        statement: str,
        left: sp.Expr,
        right: sp.Expr,
        variables: Sequence[Variable] = (),
        *,
        kind: Kind = Kind.PRINTED,
        source: str = "",
        correction: str = "",
    ) -> Obligation:
        """``left = right`` for all parameters and variables; ``correction`` is told if it is disproved."""
        how = self.argument(left, right, variables)
        if how is not None:
            return Obligation(kind, statement, State.PROVED, how, source)
        counterexample = self.refute_equal(left, right, variables)
        if counterexample is not None:
            return Obligation(
                kind, statement, State.FAILED, counterexample, source, correction, disproved=True
            )
        doubtful = self.undefined(left, variables) or self.undefined(right, variables)
        missing = f"sign of {doubtful[0]}" if doubtful else "the difference did not reduce to 0"
        return Obligation(kind, statement, State.FAILED, missing, source)

    def proves_equal(self, left: sp.Expr, right: sp.Expr, variables: Sequence[Variable] = ()) -> bool:
        """Whether ``left = right`` is proved for all parameters and variables."""
        return self.argument(left, right, variables) is not None

    def argument(self, left: sp.Expr, right: sp.Expr, variables: Sequence[Variable] = ()) -> str | None:
        """The argument that ``left = right``, or None if none was found.

        Both sides must be real: the algebra takes logarithms and roots of absolute values.
        """
        if self.undefined(left, variables) or self.undefined(right, variables):
            return None
        for generators in (self._plain, self.generators(variables)):
            try:
                if generators.is_zero(left - right):
                    return "the difference reduces to 0 as a rational function of " + _names(
                        generators, left - right
                    )
                if self._equal_exponentials(generators, left - right):
                    return "both sides have the same exponential, by reduction of the quotient to 1"
            except Irreducible:
                continue
        return None

    @staticmethod
    def _equal_exponentials(generators: Generators, difference: sp.Expr) -> bool:
        """c·log A + B = 0 by A·exp(B/c) = 1."""
        split = _one_logarithm(difference)
        return split is not None and generators.is_zero(split[1] - 1)

    def refute_equal(self, left: sp.Expr, right: sp.Expr, variables: Sequence[Variable] = ()) -> str | None:
        """A point where ball arithmetic shows ``left ≠ right``, in words, or None."""
        for point, function in self._points([left, right, left - right], variables):
            values = _values(function, point)
            if all(v.is_finite() for v in values) and not values[-1].contains(0):
                where = _where(point)
                return (
                    f"at {where} the left side is {values[0].str(8)} and the right side is {values[1].str(8)}"
                )
        return None

    def _points(
        self, expressions: Sequence[sp.Expr], variables: Sequence[Variable]
    ) -> list[tuple[dict[str, Fraction], list[Callable[..., arb]]]]:
        """Exact points of the domain with the lowered expressions; [] if they do not lower."""
        order = list(self.domain.intervals)
        named = {*order, *(variable.symbol for variable in variables)}
        free = sorted(set().union(*(e.free_symbols for e in expressions)) - named, key=str)
        variables = [*variables, *(Variable(x, -sp.oo, sp.oo) for x in free)]
        substitution: dict[sp.Symbol, sp.Expr] = {}
        fresh: list[sp.Symbol] = []
        for variable in variables:
            expressed, new = variable.expressed()
            fresh += new or ([variable.symbol] if expressed == variable.symbol else [])
            if expressed != variable.symbol:
                substitution[variable.symbol] = expressed
        try:
            lowered = [_lower(e.subs(substitution), [*order, *fresh]) for e in expressions]
        except PldverifyError:
            return []
        result = []
        for i, parameters in enumerate(self.domain.samples()):
            extra = {x: _SHARES[(i + 2 * j) % len(_SHARES)] for j, x in enumerate(fresh)}
            typed = {x: Fraction(i % 2) if x.is_integer else v for x, v in extra.items()}
            point = {s.name: v for s, v in {**parameters, **typed}.items()}
            result.append((point, lowered))
        return result

    # -- signs ----------------------------------------------------------------------------------

    def undefined(self, expression: sp.Expr, variables: Sequence[Variable] = ()) -> list[sp.Expr]:
        """Arguments of logarithms and bases of roots that are not proved positive for all variables."""
        arguments = [log.args[0] for log in expression.atoms(sp.log)]
        arguments += [power.base for power in expression.atoms(sp.Pow) if not power.exp.is_integer]
        return [a for a in dict.fromkeys(arguments) if not self._is_positive(a, tuple(variables))]

    def _is_positive(self, expression: sp.Expr, variables: tuple[Variable, ...]) -> bool:
        """Positive, or a sum of squares and terms ≥ 0 of which one is positive."""
        if expression.is_positive:
            return True
        key = expression, variables
        if key not in self._positive:
            signs = [self.sign(expression, variables)]
            if signs != [1]:
                signs = [
                    0 if _is_square(term) else self.sign(term, variables)
                    for term in sp.Add.make_args(expression)
                ]
            self._positive[key] = 1 in signs and all(sign in (0, 1) for sign in signs)
        return self._positive[key]

    def sign(self, expression: sp.Expr, variables: Sequence[Variable] = ()) -> int | None:
        """+1, −1, 0 if proved by algebra, else None; finitely many integers are taken one by one."""
        if self.undefined(expression, variables):
            return None
        found = self._sign(expression, variables)
        if found is None and any(variable.logarithmic for variable in variables):
            found = self._sign(expression, [variable.plain() for variable in variables])
        if found is None and len(variables) == 1:
            signs = {self._sign(term) for term in variables[0].terms(expression)}
            return signs.pop() if len(signs) == 1 else None
        return found

    def _sign(self, expression: sp.Expr, variables: Sequence[Variable] = ()) -> int | None:
        """c·log A + B has the sign of c (A e^(B/c) − 1)."""
        generators = self.generators(variables)
        try:
            found = generators.sign(expression)
            split = _one_logarithm(expression) if found is None else None
            if split is None:
                return found
            scale, power = generators.sign(split[0]), generators.sign(split[1] - 1)
            return None if scale is None or power is None else scale * power
        except Irreducible:
            return None

    def positive(
        self,
        statement: str,
        expression: sp.Expr,
        variables: Sequence[Variable] = (),
        *,
        kind: Kind,
        box: Box | None = None,
    ) -> Obligation:
        """``expression > 0`` by algebra, or on ``box`` (parameters and variables) in balls."""
        if self.sign(expression, variables) == 1:
            how = "every factor has coefficients of one sign in positive generators"
            return Obligation(kind, statement, State.PROVED, how)
        for point, functions in self._points([expression], variables):
            (value,) = _values(functions, point)
            if value.is_finite() and surely_at_most(value, 0):
                how = f"it is {value.str(8)} at {_where(point)}"
                return Obligation(kind, statement, State.FAILED, how, disproved=True)
        if box is not None:
            pieces = positive_on_box(expression, box)
            if pieces:
                where = ", ".join(f"{s.name} ∈ [{low}, {high}]" for s, (low, high) in box.items())
                how = f"balls on {pieces} subboxes of {where}"
                return Obligation(kind, statement, State.PROVED_ON_A_BOX, how)
        return Obligation(kind, statement, State.FAILED, "by algebra or on a box")


def _is_square(term: sp.Expr) -> bool:
    return isinstance(term, sp.Pow) and term.exp.is_integer and term.exp.is_even and term.exp.is_positive


def _one_logarithm(expression: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    """(c, A e^{B/c}) of c·log A + B, where integer multiples of one c are collected; or None."""
    scale: sp.Expr | None = None
    product: sp.Expr = sp.Integer(1)
    rest: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(expression, log=False, power_exp=False, power_base=False)):
        inside = [atom for atom in sp.Mul.make_args(term) if isinstance(atom, sp.log) and atom.free_symbols]
        if not inside:
            rest += term
            continue
        coefficient = term / inside[0]
        scale = coefficient if scale is None else scale
        times = sp.cancel(coefficient / scale)
        if len(inside) > 1 or not isinstance(times, sp.Integer):
            return None
        product *= inside[0].args[0] ** times
    return None if scale is None else (scale, product * sp.exp(sp.expand(rest / scale)))


_SHARES = [Fraction(1, 2), Fraction(5, 3), Fraction(1, 4), Fraction(3), Fraction(4, 5), Fraction(7, 5)]


def _lower(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., arb]:
    function = to_arb(expression, symbols)

    def precise(*values: Any) -> arb:
        with ctx.workprec(_PRECISION):
            return function(*values)

    return precise


def _values(functions: Sequence[Callable[..., arb]], point: dict[str, Fraction]) -> list[arb]:
    """The values at a point; NaN where one cannot be taken, such as a sum to a limit that is no integer."""
    try:
        return [f(*point.values()) for f in functions]
    except PldverifyError:
        return [arb.nan() for _ in functions]


def _where(point: dict[str, Fraction]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())


def _names(generators: Generators, expression: sp.Expr) -> str:
    """The generators that the reduced expression was made of, for the record."""
    used = generators.rational(expression).free_symbols
    shown = sorted(str(generators.meaning.get(s, s)).replace("_", "") for s in used)
    return ", ".join(shown[:6]) + (", …" if len(shown) > 6 else "") if shown else "constants"


def positive_on_box(expression: sp.Expr, box: Box, *, cap: int = _BOX_CAP) -> int:
    """Number of subboxes on which balls prove ``expression > 0`` all over ``box``; 0 if they do not.

    Subdivides the longest side; gives up where a midpoint value is ≤ 0 or after ``cap`` subboxes.
    """
    symbols = list(box)
    try:
        function = to_arb(expression, symbols)
    except PldverifyError:
        return 0
    queue, done = deque([tuple(box.values())]), 0
    with ctx.workprec(_PRECISION):
        while queue:
            if done + len(queue) > cap:
                return 0
            sides = queue.popleft()
            if surely_less(0, function(*(ball(low).union(ball(high)) for low, high in sides))):
                done += 1
                continue
            middle = [(low + high) / 2 for low, high in sides]
            if surely_at_most(function(*middle), 0):
                return 0
            i = max(range(len(sides)), key=lambda j: sides[j][1] - sides[j][0])
            low, high = sides[i]
            queue.append((*sides[:i], (low, middle[i]), *sides[i + 1 :]))
            queue.append((*sides[:i], (middle[i], high), *sides[i + 1 :]))
    return done
