r"""Exact pieces of δ(ε) that the steps of an FFT accountant add or leave out, from the reference alone.

With ψ(s) = 1 − e^{ε−s} on (ε, L) and 0 elsewhere, and g the finite part of δ,
:math:`E[\psi(S + c)] = g(\varepsilon - c) - (1 - e^{\varepsilon - L})\Pr[S \ge L - c] - e^{\varepsilon-L}
g(L - c)`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pldverify import reference
from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, short, upper, working
from pldverify.balls.compare import surely_less
from pldverify.bounds.chernoff import chernoff_tail
from pldverify.bounds.periodisation import periodisation
from pldverify.bounds.truncation import truncation
from pldverify.decomposition.moments import log_moment
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, Direction, reverse
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.law import with_tails
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.golden import golden_section

_LOWEST = -24.0
"""log₂ of the least tilt searched; any value is right: a poor tilt costs width."""
_HIGHEST = 9.0
"""log₂ of the largest tilt searched; any value is right."""
_CLOSE = 2e-5
"""Width in log₂ of the tilt at which that search ends; any value is right."""


def hull(value: Enclosure) -> arb:
    """The ball that covers an enclosure."""
    return ball(Fraction(value.lower)).union(ball(Fraction(value.upper)))


def best_tilt(log_size: Callable[[float], float]) -> Fraction:
    """The λ > 0 at which ``log_size``, in floats and convex in λ, is least; moments exist for small tilts."""

    def size(power: float) -> float:
        try:
            found = log_size(2.0**power)
        except (NoConvergence, ArithmeticError, ValueError):
            return math.inf
        return math.inf if math.isnan(found) else found

    return short(2.0 ** golden_section(size, _LOWEST, _HIGHEST, _CLOSE))


def least(bound: Callable[[Fraction], arb], log_size: Callable[[float], float]) -> arb:
    """A bound that holds for every tilt, at the one where ``log_size`` is least; +∞ if that fails."""
    try:
        with working(BOUND_BITS):
            return bound(best_tilt(log_size)).upper()
    except (NoConvergence, ArithmeticError, ValueError):
        return arb.pos_inf()


@dataclass(frozen=True)
class Truth:
    """One direction of one composition at one ε; balls at the working precision."""

    composition: Composition
    direction: Direction
    epsilon: Fraction
    digits: int = 20

    @cached_property
    def delta(self) -> Enclosure:
        """δ(ε), δ_∞ included."""
        return self._delta(self.epsilon, self.digits)

    def delta_at(self, epsilon: Fraction) -> arb:
        """δ at another ε, δ_∞ included."""
        return hull(self._delta(epsilon, self.digits))

    def tail_at(self, s: Fraction) -> arb:
        """P(S ≥ s), δ_∞ included; Chernoff's bound where the reference has no tail."""
        try:
            return hull(self._tail(s))
        except (NoConvergence, NotSupported):
            return arb(0).union(self.chernoff(s) + ball(self.infinite))

    @cached_property
    def infinite(self) -> Fraction:
        """Upper bound of δ_∞, at most 1."""
        mass = upper(self.product.infinite_mass())
        return Fraction(1) if mass >= 1 else max(Fraction(0), Fraction(mass))

    def beyond(self, L: Fraction) -> arb:
        """E[(1 − e^{ε−S}); L ≤ S < ∞] for a loss without mass at ∞."""
        bound = self.chernoff(L)
        if surely_less(bound, ball(self.goal)):
            return arb(0).union(bound)
        try:
            p, g = hull(self._tail(L)), hull(self._delta(L, self.digits))
        except (NoConvergence, NotSupported):
            return arb(0).union(bound)
        drop = ball(self.epsilon - L).exp()
        return ((1 - drop) * p + drop * g).max(arb(0))

    def wrapped(self, L: Fraction) -> arb:
        """Σ_{m≠0} E[ψ(S + 2mL)]."""
        total = arb(0)
        for m in (-1, 1):
            total += self._alias(L, m)
        far = self.chernoff(self.epsilon + 4 * L) + self.chernoff_below(-3 * L)
        return total + arb(0).union(far)

    def _alias(self, L: Fraction, m: int) -> arb:
        low, high = self.epsilon - 2 * m * L, L - 2 * m * L
        bound = self.chernoff(low) if m < 0 else self.chernoff_below(high)
        if surely_less(bound, ball(self.goal)):
            return arb(0).union(bound)
        try:
            digits = self.digits + 20 if m > 0 else self.digits  # near 1, and taken off each other
            drop = ball(self.epsilon - L).exp()
            at_low, at_high = hull(self._delta(low, digits)), hull(self._delta(high, digits))
            tail = hull(self._tail(high, digits))
            return (at_low - (1 - drop) * tail - drop * at_high).max(arb(0))
        except (NoConvergence, NotSupported):
            return arb(0).union(bound)

    @cached_property
    def goal(self) -> Fraction:
        """Size below which a bound is enough."""
        return max(Fraction(self.delta.upper) / 10**12, Fraction(1, 10**40))

    @cached_property
    def product(self) -> ComposedLoss:
        """The laws of this direction."""
        return product(self.composition, self.direction)

    def chernoff(self, s: Fraction) -> arb:
        """Bound on P(s ≤ S < ∞), at most 1."""
        moment, at = self.log_moment, float(s)
        found = least(
            lambda lam: chernoff_tail(moment(lam), lam, s), lambda lam: self._cumulant(lam) - lam * at
        )
        return found.min(arb(1))

    def chernoff_below(self, s: Fraction) -> arb:
        """Bound on P(S ≤ s), at most 1."""
        moment, at = self.log_moment, float(s)
        found = least(
            lambda lam: chernoff_tail(moment(-lam), -lam, s), lambda lam: self._cumulant(-lam) + lam * at
        )
        return found.min(arb(1))

    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log E[e^{λS}; S < ∞] of the composition."""
        return sum((k * log_moment(part, self.direction, lam) for part, k in self.composition.parts), arb(0))

    def _cumulant(self, lam: float) -> float:
        return cumulant(self.product, lam)[0]

    def outside(self, L: Fraction) -> arb:
        """Bound on P(some single loss is outside of [−L, L)), the exact union bound."""
        return self.strays(-L, L, whole=False)

    def strays(self, low: Fraction, high: Fraction, *, whole: bool) -> arb:
        """Bound on P(some single loss is outside of [low, high)); with ``whole`` on that of their sum."""
        if whole:
            return (self.chernoff(high) + self.chernoff_below(low)).min(arb(1))
        total = arb(0)
        for part, k in self.composition.parts:
            single = as_composition(part)
            for law, _ in product(single, self.direction).factors:
                total += k * with_tails(law).tails(high)[0].upper()
            for law, _ in product(single, reverse(self.direction)).factors:
                total += k * with_tails(law).tails(-low)[1].upper()  # Q'(−S ≥ −low) = P(S ≤ low)
        return total.upper().max(arb(0)).min(arb(1))

    def promised_truncation(self, L: Fraction) -> arb:
        """What :func:`~pldverify.bounds.truncation.truncation` promises, the best λ."""
        singles = [product(as_composition(part), self.direction) for part, _ in self.composition.parts]
        edge = float(L)
        return least(
            lambda lam: truncation(
                [
                    (log_moment(part, self.direction, lam), log_moment(part, self.direction, -lam), k)
                    for part, k in self.composition.parts
                ],
                lam,
                L,
            ),
            lambda lam: max(max(cumulant(p, lam)[0], cumulant(p, -lam)[0]) for p in singles) - lam * edge,
        )

    def promised_periodisation(self, L: Fraction) -> arb:
        """What :func:`~pldverify.bounds.periodisation.periodisation` promises, the best λ."""
        moment, edge = self.log_moment, float(L)
        return least(
            lambda lam: periodisation(moment(lam), moment(-lam), lam, L),
            lambda lam: max(self._cumulant(lam), self._cumulant(-lam)) - lam * edge,
        )

    def _delta(self, epsilon: Fraction, digits: int) -> Enclosure:
        return reference.delta(self.composition, epsilon=epsilon, adjacency=self.adjacency, digits=digits)

    def _tail(self, s: Fraction, digits: int | None = None) -> Enclosure:
        digits = self.digits if digits is None else digits
        return reference.tail(self.composition, epsilon=s, adjacency=self.adjacency, digits=digits)

    @property
    def adjacency(self) -> Adjacency:
        """What the reference calls this direction."""
        if self.direction == "add" or self.direction == "remove":
            return self.direction
        return "replace-one"
