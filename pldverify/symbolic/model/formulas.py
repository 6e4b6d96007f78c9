r"""What a derivation holds: every formula of one pair (P, Q), and the state of every obligation.

Letters as in the papers: L(t) = log(p/q)(t) the privacy loss, s its value, ω the law of L(t) for t ~ P
(the privacy loss distribution), M(λ) = E[e^{λS}; S < ∞], K = log M, ε and s in nats.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Densities, Region, S
from pldverify.symbolic.model.obligation import Obligation, State


@dataclass(frozen=True)
class Piece:
    """A region on which L is strictly monotone.

    Where no closed inverse exists, ``inverse`` is None and the fields that would be functions of s are
    functions of the outcome t = L⁻¹(s), which is unique; they are exact all the same.

    Attributes:
        region: the outcomes with the two densities.
        loss, slope: L and L' in t (for integers: L, L(t+1) − L(t)).
        trend: +1 increasing, −1 decreasing.
        range: (inf L, sup L) on the region; for integers the extreme values.
        inverse: L⁻¹(s), or None.
        jacobian: dL⁻¹/ds (None for integers).
        density: ω(s) on ``range`` (None for integers).
        p_integral, q_integral: antiderivatives (for integers antidifferences) of p and q in t, or None.
        tilted_integral: the same of p e^{λL}, or None.
        masses: (P, Q) of the piece, or None.
        delta: the part of δ(ε) of this piece for ε inside ``range``, or None.
    """

    region: Region
    loss: sp.Expr
    slope: sp.Expr
    trend: int
    range: tuple[sp.Expr, sp.Expr]
    inverse: sp.Expr | None
    jacobian: sp.Expr | None
    density: sp.Expr | None
    p_integral: sp.Expr | None
    q_integral: sp.Expr | None
    tilted_integral: sp.Expr | None
    masses: tuple[sp.Expr, sp.Expr] | None
    delta: sp.Expr | None


@dataclass(frozen=True)
class Atom:
    """Outcomes that share one loss, with masses ``p`` and ``q``; the loss is ±oo where one vanishes.

    ``p_integral`` and ``q_integral`` are the antiderivatives that the masses come from, None for a mass at
    one outcome or of a density that is 0.
    """

    region: Region
    loss: sp.Expr
    p: sp.Expr
    q: sp.Expr
    p_integral: sp.Expr | None = None
    q_integral: sp.Expr | None = None


@dataclass(frozen=True)
class Formulas:
    """Everything derived about one pair in one direction, as data.

    Attributes:
        family: name of the family, and the key under which it is cached.
        direction: ``remove`` for P‖Q, ``add`` for Q‖P of the mechanism.
        densities: the input.
        pieces, atoms: the decomposition of the outcomes by the behaviour of L.
        delta_infinity: P(q = 0).
        delta: δ(ε) of a single step for every real ε, or None where a part has no closed form.
        mgf: M(λ) in closed form for real λ (where it converges), or None.
        obligations: the statements with their state.
        values: values of parameters, if the mechanism had them; the formulas stay symbolic.
        notes: remarks on units and conventions.
    """

    family: str
    direction: str
    densities: Densities
    pieces: tuple[Piece, ...]
    atoms: tuple[Atom, ...]
    delta_infinity: sp.Expr
    delta: sp.Expr | None
    mgf: sp.Expr | None
    obligations: tuple[Obligation, ...] = ()
    values: Mapping[sp.Symbol, Fraction] = field(default_factory=dict, hash=False)
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> sp.Symbol:
        """The outcome t."""
        return self.densities.symbol

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """The parameters, in the order of the domain."""
        return tuple(self.densities.domain.intervals)

    @property
    def cumulant(self) -> sp.Expr | None:
        """K(λ) = log M(λ)."""
        return None if self.mgf is None else sp.expand_log(sp.log(self.mgf))

    @property
    def failed(self) -> tuple[Obligation, ...]:
        """The obligations that failed."""
        return tuple(o for o in self.obligations if o.state is State.FAILED)

    def only_piece(self) -> Piece:
        """The piece of a pair that has one. Raises InvalidInput otherwise.

        >>> pv.derive(pv.Gaussian(sigma=1)).only_piece().range
        (-oo, oo)
        >>> pv.derive(pv.Laplace(b=1)).only_piece().range
        (-1/b, 1/b)
        """
        if len(self.pieces) != 1:
            raise InvalidInput(
                f"derivation must have one monotone piece, got {len(self.pieces)} of {self.family}"
            )
        return self.pieces[0]

    @property
    def loss(self) -> sp.Expr:
        """L(t) of a pair with one monotone piece."""
        return self.only_piece().loss

    @property
    def inverse(self) -> sp.Expr | None:
        """L⁻¹(s) of a pair with one monotone piece."""
        return self.only_piece().inverse

    @property
    def jacobian(self) -> sp.Expr | None:
        """dL⁻¹/ds of a pair with one monotone piece."""
        return self.only_piece().jacobian

    @property
    def density(self) -> sp.Expr | None:
        """ω(s) of a pair with one monotone piece, inside its support."""
        return self.only_piece().density


def require(expression: sp.Expr | None) -> sp.Expr:
    """A formula that must be there for what is proved; NaN, which no proof accepts, if it is not."""
    return sp.nan if expression is None else expression


__all__ = ["EPSILON", "LAMBDA", "Atom", "Formulas", "Piece", "S", "require"]
