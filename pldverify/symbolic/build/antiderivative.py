r"""Antiderivatives and antidifferences of densities, and their values at the ends of a region.

Real outcomes: sums of :math:`c\,e^{at^2+bt+d}` (by erf), rational functions of t or of :math:`e^{\kappa t}`.
Integer outcomes: sums of :math:`c\,e^{at+d}`, with :math:`G(t+1) - G(t) = p(t)`. Everything else: None.
Whatever is found here is an ansatz; the prover checks :math:`F' = p` before it is used.
"""

from collections.abc import Callable

import sympy as sp
from sympy.integrals.rationaltools import ratint

Sign = Callable[[sp.Expr], int | None]
"""The proved sign of an expression in the parameters, or None."""


def antiderivative(expression: sp.Expr, t: sp.Symbol, sign: Sign) -> sp.Expr | None:
    """F with F' = ``expression`` (or F(t+1) − F(t) for an integer t), or None if it is of no known form."""
    if not t.is_integer and expression.is_rational_function(t) and expression.has(t):
        result = ratint(sp.cancel(expression), t, real=True)
        return None if result.has(sp.Integral, sp.RootSum) else result
    total: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(expression, power_exp=False, power_base=False, log=False)):
        coefficient, exponent = split_exponential(term, t)
        part = None
        if coefficient is not None:
            part = (
                _difference(coefficient, exponent, t)
                if t.is_integer
                else _integral(coefficient, exponent, t, sign)
            )
        if part is None:
            return None if t.is_integer else _rational_in_exponential(expression, t)
        total += part
    return total


def split_exponential(term: sp.Expr, t: sp.Symbol) -> tuple[sp.Expr | None, sp.Expr]:
    """(c, m) with ``term`` = c e^m, c free of t, m of degree ≤ 2 in t; c is None if it is not so."""
    coefficient, exponent = sp.Integer(1), sp.Integer(0)
    for factor in sp.Mul.make_args(term):
        base, power = factor.as_base_exp()
        if isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(base, sp.exp):
            exponent += base.args[0] * power
        elif factor.has(t):
            if base.has(t) or not base.is_positive:
                return None, sp.Integer(0)
            exponent += power * sp.log(base)
        else:
            coefficient *= factor
    exponent = sp.expand(exponent)
    if not exponent.is_polynomial(t) or sp.degree(exponent, t) > 2:
        return None, sp.Integer(0)
    constant = exponent.coeff(t, 0)
    return coefficient * sp.exp(constant), exponent - constant


def _integral(coefficient: sp.Expr, exponent: sp.Expr, t: sp.Symbol, sign: Sign) -> sp.Expr | None:
    a, b = exponent.coeff(t, 2), exponent.coeff(t, 1)
    if a == 0:
        return coefficient * t if b == 0 else coefficient * sp.exp(b * t) / b
    if sign(a) != -1:
        return None
    root = sp.sqrt(-a)
    shift = sp.powsimp(coefficient * sp.exp(sp.expand(-(b**2) / (4 * a))), combine="exp")
    return shift * sp.sqrt(sp.pi) / (2 * root) * sp.erf(sp.simplify(root * t - b / (2 * root)))


def _difference(coefficient: sp.Expr, exponent: sp.Expr, t: sp.Symbol) -> sp.Expr | None:
    a, b = exponent.coeff(t, 2), exponent.coeff(t, 1)
    if a != 0:
        return None
    return coefficient * t if b == 0 else coefficient * sp.exp(b * t) / (sp.exp(b) - 1)


def _rational_in_exponential(expression: sp.Expr, t: sp.Symbol) -> sp.Expr | None:
    """Integrate R(x) with x = e^{κt}, dt = dx/(κx), by sympy's algorithm for rational functions."""
    x = sp.Symbol("x", positive=True)
    slopes = {sp.diff(e.args[0], t) for e in expression.atoms(sp.exp) if e.has(t)}
    if not slopes or any(slope.has(t) for slope in slopes):
        return None
    slope = min(slopes, key=sp.default_sort_key)
    rewritten = sp.expand(expression, mul=False, power_exp=True).subs(t, sp.log(x) / slope)
    rewritten = sp.cancel(sp.together(sp.powsimp(rewritten, force=False) / (slope * x)))
    if not rewritten.is_rational_function(x):
        return None
    result = ratint(rewritten, x, real=True)
    return None if result.has(sp.Integral, sp.RootSum) else result.subs(x, sp.exp(slope * t))


