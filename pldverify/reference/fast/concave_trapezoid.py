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

Assumes: η, a, c > 0, 0 < q < 1, ca < π/2, τ ≤ −p for the largest |v|, and that G rises at the first node and
falls at the last. Rounds: up; a failed hypothesis gives +∞. Poor nodes, strips and peaks cost size, never
truth.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less


@dataclass(frozen=True)
class ConcaveRule:
    """Nodes η·first … η·last and the half-width a of the strip.

    ``peaks`` are points x₁ for the bounds of N at τ = 0 and at the largest τ: best near the maxima of G, true
    anywhere.
    """

    eta: Fraction
    first: int
    last: int
    strip: Fraction
    peaks: tuple[Fraction, Fraction]

    def errors(self, c: arb, q: arb, p: Fraction, step: arb, count: int) -> list[arb]:
        """Proved bound of what the sum misses at v = j·step, j = 0 … count; +∞ where nothing is proved."""
        h, a, power = ball(self.eta), ball(self.strip), ball(p)
        tails = arb(0)
        for node, side in ((self.first, 1), (self.last, -1)):
            value, slope = _exponent(c, q, power, arb(0), h * node)
            slope *= side
            tails += value.exp() / slope if surely_less(0, slope) else arb.pos_inf()
        tails /= (2 * arb.pi()).sqrt()
        t = c * a
        tau = step * count * t.tan()
        proved = (
            surely_less(0, h)
            and surely_less(0, a)
            and surely_less(0, c)
            and surely_less(0, q)
            and surely_less(q, 1)
            and self.first <= self.last
            and surely_less(t, arb.pi() / 2)
            and surely_at_most(tau, -power)
        )
        if not (proved and surely_at_most(0, step) and tails.is_finite()):
            return [arb.pos_inf()] * (count + 1)
        shift = -t.cos().log() / c
        ends = []
        for part, near in zip((arb(0), tau), self.peaks, strict=True):
            ends.append(a * a / 2 - part * (1 - q).log() + log_peak(c, q, power + part, shift, ball(near)))
        scale = 2 / (2 * arb.pi() * a / h).expm1()
        rise = (ends[1] - ends[0]) / max(count, 1)
        return [(tails + scale * (ends[0] + rise * j).exp()).upper() for j in range(count + 1)]


def log_peak(c: arb, q: arb, p: arb, s: arb, near: arb) -> arb:
    """Upper bound of max G for p ≤ 0, from the point ``near``; +∞ unless p ≤ 0."""
    if not surely_at_most(p, 0):
        return arb.pos_inf()
    value, slope = _exponent(c, q, p, s, near)
    return value + slope * slope / 2


def _exponent(c: arb, q: arb, p: arb, s: arb, x: arb) -> tuple[arb, arb]:
    """G and G'."""
    y = q * (c * x - c * c / 2).exp()
    w = 1 - q + y
    return -(x + s) * (x + s) / 2 + p * w.log(), -(x + s) + p * c * y / w
