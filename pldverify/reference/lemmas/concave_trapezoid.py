r"""Trapezoidal rule for :math:`\int \varphi(x) w(x)^{p+iv} dx` with p < 0: the integrand is log-concave.

Notation as in ``gaussian_mixture.py``: w = 1 − q + y, :math:`y = q e^{cx - c^2/2}`, 0 < q < 1. As log w is
convex, :math:`G(x) = -(x+s)^2/2 + p\log w(x)` is concave with :math:`G'' \le -1`, for every s. So

.. math:: G(x) \le G(x_1) + G'(x_1)^2/2 \quad\text{for any two points, hence}\quad
          \int e^G \le \sqrt{2\pi}\, e^{G(x_1) + G'(x_1)^2/2},

and beyond a point x₁ where G falls, :math:`\int e^G \le e^{G(x_1)}/|G'(x_1)|`: with s = 0 that bounds the
omitted nodes, since there the sum is at most the integral.

**Discretisation.** On Im x = ±a with t = ca < π/2 put W = 1 − q + y cos t. Then |w| ≥ Re w = W and
:math:`|\arg w| \le y \sin t/W = \tan t \cdot y\cos t/W \le \tan t \log(W/(1-q))`, by z/(1+z) ≤ log(1+z).
With τ = |v| tan t the integrand is at most :math:`e^{a^2/2} \varphi\, (1-q)^{-\tau} W^{p+\tau}`, and
:math:`W(x) = w(x - s)` for :math:`s = -\log(\cos t)/c`. So for τ ≤ |p| its integral is at most

.. math:: N(\tau) = e^{a^2/2} (1-q)^{-\tau} \frac{1}{\sqrt{2\pi}} \int e^{-(x+s)^2/2} w^{p+\tau} dx,

which the first bound encloses. The bound of the integrand grows with a (p + τ ≤ 0, and W falls), so it holds
in the whole strip, and the rule errs by at most :math:`2N/(e^{2\pi a/\eta} - 1)` (Trefethen and Weideman
2014, Theorem 5.1). N is log-convex in τ, so a chord bounds log N between 0 and the largest τ.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import ball, short

_STRIPS = (0.95, 0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01)


@dataclass(frozen=True)
class Exponent:
    """G for one (c, q, p, s), in floats."""

    c: float
    q: float
    p: float
    s: float = 0.0

    def value(self, x: float) -> float:
        return -((x + self.s) ** 2) / 2 + self.p * log_w(self.c, self.q, x)

    def slope(self, x: float) -> float:
        return -(x + self.s) + self.p * self.c * _share(self.c, self.q, x)

    def mode(self) -> float:
        """Where G is largest: Newton's method in a bracket."""
        reach = 1.0
        while self.slope(-self.s - reach) < 0:
            reach *= 2
        low, high = -self.s - reach, -self.s
        x = high
        for _ in range(60):
            slope = self.slope(x)
            low, high = (x, high) if slope > 0 else (low, x)
            last, step = x, slope * self.deviation(x) ** 2
            x = x + step if low < x + step < high and abs(step) < (high - low) / 2 else (low + high) / 2
            if abs(x - last) <= 1e-12 * (1 + abs(x)):
                break
        return x

    def deviation(self, x: float) -> float:
        """(−G'')^{−1/2}."""
        share = _share(self.c, self.q, x)
        return 1 / math.sqrt(1 - self.p * self.c**2 * share * (1 - share))

    def edge(self, mode: float, floor: float, side: int) -> float:
        """Where G falls below ``floor`` on one side of the mode."""
        near, far = 0.0, math.sqrt(2 * max(1.0, self.value(mode) - floor)) + 1
        for _ in range(40):
            middle = (near + far) / 2
            near, far = (middle, far) if self.value(mode + side * middle) > floor else (near, middle)
        return mode + side * far


@dataclass(frozen=True)
class ConcaveRule:
    """Nodes η·first … η·last and the half-width a of the strip."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction

    def errors(self, c: arb, q: arb, p: Fraction, step: arb, count: int) -> list[arb]:
        """Proved bound of what the sum misses at v = j·step, j = 0 … count; +∞ where nothing is proved."""
        h, a = ball(self.eta), ball(self.strip)
        tails = arb(0)
        for node, side in ((self.first, 1), (self.last, -1)):
            value, slope = _ball_exponent(c, q, ball(p), arb(0), h * node)
            slope *= side
            tails += value.exp() / slope if slope > 0 else arb.pos_inf()
        tails /= (2 * arb.pi()).sqrt()
        t = c * a
        tau = step * count * t.tan()
        if not (t < arb.pi() / 2 and tau <= -ball(p) and tails.is_finite()):
            return [arb.pos_inf()] * (count + 1)
        shift = -t.cos().log() / c
        ends = []
        for part in (arb(0), tau):
            ends.append(a * a / 2 - part * (1 - q).log() + log_peak(c, q, ball(p) + part, shift))
        scale = 2 / (2 * arb.pi() * a / h).expm1()
        rise = (ends[1] - ends[0]) / max(count, 1)
        return [(tails + scale * (ends[0] + rise * j).exp()).upper() for j in range(count + 1)]


def concave_rule(c: float, q: float, p: float, height: float, bits: int) -> ConcaveRule:
    """Nodes that should give ``bits`` bits for |v| ≤ ``height`` (search only)."""
    goal = (bits + 8) * math.log(2)
    here = Exponent(c, q, p)
    mode = here.mode()
    log_mass = here.value(mode) + math.log(here.deviation(mode))
    widest = min(math.atan2(-p, height), math.pi / 2) / c
    longest, strip = 0.0, 0.0
    for a in (widest * part for part in _STRIPS):
        t = c * a
        tau, shift = height * math.tan(t), -math.log(math.cos(t)) / c
        moved = Exponent(c, q, p + tau, shift)
        growth = a * a / 2 - tau * math.log1p(-q) + moved.value(moved.mode()) - log_mass
        longest, strip = max((longest, strip), (2 * math.pi * a / (goal + max(0.0, growth) + 2), a))
    eta = short(longest, 20)
    floor = log_mass - goal - 2
    low, high = here.edge(mode, floor, -1), here.edge(mode, floor, 1)
    return ConcaveRule(
        eta, math.floor(low / float(eta)) - 1, math.ceil(high / float(eta)) + 1, short(strip, 20)
    )


def log_peak(c: arb, q: arb, p: arb, s: arb) -> arb:
    """Upper bound of max G, p ≤ 0."""
    centre = ball(short(Exponent(float(c), float(q), float(p), float(s)).mode()))
    value, slope = _ball_exponent(c, q, p, s, centre)
    return value + slope * slope / 2


def _ball_exponent(c: arb, q: arb, p: arb, s: arb, x: arb) -> tuple[arb, arb]:
    """G and G' in balls."""
    y = q * (c * x - c * c / 2).exp()
    w = 1 - q + y
    return -(x + s) * (x + s) / 2 + p * w.log(), -(x + s) + p * c * y / w


def log_w(c: float, q: float, x: float) -> float:
    """log w(x) in floats."""
    exponent = c * x - c * c / 2
    if exponent > 30:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))


def _share(c: float, q: float, x: float) -> float:
    """y/w."""
    exponent = c * x - c * c / 2
    if exponent > 700:
        return 1.0
    y = q * math.exp(exponent)
    return y / (1 - q + y)
