r"""Binomial mechanism: d + Bin(n, p) against Bin(n, p), one derivation for each distance d.

On d ≤ t ≤ n both have mass and :math:`e^L = \prod_{i<d} \frac{t-i}{n-t+i+1} \cdot
(\frac{1-p}{p})^d`; below d only Q has mass (loss −∞), above n only P (loss +∞, δ_∞).
"""

from fractions import Fraction

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.binomial import Binomial
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families.atomic import P
from pldverify.symbolic.families.family import Family, moves
from pldverify.symbolic.model.densities import Densities, N, Region
from pldverify.symbolic.model.domain import Domain

TRIALS = sp.Symbol("n", integer=True, positive=True)
MAX_DISTANCE = 6
"""Cap on the distance whose outcomes outside the common support are written out."""


def mass(t: sp.Expr) -> sp.Expr:
    """Pr[Bin(n, p) = t]."""
    return sp.binomial(TRIALS, t) * P**t * (1 - P) ** (TRIALS - t)


def densities(d: int) -> Densities:
    """d + Bin(n, p) against Bin(n, p) for n ≥ d."""
    zero = sp.Integer(0)
    low = [Region(sp.Integer(i), sp.Integer(i), zero, mass(sp.Integer(i))) for i in range(d)]
    high = [Region(TRIALS + i, TRIALS + i, mass(TRIALS + i - d), zero) for i in range(1, d + 1)]
    odds = sp.Mul(*((N - i) / (TRIALS - N + i + 1) for i in range(d))) * ((1 - P) / P) ** d
    inside = Region(sp.Integer(d), TRIALS, mass(N - d), mass(N), ratio=odds)
    return Densities(
        f"{d} + Bin(n, p) against Bin(n, p)",
        N,
        (*low, inside, *high),
        Domain.of(
            {P: (zero, sp.Integer(1)), TRIALS: (sp.Integer(d), sp.oo)},
            {TRIALS: (Fraction(d + 2), Fraction(d + 10))},
        ),
    )


def binomial(mechanism: Binomial, direction: Direction) -> Family:
    """d is the sensitivity, twice it under replace-one. Raises NotSupported for a large distance."""
    distance = mechanism.sensitivity * moves(direction)
    if distance > MAX_DISTANCE:
        raise NotSupported(f"a binomial pair is derived for distances up to {MAX_DISTANCE}, got {distance}")
    if mechanism.n <= distance:
        raise NotSupported(f"a binomial pair is derived for n > {distance}, got n={mechanism.n}")
    values = {"p": mechanism.p, "n": Fraction(mechanism.n)}
    return Family(
        f"binomial d={distance}", densities(distance), values, ("d is the distance of the two laws",)
    )
