r"""The steps of the Poisson-subsampled Gaussian that jump, or those that don't, direction ``remove``.

Notation as in ``gaussian_mixture.py``. Given its outcome x, let a step *jump* with probability
:math:`\Phi((x - x_c)/\tau)`, Φ the standard normal distribution function. So both parts of its measure,

.. math:: M_\pm(z) = \int \varphi\, w^{z+1}\, \Phi(\pm(x - x_c)/\tau)\, dx, \qquad M_+ + M_- = M,

have an analytic density. Let p = Re z + 1 ≥ 0 and v = Im z.

**Off the real axis** :math:`\Phi(t + ih) = \int_{-\infty}^t \varphi(r + ih)\, dr`, therefore
:math:`|\Phi(t+ih)| \le e^{h^2/2} \Phi(t)`: the weight costs a factor :math:`e^{b^2/2\tau^2}` on Im x = b.

**Trapezoidal rule** as there, with :math:`N = e^{(1 + 1/\tau^2)a^2/2 + |v|ca} M_\pm(p - 1)`, 0 < a < π/c.

**Cut tails.** Let f be the integrand on the real axis at v = 0. Beyond the last node x the logarithmic
derivative of f is at most −g, and on the left of the first one at least g, with

.. math:: g = \begin{cases} x - pc - \frac1\tau r(t) & M_+,\ t = (x - x_c)/\tau \\
                            x - pc + \frac1\tau \max(t, 0) & M_- \end{cases} \qquad
          g = \begin{cases} -x + \frac1\tau \max(-t, 0) & M_+ \\
                            -x - \frac1\tau r(-t) & M_- \end{cases}

on the right and on the left, as 0 ≤ ℓ' ≤ c, and as :math:`r = \varphi/\Phi` decreases and r(−t) ≥ t. So what
is omitted, the sum times the step, is at most f(x)/g.

**Decay** of M_+: the lines of ``parallel_lines.py`` with the weight at the right ends of its cells.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import acb, arb, ctx

from pldverify.balls.ball import ball, short
from pldverify.balls.clock import spend
from pldverify.balls.line_sums import line_sums, widened
from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_mixture import MAX_NODES, MAX_WORK, GaussianMixtureLaw
from pldverify.reference.lemmas.concave_trapezoid import log_w
from pldverify.reference.lemmas.parallel_lines import ParallelLines, lines_over

_SAMPLES = 1000
"""Points at which the range of the nodes is looked for."""
_FINE, _COARSE = 120, 120
"""Cells of the decay around the cut and beyond."""


@dataclass(frozen=True)
class SoftPart:
    """Of a step of ``law`` what jumps, or what doesn't.

    Attributes:
        cut: x_c, the outcome at which every second step jumps.
        width: τ > 0.
    """

    law: GaussianMixtureLaw
    cut: Fraction
    width: Fraction
    jumps: bool

    def rest(self) -> "SoftPart":
        """The other part of the step."""
        return replace(self, jumps=not self.jumps)

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """M_±(θ + i j step) for j = 0 … count, at the working precision relative to M_±(θ). θ ≥ −1."""
        p, c, q = ball(theta + 1), 1 / ball(self.law.noise_multiplier), ball(self.law.q)
        reach = float(step) * count
        eta, first, last, strip = self._grid(float(theta) + 1, reach)
        nodes = last - first + 1
        if nodes > MAX_NODES or nodes * (count + 1) * max(1.0, ctx.prec / 100) > MAX_WORK:
            raise NoConvergence(
                f"jumps: the transform needs {nodes} nodes in x times {count + 1} on the line "
                f"(caps {MAX_NODES} and {MAX_WORK} in all)"
            )
        h, a = ball(eta), ball(strip)
        xs = [h * i for i in range(first, last + 1)]
        losses, values = [], []
        for i, x in enumerate(xs):
            if i % 100 == 0:
                spend()
            losses.append((q * (c * x - c * c / 2).expm1()).log1p())
            values.append(self.weight(x) * (p * losses[-1] - x * x / 2).exp() / (2 * arb.pi()).sqrt())
        tails = values[-1] / self._falls(p, c, xs[-1], 1) + values[0] / self._falls(p, c, xs[0], -1)
        stretch = (1 + 1 / ball(self.width) ** 2) * a * a / 2
        ratio = 2 * stretch.exp() / (2 * arb.pi() * a / h).expm1()
        if not (theta >= -1 and c * a < arb.pi() and ratio < 1 and tails.is_finite()):
            raise NoConvergence(f"jumps: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
        sums = line_sums([h * value for value in values], losses, ball(step), count)
        total = ((sums[0].real + tails) / (1 - ratio)).upper()
        turn = c * a * ball(step)
        return [
            widened(value, (tails + ratio * (turn * j).exp() * total).upper(), j)
            for j, value in enumerate(sums)
        ]

    def nodes(self, theta: Fraction, reach: float) -> int:
        """Nodes in x that :meth:`line` takes up to θ + i·``reach``."""
        _, first, last, _ = self._grid(float(theta) + 1, reach)
        return last - first + 1

    def weight(self, x: arb) -> arb:
        """Φ(±(x − x_c)/τ)."""
        t = (x - ball(self.cut)) / ball(self.width)
        return ((-t if self.jumps else t) / arb(2).sqrt()).erfc() / 2

    def _falls(self, p: arb, c: arb, x: arb, side: int) -> arb:
        """g beyond ``x`` on one side; 0 where none is proved, so that a tail is infinite."""
        tau = ball(self.width)
        t = side * (x - ball(self.cut)) / tau
        rate = side * x - (p * c if side == 1 else 0)
        if self.jumps == (side == 1):  # the weight grows outwards
            rate -= (-t * t / 2).exp() * (2 / arb.pi()).sqrt() / (-t / arb(2).sqrt()).erfc() / tau
        else:
            rate += t.max(arb(0)) / tau
        return rate if rate > 0 else arb(0)

    def _grid(self, p: float, v: float) -> tuple[Fraction, int, int, Fraction]:
        """Step, first and last node, half-width of the strip: floats that make the proved error small."""
        c, tau = 1 / float(self.law.noise_multiplier), float(self.width)
        goal = (ctx.prec + 8) * math.log(2)
        a = min(math.sqrt(2 * goal / (1 + 1 / tau**2)), 0.95 * math.pi / c)
        strip = short(a, 20)
        a = float(strip)
        eta = short(2 * math.pi * a / (goal + (1 + 1 / tau**2) * a * a / 2 + v * c * a), 20)
        low, high = self.bulk(p, goal + 10)
        return eta, math.floor(low / float(eta)) - 1, math.ceil(high / float(eta)) + 1, strip

    def bulk(self, p: float, nats: float) -> tuple[float, float]:
        """Where log f is within ``nats`` of its peak, and on until g ≥ 1 (floats)."""
        c, cut, tau = 1 / float(self.law.noise_multiplier), float(self.cut), float(self.width)
        reach, mode, steep = math.sqrt(2 * nats) + 2, p * c + 1, 1 + 1 / tau**2
        low, high = min(-1.0, cut) - reach, max(0.0, cut, mode) + reach
        if self.jumps:
            first, last = min(cut, (cut / tau**2 - 1) / steep), mode + 1
        else:
            first, last = -1.0, mode if mode < cut else (mode + cut / tau**2) / steep
            high = max(0.0, cut, last) + reach
        points = [low + (high - low) * j / _SAMPLES for j in range(_SAMPLES + 1)]
        logs = [self.log_density(p, x) for x in points]
        floor, space = max(logs) - nats, (high - low) / _SAMPLES
        inside = [x for x, log in zip(points, logs, strict=True) if log > floor]
        return min(first, inside[0]) - space, max(last, inside[-1]) + space

    def log_density(self, p: float, x: float) -> float:
        """log f in floats, but for a constant."""
        t = (x - float(self.cut)) / float(self.width)
        return (
            p * log_w(1 / float(self.law.noise_multiplier), float(self.law.q), x)
            - x * x / 2
            + _log_normal(t if self.jumps else -t)
        )

    def lines(self, theta: Fraction, mass: arb) -> ParallelLines:
        """How fast |M_+(θ + iu)|/M_+(θ) falls, M_+(θ) = ``mass``."""
        assert self.jumps
        _, high = self.bulk(float(theta) + 1, 100.0)
        cut, tau = float(self.cut), float(self.width)
        low, middle = cut - 25 * tau, cut + 8 * tau
        edges = [arb(low + (middle - low) * j / _FINE) for j in range(_FINE)]
        edges += [arb(middle + (max(high, middle + 1) - middle) * j / _COARSE) for j in range(_COARSE + 1)]
        c, q = 1 / ball(self.law.noise_multiplier), ball(self.law.q)
        weights = [self.weight(x).upper() for x in edges] + [arb(1)]
        return lines_over(c, q, ball(theta + 1), mass, edges, weights, 1 + 1 / ball(self.width) ** 2)


def _log_normal(t: float) -> float:
    """log Φ(t)."""
    if t > -30:
        return math.log(math.erfc(-t / math.sqrt(2)) / 2)
    return -t * t / 2 - math.log(-t * math.sqrt(2 * math.pi))
