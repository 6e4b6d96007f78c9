r"""Privacy loss and its inverse on one region, by algebra on the densities.

:math:`L(t) = \log p(t) - \log q(t)`, written as a polynomial where p/q is an exponential, else as the
logarithm of a quotient in which common factors of p and q are cancelled. The inverse is solved for
where :math:`e^{L}` is a quotient of degree ≤ 2 in one exponential :math:`x = e^{\kappa t}`, or L or
:math:`e^L` is of degree ≤ 2 in t; else there is None, and the inverse stays implicit. An inverse found here
is an ansatz until the prover has checked both identities.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import sympy as sp

from pldverify.symbolic.check.algebra import Generators
from pldverify.symbolic.check.polynomials import Irreducible
from pldverify.symbolic.model.densities import Region, S


@dataclass(frozen=True)
class Ratio:
    """e^L as a quotient of polynomials in generators."""

    generators: Generators
    numerator: sp.Expr
    denominator: sp.Expr


def ratio(p: sp.Expr, q: sp.Expr, known: Iterable[sp.Expr] = ()) -> Ratio:
    """p/q over generators, common factors cancelled; ``known`` is positive. Raises Irreducible."""
    generators = Generators(known=known)
    top, bottom = (sp.expand(generators.rational(density)) for density in (p, q))
    if any(factor.as_base_exp()[0].is_Add for part in (top, bottom) for factor in _factors(part)):
        top, bottom = sp.fraction(generators.reduced(generators.rational(p) / generators.rational(q)))
        top, bottom = sp.expand(top), sp.expand(bottom)
    common = _common(top, bottom)
    return Ratio(generators, sp.expand(top / common), sp.expand(bottom / common))


def _factors(part: sp.Expr) -> list[sp.Expr]:
    return [factor for term in sp.Add.make_args(part) for factor in sp.Mul.make_args(term)]


def _common(top: sp.Expr, bottom: sp.Expr) -> sp.Expr:
    """The one term of q, else of p; else all generators with one and the same power in every term of both."""
    for single in (bottom, top):
        if not isinstance(single, sp.Add):
            return single
    terms = [term.as_powers_dict() for term in (*top.args, *bottom.args)]
    result: sp.Expr = sp.gcd_list([sp.Rational(t.as_coeff_Mul()[0]) for t in (*top.args, *bottom.args)])
    for symbol in sorted((top * bottom).free_symbols, key=str):
        powers = {term.get(symbol, sp.Integer(0)) for term in terms}
        if len(powers) == 1:
            result *= symbol ** powers.pop()
    return result


def loss(region: Region, t: sp.Symbol, known: Iterable[sp.Expr] = ()) -> sp.Expr:
    """L = log(p/q) on a region where both are positive. Raises Irreducible for a node without a generator."""
    if region.ratio is not None:
        return sp.log(region.ratio)
    p, q = region.p, region.q
    if not (p.has(t) or q.has(t)):
        return log_of_quotient(p / q)
    r = ratio(p, q, known)
    back = r.generators.back
    if all(len(sp.Add.make_args(part)) == 1 for part in (r.numerator, r.denominator)):
        exponent = r.generators.rational(sp.log(back(r.numerator / r.denominator)))
        return tidy(sp.expand(back(exponent)))
    if r.numerator == 1:
        return -sp.log(tidy(back(r.denominator)))
    return sp.log(tidy(back(r.numerator)) / tidy(back(r.denominator)))


def log_of_quotient(value: sp.Expr) -> sp.Expr:
    """log of a positive quotient, without a fraction inside where numerator or denominator is 1."""
    numerator, denominator = sp.fraction(sp.cancel(sp.together(value)))
    if numerator.could_extract_minus_sign():
        numerator, denominator = -numerator, -denominator
    if numerator == 1:
        return -sp.log(denominator)
    return sp.log(sp.expand(numerator) / sp.expand(denominator))


def tidy(expression: sp.Expr) -> sp.Expr:
    """Products of exponentials as one exponential; nothing else is rewritten."""
    return sp.powsimp(expression, combine="exp", deep=True)


def solve_inverse(
    region: Region,
    t: sp.Symbol,
    choose: Callable[[list[sp.Expr]], sp.Expr | None],
    known: Iterable[sp.Expr] = (),
) -> sp.Expr | None:
    """t as a function of the loss s, or None; ``choose`` picks the branch among the candidates."""
    try:
        pair = (region.p, region.q) if region.ratio is None else sp.fraction(region.ratio)
        r = ratio(pair[0], pair[1], known)
    except Irreducible:
        return None
    moving = [x for x in (r.numerator + r.denominator).free_symbols if r.generators.meaning.get(x, x).has(t)]
    y = sp.Dummy("y", positive=True)
    if not moving:
        return None
    candidates: list[sp.Expr] = []
    if len(moving) == 1 and moving[0] != t:
        candidates = _from_exponential(r, moving[0], t, y)
    elif moving == [t]:
        roots = _roots(sp.expand(sp.numer(sp.together(r.numerator - y * r.denominator))), t)
        candidates = [r.generators.back(root) for root in roots]
    if not candidates:
        exponent = loss(region, t, known)
        if exponent.is_polynomial(t):
            candidates = _roots(sp.expand(exponent - sp.log(y)), t)
    return choose([tidy(c.subs(y, sp.exp(S))) for c in candidates])


def _from_exponential(r: Ratio, x: sp.Symbol, t: sp.Symbol, y: sp.Symbol) -> list[sp.Expr]:
    meaning = r.generators.meaning[x]
    if not isinstance(meaning, sp.exp) or sp.diff(meaning.args[0], t, 2) != 0:
        return []
    slope, shift = sp.diff(meaning.args[0], t), meaning.args[0].subs(t, 0)
    equation = sp.expand(r.numerator - y * r.denominator)
    powers = {term.as_powers_dict().get(x, sp.Integer(0)) for term in sp.Add.make_args(equation)}
    low = min(powers)
    step = sp.igcd(*(int((power - low) * 24) for power in powers))
    z = sp.Dummy("z", positive=True)
    shifted = sp.expand(equation / x**low).subs(x, z ** sp.Rational(24, step))
    found = []
    for root in _roots(sp.expand(shifted), z):
        monomial, rest = sp.factor_terms(root).as_independent(*_plain(r, y), as_Add=False)
        if monomial.could_extract_minus_sign():
            monomial, rest = -monomial, sp.expand(-rest)
        logarithm = (
            r.generators.back(r.generators.rational(sp.log(r.generators.back(monomial))))
            if monomial != 1
            else 0
        )
        inner = sp.log(tidy(r.generators.back(rest)))
        found.append(
            sp.expand((sp.Rational(24, step) * logarithm - shift) / slope)
            + sp.Rational(24, step) / slope * inner
        )
    return found


def _plain(r: Ratio, y: sp.Symbol) -> list[sp.Symbol]:
    """Symbols that stay inside the logarithm: the loss and the parameters, not the exponentials."""
    return [y, *(s for s in (r.numerator + r.denominator).free_symbols if s not in r.generators.meaning)]


def _roots(equation: sp.Expr, unknown: sp.Symbol) -> list[sp.Expr]:
    """Roots of a polynomial equation of degree 1 or 2, in the closed form of school."""
    if not equation.is_polynomial(unknown):
        return []
    polynomial = sp.Poly(equation, unknown)
    polynomial = -polynomial if polynomial.LC().could_extract_minus_sign() else polynomial
    if polynomial.degree() == 1:
        return [sp.factor(-polynomial.nth(0) / polynomial.nth(1))]
    if polynomial.degree() == 2:
        a, b, c = (polynomial.nth(i) for i in (2, 1, 0))
        root = sp.sqrt(b**2 - 4 * a * c)
        return [(-b + root) / (2 * a), (-b - root) / (2 * a)]
    return []
