r"""A pair of densities in balls: distribution functions of its loss, and moments, for the reference engines.

``ball_pair(mechanism, direction)`` derives the pair and lowers it; masses come from
:mod:`pldverify.symbolic.measure`. The
threshold :math:`L^{-1}(s)` is the lowered inverse, or a bracket found by bisection and proved by the sign of
L − s, which L being monotone turns into a bound.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import acb, arb

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.mechanism import Direction
from pldverify.symbolic.densities import S
from pldverify.symbolic.derivation import Derivation, Piece
from pldverify.symbolic.lowering.to_arb import ball, to_acb, to_arb
from pldverify.symbolic.measure import Measure, far_point, whole
from pldverify.symbolic.obligation import Obligation, State

_BISECTIONS = 400
_TOUCH = Fraction(1, 2**60)
"""How far a loss is moved where the precision does not separate it from an end of the range."""


@lru_cache(maxsize=32)
def ball_pair(mechanism: DensityPair, direction: Direction = "remove") -> "BallPair":
    """The pair of ``mechanism`` in one direction. Raises as ``derive`` does."""
    from pldverify.symbolic.derive import derive

    return BallPair(derive(mechanism, direction=direction))


def _enough(obligation: Obligation) -> bool:
    """Total mass may be proved to a tolerance; everything else must hold on all outcomes."""
    if obligation.state is State.PROVED_ON_A_BOX:
        return "has total mass 1" in obligation.statement
    return obligation.state is State.PROVED


class BallPair:
    """One ordered pair of a :class:`DensityPair`, evaluated at flint's working precision."""

    def __init__(self, derivation: Derivation) -> None:
        doubtful = [o for o in derivation.obligations if not o.source and not _enough(o)]
        if doubtful:
            raise NotSupported(f"balls need a proof of: {doubtful[0].statement}; {doubtful[0].how}")
        self.derivation = derivation
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
        return to_arb(sp.sympify(self.derivation.delta_infinity), [])()

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
        return top

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """(P(s ≤ S < ∞), Q(S ≥ s)) with S the loss, s in nats.

        Raises NotSupported where a density has neither an antiderivative nor a proved decay.
        """
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
        return _unit(first), _unit(second)

    def delta(self, epsilon: Fraction) -> arb:
        """δ(ε) of a single step: δ_∞ + P(L ≥ ε) − e^ε Q(L ≥ ε)."""
        p, q = self.tails(epsilon)
        return (self.infinite_mass + p - ball(epsilon).exp() * q).max(arb(0)).min(arb(1))

    def mgf(self, z: acb) -> acb:
        """M(z) = E[e^{zS}; S < ∞] by rigorous quadrature over the pieces, for any complex z.

        Raises NotSupported for integer outcomes with infinitely many losses and for an infinite range
        of outcomes on which the decay of the integrand is not proved.
        """
        total = acb(0)
        for _, value, p, _ in self._atoms:
            if value is not None:
                total += acb(p()) * (z * acb(value())).exp()
        for piece in self._pieces:
            total += piece.mgf(z)
        return total

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        """K(θ), K'(θ), K''(θ) in floats, for searches; proves nothing."""
        weights: list[tuple[float, float]] = []
        for _, value, p, _ in self._atoms:
            if value is not None:
                weights.append(
                    (math.log(float(p().mid())) + theta * float(value().mid()), float(value().mid()))
                )
        for piece in self._pieces:
            weights += piece.weights(theta)
        if not weights:
            return -math.inf, 0.0, 0.0
        peak = max(w for w, _ in weights)
        scaled = [(math.exp(w - peak), x) for w, x in weights]
        total = math.fsum(w for w, _ in scaled)
        mean = math.fsum(w * x for w, x in scaled) / total
        variance = math.fsum(w * (x - mean) ** 2 for w, x in scaled) / total
        return peak + math.log(total), mean, variance


