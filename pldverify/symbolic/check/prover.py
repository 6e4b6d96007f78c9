r"""The prover: equalities by algebra, signs by algebra or in balls on a box, disproofs in balls at a point.

What counts as a proof:

* ``equal``: wherever both sides have a value, the difference (or, for logarithms, the quotient of the
  exponentials) reduces to the zero polynomial in the generators of :mod:`pldverify.symbolic.check.algebra`;
  both sides must be real, so every argument of a logarithm and every base of a power whose exponent is no
  integer number needs a proof that it is positive.
* ``sign``: the same, and every denominator has a proved sign; all irreducible factors have coefficients of
  one sign in positive generators; failing that, ball arithmetic over a stated box, by subdivision.
* ``continuous``: a composition of continuous functions, arguments of logarithms and bases of powers positive,
  denominators of a proved sign.

A statement without a proof is searched for a counterexample at exact rational points: if a ball excludes
it, it is disproved; if not, it is FAILED all the same, and the text says that no proof was found. A statement
with a proof is attacked at random points too: OracleDisagreement is raised if a ball excludes it.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import sympy as sp

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import OracleDisagreement, PldverifyError
from pldverify.symbolic.check.algebra import Generators
from pldverify.symbolic.check.polynomials import Irreducible
from pldverify.symbolic.lowering.to_arb import to_arb
from pldverify.symbolic.model.domain import Box, Domain, Variable, positive
from pldverify.symbolic.model.obligation import Kind, Obligation, State

_PRECISION = 128
"""Precision, in bits, of balls at points and on boxes; any value is right: a poor one proves less."""
_BOX_CAP = 4096
"""Cap on the subboxes of one proof; any value is right: it bounds time."""
ATTACKS = 50
"""Random points at which a proved statement is attacked; of errors that show at 1 in 11, 1 in 100 escapes."""

_CONTINUOUS = (
    sp.Symbol, sp.Number, sp.NumberSymbol, sp.Add, sp.Mul, sp.Pow, sp.Sum, sp.exp, sp.log, sp.erf, sp.erfc,
    sp.erfi, sp.sin, sp.cos, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.Abs,
)  # fmt: skip
"""Nodes that are continuous in their arguments, with what :meth:`Prover.continuous` asks of those."""


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
        self._signs: dict[tuple[sp.Expr, tuple[Variable, ...]], int | None] = {}
        self._pick = Random(0)

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
        Raises OracleDisagreement if a random point refutes what is proved.
        """
        how = self._argument(left, right, variables)
        if how is not None:
            self.attack(left, right, variables)
        return how

    def attack(self, left: sp.Expr, right: sp.Expr, variables: Sequence[Variable] = ()) -> None:
        """Raises OracleDisagreement if a random point refutes ``left = right``, which was proved."""
        if left != right:
            _survives(f"{left} = {right}", self.refute_equal(left, right, variables))

    def _argument(self, left: sp.Expr, right: sp.Expr, variables: Sequence[Variable]) -> str | None:
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
                sides = f"the left side is {values[0].str(8)} and the right side is {values[1].str(8)}"
                return f"at {_where(point)} {sides}" if point else sides
        return None

    def _points(
        self, expressions: Sequence[sp.Expr], variables: Sequence[Variable]
    ) -> Iterator[tuple[dict[str, Fraction], list[Callable[..., arb]]]]:
        """Exact points of the domain with the lowered expressions; none if they do not lower."""
        order = list(self.domain.intervals)
        named = {*order, *(variable.symbol for variable in variables)}
        free = sorted(set().union(*(e.free_symbols for e in expressions)) - named, key=str)
        ranges = {x: Variable(x, -sp.oo, sp.oo, is_integer=bool(x.is_integer)) for x in free}
        substitution: dict[sp.Symbol, sp.Expr] = {}
        for variable in variables:
            expressed, fresh = variable.expressed()
            ranges |= {x: variable for x in fresh}
            if expressed == variable.symbol:
                ranges[variable.symbol] = variable
            else:
                substitution[variable.symbol] = expressed
        if len({x.name for x in (*order, *ranges)}) < len(order) + len(ranges):
            return  # balls know symbols by their names
        try:
            lowered = [_lower(e.subs(substitution), [*order, *ranges]) for e in expressions]
        except PldverifyError:
            return
        for i, parameters in enumerate(self._parameters()):
            values = {
                x: _value(x, over, parameters, i + 2 * j if i < len(_SHARES) else None, self._pick)
                for j, (x, over) in enumerate(ranges.items())
            }
            if None not in values.values():
                yield {s.name: v for s, v in {**parameters, **values}.items() if v is not None}, lowered

    def _parameters(self) -> Iterator[dict[sp.Symbol, Fraction]]:
        yield from self.domain.samples(len(_SHARES))
        yield from (self.domain.drawn(self._pick) for _ in range(ATTACKS))

    # -- signs ----------------------------------------------------------------------------------

    def undefined(self, expression: sp.Expr, variables: Sequence[Variable] = ()) -> list[sp.Expr]:
        """Arguments of logarithms and bases of powers that are not proved positive for all variables.

        A power of an integer number needs no sign; (−1)^n of an integer symbol n is refused.
        """
        arguments = [log.args[0] for log in expression.atoms(sp.log)]
        arguments += [
            power.base for power in expression.atoms(sp.Pow) if not isinstance(power.exp, sp.Integer)
        ]
        return [a for a in dict.fromkeys(arguments) if not self._is_positive(a, variables)]

    def _poles(self, expression: sp.Expr, variables: Sequence[Variable]) -> list[sp.Expr]:
        """Denominators without a proved sign for all variables, and arguments of Γ."""
        powers = [p for p in expression.atoms(sp.Pow) if isinstance(p.exp, sp.Integer) and p.exp < 0]
        gammas = [gamma.args[0] for gamma in expression.atoms(sp.gamma)]
        bases = dict.fromkeys(power.base for power in powers)
        result = [b for b in bases if not self._is_positive(b, variables) and self.sign(b, variables) != -1]
        return [*result, *(a for a in gammas if not self._is_positive(a, variables))]

    def _is_positive(self, expression: sp.Expr, variables: Sequence[Variable]) -> bool:
        """Positive, or a sum of squares, terms with an exponential, and the rest: all ≥ 0, one > 0."""
        if self.sign(expression, variables) == 1:
            return True
        terms = sp.Add.make_args(expression)
        squares = [term for term in terms if self._is_square(term, variables)]
        moving = [term for term in terms if term.has(sp.exp) and term not in squares]
        rest = sp.Add(*(term for term in terms if term not in (*squares, *moving)))
        signs = [self.sign(part, variables) for part in (*moving, rest)]
        return len(terms) > 1 and 1 in signs and all(sign in (0, 1) for sign in signs)

    def _is_square(self, term: sp.Expr, variables: Sequence[Variable]) -> bool:
        """A product of even powers of something real and, perhaps, of positive factors."""
        unknown = [factor for factor in sp.Mul.make_args(term) if self.sign(factor, variables) != 1]
        return bool(unknown) and all(self._is_even_power(factor, variables) for factor in unknown)

    def _is_even_power(self, factor: sp.Expr, variables: Sequence[Variable]) -> bool:
        if not (isinstance(factor, sp.Pow) and isinstance(factor.exp, sp.Integer)):
            return False
        real = not self.undefined(factor.base, variables) and self.generators(variables).knows(factor.base)
        return bool(real and factor.exp > 0 and factor.exp % 2 == 0)

    def sign(self, expression: sp.Expr, variables: Sequence[Variable] = ()) -> int | None:
        """+1, −1, 0 if proved by algebra, else None; finitely many integers are taken one by one."""
        key = expression, tuple(variables)
        if key not in self._signs:
            self._signs[key] = self._proved_sign(expression, variables)
        return self._signs[key]

    def _proved_sign(self, expression: sp.Expr, variables: Sequence[Variable]) -> int | None:
        if self.undefined(expression, variables) or self._poles(expression, variables):
            return None
        found = self._sign(expression, variables)
        if found is None and any(variable.logarithmic for variable in variables):
            found = self._sign(expression, [variable.plain() for variable in variables])
        if found is None and len(variables) == 1:
            signs = {self._sign(term) for term in variables[0].terms(expression)}
            return signs.pop() if len(signs) == 1 else None
        return found

    def continuous(self, statement: str, expression: sp.Expr, variable: Variable) -> Obligation:
        """No pole and no jump on the interval of ``variable``; of integers, a value at each."""
        nodes = [node for node in sp.preorder_traversal(expression) if node.has(variable.symbol)]
        jumps = [node for node in nodes if not isinstance(node, _CONTINUOUS) or _is_endless(node)]
        jumps = [] if variable.is_integer else jumps
        moving = [node for node in nodes if isinstance(node, sp.Pow | sp.gamma)]
        poles = self._poles(sp.Tuple(*moving), [variable])
        doubtful = [*jumps, *self.undefined(expression, [variable]), *poles]
        if doubtful:
            return Obligation(Kind.CONTINUOUS, statement, State.FAILED, f"whether {doubtful[0]} is harmless")
        how = "arguments of logarithms and bases of powers are positive, denominators have a sign"
        return Obligation(Kind.CONTINUOUS, statement, State.PROVED, how)

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
            _survives(f"{expression} > 0", self._refute_positive(expression, variables))
            how = "every factor has coefficients of one sign in positive generators"
            return Obligation(kind, statement, State.PROVED, how)
        counterexample = self._refute_positive(expression, variables)
        if counterexample is not None:
            return Obligation(kind, statement, State.FAILED, counterexample, disproved=True)
        if box is not None:
            pieces = positive_on_box(expression, box)
            if pieces:
                where = ", ".join(f"{s.name} ∈ [{low}, {high}]" for s, (low, high) in box.items())
                how = f"balls on {pieces} subboxes of {where}"
                return Obligation(kind, statement, State.PROVED_ON_A_BOX, how)
        return Obligation(kind, statement, State.FAILED, "by algebra or on a box")

    def _refute_positive(self, expression: sp.Expr, variables: Sequence[Variable]) -> str | None:
        """A point where ball arithmetic shows a value ≤ 0, in words, or None."""
        for point, functions in self._points([expression], variables):
            (value,) = _values(functions, point)
            if value.is_finite() and surely_at_most(value, 0):
                return f"it is {value.str(8)} at {_where(point)}"
        return None


