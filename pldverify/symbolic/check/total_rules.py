r"""Three reasons why probabilities add up to 1 that no antiderivative shows.

Each rule writes a density as :math:`\sum_j c_j\,b(t - j)` with a law b of known total mass, proves that the
weights do not depend on the outcome, and that they add up to 1.
"""

from collections.abc import Callable
from itertools import pairwise

import sympy as sp

from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Variable

Pairs = list[tuple[Region, sp.Expr]]
"""The regions with the density of P, or of Q, on each."""

Rule = Callable[[Densities, Pairs, Prover], str | None]
"""The argument that the total mass is 1, or None."""


def normalised_series(densities: Densities, pairs: Pairs, prover: Prover) -> str | None:
    """Σ c_j g(t + j)/Σg over all integers."""
    (region, density), *more = pairs
    if more or not densities.is_integer or (region.lower, region.upper) != (-sp.oo, sp.oo):
        return None
    t, over = densities.symbol, [densities.outcome(region)]
    for series in density.atoms(sp.Sum):
        ((index, low, high),) = series.limits
        integers = [s for s in densities.domain.intervals if s.is_integer]
        shifts = [sp.Integer(0), *integers, *(-s for s in integers)]
        kernels = [series.function.subs(index, t + shift) for shift in shifts]
        weights = _weights(sp.expand(density * series, power_exp=False), kernels, t)
        if (low, high) != (-sp.oo, sp.oo) or weights is None:
            continue
        rebuilt = sp.Add(*(c * g for c, g in zip(weights, kernels, strict=True)))
        if prover.proves_equal(density * series, rebuilt, over) and _are_one(weights, prover):
            return "terms of its normalising series, shifted by integers, with weights that add up to 1"
    return None


def _weights(numerator: sp.Expr, kernels: list[sp.Expr], t: sp.Symbol) -> list[sp.Expr] | None:
    """Coefficients free of t that make the terms of ``numerator`` multiples of the kernels; an ansatz."""
    weights = [sp.Integer(0) for _ in kernels]
    for term in sp.Add.make_args(numerator):
        quotients = [sp.simplify(sp.powsimp(term / g, combine="exp")) for g in kernels]
        found = [i for i, quotient in enumerate(quotients) if not quotient.has(t)]
        if not found:
            return None
        weights[found[0]] += quotients[found[0]]
    return weights


def _are_one(weights: list[sp.Expr], prover: Prover) -> bool:
    return prover.proves_equal(sp.Add(*weights), sp.Integer(1))


def shifted_binomials(densities: Densities, pairs: Pairs, prover: Prover) -> str | None:
    """Σ c_j b(t − j) with the binomial probabilities b of n trials, on consecutive integers.

    The weights are read off the one region with more than one outcome and must serve all others. A region
    lies inside or outside 0 ≤ t − j ≤ n, and all regions together reach over it; binomial theorem.
    """
    t = densities.symbol
    wide = [(region, density) for region, density in pairs if region.lower != region.upper]
    joined = all(b.lower == a.upper + 1 for (a, _), (b, _) in pairwise(pairs))
    if not densities.is_integer or len(wide) != 1 or not joined:
        return None
    for p in densities.domain.intervals:
        weights = _binomial_weights(wide[0][1], t, p)
        if weights is None or not _are_one(list(weights.values()), prover):
            continue
        everywhere = all(_is_mixture(region, density, weights, t, p, prover) for region, density in pairs)
        if everywhere and all(_reaches(pairs, n, j, prover) for n, j in weights):
            return "binomial probabilities, shifted by integers, with weights that add up to 1"
    return None


Weights = dict[tuple[sp.Expr, sp.Expr], sp.Expr]
"""{(n, j): c_j}."""


def _binomial(n: sp.Expr, k: sp.Expr, p: sp.Expr) -> sp.Expr:
    return sp.binomial(n, k) * p**k * (1 - p) ** (n - k)


def _binomial_weights(density: sp.Expr, t: sp.Symbol, p: sp.Symbol) -> Weights | None:
    weights: Weights = {}
    for term in sp.Add.make_args(sp.expand(density, power_base=False, power_exp=False)):
        found = [x for x in term.atoms(sp.binomial) if x.has(t)]
        if len(found) != 1:
            return None
        n, j = found[0].args[0], sp.expand(t - found[0].args[1])
        quotient = sp.simplify(sp.powsimp(term / _binomial(n, t - j, p)))
        if quotient.has(t) or j.has(t):
            return None
        weights[n, j] = weights.get((n, j), sp.Integer(0)) + quotient
    return weights


def _is_mixture(
    region: Region, density: sp.Expr, weights: Weights, t: sp.Symbol, p: sp.Symbol, prover: Prover
) -> bool:
    """Whether the density is the sum of the c_j b(t − j) that reach the region."""
    expected = sp.Integer(0)
    for (n, j), weight in weights.items():
        if _at_least_zero(prover, region.lower - j, n + j - region.upper):
            expected += weight * _binomial(n, t - j, p)
        elif not any(_at_least_zero(prover, gap - 1) for gap in (j - region.upper, region.lower - n - j)):
            return False
    if region.lower == region.upper:
        return prover.proves_equal(*(e.subs(t, region.lower) for e in (expected, density)))
    return prover.proves_equal(expected, density, [Variable(t, region.lower, region.upper, is_integer=True)])


def _reaches(pairs: Pairs, n: sp.Expr, j: sp.Expr, prover: Prover) -> bool:
    return _at_least_zero(prover, j - pairs[0][0].lower, pairs[-1][0].upper - n - j)


def _at_least_zero(prover: Prover, *gaps: sp.Expr) -> bool:
    return all(prover.sign(sp.expand(gap)) in (0, 1) for gap in gaps)


def binomial_mixture_of_normals(densities: Densities, pairs: Pairs, prover: Prover) -> str | None:
    """Σ_ℓ C(m, ℓ) r^ℓ (1 − r)^{m−ℓ} times a normal density, over ℓ = 0 … m; binomial theorem."""
    (region, density), *more = pairs
    if more or (region.lower, region.upper) != (-sp.oo, sp.oo) or not isinstance(density, sp.Sum):
        return None
    ((index, low, m),) = density.limits
    mass = _gaussian_integral(density.function, densities.symbol, prover)
    if mass is None or low != 0 or densities.is_integer:
        return None
    for r in densities.domain.intervals:
        if prover.proves_equal(mass, _binomial(m, index, r)):
            return "binomial weights times normal densities (binomial theorem)"
    return None


def _gaussian_integral(term: sp.Expr, t: sp.Symbol, prover: Prover) -> sp.Expr | None:
    """∫ c e^{a t² + b t + d} dt = c √(π/−a) e^{d − b²/4a} over all reals, for a < 0."""
    exponents = [x.args[0] for x in sp.Mul.make_args(term) if isinstance(x, sp.exp)]
    factor = sp.Mul(*(x for x in sp.Mul.make_args(term) if not isinstance(x, sp.exp)))
    exponent = sp.expand(sp.Add(*exponents))
    if factor.has(t) or not exponent.is_polynomial(t) or sp.degree(exponent, t) != 2:
        return None
    a, b, d = (exponent.coeff(t, i) for i in (2, 1, 0))
    if prover.sign(a) != -1:
        return None
    return factor * sp.sqrt(sp.pi / -a) * sp.exp(sp.expand(d - b**2 / (4 * a)))


RULES: tuple[Rule, ...] = (normalised_series, shifted_binomials, binomial_mixture_of_normals)
