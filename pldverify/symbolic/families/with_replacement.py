r"""The with-replacement pair of KJH20s B.4: Σ b_ℓ N(ℓ, σ²) against Σ b_ℓ N(−ℓ, σ²), b = Bin(m, q), q = 1/n.

For m up to ``EXPLICIT`` all terms are written out; beyond, m is a symbol, the mixtures are finite sums with a
symbolic upper limit, and the inverse is implicit in both cases: the one positive root of a polynomial of
degree 2m (m = 1 is the substitute pair, whose inverse is closed).
"""

from fractions import Fraction

import sympy as sp

from pldverify.mechanisms.kjh20_with_replacement import KJH20WithReplacement
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families.family import Family, Printed
from pldverify.symbolic.families.normal import SIGMA, SIGMA_AND_Q, Q, normal
from pldverify.symbolic.model.densities import Densities, S, T, line
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Kind, Obligation, State

EXPLICIT = 3
"""Largest batch size whose mixtures are written out."""

M = sp.Symbol("m", integer=True, positive=True)
ELL = sp.Symbol("l", integer=True, nonnegative=True)
NOTE = "σ is the noise multiplier, t counts in units of the sensitivity, q = 1/n"


def weight(ell: sp.Expr | int, m: sp.Expr | int) -> sp.Expr:
    """b_ℓ = C(m, ℓ) q^ℓ (1 − q)^{m−ℓ}."""
    return sp.binomial(m, ell) * Q**ell * (1 - Q) ** (m - ell)


def explicit(m: int) -> Densities:
    """All m + 1 components."""
    p, q = (sp.Add(*(weight(ell, m) * normal(sign * ell) for ell in range(m + 1))) for sign in (1, -1))
    title = f"Σ b_ℓ N(ℓ, σ²) against Σ b_ℓ N(−ℓ, σ²), b = Bin({m}, q)"
    return Densities(title, T, line(p, q), SIGMA_AND_Q)


def kjh20_with_replacement(mechanism: KJH20WithReplacement, direction: Direction) -> Family:
    """The printed pair."""
    m = mechanism.m
    values = {"sigma": mechanism.base.noise_multiplier, "q": Fraction(1, mechanism.n)}
    if m <= EXPLICIT:
        return Family(f"with-replacement m={m}", explicit(m), values, (NOTE,), _printed(m))
    return Family("with-replacement", GENERAL, {**values, "m": Fraction(m)}, (NOTE,), _printed(None))


_INTERVALS = {SIGMA: (sp.Integer(0), sp.oo), Q: (sp.Integer(0), sp.Integer(1)), M: (sp.Integer(0), sp.oo)}
_GENERAL_P, _GENERAL_Q = (sp.Sum(weight(ELL, M) * normal(sign * ELL), (ELL, 0, M)) for sign in (1, -1))
GENERAL = Densities(
    "Σ b_ℓ N(ℓ, σ²) against Σ b_ℓ N(−ℓ, σ²), b = Bin(m, q), any m",
    T,
    line(_GENERAL_P, _GENERAL_Q),
    Domain.of(_INTERVALS, {M: (Fraction(2), Fraction(6))}),
)


def _printed(m: int | None) -> Printed:
    def statements(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
        result = [*_batch_law(m or 3, prover)]
        return result if m is None else [*_polynomial_form(forward, m, prover), *result]

    return statements


def _batch_law(m: int, prover: Prover) -> list[Obligation]:
    """The probabilities of ℓ draws must add up to 1; B.4 prints one factor wrong."""
    n = 1 / Q
    printed = sp.Add(*(sp.binomial(m, ell) * (1 / n) ** ell * (1 / n) ** (m - ell) for ell in range(m + 1)))
    right = sp.Add(*(weight(ell, m) for ell in range(m + 1)))
    return [
        prover.equal(
            f"(1/n)^ℓ (1/n)^(m−ℓ) C(m, ℓ) add up to 1, at m = {m}",
            printed,
            sp.Integer(1),
            source="KJH20s B.4, text above (B.8)",
            correction="the probability is (1/n)^ℓ (1 − 1/n)^(m−ℓ) C(m, ℓ), as (B.8) has it",
        ),
        prover.equal(
            f"q^ℓ (1 − q)^(m−ℓ) C(m, ℓ) add up to 1, at m = {m}", right, sp.Integer(1), source="KJH20s (B.8)"
        ),
    ]


def _polynomial_form(forward: Formulas, m: int, prover: Prover) -> list[Obligation]:
    """(B.9), and how many real roots the equation L(t) = s has in x = e^{t/σ²}."""
    piece = forward.only_piece()
    over = [forward.densities.outcome(piece.region)]
    x, y = sp.exp(T / SIGMA**2), sp.Symbol("x", real=True)
    c = [weight(ell, m) * sp.exp(-(sp.Integer(ell) ** 2) / (2 * SIGMA**2)) for ell in range(m + 1)]
    ratio = sp.Add(*(c[i] * x**i for i in range(m + 1))) / sp.Add(*(c[i] * x**-i for i in range(m + 1)))
    polynomial = sp.Poly(
        sp.Add(*(c[i] * y ** (m + i) for i in range(m + 1)))
        - sp.exp(S) * sp.Add(*(c[i] * y ** (m - i) for i in range(m + 1))),
        y,
    )
    signs = [prover.sign(polynomial.nth(i)) for i in range(2 * m + 1)]
    one_change = signs[:m] == [-1] * m and signs[m + 1 :] == [1] * m
    descartes = (
        "Descartes' rule: the coefficients of x^(m+1) … x^(2m) are positive, those of 1 … x^(m−1) negative"
    )
    ends = prover.sign(polynomial.nth(0)), prover.sign(polynomial.nth(2 * m))
    return [
        prover.equal(
            "L(t) = log(Σ c_ℓ x^ℓ / Σ c_ℓ x^(−ℓ)), x = e^(t/σ²)",
            ratio,
            sp.exp(piece.loss),
            over,
            source="KJH20s (B.9)",
        ),
        Obligation(
            Kind.PRINTED,
            "L(t) = s has one and only one root x > 0",
            State.PROVED if one_change else State.FAILED,
            descartes if one_change else "signs of the coefficients",
        ),
        Obligation(
            Kind.PRINTED,
            "L⁻¹(s) is “the single real root of a polynomial of order 2m”",
            State.FAILED,
            "even degree, positive leading, negative constant coefficient: a negative root too",
            "KJH20s B.4",
            "x = e^(L⁻¹(s)/σ²) is the single positive root; there is at least one negative root",
            disproved=ends == (-1, 1),
        ),
    ]