def _sympy(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _reaches(end: sp.Expr, s: Fraction) -> bool | None:
    """Whether a loss ``end`` is at least s; None if the precision does not tell."""
    if end.is_Rational:
        return bool(end >= _sympy(s))
    return _at_least(to_arb(end, [])(), ball(s))


def _at_least(value: arb, bound: arb) -> bool | None:
    return True if value >= bound else False if value < bound else None


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
        low, high = self.piece.range
        if low != -sp.oo:
            all_above = _reaches(low, s)
            if all_above:
                return self.first.mass(None, None), self.second.mass(None, None)
            if all_above is None:
                all_mass, cut = (
                    (self.first.mass(None, None), self.second.mass(None, None)),
                    self.tails(s + _TOUCH),
                )
                return all_mass[0].union(cut[0]), all_mass[1].union(cut[1])
        if high != sp.oo:
            some_above = _reaches(high, s)
            if some_above is False or high == _sympy(s):
                return self._top_outcome(high, s)
            if some_above is None:
                more = self.tails(s - _TOUCH)
                return arb(0).union(more[0]), arb(0).union(more[1])
        threshold = self.threshold(s)
        ends = (threshold, None) if self.piece.trend == 1 else (None, threshold)
        p, q = self.first.mass(*ends), self.second.mass(*ends)
        return _unit(p), _unit(q)

    def _top_outcome(self, high: sp.Expr, s: Fraction) -> tuple[arb, arb]:
        """Nothing lies above the range; for integers the extreme outcome lies at its end."""
        if not self.outcome.is_integer or high != _sympy(s):
            return arb(0), arb(0)
        end = self.piece.region.upper if self.piece.trend == 1 else self.piece.region.lower
        p, q = (
            to_arb(density, [self.outcome])(int(end))
            for density in (self.piece.region.p, self.piece.region.q)
        )
        return p, q

    def threshold(self, s: Fraction) -> arb:
        """A ball that contains L⁻¹(s), cut to the region."""
        if self.inverse is not None:
            value = self.inverse(s)
            if value.is_finite():
                return self._inside(value)
        low, high = self._bracket(s)
        return self._inside(ball(low).union(ball(high)))

    def _inside(self, value: arb) -> arb:
        for end, combine in ((self.piece.region.lower, "max"), (self.piece.region.upper, "min")):
            if not end.is_infinite:
                value = getattr(value, combine)(to_arb(end, [])())
        return value

    def _bracket(self, s: Fraction) -> tuple[Fraction, Fraction]:
        """Rational points on both sides of L⁻¹(s), proved by the sign of L − s; bisection."""
        point, trend = ball(s), self.piece.trend

        def above(t: Fraction) -> bool | None:
            return _at_least(trend * self.loss(t), trend * point)

        low, high = self._start(above, -1), self._start(above, 1)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            decided = above(middle)
            if decided is None or high - low < Fraction(1, 2**120):
                return low, high
            low, high = (low, middle) if decided else (middle, high)
        return low, high

    def _start(self, above: Callable[[Fraction], bool | None], side: int) -> Fraction:
        region = self.piece.region
        end = region.lower if side == -1 else region.upper
        if end.is_Rational:
            return Fraction(int(end.p), int(end.q))
        step = Fraction(1)
        while step < 2**200:
            if above(side * step) is (side == 1):
                return side * step
            step *= 2
        raise NoConvergence(f"no bracket for the inverse of L = {self.piece.loss} within ±2^200")

    def mgf(self, z: acb) -> acb:
        region, t = self.piece.region, self.outcome
        if t.is_integer:
            return self._mgf_sum(z)
        loss, density = to_acb(self.piece.loss, t), to_acb(region.p, t)

        def integrand(x: acb, analytic: bool) -> acb:
            return density(x, analytic) * (z * loss(x, analytic)).exp()

        lower, upper, rest = self._ends(z)
        value = acb.integral(integrand, lower, upper)
        return value + acb(arb(0, rest), arb(0, rest)) if rest > 0 else value

    def _mgf_sum(self, z: acb) -> acb:
        region, t = self.piece.region, self.outcome
        if region.lower.is_infinite or region.upper.is_infinite:
            raise NotSupported(f"an infinite sum has no proved moments, got {region.p}")
        density = to_arb(region.p, [t])
        terms = (
            acb(density(n)) * (z * acb(self.loss(n))).exp()
            for n in range(int(region.lower), int(region.upper) + 1)
        )
        return sum(terms, start=acb(0))

    def _ends(self, z: acb) -> tuple[acb, acb, arb]:
        """Finite ends and a bound of |∫| beyond them; |e^{zL} p| = e^{(Re z) L} p on the reals."""
        region = self.piece.region
        ends, rest = [], arb(0)
        for end, side in ((region.lower, -1), (region.upper, 1)):
            if not end.is_infinite:
                ends.append(acb(to_arb(end, [])()))
                continue
            cut, bound = self._decay(z.real, side)
            ends.append(acb(cut))
            rest += bound
        return ends[0], ends[1], rest

    def _decay(self, theta: arb, side: int) -> tuple[arb, arb]:
        """A cut T and a bound of ∫ beyond it: p e^{θL} ≤ p e^{kL} + p e^{mL} for integers k ≤ θ ≤ m."""
        region, t = self.piece.region, self.outcome
        around = [whole(theta.lower().floor()), whole(theta.upper().ceil())]
        tilted = [region.p * sp.exp(k * self.piece.loss) for k in around]
        declines = [-side * (sp.diff(region.p, t) / region.p + k * self.piece.slope) for k in around]
        return far_point(region.p, declines, tilted, t, side)

    def weights(self, theta: float) -> list[tuple[float, float]]:
        """(log of the tilted mass of a cell, loss) over a grid of outcomes, in floats."""
        import numpy as np

        from pldverify.symbolic.lowering.to_numpy import to_numpy

        region, t = self.piece.region, self.outcome
        low, high = (_float_end(end, side) for end, side in ((region.lower, -1), (region.upper, 1)))
        grid = (
            np.arange(math.ceil(low), math.floor(high) + 1.0)
            if t.is_integer
            else np.linspace(low, high, 20_003)[1:-1]
        )
        width = np.ones_like(grid) if t.is_integer else np.gradient(grid)
        density, loss = (to_numpy(e, [t])(grid) for e in (region.p, self.piece.loss))
        with np.errstate(all="ignore"):
            logs = np.log(density * width) + theta * loss
        keep = np.isfinite(logs) & np.isfinite(loss)
        return list(zip(logs[keep].tolist(), loss[keep].tolist(), strict=True))


def _float_end(end: sp.Expr, side: int) -> float:
    return side * 200.0 if end.is_infinite else float(end)
