r"""Pairs with finitely many outcomes: randomised response, (ε, δ)-DP, probability vectors."""

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.families.family import Family
from pldverify.symbolic.model.densities import LAMBDA, Densities, N, Region
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.formulas import Formulas, require
from pldverify.symbolic.model.obligation import Obligation

MAX_OUTCOMES = 64
"""Cap on the outcomes of a pair that is written out."""

P = sp.Symbol("p", positive=True)
CATEGORIES = sp.Symbol("k", integer=True, positive=True)
EPSILON_0 = sp.Symbol("epsilon_0", positive=True)
DELTA_0 = sp.Symbol("delta_0", positive=True)
_UNIT = (sp.Integer(0), sp.Integer(1))


def outcomes(title: str, p: Sequence[sp.Expr], q: Sequence[sp.Expr], domain: Domain) -> Densities:
    """One region for each outcome 0, 1, …"""
    regions = tuple(
        Region(sp.Integer(i), sp.Integer(i), a, b) for i, (a, b) in enumerate(zip(p, q, strict=True))
    )
    return Densities(title, N, regions, domain)


def randomized_response(mechanism: RandomizedResponse, direction: Direction) -> Family:
    """Binary and k-ary; p = 0, p = 1 and p = 1/k are pairs of numbers."""
    p, other, k = mechanism.p, mechanism.other, mechanism.categories
    if 0 in (p, other) or p == other:
        return _numbers([p, other, 1 - p - other], [other, p, 1 - p - other])
    if k == 2:
        title = "(p, 1 − p) against (1 − p, p)"
        densities = outcomes(title, [P, 1 - P], [1 - P, P], Domain.of({P: _UNIT}))
        return Family("randomized-response", densities, {"p": p}, (), printed)
    r = (1 - P) / (CATEGORIES - 1)
    rest = (CATEGORIES - 2) * r
    densities = outcomes(
        "(p, r, the other k − 2) against (r, p, the other k − 2), r = (1 − p)/(k − 1)",
        [P, r, rest],
        [r, P, rest],
        Domain.of({P: _UNIT, CATEGORIES: (sp.Integer(2), sp.oo)}, {CATEGORIES: (Fraction(3), Fraction(10))}),
    )
    return Family("k-ary-randomized-response", densities, {"p": p, "k": Fraction(k)})


def pure_dp(mechanism: PureDP, direction: Direction) -> Family:
    """(e^ε, 1)/(1 + e^ε) and its reverse; written with a loss ε₀ ≠ ε, the argument of δ(ε)."""
    if mechanism.epsilon == 0:
        return _numbers([Fraction(1)], [Fraction(1)])
    high, low = (x / (1 + sp.exp(EPSILON_0)) for x in (sp.exp(EPSILON_0), sp.Integer(1)))
    densities = outcomes(
        "(e^ε₀, 1)/(1 + e^ε₀) against its reverse",
        [high, low],
        [low, high],
        Domain.of({EPSILON_0: (sp.Integer(0), sp.oo)}),
    )
    return Family("pure-dp", densities, {"epsilon_0": mechanism.epsilon})


def approximate_dp(mechanism: ApproximateDP, direction: Direction) -> Family:
    """The Kairouz-Oh-Viswanath pair."""
    epsilon, delta = mechanism.epsilon, mechanism.delta
    if delta == 0:
        return pure_dp(PureDP(epsilon), direction)
    if epsilon == 0 or delta == 1:
        rest = 1 - delta
        return _numbers([delta, rest, Fraction(0)], [Fraction(0), rest, delta])
    high, low = ((1 - DELTA_0) * x / (1 + sp.exp(EPSILON_0)) for x in (sp.exp(EPSILON_0), sp.Integer(1)))
    zero = sp.Integer(0)
    domain = Domain.of({EPSILON_0: (zero, sp.oo), DELTA_0: _UNIT})
    title = "(δ₀, (1 − δ₀) e^ε₀/(1 + e^ε₀), (1 − δ₀)/(1 + e^ε₀), 0) against its reverse"
    densities = outcomes(title, [DELTA_0, high, low, zero], [zero, low, high, DELTA_0], domain)
    return Family("approximate-dp", densities, {"epsilon_0": epsilon, "delta_0": delta})


def finite_pair(mechanism: FinitePair, direction: Direction) -> Family:
    """The vectors themselves."""
    return _numbers(mechanism.p, mechanism.q)


def _numbers(p: Sequence[Fraction], q: Sequence[Fraction]) -> Family:
    kept = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    if len(kept) > MAX_OUTCOMES:
        raise NotSupported(
            f"a finite pair is written out for at most {MAX_OUTCOMES} outcomes, got {len(kept)}"
        )
    first, second = (
        [sp.Rational(x.numerator, x.denominator) for x in column] for column in zip(*kept, strict=True)
    )
    shown = ", ".join(f"{a}:{b}" for a, b in kept)
    return Family(f"finite-pair {shown}", outcomes("two probability vectors", first, second, Domain.of({})))


def printed(forward: Formulas, backward: Formulas, prover: Prover) -> list[Obligation]:
    """KH21 section 6.1: the PLD and the Rényi divergence of binary randomised response."""
    loss = sp.log(P / (1 - P))
    alpha = sp.Symbol("alpha", positive=True)
    rdp = sp.log(require(forward.mgf).subs(LAMBDA, alpha - 1))
    shown = sp.log(P**alpha * (1 - P) ** (1 - alpha) + (1 - P) ** alpha * P ** (1 - alpha))
    first, second = forward.atoms
    source = "KH21 section 6.1"
    return [
        prover.equal("ω_R has mass p at c_p = log(p/(1 − p))", first.loss + first.p, loss + P, source=source),
        prover.equal("ω_R has mass 1 − p at −c_p", second.loss + second.p, -loss + 1 - P, source=source),
        prover.equal(
            "α-RDP is log(p^α (1−p)^(1−α) + (1−p)^α p^(1−α))/(α − 1)",
            sp.exp(shown),
            sp.exp(rdp),
            source=source,
        ),
    ]
