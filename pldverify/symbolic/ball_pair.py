r"""A pair of densities in balls: distribution functions of its loss, for the reference engines.

``ball_pair(mechanism, direction)`` derives the pair and lowers it; masses come from
:mod:`pldverify.symbolic.check.measure`. The threshold :math:`L^{-1}(s)` is the lowered inverse, or the proved
bracket of :mod:`pldverify.symbolic.lowering.threshold`.
"""

from fractions import Fraction
from functools import lru_cache

import sympy as sp

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, dyadic
from pldverify.balls.compare import at_most, surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.analytic_piece import AnalyticPiece
from pldverify.symbolic.check.measure import Measure, total_mass
from pldverify.symbolic.lowering.threshold import bracket, integer_bracket
from pldverify.symbolic.lowering.to_arb import to_arb
from pldverify.symbolic.model.densities import LAMBDA, S
from pldverify.symbolic.model.formulas import Formulas, Piece
from pldverify.symbolic.model.obligation import Kind, Obligation, State


@lru_cache(maxsize=32)
def ball_pair(mechanism: DensityPair, direction: Direction = "remove") -> "BallPair":
    """The pair of ``mechanism`` in one direction. Raises as ``derive`` does."""
    from pldverify.symbolic.derive import derive

    return BallPair(derive(mechanism, direction=direction))


def _enough(obligation: Obligation) -> bool:
    """Whether balls may rest on it, or do not: a total mass may be enclosed; closed forms of M(λ) are used by
    :meth:`BallPair.normal` alone, which asks for proofs itself; all else must hold on all outcomes."""
    if obligation.kind is Kind.TRANSFORM:
        return not obligation.disproved
    if obligation.kind is Kind.TOTAL_MASS:
        return obligation.state is not State.FAILED
    return obligation.state is State.PROVED or obligation.kind is Kind.PRINTED


