r"""Privacy loss and its inverse on one region, by algebra on the densities.

:math:`L(t) = \log p(t) - \log q(t)`, written as a polynomial where p/q is an exponential, else as the
logarithm of a quotient in which common factors of p and q are cancelled. The inverse is solved for
where :math:`e^{L}` is a quotient of degree ≤ 2 in one exponential :math:`x = e^{\kappa t}`, or L or :math:`e^L` is
of degree ≤ 2 in t; else there is None, and the inverse stays implicit. An inverse found here is an
ansatz until the prover has checked both identities.
"""

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from pldverify.symbolic.algebra import Generators, Irreducible
from pldverify.symbolic.densities import S


@dataclass(frozen=True)
class Ratio:
    """e^L as a quotient of polynomials in generators."""

    generators: Generators
    numerator: sp.Expr
    denominator: sp.Expr


def ratio(p: sp.Expr, q: sp.Expr) -> Ratio:
    """p/q over generators, common factors cancelled. Raises Irreducible."""
    generators = Generators()
    top, bottom = (sp.expand(generators.rational(density)) for density in (p, q))
    common = _common(top, bottom)
    return Ratio(generators, sp.expand(top / common), sp.expand(bottom / common))


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


def loss(p: sp.Expr, q: sp.Expr) -> sp.Expr:
    """L = log(p/q). Raises Irreducible if a density has a node without a generator."""
    r = ratio(p, q)
    if all(len(sp.Add.make_args(part)) == 1 for part in (r.numerator, r.denominator)):
        return tidy(sp.expand(r.generators.back(r.generators.rational(sp.log(r.generators.back(r.numerator / r.denominator))))))
    if r.numerator == 1:
        return -sp.log(tidy(r.generators.back(r.denominator)))
    return sp.log(tidy(r.generators.back(r.numerator)) / tidy(r.generators.back(r.denominator)))


def tidy(expression: sp.Expr) -> sp.Expr:
    """Products of exponentials as one exponential; nothing else is rewritten."""
    return sp.powsimp(expression, combine="exp", deep=True)


def solve_inverse(
    p: sp.Expr, q: sp.Expr, t: sp.Symbol, choose: Callable[[list[sp.Expr]], sp.Expr | None]
) -> sp.Expr | None:
    """t as a function of the loss s, or None; ``choose`` picks the branch among the candidates."""
    try:
        r = ratio(p, q)
    except Irreducible:
        return None
    moving = [x for x in (r.numerator + r.denominator).free_symbols if r.generators.meaning.get(x, x).has(t)]
    y = sp.Dummy("y", positive=True)
    if not moving:
        return None
    candidates: list[sp.Expr] = []
    if len(moving) == 1 and moving[0] is not t:
        candidates = _from_exponential(r, moving[0], t, y)
    elif moving == [t]:
        roots = _roots(sp.expand(r.numerator - y * r.denominator), t)
        candidates = [r.generators.back(root) for root in roots]
    if not candidates:
        exponent = loss(p, q)
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
        logarithm = r.generators.back(r.generators.rational(sp.log(r.generators.back(monomial)))) if monomial != 1 else 0
        inner = sp.log(tidy(r.generators.back(rest)))
        found.append(sp.expand((sp.Rational(24, step) * logarithm - shift) / slope) + sp.Rational(24, step) / slope * inner)
    return found


def _plain(r: Ratio, y: sp.Symbol) -> list[sp.Symbol]:
    """Symbols that stay inside the logarithm: the loss and the parameters, not the exponentials."""
    return [y, *(s for s in (r.numerator + r.denominator).free_symbols if s not in r.generators.meaning)]


def _roots(equation: sp.Expr, unknown: sp.Symbol) -> list[sp.Expr]:
    """Roots of a polynomial equation of degree 1 or 2, in the closed form of school."""
    if not equation.is_polynomial(unknown):
        return []
    polynomial = sp.Poly(equation, unknown)
    if polynomial.degree() == 1:
        return [sp.factor(-polynomial.nth(0) / polynomial.nth(1))]
    if polynomial.degree() == 2:
        a, b, c = (polynomial.nth(i) for i in (2, 1, 0))
        root = sp.sqrt(b**2 - 4 * a * c)
        return [(-b + root) / (2 * a), (-b - root) / (2 * a)]
    return []
