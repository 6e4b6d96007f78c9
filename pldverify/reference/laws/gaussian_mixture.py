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
|w(x+ib)| = w(x), and every a > 0 is allowed. For p ≥ 0 and t = ca < π/2 also, as in
``concave_trapezoid.py``, :math:`e^{|v\arg w|} \le (w/(1-q))^\tau` with τ = |v| tan t, so that
:math:`N = e^{a^2/2} (1-q)^{-\tau} E[w^{p+\tau}]` will do: far less where w hardly differs from 1. Both
logarithms are convex in τ and 0 at τ = 0 but for :math:`e^{a^2/2} E[w^p]`: chords bound them in between.

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
import operator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

from flint import acb, arb, ctx

from pldverify.balls.ball import ball, rounded, short, upper, working
from pldverify.balls.clock import spend
from pldverify.balls.line_sums import line_sums, widened
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Direction
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.concave_trapezoid import Exponent, concave_rule, log_peak, log_w
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.parallel_lines import parallel_lines

MAX_NODES = 1_000_000
"""Cap on trapezoidal nodes in x: some five seconds."""
_MAX_SEARCH_NODES = 20_000
"""The same for a cumulant in floats, of which a search asks dozens."""
MAX_WORK = 200_000_000
"""Cap on nodes in x times nodes on the line, at 100 bits: some twenty seconds."""
_CELLS = 200
_OMITTED_CELLS = 400
_PLENTY = 500
"""Nodes from which on another rule is looked for."""


@dataclass(frozen=True)
class GaussianMixtureLaw:
    """``noise_multiplier`` = σ/sensitivity and sampling probability ``q`` < 1, exact."""

    noise_multiplier: Fraction
    q: Fraction
    direction: Direction
    infinite_mass = Fraction(0)

    @property
    def highest(self) -> arb | None:
        return None if self.direction == "remove" else -(-ball(self.q)).log1p()

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        q, side = ball(self.q), 1 if self.direction == "remove" else -1
        y = ball(side * s).expm1() + q  # w(x) = e^{±s} at the threshold x
        if y <= 0:  # w > 1 − q ≥ e^{±s} everywhere
            return (arb(1), arb(1)) if side == 1 else (arb(0), arb(0))
        if not y > 0:  # at the end of the losses: between there and the largest such y
            end = arb(1) if side == 1 else arb(0)
            first, second = self._beyond(y.upper())
            return first.union(end), second.union(end)
        return self._beyond(y)

    def _beyond(self, y: arb) -> tuple[arb, arb]:
        """Both measures of the losses from the one on at which qe^{cx − c²/2} = ``y``."""
        c, q = 1 / ball(self.noise_multiplier), ball(self.q)
        side = 1 if self.direction == "remove" else -1
        x = ((y / q).log() + c * c / 2) / c
        base = (side * x / arb(2).sqrt()).erfc() / 2
        shifted = (side * (x - c) / arb(2).sqrt()).erfc() / 2
        mixture = (1 - q) * base + q * shifted
        return (mixture, base) if side == 1 else (base, mixture)

    def _power(self, theta: Fraction) -> Fraction:
        return theta + 1 if self.direction == "remove" else -theta

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        c, q = 1 / float(self.noise_multiplier), float(self.q)
        value, slope, curvature = _cumulant(c, q, theta + 1 if self.direction == "remove" else -theta)
        return value, slope if self.direction == "remove" else -slope, curvature

    def outcome(self, loss: float) -> float:
        """x with about that loss > 0 in direction ``remove`` (search only)."""
        c = 1 / float(self.noise_multiplier)
        return (math.log1p(math.expm1(loss) / float(self.q)) + c * c / 2) / c

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        p = self._power(theta)
        values = _moments(self.noise_multiplier, self.q, p, step, count)
        return values if self.direction == "remove" else [value.conjugate() for value in values]

    def decay(self, theta: Fraction) -> Decay:
        with working(max(64, ctx.prec)):
            c, q, p = 1 / ball(self.noise_multiplier), ball(self.q), ball(self._power(theta))
            mass = _moments(self.noise_multiplier, self.q, self._power(theta), Fraction(0), 0)[0].real
            factor = (c * c).exp() / (q * c * mass * (2 * arb.pi()).sqrt())
            squares, logs = self._cells(theta, c, q)
            rising, r = self._power(theta) >= -1, p + 1
            heights = [
                factor * (r * (logs[j] if rising else logs[j + 1]) - left.max(right) / 2).exp()
                for j, (left, right) in enumerate(pairwise(squares))
            ]
            order = 1 if self.direction == "remove" else -1
            losses = [order * log for log in logs]
            layers = (
                Layers.under(losses, heights) if order == 1 else Layers.under(losses[::-1], heights[::-1])
            )
            nodes, _ = _search_nodes(float(c), float(q), float(p))
            lines = cache(lambda: parallel_lines(c, q, p, mass, nodes[0], nodes[-1]))
            return Decay(layers, over_u=4 * factor * self._supremum(c, q, p), lines=lines)

    def _cells(self, theta: Fraction, c: arb, q: arb) -> tuple[list[arb], list[arb]]:
        """(x + c)² and log w at the edges of cells around the bulk of the tilted law."""
        mean, spread = _bulk(float(c.mid()), float(self.q), float(self._power(theta)))
        edges = [arb(mean + spread * (2 * j / _CELLS - 1)) for j in range(_CELLS + 1)]
        moved, shift = [x + c for x in edges], c * c / 2
        return [x * x for x in moved], [(q * (c * x - shift).expm1()).log1p() for x in edges]

    @staticmethod
    def _supremum(c: arb, q: arb, p: arb) -> arb:
        """Upper bound of √(2π) sup φ(x + c) w^r, r = p + 1: each term of a bound on w^r at its own maximum.

        φ(x + c) e^{r(cx − c²/2)} is largest at x = (r − 1)c, where it is e^{c²(r² − 3r)/2}/√(2π).
        """
        r = p + 1
        if r < 0:
            return log_peak(c, q, r, c).exp()
        peak = (c * c * (r * r - 3 * r) / 2).exp()
        a, b = (1 - q, q) if r >= 1 or r <= 0 else (arb(1), arb(1))
        # w ≤ 2 max(1 − q, y)
        return (a + b * peak).min(2**r * ((1 - q) ** r + q**r * peak))