class BallPair:
    """One ordered pair of a :class:`DensityPair`, evaluated at flint's working precision."""

    def __init__(self, derivation: Formulas) -> None:
        doubtful = [o for o in derivation.obligations if not _enough(o)]
        if doubtful:
            raise NotSupported(f"balls need a proof of: {doubtful[0].statement}; {doubtful[0].argument}")
        self.derivation = derivation
        totals = [o.state for o in derivation.obligations if o.kind is Kind.TOTAL_MASS]
        self._exact = totals == [State.PROVED, State.PROVED]
        self._totals: dict[int, tuple[arb, arb]] = {}
        self._analytic: list[AnalyticPiece] | None = None
        self._pieces = [_PieceInBalls(piece, derivation.outcome) for piece in derivation.pieces]
        self._atoms = [
            (
                atom.loss,
                to_arb(atom.loss, []) if not atom.loss.is_infinite else None,
                to_arb(atom.p, []),
                to_arb(atom.q, []),
            )
            for atom in derivation.atoms
        ]

    @property
    def infinite_mass(self) -> arb:
        """δ_∞ = P(q = 0)."""
        mass = to_arb(sp.sympify(self.derivation.delta_infinity), [])()
        return mass if self._exact or mass.is_zero() else _unit(mass / self._masses()[0])

    @property
    def largest_finite_loss(self) -> arb | None:
        """Supremum of the finite losses; None for +∞."""
        tops = [piece.range[1] for piece in self.derivation.pieces]
        tops += [atom.loss for atom in self.derivation.atoms if not atom.loss.is_infinite]
        if sp.oo in tops:
            return None
        values = [to_arb(top, [])() for top in tops]
        top = values[0]
        for value in values[1:]:
            top = top.max(value)
        return top if self._exact else top + arb(0, 1) * ball(self._shift())

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        r"""(P(s ≤ S < ∞), Q(S ≥ s)) with S the loss, s in nats.

        Where the total masses m_P and m_Q are not proved to be 1, the pair is P/m_P against Q/m_Q: its losses
        are smaller by :math:`\log(m_P/m_Q)`, so its tails lie between those of the given measures a bound of
        that to the right and to the left of s.
        Raises NotSupported where a density has neither an antiderivative nor a proved decay.
        """
        if self._exact:
            p, q = self._tails(s)
            return _unit(p), _unit(q)
        shift = self._shift()
        above, below = self._tails(s + shift), self._tails(s - shift)
        p, q = (a.union(b) / mass for a, b, mass in zip(above, below, self._masses(), strict=True))
        return _unit(p), _unit(q)

    def _tails(self, s: Fraction) -> tuple[arb, arb]:
        """The same of the measures as they are given."""
        first, second = arb(0), arb(0)
        for piece in self._pieces:
            above = piece.tails(s)
            first, second = first + above[0], second + above[1]
        for loss, value, p, q in self._atoms:
            if value is None:
                continue
            inside = _reaches(loss, s)
            if inside is None:
                first, second = first + arb(0).union(p()), second + arb(0).union(q())
            elif inside:
                first, second = first + p(), second + q()
        return first, second

    def _masses(self) -> tuple[arb, arb]:
        """Total masses of P and Q at the working precision. Raises NotSupported if one is not 1."""
        if ctx.prec not in self._totals:
            self._totals[ctx.prec] = self._total("P", 0), self._total("Q", 1)
        return self._totals[ctx.prec]

    def _total(self, name: str, index: int) -> arb:
        mass = total_mass(self.derivation.densities, index)
        if mass is None or not surely_less(ball(Fraction(1, 2)), mass):
            raise NoConvergence(f"balls need the total mass of {name}, got {mass} at {ctx.prec} bits")
        if not mass.contains(1):
            raise NotSupported(f"balls need a total mass of 1, got {mass.str(ctx.prec)} for {name}")
        return mass

    def _shift(self) -> Fraction:
        """A bound of the absolute value of log(m_P/m_Q)."""
        p, q = self._masses()
        return dyadic(abs((p / q).log()).upper())

    def normal(self) -> Fraction | None:
        r"""v where :math:`M(\lambda) = e^{v\lambda(\lambda+1)/2}`, proved for all real λ.

        The loss is normal then, with mean v/2 and variance v: a moment generating function that is finite
        near 0 fixes its law.
        """
        formulas = self.derivation
        proved = [o.state for o in formulas.obligations if o.kind is Kind.TRANSFORM]
        if not self._exact or formulas.atoms or not isinstance(formulas.mgf, sp.exp):
            return None
        if not proved or set(proved) != {State.PROVED}:
            return None
        v = 2 * sp.cancel(formulas.mgf.args[0] / (LAMBDA * (LAMBDA + 1)))
        return Fraction(int(v.p), int(v.q)) if isinstance(v, sp.Rational) and v > 0 else None

    def atoms(self) -> list[tuple[arb | None, arb, arb]]:
        """(loss or None for ±∞, mass under P, mass under Q) of the atoms."""
        of_p, of_q = (arb(1), arb(1)) if self._exact else self._masses()
        shift = arb(0) if self._exact else (of_q / of_p).log()
        return [
            (None if value is None else value() + shift, p() / of_p, q() / of_q)
            for _, value, p, q in self._atoms
        ]

    def is_finite(self) -> bool:
        """Whether the loss has finitely many values: atoms, and integers of bounded regions."""
        ends = [end for piece in self.derivation.pieces for end in (piece.region.lower, piece.region.upper)]
        if not ends:
            return True
        return bool(self.derivation.outcome.is_integer) and all(isinstance(end, sp.Integer) for end in ends)

    def outcomes(self) -> list[tuple[arb, arb]]:
        """Masses under P and Q of the outcomes of a pair that :meth:`is_finite`."""
        of_p, of_q = (arb(1), arb(1)) if self._exact else self._masses()
        rows = [(p(), q()) for _, _, p, q in self._atoms]
        for piece in self.derivation.pieces:
            t, region = self.derivation.outcome, piece.region
            p, q = to_arb(region.p, [t]), to_arb(region.q, [t])
            rows += [(p(n), q(n)) for n in range(int(region.lower), int(region.upper) + 1)]
        return [(p / of_p, q / of_q) for p, q in rows]

    def analytic(self) -> list[AnalyticPiece]:
        """The pieces, for integrals over their outcomes. Raises NotSupported for integers."""
        if self.derivation.outcome.is_integer:
            raise NotSupported("integers have no density to integrate")
        if self._analytic is None:
            self._analytic = [AnalyticPiece(p, self.derivation.outcome) for p in self.derivation.pieces]
        return self._analytic

    def log_masses(self) -> tuple[arb, arb]:
        """Logarithms of the total masses of P and Q as they are given."""
        if self._exact:
            return arb(0), arb(0)
        of_p, of_q = self._masses()
        return of_p.log(), of_q.log()

    def delta(self, epsilon: Fraction) -> arb:
        """δ(ε) of a single step: δ_∞ + P(L ≥ ε) − e^ε Q(L ≥ ε)."""
        p, q = self.tails(epsilon)
        return _unit(self.infinite_mass + p - ball(epsilon).exp() * q)


