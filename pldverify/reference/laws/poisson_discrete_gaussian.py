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

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from pldverify.balls.ball import ball
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Direction
from pldverify.reference.laws.discrete_gaussian import MAX_TERMS, normaliser, upper_sum
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
    def highest(self) -> arb | None:
        return None if self.direction == "remove" else -(-ball(self.q)).log1p()

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
        if y <= 0:
            return arb(1), arb(1)
        if not y > 0:  # at the end of the losses: between all of them and those above the largest such y
            mixed, base = self._beyond(y.upper(), above)
            return mixed.union(arb(1)), base.union(arb(1))
        return self._beyond(y, above)

    def _beyond(self, y: arb, above: bool) -> tuple[arb, arb]:
        """Mixture and Q of the outcomes whose odds are at least ``y`` > 0, or above it."""
        s, v = self.sensitivity, ball(self.variance)
        start = y.log() * v / s + ball(Fraction(s, 2))
        whole = (start.floor() + 1 if above else start.ceil()).unique_fmpz()
        if whole is not None:
            return self._from_outcome(int(whole))
        near = start.mid().floor().unique_fmpz()
        if near is None or start.rad() > 1:
            unknown = arb(0).union(arb(1))
            return unknown, unknown
        # ε is too close to the loss of an outcome for this precision
        (a, b), (c, d) = (self._from_outcome(int(near) + shift) for shift in (-1, 2))
        return a.union(c), b.union(d)

    def _from_outcome(self, x: int) -> tuple[arb, arb]:
        total, q = normaliser(self.variance), ball(self.q)
        base, moved = (upper_sum(self.variance, y) / total for y in (x, x - self.sensitivity))
        return (1 - q) * base + q * moved, base

    def _power(self, theta: float) -> float:
        return theta + 1 if self.direction == "remove" else -theta

    def _window(self, p: float, bits: int) -> range:
        """Outcomes beyond which :meth:`_cut` is some 2^−bits of the transform (search only).

        Q w^p has for p ≥ 0 all its mass between the bells around 0 and ps, and is for p < 0 log-concave.
        """
        v, s = float(self.variance), self.sensitivity
        room = (bits + 20) * math.log(2)
        reach, far = math.sqrt(2 * v * room) + 2, max(0.0, p * s)
        left, right = -reach, far + reach
        if p < 0:
            mode = self._mode(p)
            above = p * (math.log1p(-self.q) - self._loss(mode)) + mode * mode / (2 * v)
            left, right = -math.sqrt(2 * v * (room + max(0.0, above))) - 2, max(1.0, mode + reach)
        low, high = math.floor(left), math.ceil(right)
        if high - low > MAX_TERMS:
            raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
        return range(low, high + 1)

    def _loss(self, x: float) -> float:
        """log w(x), in floats."""
        s, v = self.sensitivity, float(self.variance)
        return _log_w((2 * x * s - s * s) / (2 * v), float(self.q))

    def _mode(self, p: float) -> float:
        """The x at which e^{−x²/2σ²} w^p is largest, p < 0: it solves x = ps · qy/w."""
        s, v, q = self.sensitivity, float(self.variance), float(self.q)
        low, high = p * s, 0.0
        while high - low > 0.01:
            x = (low + high) / 2
            y = math.exp((2 * x * s - s * s) / (2 * v))
            low, high = (low, x) if x > p * s * q * y / (1 - q + q * y) else (x, high)
        return low

    def _counting(self, p: float) -> list[int]:
        """Outcomes that count for a float: for large p a valley is left out."""
        points = self._window(p, 40)
        reach = math.ceil(math.sqrt(float(self.variance) * 84) + 2)
        turn = float(self.variance) / self.sensitivity * math.log(1 / self.q - 1) + self.sensitivity / 2
        first, last = math.ceil(max(0.0, turn)) + 2 * reach, points[-1] - 2 * reach
        return [*range(points[0], first), *range(last, points[-1] + 1)] if first < last else list(points)

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        p, q, v, s = self._power(theta), float(self.q), float(self.variance), self.sensitivity
        sign = 1 if self.direction == "remove" else -1
        points = self._counting(p)
        losses = [_log_w((2 * x * s - s * s) / (2 * v), q) for x in points]
        logs = [p * loss - x * x / (2 * v) for loss, x in zip(losses, points, strict=True)]
        peak, base = max(logs), math.fsum(math.exp(-x * x / (2 * v)) for x in self._window(0.0, 40))
        weights = [math.exp(log - peak) for log in logs]
        total = math.fsum(weights)
        mean = math.fsum(w * loss for w, loss in zip(weights, losses, strict=True)) / total
        squares = (w * (loss - mean) ** 2 for w, loss in zip(weights, losses, strict=True))
        return math.log(total / base) + peak, sign * mean, math.fsum(squares) / total

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        atoms = self.tilted_atoms(theta)
        if len(atoms.masses) * (count + 1) > MAX_WORK:
            raise NoConvergence(
                f"contour: the transform needs {len(atoms.masses)} outcomes times {count + 1} nodes "
                f"(cap {MAX_WORK})"
            )
        return atoms.line(Fraction(0), step, count)

    def tilted_atoms(self, theta: Fraction) -> TiltedAtoms:
        """One atom for every outcome that counts; :meth:`_cut` bounds the others."""
        power, sign = (theta + 1, 1) if self.direction == "remove" else (-theta, -1)
        points = self._window(float(power), ctx.prec)
        s, v, q, total = self.sensitivity, self.variance, ball(self.q), normaliser(self.variance)
        p = ball(power)
        logs, masses = [], []
        for x in points:
            if x % 100 == 0:
                spend()
            logs.append((q * ball((2 * x * s - s * s) / (2 * v)).expm1()).log1p())
            masses.append((p * logs[-1] - ball(Fraction(x * x) / (2 * v))).exp() / total)
        rest = ((self._cut(power, points[-1] + 1, 1) + self._cut(power, 1 - points[0], -1)) / total).upper()
        if not rest.is_finite():
            raise NoConvergence("poisson discrete gaussian: no proved error bound of the transform")
        return TiltedAtoms(masses, [sign * log for log in logs], rest)

    def _cut(self, power: Fraction, edge: int, side: int) -> arb:
        """Bound of Σ e^{−x²/2σ²} w^p over side·x ≥ ``edge``; +∞ before a peak."""
        s, v, q, p = self.sensitivity, ball(self.variance), ball(self.q), ball(power)
        odds = ball(Fraction(2 * side * edge * s - s * s) / (2 * self.variance)).exp()
        if side > 0 and power > 0:
            peak = (s * s * (p * p - p) / (2 * v)).exp()
            return (q + (1 - q) / odds) ** p * peak * _beyond(v, edge - p * s)
        largest = (1 - q + q * odds) ** p if (side > 0) == (power < 0) else (1 - q) ** p
        return largest * _beyond(v, arb(edge))

    def decay(self, theta: Fraction) -> Decay:
        return Decay()


def _beyond(variance: arb, distance: arb) -> arb:
    if not distance > 0:
        return arb.pos_inf()
    rate = 1 / (2 * variance)
    return (-rate * distance * distance).exp() / -(-2 * rate * distance).expm1()


def _log_w(exponent: float, q: float) -> float:
    if exponent > 30:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))
