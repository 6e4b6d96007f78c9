r"""Loss of the Poisson-subsampled Gaussian: :math:`P = (1-q)N(0,\sigma^2) + qN(1,\sigma^2)` and
:math:`Q = N(0,\sigma^2)`.

In the coordinate x = t/σ with c = 1/σ and φ the standard normal density,

.. math:: w(x) = p/q\,(x) = 1 - q + y(x), \qquad y(x) = q\, e^{cx - c^2/2},
          \qquad M_{P\|Q}(z) = \int \varphi w^{z+1}, \qquad M_{Q\|P}(z) = \int \varphi w^{-z}.

Both directions are one integral :math:`\int \varphi(x) w(x)^{p + iv} dx`: p = θ + 1, v = u for ``remove``;
p = −θ, v = −u for ``add``.

**Trapezoidal rule.** With step η the sum over all nodes differs from the integral by at most
:math:`2N/(e^{2\pi a/\eta} - 1)`, where N bounds :math:`\int |f(x + ib)| dx` for all |b| ≤ a and f is
analytic in |Im x| ≤ a (Trefethen and Weideman 2014, Theorem 5.1). Here
:math:`|\varphi(x+ib)| = \varphi(x) e^{b^2/2}`, :math:`|\arg w(x+ib)| \le c|b|`, :math:`|w(x+ib)| \le w(x)`,
and, rotating by half the angle, :math:`|w(x+ib)| \ge w(x)\cos(cb/2)`. Hence
:math:`N = e^{a^2/2 + |v|ca}\cos(ca/2)^{\min(p,0)} E[w^p]` for 0 < a < π/c; for q = 1 w is an exponential,
|w(x+ib)| = w(x), and every a > 0 is allowed.

**Cut tails.** w lies between 1 and :math:`e^{cx-c^2/2}` as their (1−q, q)-mean, so
:math:`w^p \le A + B e^{p(cx - c^2/2)}` with (A, B) = (1−q, q) where t^p is convex (Jensen) and (1, 1) for 0
< p < 1. Each of the two terms is a multiple of a normal density, decreasing beyond its mean, so the sum
over the omitted nodes is at most the integral from one node earlier.

**Decay.** The tilted loss has, in x, the density :math:`\varphi(x+c) w^{p+1} e^{c^2}/(qcE[w^p])` with
respect to ds; on a cell φ(x + c) and w^{p+1} are at least their smaller end value. That density has at most
three critical points (its logarithmic derivative is a line minus a multiple of the sigmoid y/w), so its
total variation is at most four times its supremum, and an integration by parts gives
:math:`|\varphi_\theta(u)| \le 4\sup f/u`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Direction
from pldverify.reference.balls import ball, short, working
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.line_sums import line_sums
from pldverify.reference.layers import Layers

MAX_NODES = 1_000_000
"""Cap on trapezoidal nodes in x: some five seconds."""
_MAX_SEARCH_NODES = 20_000
"""The same for a cumulant in floats, of which a search asks dozens."""
MAX_WORK = 60_000_000
"""Cap on nodes in x times nodes on the line: some ten seconds."""
_CELLS = 200


@dataclass(frozen=True)
class GaussianMixtureLaw:
    """``noise_multiplier`` = σ/sensitivity and sampling probability ``q`` < 1, exact."""

    noise_multiplier: Fraction
    q: Fraction
    direction: Direction
    infinite_mass = Fraction(0)

    @property
    def highest(self) -> arb | None:
        return None if self.direction == "remove" else -ball(1 - self.q).log()

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        c, q = 1 / ball(self.noise_multiplier), ball(self.q)
        side = 1 if self.direction == "remove" else -1
        y = ball(side * s).expm1() + q  # w(x) = e^{±s} at the threshold x
        if y <= 0:  # w > 1 − q ≥ e^{±s} everywhere
            return (arb(1), arb(1)) if side == 1 else (arb(0), arb(0))
        if not y > 0:
            unknown = arb(0).union(arb(1))
            return unknown, unknown
        x = ((y / q).log() + c * c / 2) / c
        base = (side * x / arb(2).sqrt()).erfc() / 2
        shifted = (side * (x - c) / arb(2).sqrt()).erfc() / 2
        mixture = (1 - q) * base + q * shifted
        return (mixture, base) if side == 1 else (base, mixture)

    def _power(self, theta: Fraction) -> Fraction:
        return theta + 1 if self.direction == "remove" else -theta

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        c, q = 1 / float(self.noise_multiplier), float(self.q)
        sign = 1 if self.direction == "remove" else -1
        p = theta + 1 if self.direction == "remove" else -theta
        low, high = min(0.0, p * c) - 9, max(0.0, p * c) + 9
        eta = min(0.4, 2 / c)
        count = int((high - low) / eta) + 1
        if count > _MAX_SEARCH_NODES:
            raise NoConvergence(f"tilt {theta:.3g} is too large for the noise multiplier {float(1 / c):.3g}")
        nodes = [low + eta * i for i in range(count)]
        logs = [_log_w(c * x - c * c / 2, q) for x in nodes]
        peak = max(p * s - x * x / 2 for s, x in zip(logs, nodes, strict=True))
        weights = [math.exp(p * s - x * x / 2 - peak) for s, x in zip(logs, nodes, strict=True)]
        total = math.fsum(weights)
        mean = math.fsum(w * s for w, s in zip(weights, logs, strict=True)) / total
        variance = math.fsum(w * (s - mean) ** 2 for w, s in zip(weights, logs, strict=True)) / total
        return math.log(total * eta / math.sqrt(2 * math.pi)) + peak, sign * mean, variance

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        p = self._power(theta)
        values = _moments(self.noise_multiplier, self.q, p, step, count)
        return values if self.direction == "remove" else [value.conjugate() for value in values]

    def decay(self, theta: Fraction) -> Decay:
        with working(max(64, ctx.prec)):
            c, q, p = 1 / ball(self.noise_multiplier), ball(self.q), ball(self._power(theta))
            mass = _moments(self.noise_multiplier, self.q, self._power(theta), Fraction(0), 0)[0].real
            factor = (c * c).exp() / (q * c * mass)
            edges, tops, logs = self._cells(theta, c, q)
            rising = self._power(theta) >= -1
            heights = [
                factor * tops[j].min(tops[j + 1]) * ((p + 1) * (logs[j] if rising else logs[j + 1])).exp()
                for j in range(len(edges) - 1)
            ]
            order = 1 if self.direction == "remove" else -1
            losses = [order * log for log in logs]
            layers = (
                Layers.under(losses, heights) if order == 1 else Layers.under(losses[::-1], heights[::-1])
            )
            return Decay(layers, over_u=4 * factor * self._supremum(c, q, p))

    def _cells(self, theta: Fraction, c: arb, q: arb) -> tuple[list[arb], list[arb], list[arb]]:
        """Edges in x around the bulk of the tilted law, φ(x + c) and log w at the edges."""
        mean, spread = _bulk(float(c.mid()), float(self.q), float(self._power(theta)))
        edges = [ball(short(mean + spread * (2 * j / _CELLS - 1))) for j in range(_CELLS + 1)]
        norm = 1 / (2 * arb.pi()).sqrt()
        tops = [norm * (-(x + c) * (x + c) / 2).exp() for x in edges]
        logs = [(q * (c * x - c * c / 2).expm1()).log1p() for x in edges]
        return edges, tops, logs

    @staticmethod
    def _supremum(c: arb, q: arb, p: arb) -> arb:
        """Upper bound of sup φ(x + c) w^r, r = p + 1: each term of a bound on w^r at its own maximum.

        φ(x + c) e^{r(cx − c²/2)} is largest at x = (r − 1)c, where it is e^{c²(r² − 3r)/2}/√(2π).
        """
        r = p + 1
        peak = (c * c * (r * r - 3 * r) / 2).exp()
        a, b = (1 - q, q) if r >= 1 or r <= 0 else (arb(1), arb(1))
        bound = a + b * peak
        # w ≤ 2 max(1 − q, y), and w ≥ 1 − q
        other = 2**r * ((1 - q) ** r + q**r * peak) if r >= 0 else (1 - q) ** r
        bound = bound.min(other)
        return bound / (2 * arb.pi()).sqrt()


def _log_w(exponent: float, q: float) -> float:
    if exponent > 30:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))


def _bulk(c: float, q: float, p: float) -> tuple[float, float]:
    """Mean and nine-sigma radius in x of the law with density ∝ φ w^p (floats; a choice, not a proof)."""
    low, high = min(0.0, p * c) - 9, max(0.0, p * c) + 9
    nodes = [low + (high - low) * i / 400 for i in range(401)]
    logs = [p * _log_w(c * x - c * c / 2, q) - x * x / 2 for x in nodes]
    peak = max(logs)
    weights = [math.exp(value - peak) for value in logs]
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, nodes, strict=True)) / total
    deviation = math.sqrt(math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, nodes, strict=True)) / total)
    return mean, 5 * max(deviation, 1.0)


def _moments(noise_multiplier: Fraction, q: Fraction, p: Fraction, step: Fraction, count: int) -> list[acb]:
    """∫ φ w^{p + i j step} for j = 0 … count, proved; see the module docstring."""
    eta, first, last, strip = _grid(
        1 / float(noise_multiplier), float(q), float(p), float(step) * count, ctx.prec
    )
    nodes = last - first + 1
    if nodes > MAX_NODES or nodes * (count + 1) > MAX_WORK:
        raise NoConvergence(
            f"contour: the transform needs {nodes} nodes in x times {count + 1} on the line "
            f"(caps {MAX_NODES} and {MAX_WORK} in all)"
        )
    c, qq, power, a, h = 1 / ball(noise_multiplier), ball(q), ball(p), ball(strip), ball(eta)
    shift, weight = c * c / 2, h / (2 * arb.pi()).sqrt()
    xs = [h * i for i in range(first, last + 1)]
    logs = [(qq * (c * x - shift).expm1()).log1p() for x in xs]
    coefficients = [weight * (power * log - x * x / 2).exp() for x, log in zip(xs, logs, strict=True)]
    sums = line_sums(coefficients, logs, ball(step), count)

    tails = _tail(c, qq, p, -xs[0] - h, -1) + _tail(c, qq, p, xs[-1] - h, 1)
    if q < 1 and not c * a < arb.pi():
        raise NoConvergence("contour: the strip of the trapezoidal rule is too wide")
    growth = (a * a / 2).exp() * ((c * a / 2).cos() ** power if p < 0 and q < 1 else 1)
    cosh = (2 * arb.pi() * a / h).expm1()
    ratio = 2 * growth / cosh
    if not (ratio < 1 and tails.is_finite()):
        raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
    total = ((sums[0].real + tails) / (1 - ratio)).upper()  # ≥ E[w^p]
    slope = c * a * ball(step)
    values = []
    for j, value in enumerate(sums):
        radius = (tails + ratio * (slope * j).exp() * total).upper()
        wobble = arb(0, radius)
        values.append(value + acb(wobble, wobble if j else 0))
    return values


def _grid(c: float, q: float, p: float, v: float, bits: int) -> tuple[Fraction, int, int, Fraction]:
    """Step, first and last node, strip half-width: floats that make the proved error small."""
    goal = (bits + 8) * math.log(2)
    entire = q == 1
    a = math.sqrt(2 * goal)
    if not entire:
        a = min(a, (0.95 if p >= 0 else 0.6) * math.pi / c)
    growth = a * a / 2 + v * c * a
    if p < 0 and not entire:
        growth += p * math.log(math.cos(c * a / 2))
    strip = short(a, 20)
    eta = short(2 * math.pi * float(strip) / (goal + growth), 20)
    convex = p >= 1 or p <= 0
    log_b = math.log(q) if convex else 0.0
    log_mass = 0.0 if convex else -c * c * p * (1 - p) / 2
    if p >= 1:
        log_mass = max(0.0, p * math.log(q) + c * c * (p * p - p) / 2)
    excess = log_b + c * c * (p * p - p) / 2 - log_mass
    reach_one = math.sqrt(2 * (goal - min(0.0, log_mass)))
    reach_two = math.sqrt(2 * max(goal + excess, 1.0))
    low = min(-reach_one, p * c - reach_two)
    high = max(reach_one, p * c + reach_two)
    return eta, math.floor(low / float(eta)) - 2, math.ceil(high / float(eta)) + 2, strip


def _tail(c: arb, q: arb, p: Fraction, edge: arb, side: int) -> arb:
    """Upper bound of ∫ φ(x)(A + B e^{p(cx − c²/2)}) beyond ``edge`` (mirrored for side −1); +∞ before a mean.

    As both terms decrease from there on, it also bounds the sum over the omitted nodes, times η.
    """
    a, b = (1 - q, q) if p >= 1 or p <= 0 else (arb(1), arb(1))
    power = ball(p)
    mean = side * power * c
    if not (edge > 0 and edge > mean):
        return arb.pos_inf()
    root = arb(2).sqrt()
    first = (edge / root).erfc() / 2
    second = ((edge - mean) / root).erfc() / 2
    return a * first + b * (c * c * (power * power - power) / 2).exp() * second