def _cumulant(c: float, q: float, p: float) -> tuple[float, float, float]:
    """log E[w^p] and its derivatives in p, in floats: search only.

    As E[w] = 1, E[w^p] − 1 = E[w^p − 1 − p(w − 1)], whose integrand has one sign: a few nodes give it
    accurately however near to 0 it is. Likewise E[w^p log w] = E[w^p log w − (w − 1)].
    """
    nodes, eta, whole = _few_nodes(c, q, p)
    logs = [log_w(c, q, x) for x in nodes]
    powers = [p * s - x * x / 2 for s, x in zip(logs, nodes, strict=True)]
    peak = max(0.0, max(powers) - 500)  # what is subtracted matters only without it
    weights = [math.exp(power - peak) for power in powers]
    scale, total = eta / math.sqrt(2 * math.pi), math.fsum(weights)
    first = math.fsum(map(operator.mul, weights, logs))
    mean = first / total
    curvature = math.fsum(w * (s - mean) ** 2 for w, s in zip(weights, logs, strict=True)) / total
    if peak or not whole:
        return math.log(total * scale) + peak, mean, curvature
    rests = [_excess(c, q, x) for x in nodes]
    above = [
        (math.exp(-x * x / 2) * math.expm1(p * s) if abs(p * s) < 1 else w - math.exp(-x * x / 2)) - p * rest
        for w, s, x, rest in zip(weights, logs, nodes, rests, strict=True)
    ]
    more = scale * math.fsum(above)
    return math.log1p(more), scale * (first - math.fsum(rests)) / (1 + more), curvature


def _excess(c: float, q: float, x: float) -> float:
    """e^{−x²/2}(w − 1)."""
    exponent = c * x - c * c / 2
    if exponent > 30:
        return q * (math.exp(-((x - c) ** 2) / 2) - math.exp(-x * x / 2))
    return q * math.exp(-x * x / 2) * math.expm1(exponent)