def between(f: sp.Expr, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr, sign: Sign) -> sp.Expr | None:
    """F(upper) − F(lower), with limits at ±oo (integer t: the sum from lower to upper); None if unknown."""
    top = upper + 1 if t.is_integer and not upper.is_infinite else upper
    total: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(f, power_exp=False, power_base=False, log=False)):
        part = _tail(term, t, lower, top, sign)
        if part is None:
            return _difference_of_ends(f, t, lower, top, sign)
        total += part
    return total


def _tail(term: sp.Expr, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr, sign: Sign) -> sp.Expr | None:
    """Like between for one term; c(1 − erf x) is written c·erfc x, which does not cancel."""
    inside = [factor for factor in sp.Mul.make_args(term) if isinstance(factor, sp.erf) and factor.has(t)]
    if len(inside) == 1 and (lower.is_infinite or upper.is_infinite):
        coefficient, argument = term / inside[0], inside[0].args[0]
        rising = sign(sp.diff(argument, t)) if not coefficient.has(t) else None
        if rising is None:
            return None
        if lower.is_infinite and upper.is_infinite:
            return 2 * rising * coefficient
        if upper.is_infinite:
            return rising * coefficient * sp.erfc(rising * argument.subs(t, lower))
        return rising * coefficient * sp.erfc(-rising * argument.subs(t, upper))
    return _difference_of_ends(term, t, lower, upper, sign)


def _difference_of_ends(
    f: sp.Expr, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr, sign: Sign
) -> sp.Expr | None:
    above, below = _end(f, t, upper, sign), _end(f, t, lower, sign)
    return None if above is None or below is None else above - below


def _end(term: sp.Expr, t: sp.Symbol, point: sp.Expr, sign: Sign) -> sp.Expr | None:
    if not point.is_infinite:
        return term.subs(t, point)
    if not term.has(t):
        return term
    arc = [factor for factor in sp.Mul.make_args(term) if isinstance(factor, sp.atan)]
    if len(arc) == 1 and not (term / arc[0]).has(t):
        rising = sign(sp.diff(arc[0].args[0], t))
        return None if rising is None else term / arc[0] * rising * (1 if point == sp.oo else -1) * sp.pi / 2
    coefficient, exponent = split_exponential(term, t)
    if coefficient is not None and not coefficient.has(t):
        slope = exponent.coeff(t, 1)
        if exponent.coeff(t, 2) == 0 and sign(slope) == (-1 if point == sp.oo else 1):
            return sp.Integer(0)
        return None
    return rational_limit(term, t, point, sign)


def rational_limit(term: sp.Expr, t: sp.Symbol, point: sp.Expr, sign: Sign) -> sp.Expr | None:
    """Limit of a rational function of x = e^{κt}, by the degrees of numerator and denominator."""
    x = sp.Symbol("x", positive=True)
    slopes = {sp.diff(e.args[0], t) for e in term.atoms(sp.exp) if e.has(t)}
    if not slopes or any(slope.has(t) for slope in slopes):
        return None
    slope = min(slopes, key=sp.default_sort_key)
    rewritten = sp.cancel(sp.together(sp.expand(term, mul=False, power_exp=True).subs(t, sp.log(x) / slope)))
    if not rewritten.is_rational_function(x) or sign(slope) is None:
        return None
    far = (point == sp.oo) == (sign(slope) == 1)
    numerator, denominator = (sp.Poly(part, x) for part in sp.fraction(rewritten))
    if far:
        n, d = numerator.degree(), denominator.degree()
        return None if n > d else sp.cancel(numerator.LC() / denominator.LC()) if n == d else sp.Integer(0)
    n, d = (min(m[0] for m in poly.monoms()) for poly in (numerator, denominator))
    if n < d:
        return None
    return sp.cancel(numerator.nth(n) / denominator.nth(d)) if n == d else sp.Integer(0)