def _survives(statement: str, counterexample: str | None) -> None:
    if counterexample is not None:
        raise OracleDisagreement(f"proved and refuted: {statement}; {counterexample}")


def _is_endless(node: sp.Basic) -> bool:
    """A sum of infinitely many terms, which need not be continuous if they are."""
    return isinstance(node, sp.Sum) and any(end.is_infinite for end in node.limits[0][1:])


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
"""Values of variables at the first points of an attack, before random ones; any values are right."""


def _value(
    x: sp.Symbol, over: Variable, parameters: dict[sp.Symbol, Fraction], place: int | None, pick: Random
) -> Fraction | None:
    """A value of x, that of _SHARES or a random one; None if none was found in its range."""
    share = positive(pick) if place is None else _SHARES[place % len(_SHARES)]
    value = Fraction(place % 2 if place is not None else round(share)) if x.is_integer else share
    if x == over.symbol:
        candidates = (
            [value, -value, value + 1] if place is not None or pick.random() < 0.5 else [-value, value + 1]
        )
        return next((number for number in candidates if _fits(x, number)), None)
    if not x.is_integer or over.lower.is_infinite or over.upper.is_infinite:
        return value
    exact = {s: sp.Rational(v.numerator, v.denominator) for s, v in parameters.items()}
    room = (over.upper - over.lower).subs(exact)
    return min(value, Fraction(int(room))) if isinstance(room, sp.Integer) and room >= 0 else None


def _fits(x: sp.Symbol, value: Fraction) -> bool:
    """Whether a number is all that the symbol is said to be."""
    number = sp.Rational(value.numerator, value.denominator)
    return all(getattr(number, f"is_{name}") is known for name, known in x.assumptions0.items())


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