def _few_nodes(c: float, q: float, p: float) -> tuple[list[float], float, bool]:
    """Nodes for :func:`_cumulant`, their distance, and whether they reach over the bulk of φw as well."""
    low, high, eta, whole = -6.5, c * max(1.0, p) + 6.5, min(0.9, 1.2 / c), True
    if p < 0:
        exponent = Exponent(c, q, p)
        mode = exponent.mode()
        deviation = exponent.deviation(mode)
        eta = min(eta, 0.4 * deviation)
        if deviation > 0.3:
            low = mode - 6.5
        else:  # the cumulant is large
            floor, whole = exponent.value(mode) - 18, False
            low, high = exponent.edge(mode, floor, -1), exponent.edge(mode, floor, 1)
    return _spaced(low, high, eta, c, p), eta, whole


def _spaced(low: float, high: float, eta: float, c: float, p: float) -> list[float]:
    count = int((high - low) / eta) + 1
    if count > _MAX_SEARCH_NODES:
        raise NoConvergence(f"a tilted moment of order {p:.3g} at noise multiplier {1 / c:.3g} is too large")
    return [low + eta * i for i in range(count)]


def _search_nodes(c: float, q: float, p: float) -> tuple[list[float], float]:
    """Equally spaced nodes over the bulk of φ w^p, and their distance."""
    low, high, eta = -9.0, max(0.0, p * c) + 9, min(0.4, 2 / c)
    if p < 0:
        exponent = Exponent(c, q, p)
        mode = exponent.mode()
        floor = exponent.value(mode) - 40
        low, high = exponent.edge(mode, floor, -1), exponent.edge(mode, floor, 1)
        eta = min(eta, 0.4 * exponent.deviation(mode))
    return _spaced(low, high, eta, c, p), eta


def _bulk(c: float, q: float, p: float) -> tuple[float, float]:
    """Mean and five-sigma radius in x of the law with density ∝ φ w^p (floats; a choice, not a proof)."""
    nodes, _, _ = _few_nodes(c, q, p)
    logs = [p * log_w(c, q, x) - x * x / 2 for x in nodes]
    peak = max(logs)
    weights = [math.exp(value - peak) for value in logs]
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, nodes, strict=True)) / total
    deviation = math.sqrt(math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, nodes, strict=True)) / total)
    return mean, 5 * (max(deviation, 1.0) if p >= 0 else deviation)


def _moments(noise_multiplier: Fraction, q: Fraction, p: Fraction, step: Fraction, count: int) -> list[acb]:
    """∫ φ w^{p + i j step} for j = 0 … count, proved; see the module docstring."""
    parameters = 1 / float(noise_multiplier), float(q), float(p), float(step) * count, ctx.prec
    eta, first, last, strip = _grid(*parameters)
    concave = concave_rule(*parameters) if p < 0 and q < 1 and last - first > _PLENTY else None
    if concave is not None and concave.last - concave.first < last - first:
        eta, first, last = concave.eta, concave.first, concave.last
    else:
        concave = None
    far, last = last, _stop(*parameters[:3], eta, last, ctx.prec) if p >= 1 else last
    nodes = last - first + 1
    if nodes > MAX_NODES or nodes * (count + 1) * max(1.0, ctx.prec / 100) > MAX_WORK:
        raise NoConvergence(
            f"contour: the transform needs {nodes} nodes in x times {count + 1} on the line "
            f"(caps {MAX_NODES} and {MAX_WORK} in all)"
        )
    c, qq, power, a, h = 1 / ball(noise_multiplier), ball(q), ball(p), ball(strip), ball(eta)
    shift, weight = c * c / 2, h / (2 * arb.pi()).sqrt()
    xs = [h * i for i in range(first, last + 1)]
    logs: list[arb] = []
    coefficients: list[arb] = []
    for i, x in enumerate(xs):
        if i % 100 == 0:  # at thousands of bits a node takes milliseconds
            spend()
        logs.append((qq * (c * x - shift).expm1()).log1p())
        coefficients.append(weight * (power * logs[-1] - x * x / 2).exp())
    sums = line_sums(coefficients, logs, ball(step), count)
    if concave is not None:
        errors = concave.errors(c, qq, p, ball(step), count)
        if not all(error.is_finite() for error in errors):
            raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
        return [widened(value, error, j) for j, (value, error) in enumerate(zip(sums, errors, strict=True))]

    tails = _tail(c, qq, p, -xs[0] - h, -1) + _tail(c, qq, p, h * (far - 1), 1)
    if far > last:
        tails += _between(c, qq, power, xs[-1], h * far, h)
    if q < 1 and not c * a < arb.pi():
        raise NoConvergence("contour: the strip of the trapezoidal rule is too wide")
    growth = (a * a / 2).exp() * ((c * a / 2).cos() ** power if p < 0 and q < 1 else 1)
    cosh = (2 * arb.pi() * a / h).expm1()
    ratio = 2 * growth / cosh
    if not (ratio < 1 and tails.is_finite()):
        raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
    total = ((sums[0].real + tails) / (1 - ratio)).upper()  # ≥ E[w^p]
    turn = c * a * ball(step) * count
    if p >= 0 and q < 1 and turn > 20 and c * a < arb.pi() / 2:
        tau, mass = ball(step) * count * (c * a).tan(), sums[0].real / (1 + ratio)
        turn = turn.min(_turned(noise_multiplier, q, p, tau, mass))
    return [
        widened(value, (tails + ratio * (turn * j / max(count, 1)).exp() * total).upper(), j)
        for j, value in enumerate(sums)
    ]


