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

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, rounded, upper, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.line_sums import line_sums, widened
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Direction
from pldverify.reference.laws.anchored import anchor_of_mixture
from pldverify.reference.laws.hints.gaussian_mixture import bulk, last_that_counts, reach, trapezoid
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.hints.log_concave import concave_rule, peak_near
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.concave_trapezoid import log_peak
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.mixture_loss import mixture_loss
from pldverify.reference.lemmas.parallel_lines import ParallelLines, parallel_lines

MAX_NODES = 1_000_000
"""Cap on trapezoidal nodes in x: some five seconds."""
MAX_WORK = 200_000_000
"""Cap on nodes in x times nodes on the line, at 100 bits: some twenty seconds."""
_CELLS = 100
_OMITTED_CELLS = 400
_PLENTY = 500
"""Nodes from which on another rule is looked for."""
_ANGLE, _LINES = 1.5, 5
"""Angle cb of the highest line that bounds the decay, and lines, each half as high."""


@dataclass(frozen=True)
class GaussianMixtureLaw:
    """``noise_multiplier`` = σ/sensitivity and sampling probability ``q`` < 1, exact."""

    noise_multiplier: Fraction
    q: Fraction
    direction: Direction
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> arb | None:
        return None if self.direction == "remove" else -(-ball(self.q)).log1p()

    def anchor(self) -> Fraction:
        return anchor_of_mixture(self.q, self.direction)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        q, side = ball(self.q), 1 if self.direction == "remove" else -1
        y = ball(side * s).expm1() + q  # w(x) = e^{±s} at the threshold x
        if surely_at_most(y, 0):  # w > 1 − q ≥ e^{±s} everywhere
            return (arb(1), arb(1)) if side == 1 else (arb(0), arb(0))
        if not surely_less(0, y):  # at the end of the losses: between there and the largest such y
            end = arb(1) if side == 1 else arb(0)
            first, second = self._from_odds(y.upper())
            return first.union(end), second.union(end)
        return self._from_odds(y)

    def _from_odds(self, y: arb) -> tuple[arb, arb]:
        """Both measures of the losses from the one on at which qe^{cx − c²/2} = ``y``."""
        c, q = 1 / ball(self.noise_multiplier), ball(self.q)
        side = 1 if self.direction == "remove" else -1
        x = ((y / q).log() + c * c / 2) / c
        base, shifted = normal_tail(side * x), normal_tail(side * (x - c))
        mixture = (1 - q) * base + q * shifted
        return (mixture, base) if side == 1 else (base, mixture)

    def power(self, theta: Fraction) -> Fraction:
        return theta + 1 if self.direction == "remove" else -theta

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        p = self.power(theta)
        values = _moments(self.noise_multiplier, self.q, p, step, count)
        return values if self.direction == "remove" else [value.conjugate() for value in values]

    def decay(self, theta: Fraction) -> Decay:
        with working(max(64, ctx.prec)):
            mass = _moments(self.noise_multiplier, self.q, self.power(theta), Fraction(0), 0)[0].real
            return mixture_decay(self, theta, 1 / ball(self.noise_multiplier), ball(self.q), mass)


def mixture_decay(law: GaussianMixtureLaw, theta: Fraction, c: arb, q: arb, mass: arb) -> Decay:
    """The decay of all laws of c, q and M(θ) in these balls; cells and heights are chosen for ``law``, one of
    them.
    """
    power = law.power(theta)
    p, floats = ball(power), (1 / float(law.noise_multiplier), float(law.q), float(power))
    factor = (c * c).exp() / (q * c * mass * (2 * arb.pi()).sqrt())
    squares, logs = _cells(floats, c, q)
    rising, r = power >= -1, p + 1
    heights_of_cells = [
        factor * (r * (logs[j] if rising else logs[j + 1]) - left.max(right) / 2).exp()
        for j, (left, right) in enumerate(pairwise(squares))
    ]
    if law.direction == "remove":
        layers = Layers.under(logs, heights_of_cells)
    else:
        layers = Layers.under([-log for log in reversed(logs)], heights_of_cells[::-1])
    peak = ball(peak_near(*floats[:2], floats[2] + 1, floats[0])) if surely_less(r, 0) else arb(0)

    def lines() -> ParallelLines:
        return parallel_lines(c, q, p, mass, reach(*floats), heights(floats[0], _ANGLE, _LINES))

    return Decay(layers, over_u=4 * factor * _supremum(c, q, p, peak), lines=cache(lines))


def _cells(floats: tuple[float, float, float], c: arb, q: arb) -> tuple[list[arb], list[arb]]:
    """(x + c)² and log w at the edges of cells around the bulk of the tilted law."""
    mean, spread = bulk(*floats)
    if not spread > 0:
        raise NoConvergence("contour: the bulk of the tilted law was not found")
    middle, radius = ball(mean), ball(spread)
    edges = [middle + radius * (2 * j - _CELLS) / _CELLS for j in range(_CELLS + 1)]
    return [(x + c) * (x + c) for x in edges], [mixture_loss(c, q, x) for x in edges]


def _supremum(c: arb, q: arb, p: arb, near: arb) -> arb:
    """Upper bound of √(2π) sup φ(x + c) w^r, r = p + 1: each term of a bound on w^r at its own maximum.

    φ(x + c) e^{r(cx − c²/2)} is largest at x = (r − 1)c, where it is e^{c²(r² − 3r)/2}/√(2π). For r < 0
    the product is log-concave, and bounded from any point ``near``.
    """
    r = p + 1
    if surely_less(r, 0):
        return log_peak(c, q, r, c, near).exp()
    peak = (c * c * (r * r - 3 * r) / 2).exp()
    a, b = (1 - q, q) if surely_at_most(1, r) or surely_at_most(r, 0) else (arb(1), arb(1))
    # w ≤ 2 max(1 − q, y)
    return (a + b * peak).min(2**r * ((1 - q) ** r + q**r * peak))


