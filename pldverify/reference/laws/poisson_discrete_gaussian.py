r"""Loss of the Poisson-subsampled discrete Gaussian mechanism: :math:`(1-q) Q + q P` against Q, or the
reverse.

With :math:`y(x) = e^{(2xs - s^2)/2\sigma^2}` the odds of P and :math:`w = 1 - q + qy`, the mixture is wQ, and

.. math:: M_{remove}(z) = \sum_x Q(x) w(x)^{z+1}, \qquad M_{add}(z) = \sum_x Q(x) w(x)^{-z}.

**Cut**, p ≥ 0: y and w increase with x. So from an outcome on, where y = Y and p > 0, w^p is at most
:math:`(q + (1-q)/Y)^p y^p`, and Q y^p is :math:`e^{s^2(p^2-p)/2\sigma^2}` times the bell around ps. Below an
outcome w^p is at most its value there. A bell's sum from a distance d > 0 on, over unit steps, is at most
:math:`e^{-rd^2}/(1 - e^{-2rd})`, :math:`r = 1/2\sigma^2`.

**Cut**, p < 0: log w is convex, so :math:`e^{-x^2/2\sigma^2} w^p` is log-concave, and the ratio of one
term to the one before falls outwards: from a term t on, with rt the next one and r < 1, the sum is at most
:math:`t/(1-r)`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.discrete_gaussian import MAX_TERMS, DiscreteGaussianLaw, normaliser, reach
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.poisson_sample import PoissonLaw
from pldverify.reference.laws.tilted_atoms import TiltedAtoms

MAX_WORK = 60_000_000
"""Cap on outcomes times nodes on the line."""


@dataclass(frozen=True)
class PoissonDiscreteGaussianLaw(PoissonLaw):
    """``variance`` = σ², integer ``sensitivity`` s, 0 < ``q`` < 1."""

    variance: Fraction
    sensitivity: int
    q: Fraction
    direction: Direction

    def unsampled(self, x: arb) -> tuple[arb, arb]:
        return DiscreteGaussianLaw(self.variance, self.sensitivity).beyond(x)

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        atoms = self.tilted_atoms(theta)
        if len(atoms.masses) * (count + 1) > MAX_WORK:
            raise NoConvergence(
                f"contour: the transform needs {len(atoms.masses)} outcomes times {count + 1} nodes "
                f"(cap {MAX_WORK})"
            )
        return atoms.on_line(Fraction(0), step, count)

    def tilted_atoms(self, theta: Fraction) -> TiltedAtoms:
        """One atom for every outcome that counts; :meth:`_cut` bounds the others."""
        power, sign = (theta + 1, 1) if self.direction == "remove" else (-theta, -1)
        first, last = self.window(power)
        if last < first:
            raise NoConvergence("poisson discrete gaussian: no outcomes to sum over")
        p, v, total = ball(power), 2 * self.variance, normaliser(self.variance)
        logs = [self._log_w(x) for x in paced(range(first, last + 1))]
        masses = [(p * log - ball(x * x / v)).exp() / total for x, log in enumerate(logs, first)]
        rest = ((self._cut(power, last + 1, 1) + self._cut(power, 1 - first, -1)) / total).upper()
        if not rest.is_finite():
            raise NoConvergence("poisson discrete gaussian: no proved error bound of the transform")
        return TiltedAtoms(masses, [sign * log for log in logs], rest)

    def window(self, power: Fraction) -> tuple[int, int]:
        """First and last outcome that count: a choice, whatever it is.

        For p ≥ 0 the mass lies between the bells around 0 and ps. For p < 0 the terms are largest at some
        outcome between ps and 0, and fall from it at least as fast as a bell.
        """
        far = reach(self.variance)
        low, high = sorted((0, math.floor(power * self.sensitivity)))
        if power < 0:
            with working(BOUND_BITS):
                while high - low > 1:
                    x = (low + high) // 2
                    low, high = (x, high) if surely_less(0, self._change(power, x, 1)) else (low, x)
        if high - low + 2 * far > MAX_TERMS:
            raise NoConvergence(f"poisson discrete gaussian: more than {MAX_TERMS} outcomes count")
        return low - far, high + far

    def _log_w(self, x: int) -> arb:
        s = self.sensitivity
        return (ball(self.q) * ball((2 * x * s - s * s) / (2 * self.variance)).expm1()).log1p()

    def _change(self, power: Fraction, x: int, side: int) -> arb:
        """log of the ratio of the term at x + ``side`` to that at x."""
        s, v, q = self.sensitivity, self.variance, ball(self.q)
        odds = q * ball((2 * x * s - s * s) / (2 * v)).exp()
        rise = (odds * ball(side * s / v).expm1() / (1 - q + odds)).log1p()
        return ball(power) * rise - ball(Fraction(2 * side * x + 1) / (2 * self.variance))

    def _cut(self, power: Fraction, edge: int, side: int) -> arb:
        """Bound of Σ e^{−x²/2σ²} w^p over side·x ≥ ``edge``; +∞ before a peak."""
        v, q, p, log = ball(self.variance), ball(self.q), ball(power), self._log_w(side * edge)
        if power < 0:
            change = self._change(power, side * edge, side)
            first = (p * log - edge * edge / (2 * v)).exp()
            return first / -change.expm1() if surely_less(change, 0) else arb.pos_inf()
        if side < 0 or power == 0:
            return (p * log).exp() * _one_side(v, arb(edge))
        s = self.sensitivity
        odds = ball(Fraction(2 * edge * s - s * s) / (2 * self.variance)).exp()
        peak = (s * s * (p * p - p) / (2 * v)).exp()
        return (q + (1 - q) / odds) ** p * peak * _one_side(v, edge - p * s)

    def decay(self, theta: Fraction) -> Decay:
        return Decay()


def _one_side(variance: arb, distance: arb) -> arb:
    """Σ e^{−x²/2σ²} over unit-spaced x ≥ ``distance``, at most; +∞ unless distance > 0."""
    if not surely_less(0, distance):
        return arb.pos_inf()
    rate = 1 / (2 * variance)
    return (-rate * distance * distance).exp() / -(-2 * rate * distance).expm1()