def _turned(noise_multiplier: Fraction, q: Fraction, p: Fraction, tau: arb, mass: arb) -> arb:
    """log of (1 − q)^{−τ} E[w^{p+τ}]/``mass``, at most E[w^p], for a τ that is rounded up."""
    rise = upper(tau)
    if not isinstance(rise, Fraction) or not mass > 0:
        return arb.pos_inf()
    rise = rounded(rise * Fraction(1001, 1000))
    try:
        more = _moments(noise_multiplier, q, p + rise, Fraction(0), 0)[0].real
    except NoConvergence:
        return arb.pos_inf()
    return ((more / mass).log() - ball(rise) * (1 - ball(q)).log()).upper()


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
    elif not entire and v * c * a > goal:
        a, growth = _narrower(c, q, p, v, a, goal)
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


def _stop(c: float, q: float, p: float, eta: Fraction, last: int, bits: int) -> int:
    """The node from which on φ w^p is too small to count, well before pc if no mass is there (floats)."""
    floor = -(bits + 12) * math.log(2) + max(0.0, p * math.log(q) + c * c * (p * p - p) / 2)
    end = float(eta) * last
    points = [end * i / _CELLS for i in range(_CELLS + 1)]
    beyond = [x for x in points if p * log_w(c, q, x) - x * x / 2 > floor]
    stop = math.ceil((max(beyond, default=0.0) + end / _CELLS) / float(eta))
    return stop if 2 * stop < last else last  # a proof of what is left out costs some milliseconds


def _between(c: arb, q: arb, p: arb, start: arb, end: arb, h: arb) -> arb:
    """Upper bound of Σ h φ w^p over nodes in [start, end], start > 0; a cell of width b has ≤ b/h + 1."""
    width = (end - start) / _OMITTED_CELLS
    total = arb(0)
    for j in range(_OMITTED_CELLS):
        left, right = start + width * j, start + width * (j + 1)
        log = p * (q * (c * right - c * c / 2).expm1()).log1p() - left * left / 2
        total += log.exp()
    return (total * (width + h) / (2 * arb.pi()).sqrt()).upper()


def _narrower(c: float, q: float, p: float, v: float, widest: float, goal: float) -> tuple[float, float]:
    """The strip, and the growth in it, for which the fewest nodes are needed (floats)."""
    best = (2 * math.pi * widest / (goal + widest**2 / 2 + v * c * widest), widest, v * c * widest)
    log_mass = _cumulant(c, q, p)[0]
    for a in (min(widest, 1.5 / c) / 2**j for j in range(15)):
        if 2 * math.pi * a / (goal + a * a / 2) < best[0]:  # not even without growth
            break
        tau = 1.002 * v * math.tan(c * a)
        try:
            growth = _cumulant(c, q, p + tau)[0] - log_mass - tau * math.log1p(-q)
        except NoConvergence:
            continue
        best = max(best, (2 * math.pi * a / (goal + a * a / 2 + growth), a, growth))
    return best[1], best[1] ** 2 / 2 + best[2]


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
