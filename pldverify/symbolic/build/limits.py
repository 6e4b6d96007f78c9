r"""Limits of the privacy loss at the ends of a region, by degrees: no numerical or heuristic limit is taken.

At a finite end L is continuous and is evaluated. At ±oo, a polynomial L goes where its leading term
goes, and a logarithm of a quotient of sums :math:`\sum c_i e^{a_i t}` goes where the terms with the largest
:math:`a_i` (towards +oo) or the smallest (towards −oo) go; their order is decided by proved signs.
"""

import sympy as sp

from pldverify.symbolic.build.antiderivative import rational_limit, split_exponential
from pldverify.symbolic.build.loss import log_of_quotient
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Region


def loss_limit(region: Region, loss: sp.Expr, t: sp.Symbol, point: sp.Expr, prover: Prover) -> sp.Expr | None:
    """The limit of L at an end of the region, ±oo allowed, or None."""
    if not point.is_infinite:
        value = loss.subs(t, point)
        return _infinite_at(region, t, point) if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo) else value
    if loss.is_polynomial(t):
        return _polynomial_limit(loss, t, point, prover)
    terms = []
    for density in (region.p, region.q):
        dominant = _dominant(density, t, point, prover)
        if dominant is None:
            return _ratio_limit(region, t, point, prover)
        terms.append(dominant)
    (a, m), (b, n) = terms
    difference = sp.expand(m - n)
    if difference == 0:
        return log_of_quotient(a / b)
    return _polynomial_limit(difference, t, point, prover)


def _infinite_at(region: Region, t: sp.Symbol, point: sp.Expr) -> sp.Expr | None:
    """±oo where p/q goes to 0 or ∞ at a finite end, by evaluating the cancelled quotient or its inverse."""
    quotient = sp.cancel(region.p / region.q)
    if quotient.subs(t, point) == 0:
        return -sp.oo
    return sp.oo if (1 / quotient).subs(t, point) == 0 else None


def _ratio_limit(region: Region, t: sp.Symbol, point: sp.Expr, prover: Prover) -> sp.Expr | None:
    """The limit of log(p/q) where p/q is a rational function of t or of one exponential."""
    if (region.p / region.q).is_rational_function(t):
        top, bottom = (sp.Poly(part, t) for part in sp.fraction(sp.cancel(region.p / region.q)))
        if top.degree() != bottom.degree():
            return sp.oo if top.degree() > bottom.degree() else -sp.oo
        return log_of_quotient(top.LC() / bottom.LC())
    value = rational_limit(region.p / region.q, t, point, prover.sign)
    if value is None:
        inverse = rational_limit(region.q / region.p, t, point, prover.sign)
        return sp.oo if inverse == 0 else None
    return -sp.oo if value == 0 else log_of_quotient(value)


def _polynomial_limit(polynomial: sp.Expr, t: sp.Symbol, point: sp.Expr, prover: Prover) -> sp.Expr | None:
    degree = sp.degree(polynomial, t)
    sign = prover.sign(sp.Poly(polynomial, t).LC())
    if sign not in (1, -1):
        return None
    odd = -1 if point == -sp.oo and degree % 2 else 1
    return sp.oo if sign * odd == 1 else -sp.oo


def _dominant(
    density: sp.Expr, t: sp.Symbol, point: sp.Expr, prover: Prover
) -> tuple[sp.Expr, sp.Expr] | None:
    """(c, m) of the dominant part c e^m of a sum of exponentials; terms with one exponent are added."""
    if isinstance(density, sp.Sum):
        return _dominant_of_sum(density, t, point, prover)
    groups: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand(density, power_exp=False, power_base=False, log=False)):
        coefficient, exponent = split_exponential(term, t)
        if coefficient is None:
            return None
        groups[exponent] = groups.get(exponent, sp.Integer(0)) + coefficient
    best: sp.Expr | None = None
    for exponent in groups:
        if best is None:
            best = exponent
            continue
        direction = _polynomial_limit(sp.expand(exponent - best), t, point, prover)
        if direction is None:
            return None
        best = exponent if direction == sp.oo else best
    return None if best is None else (groups[best], best)


def _dominant_of_sum(
    density: sp.Sum, t: sp.Symbol, point: sp.Expr, prover: Prover
) -> tuple[sp.Expr, sp.Expr] | None:
    """The term of a finite sum at the end of its index towards which the exponent grows."""
    ((index, lower, upper),) = density.limits
    _, exponent = split_exponential(density.function, t)
    mixed = sp.expand(exponent).coeff(t, 1).coeff(index, 1)
    if lower.is_infinite or upper.is_infinite or sp.expand(sp.diff(exponent, t, index) - mixed) != 0:
        return None
    direction = _polynomial_limit(mixed * t, t, point, prover)
    if direction is None:
        return None
    end = upper if direction == sp.oo else lower
    coefficient, exponent = split_exponential(density.function.subs(index, end), t)
    return None if coefficient is None else (coefficient, exponent)