def _moments(noise_multiplier: Fraction, q: Fraction, p: Fraction, step: Fraction, count: int) -> list[acb]:
    """∫ φ w^{p + i j step} for j = 0 … count, proved; see the module docstring."""
    floats = 1 / float(noise_multiplier), float(q), float(p)
    parameters = *floats, float(step) * count, ctx.prec
    eta, first, last, strip = trapezoid(*parameters)
    concave = concave_rule(*parameters) if p < 0 and q < 1 and last - first > _PLENTY else None
    if concave is not None and concave.last - concave.first < last - first:
        eta, first, last = concave.eta, concave.first, concave.last
    else:
        concave = None
    if not (eta > 0 and strip > 0 and first <= last):
        raise NoConvergence("contour: the trapezoidal rule of the transform has no nodes")
    far = last
    if p >= 1:
        last = min(far, max(first, last_that_counts(*floats, eta, far, ctx.prec)))
    nodes = last - first + 1
    if nodes > MAX_NODES or nodes * (count + 1) * max(100, ctx.prec) > 100 * MAX_WORK:
        raise NoConvergence(
            f"contour: the transform needs {nodes} nodes in x times {count + 1} on the line "
            f"(caps {MAX_NODES} and {MAX_WORK} in all)"
        )
    c, qq, power, a, h = 1 / ball(noise_multiplier), ball(q), ball(p), ball(strip), ball(eta)
    weight = h / (2 * arb.pi()).sqrt()
    xs = [h * i for i in range(first, last + 1)]
    logs: list[arb] = []
    coefficients: list[arb] = []
    for i, x in enumerate(xs):
        if i % 100 == 0:  # at thousands of bits a node takes milliseconds
            spend(1e-3 * (1 + ctx.prec / 150))
        logs.append(mixture_loss(c, qq, x))
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
    if q < 1 and not surely_less(c * a, arb.pi()):
        raise NoConvergence("contour: the strip of the trapezoidal rule is too wide")
    growth = (a * a / 2).exp() * ((c * a / 2).cos() ** power if p < 0 and q < 1 else 1)
    cosh = (2 * arb.pi() * a / h).expm1()
    ratio = 2 * growth / cosh
    if not (surely_less(ratio, 1) and tails.is_finite()):
        raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
    total = ((sums[0].real + tails) / (1 - ratio)).upper()  # ≥ E[w^p]
    turn = c * a * ball(step) * count
    if p >= 0 and q < 1 and surely_less(20, turn) and surely_less(c * a, arb.pi() / 2):
        tau, mass = ball(step) * count * (c * a).tan(), sums[0].real / (1 + ratio)
        turn = turn.min(_turned(noise_multiplier, q, p, tau, mass))
    return [
        widened(value, (tails + ratio * (turn * j / max(count, 1)).exp() * total).upper(), j)
        for j, value in enumerate(sums)
    ]


def _turned(noise_multiplier: Fraction, q: Fraction, p: Fraction, tau: arb, mass: arb) -> arb:
    """log of (1 − q)^{−τ} E[w^{p+τ}]/``mass``, at most E[w^p], for a τ that is rounded up."""
    rise = upper(tau)
    if not isinstance(rise, Fraction) or not surely_less(0, mass):
        return arb.pos_inf()
    rise = rounded(rise * Fraction(1001, 1000))
    try:
        more = _moments(noise_multiplier, q, p + rise, Fraction(0), 0)[0].real
    except NoConvergence:
        return arb.pos_inf()
    return ((more / mass).log() - ball(rise) * (1 - ball(q)).log()).upper()


def _between(c: arb, q: arb, p: arb, start: arb, end: arb, h: arb) -> arb:
    """Upper bound of Σ h φ w^p over nodes in [start, end]; +∞ unless p ≥ 0 and 0 ≤ start < end.

    Then w^p grows and φ falls: a cell is bounded by w^p at its right and φ at its left end. One of width b
    has ≤ b/h + 1 nodes.
    """
    if not (surely_at_most(0, p) and surely_at_most(0, start) and surely_less(start, end)):
        return arb.pos_inf()
    width = (end - start) / _OMITTED_CELLS
    total = arb(0)
    for j in range(_OMITTED_CELLS):
        left, right = start + width * j, start + width * (j + 1)
        total += (p * mixture_loss(c, q, right) - left * left / 2).exp()
    return (total * (width + h) / (2 * arb.pi()).sqrt()).upper()


def _tail(c: arb, q: arb, p: Fraction, edge: arb, side: int) -> arb:
    """Upper bound of ∫ φ(x)(A + B e^{p(cx − c²/2)}) beyond ``edge`` (mirrored for side −1); +∞ before a mean.

    As both terms decrease from there on, it also bounds the sum over the omitted nodes, times η.
    """
    a, b = (1 - q, q) if p >= 1 or p <= 0 else (arb(1), arb(1))
    power = ball(p)
    mean = side * power * c
    if not (surely_less(0, edge) and surely_less(mean, edge)):
        return arb.pos_inf()
    first, second = normal_tail(edge), normal_tail(edge - mean)
    return a * first + b * (c * c * (power * power - power) / 2).exp() * second
