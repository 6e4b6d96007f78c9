r"""The input of every derivation: two densities on a common line, region by region, and nothing else.

A pair (P, Q) is given on consecutive regions of the outcome t, on each of which both densities are one
smooth expression. Outcomes are real (densities with respect to length) or integers (probabilities).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy as sp

from pldverify.symbolic.model.domain import Domain, Variable

T = sp.Symbol("t", real=True)
N = sp.Symbol("t", integer=True)
S = sp.Symbol("s", real=True)
EPSILON = sp.Symbol("epsilon", real=True)
LAMBDA = sp.Symbol("lambda", real=True)
"""The letters of every derivation: outcome t (real or integer), loss s, ε in nats, order λ."""


@dataclass(frozen=True)
class Region:
    """An interval of outcomes with one smooth expression for each density; 0 where a density vanishes.

    Attributes:
        lower, upper: end points (open interval for real outcomes, both included for integers), ±oo allowed.
        p, q: densities or probabilities in the outcome and the parameters.
        ratio: p/q, where it cannot be found by cancelling generators (binomial coefficients); proved apart.
    """

    lower: sp.Expr
    upper: sp.Expr
    p: sp.Expr
    q: sp.Expr
    ratio: sp.Expr | None = None

    @property
    def inside(self) -> sp.Expr:
        """A point of the open interval."""
        if self.lower.is_infinite and self.upper.is_infinite:
            return sp.Integer(0)
        if self.upper.is_infinite:
            return self.lower + 1
        return self.upper - 1 if self.lower.is_infinite else (self.lower + self.upper) / 2


@dataclass(frozen=True)
class Densities:
    """A pair (P, Q) with symbolic parameters.

    Attributes:
        title: the pair in words.
        symbol: the outcome, a real or integer symbol.
        regions: consecutive regions that cover the support of both.
        domain: intervals of the parameters.
        outcome_box: where proofs in balls take the outcome, if a sign needs them.
    """

    title: str
    symbol: sp.Symbol
    regions: tuple[Region, ...]
    domain: Domain
    outcome_box: tuple[sp.Rational, sp.Rational] | None = None

    @property
    def is_integer(self) -> bool:
        """Whether the outcomes are integers."""
        return bool(self.symbol.is_integer)

    def swapped(self) -> "Densities":
        """(Q, P)."""
        regions = tuple(
            replace(r, p=r.q, q=r.p, ratio=None if r.ratio is None else 1 / r.ratio) for r in self.regions
        )
        return replace(self, regions=regions)

    def key(self) -> str:
        """Everything that a derivation depends on, symbols with their assumptions; it names it in a cache."""
        regions = [sp.Tuple(r.lower, r.upper, r.p, r.q, r.ratio or 0) for r in self.regions]
        domain = [sp.Tuple(s, *ends, *self.domain.box[s]) for s, ends in self.domain.intervals.items()]
        everything = sp.Tuple(self.symbol, sp.Tuple(*regions), sp.Tuple(*domain), self.outcome_box or ())
        return str(sp.srepr(everything))

    def outcome(self, region: Region) -> Variable:
        """The outcome as a variable on ``region``."""
        return Variable(self.symbol, region.lower, region.upper, is_integer=self.is_integer)


def line(p: sp.Expr, q: sp.Expr) -> tuple[Region, ...]:
    """One region: all reals, or all integers."""
    return (Region(-sp.oo, sp.oo, p, q),)


def consecutive(points: Sequence[sp.Expr], p: Sequence[sp.Expr], q: Sequence[sp.Expr]) -> tuple[Region, ...]:
    """Regions between consecutive ``points`` (real outcomes), with one expression of p and q for each."""
    ends = [-sp.oo, *points, sp.oo]
    return tuple(Region(a, b, x, y) for a, b, x, y in zip(ends[:-1], ends[1:], p, q, strict=True))
