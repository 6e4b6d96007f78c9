r"""Loss of the Poisson-subsampled discrete Gaussian mechanism: :math:`(1-q) Q + q P` against Q, or the
reverse.

With :math:`y(x) = e^{(2xs - s^2)/2\sigma^2}` the odds of P and :math:`w = 1 - q + qy`, the mixture is wQ, and

.. math:: M_{remove}(z) = \sum_x Q(x) w(x)^{z+1}, \qquad M_{add}(z) = \sum_x Q(x) w(x)^{-z}.

**Cut**: y and w increase with x. So from an outcome on, where y = Y and p > 0, w^p is at most
:math:`(q + (1-q)/Y)^p y^p`, and Q y^p is :math:`e^{s^2(p^2-p)/2\sigma^2}` times the bell around ps. In the
other cases w^p is at most its value at the edge, or for p < 0 below the edge :math:`(1-q)^p`. A bell's sum
from a distance d > 0 on, over unit steps, is at most :math:`e^{-rd^2}/(1 - e^{-2rd})`, :math:`r =
1/2\sigma^2`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.anchored import anchor_of_mixture
from pldverify.reference.laws.discrete_gaussian import normaliser, upper_sum
from pldverify.reference.laws.hints.poisson_discrete_gaussian import window
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.tilted_atoms import TiltedAtoms

MAX_WORK = 60_000_000
"""Cap on outcomes times nodes on the line."""


@dataclass(frozen=True)
class PoissonDiscreteGaussianLaw:
    """``variance`` = σ², integer ``sensitivity`` s, 0 < ``q`` < 1."""

    variance: Fraction
    sensitivity: int
    q: Fraction
    direction: Direction
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> arb | None:
        return None if self.direction == "remove" else -(-ball(self.q)).log1p()

    def anchor(self) -> Fraction:
        return anchor_of_mixture(self.q, self.direction)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """From {w ≥ e^s}, or the complement of {w > e^{−s}}: both are {x ≥ some integer}."""
        if self.direction == "remove":
            mixed, base = self._from(s)
            return mixed, base
        mixed, base = self._from(-s, above=True)
        return 1 - base, 1 - mixed

    def _from(self, point: Fraction, *, above: bool = False) -> tuple[arb, arb]:
        """Mixture and Q of {log w ≥ point}, or of {log w > point} if ``above``: at 0 there may be an atom."""
        y = 1 + ball(point).expm1() / ball(self.q)
        if surely_at_most(y, 0):
            return arb(1), arb(1)
        if not surely_less(
            0, y
        ):  # at the end of the losses: between all of them and those above the largest such y
            mixed, base = self._from_odds(y.upper(), above)
            return mixed.union(arb(1)), base.union(arb(1))
        return self._from_odds(y, above)

    def _from_odds(self, y: arb, above: bool) -> tuple[arb, arb]:
        """Mixture and Q of the outcomes whose odds are at least ``y`` > 0, or above it."""
        s, v = self.sensitivity, ball(self.variance)
        start = y.log() * v / s + ball(Fraction(s, 2))
        whole = (start.floor() + 1 if above else start.ceil()).unique_fmpz()
        if whole is not None:
            return self._from_outcome(int(whole))
        near = start.mid().floor().unique_fmpz()
        if near is None or not surely_at_most(start.rad(), 1):
            unknown = arb(0).union(arb(1))
            return unknown, unknown
        # ε is too close to the loss of an outcome for this precision
        (a, b), (c, d) = (self._from_outcome(int(near) + shift) for shift in (-1, 2))
        return a.union(c), b.union(d)

    def _from_outcome(self, x: int) -> tuple[arb, arb]:
        total, q = normaliser(self.variance), ball(self.q)
        base, moved = (upper_sum(self.variance, y) / total for y in (x, x - self.sensitivity))
        return (1 - q) * base + q * moved, base

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
        first, last = window(self.variance, self.sensitivity, self.q, float(power), ctx.prec)
        if last < first:
            raise NoConvergence("poisson discrete gaussian: no outcomes to sum over")
        s, v, q, total = self.sensitivity, self.variance, ball(self.q), normaliser(self.variance)
        p = ball(power)
        logs, masses = [], []
        for x in paced(range(first, last + 1)):
            logs.append((q * ball((2 * x * s - s * s) / (2 * v)).expm1()).log1p())
            masses.append((p * logs[-1] - ball(Fraction(x * x) / (2 * v))).exp() / total)
        rest = ((self._cut(power, last + 1, 1) + self._cut(power, 1 - first, -1)) / total).upper()
        if not rest.is_finite():
            raise NoConvergence("poisson discrete gaussian: no proved error bound of the transform")
        return TiltedAtoms(masses, [sign * log for log in logs], rest)

    def _cut(self, power: Fraction, edge: int, side: int) -> arb:
        """Bound of Σ e^{−x²/2σ²} w^p over side·x ≥ ``edge``; +∞ before a peak."""
        s, v, q, p = self.sensitivity, ball(self.variance), ball(self.q), ball(power)
        odds = ball(Fraction(2 * side * edge * s - s * s) / (2 * self.variance)).exp()
        if side > 0 and power > 0:
            peak = (s * s * (p * p - p) / (2 * v)).exp()
            return (q + (1 - q) / odds) ** p * peak * _one_side(v, edge - p * s)
        largest = (1 - q + q * odds) ** p if (side > 0) == (power < 0) else (1 - q) ** p
        return largest * _one_side(v, arb(edge))

    def decay(self, theta: Fraction) -> Decay:
        return Decay()


def _one_side(variance: arb, distance: arb) -> arb:
    """Σ e^{−x²/2σ²} over unit-spaced x ≥ ``distance``, at most; +∞ unless distance > 0."""
    if not surely_less(0, distance):
        return arb.pos_inf()
    rate = 1 / (2 * variance)
    return (-rate * distance * distance).exp() / -(-2 * rate * distance).expm1()