def _sympy(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _reaches(end: sp.Expr, s: Fraction) -> bool | None:
    """Whether a loss ``end``, ±oo allowed, is at least s; None if the precision does not tell."""
    if end.is_infinite:
        return bool(end == sp.oo)
    if end.is_Rational:
        return bool(end >= _sympy(s))
    return at_most(ball(s), to_arb(end, [])())


def _unit(value: arb) -> arb:
    return value.max(arb(0)).min(arb(1))


class _PieceInBalls:
    def __init__(self, piece: Piece, outcome: sp.Symbol) -> None:
        region = piece.region
        self.piece, self.outcome = piece, outcome
        self.first = Measure(region, region.p, outcome, piece.p_integral)
        self.second = Measure(region, region.q, outcome, piece.q_integral)
        self.loss = to_arb(piece.loss, [outcome])
        self.inverse = None if piece.inverse is None else to_arb(piece.inverse, [S])

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """(P(L ≥ s), Q(L ≥ s)) of the piece."""
        low, high = (_reaches(end, s) for end in self.piece.range)
        if low:
            return self._all()
        if high is False or (high and self._only_at_the_end(s)):
            return self._top_outcome(s)
        decided = low is False and high is True
        value = self.inverse(s) if self.inverse is not None and decided else arb.nan()
        if value.is_finite():
            return self._beyond(self._inside(value))
        return self._bracketed(s)

    def _only_at_the_end(self, s: Fraction) -> bool:
        return bool(self.piece.range[1] == _sympy(s))

    def _top_outcome(self, s: Fraction) -> tuple[arb, arb]:
        """Nothing lies above the range; for integers the extreme outcome lies at its end."""
        if not self.outcome.is_integer or not self._only_at_the_end(s):
            return arb(0), arb(0)
        end = self.piece.region.upper if self.piece.trend == 1 else self.piece.region.lower
        if end.is_infinite:
            return arb(0), arb(0)
        p, q = (
            to_arb(density, [self.outcome])(int(end))
            for density in (self.piece.region.p, self.piece.region.q)
        )
        return p, q

    def _beyond(self, threshold: arb) -> tuple[arb, arb]:
        ends = (threshold, None) if self.piece.trend == 1 else (None, threshold)
        return _unit(self.first.mass(*ends)), _unit(self.second.mass(*ends))

    def _inside(self, value: arb) -> arb:
        for end, combine in ((self.piece.region.lower, "max"), (self.piece.region.upper, "min")):
            if not end.is_infinite:
                value = getattr(value, combine)(to_arb(end, [])())
        return value

    def _bracketed(self, s: Fraction) -> tuple[arb, arb]:
        """With the threshold in a proved bracket; where that is infinite, all or nothing may lie above."""
        point = ball(s)
        search = integer_bracket if self.outcome.is_integer else bracket
        found = search(self.piece.region, lambda t: at_most(point, self.loss(t)), self.piece.trend)
        if found.low is not None and found.high is not None:
            threshold = ball(found.low).union(ball(found.high))
            return self._beyond(threshold if self.outcome.is_integer else self._inside(threshold))
        end = found.low if self.piece.trend == 1 else found.high
        p, q = self._all() if end is None else self._beyond(ball(end))
        return arb(0).union(p), arb(0).union(q)

    def _all(self) -> tuple[arb, arb]:
        return _unit(self.first.mass(None, None)), _unit(self.second.mass(None, None))
