r"""Limits at the ends of a region, and values of antiderivatives between two points, by leading terms.

A quotient of sums :math:`\sum c\,t^k e^{m(t)}` with polynomials m goes where the quotient of the leading
terms goes. One term leads another if the difference of the exponents goes to +∞, by the proved sign of
its leading coefficient, or if the exponents are equal and its power of t is larger. Coefficients must have
proved signs, so nothing that might vanish is taken for the leading term. erf and atan of a linear function go
to ±1 and ±π/2; their factors must be free of t. Where a step has no proof the answer is None.
"""

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

Sign = Callable[[sp.Expr], int | None]
"""The proved sign of an expression in the parameters, or None."""


@dataclass(frozen=True)
class Term:
    """c t^k e^m with a polynomial m in t without constant term, and c free of t."""

    coefficient: sp.Expr
    power: int
    exponent: sp.Expr

    def as_expression(self, t: sp.Symbol) -> sp.Expr:
        """The term in t."""
        return self.coefficient * t**self.power * sp.exp(self.exponent)


def limit(expression: sp.Expr, t: sp.Symbol, end: sp.Expr, sign: Sign) -> sp.Expr | None:
    """The limit of a quotient as t goes to ``end``, ±oo allowed; None if no rule proves one."""
    numerator, denominator = sp.fraction(sp.together(expression))
    if not end.is_infinite:
        return _at(numerator, denominator, t, end, sign)
    if end == -sp.oo:
        numerator, denominator = numerator.subs(t, -t), denominator.subs(t, -t)
    above, below = leading(numerator, t, sign), leading(denominator, t, sign)
    if above is None or below is None:
        return None
    order = _order(above, below, t, sign)
    if order is None:
        return None
    value = above.coefficient / below.coefficient
    if order == 0:
        return value
    if order == -1:
        return sp.Integer(0)
    direction = sign(value)
    return None if direction is None else direction * sp.oo


def has_infinity(value: sp.Expr) -> bool:
    """Whether a value at a point is none: a pole, or one of several limits."""
    return bool(value.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.AccumBounds))


def _at(numerator: sp.Expr, denominator: sp.Expr, t: sp.Symbol, end: sp.Expr, sign: Sign) -> sp.Expr | None:
    """The value at a finite end, or ±oo at a pole."""
    above, below = numerator.subs(t, end), denominator.subs(t, end)
    if has_infinity(above) or has_infinity(below):
        return None
    signs = sign(above), sign(below)
    if signs[1] in (1, -1):
        return above / below
    return sp.oo if signs == (1, 0) else None


def leading(expression: sp.Expr, t: sp.Symbol, sign: Sign) -> Term | None:
    """The term that leads all others as t goes to +∞; None if that is not proved."""
    if isinstance(expression, sp.Sum):
        return _leading_of_sum(expression, t, sign)
    grouped: dict[tuple[sp.Expr, int], sp.Expr] = {}
    for part in sp.Add.make_args(sp.expand(expression, power_base=False, log=False)):
        term = _term(part, t, sign)
        if term is None:
            return None
        key = term.exponent, term.power
        grouped[key] = grouped.get(key, sp.Integer(0)) + term.coefficient
    best: Term | None = None
    for (exponent, power), coefficient in grouped.items():
        direction = sign(coefficient)
        if direction is None:
            return None
        if direction == 0:
            continue
        term = Term(coefficient, power, exponent)
        order = 1 if best is None else _order(term, best, t, sign)
        if order is None:
            return None
        best = term if order == 1 else best
    return best


def _term(part: sp.Expr, t: sp.Symbol, sign: Sign) -> Term | None:
    coefficient, power, exponent = sp.Integer(1), 0, sp.Integer(0)
    for factor in sp.Mul.make_args(part):
        base, times = factor.as_base_exp()
        if not factor.has(t):
            coefficient *= factor
        elif isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(base, sp.exp) and not times.has(t):
            exponent += base.args[0] * times
        elif base == t and isinstance(times, sp.Integer):
            power += int(times)
        elif not base.has(t) and sign(base) == 1:
            exponent += times * sp.log(base)
        else:
            return None
    exponent = sp.expand(exponent)
    if not exponent.is_polynomial(t):
        return None
    constant = exponent.subs(t, 0)
    return Term(coefficient * sp.exp(constant), power, sp.expand(exponent - constant))


def _order(first: Term, second: Term, t: sp.Symbol, sign: Sign) -> int | None:
    """+1 if the first term leads, −1 if the second one does, 0 if their quotient stays; None if unknown."""
    difference = sp.expand(first.exponent - second.exponent)
    if difference == 0:
        return (first.power > second.power) - (first.power < second.power)
    direction = sign(sp.Poly(difference, t).LC())
    return direction if direction in (1, -1) else None


def _leading_of_sum(series: sp.Sum, t: sp.Symbol, sign: Sign) -> Term | None:
    """The term of a finite sum at one end of its index n: the exponent must be mixed in t and n by c·t·n."""
    ((index, lower, upper),) = series.limits
    if lower.is_infinite or upper.is_infinite:
        return None
    term = _term(sp.expand(series.function, power_base=False, log=False), t, sign)
    if term is None:
        return None
    mixed = sp.diff(term.exponent, t, index)
    direction = None if mixed.has(t, index) else sign(mixed)
    if direction not in (1, -1):
        return None
    end = upper if direction == 1 else lower
    last = Term(term.coefficient.subs(index, end), term.power, sp.expand(term.exponent.subs(index, end)))
    return last if sign(last.coefficient) in (1, -1) else None


def between(f: sp.Expr, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr, sign: Sign) -> sp.Expr | None:
    """F(upper) − F(lower), with limits at ±oo; for integers the sum from lower to upper. None if unproved."""
    top = upper + 1 if t.is_integer and not upper.is_infinite else upper
    total, rest = sp.Integer(0), sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(f, power_exp=False, power_base=False, log=False)):
        steps = [x for x in sp.Mul.make_args(term) if isinstance(x, sp.erf | sp.atan) and x.has(t)]
        if not steps:
            rest += term
            continue
        coefficient, argument = term / steps[0], steps[0].args[0]
        rising = sign(sp.diff(argument, t)) if not coefficient.has(t) else None
        if rising not in (1, -1) or sp.diff(argument, t, 2) != 0:
            return None
        total += coefficient * _step(type(steps[0]), argument, t, (lower, top), rising)
    if rest == 0:
        return total
    below, above = (
        limit(rest, t, end, sign) if end.is_infinite else rest.subs(t, end) for end in (lower, top)
    )
    if below is None or above is None or below.is_infinite or above.is_infinite:
        return None
    return total + above - below


def _step(kind: type, argument: sp.Expr, t: sp.Symbol, ends: tuple[sp.Expr, sp.Expr], rising: int) -> sp.Expr:
    """erf or atan of a linear function between two ends; 1 − erf is written erfc, which does not cancel."""
    far = sp.Integer(1) if kind is sp.erf else sp.pi / 2
    low, high = ends
    if kind is sp.erf and bool(low.is_infinite) != bool(high.is_infinite):
        inner = argument.subs(t, high if low.is_infinite else low)
        return rising * sp.erfc(-rising * inner if low.is_infinite else rising * inner)
    values = [
        side * rising * far if end.is_infinite else kind(argument.subs(t, end))
        for end, side in ((low, -1), (high, 1))
    ]
    return values[1] - values[0]
