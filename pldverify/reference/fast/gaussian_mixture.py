r"""Transform and decay of the Poisson-subsampled Gaussian by a trapezoidal rule.

In the coordinate x = t/σ with c = 1/σ and φ the standard normal density,

.. math:: w(x) = p/q\,(x) = 1 - q + y(x), \qquad y(x) = q\, e^{cx - c^2/2},
          \qquad M_{P\|Q}(z) = \int \varphi w^{z+1}, \qquad M_{Q\|P}(z) = \int \varphi w^{-z}.

Both directions are one integral :math:`\int \varphi(x) w(x)^{p + iv} dx`: p = θ + 1, v = u for ``remove``;
p = −θ, v = −u for ``add``.

**Trapezoidal rule.** The integral may be taken along Im x = b ≥ 0, with the sign of b that of v. With step η
the sum over all nodes there differs from it by at most :math:`2N/(e^{2\pi a/\eta} - 1)`, where N bounds
:math:`\int |f(x + ib')| dx` for all |b' − b| ≤ a and f is analytic there (Trefethen and Weideman 2014,
Theorem 5.1). With t = c|b'| we have :math:`|\varphi(x+ib')| = \varphi(x) e^{b'^2/2}`,
:math:`|w(x+ib')| \le w(x)`, :math:`|\arg w(x+ib')| \le t`, with the sign of b', and, rotating by half the
angle, :math:`|w(x+ib')| \ge w(x)\cos(t/2)`. So :math:`|w^{iv}| \le 1` where b' and v have one sign, and
:math:`N = e^{(a+b)^2/2 + |v|c\max(0,\,a-b)}\cos(c(a+b)/2)^{\min(p,0)} E[w^p]` for 0 < a + b < π/c; for
q = 1 w is an exponential, :math:`|w(x+ib')| = w(x)`, and every a > 0 is allowed. With b ≥ a nothing grows
with v: the number of nodes does not depend on how far up the line M is wanted.

**Cut tails.** ``mixture_tails.py``; on Im x = b what is left out is larger by the factor of N at a = 0 at
most.

**Decay.** The tilted loss has, in x, the density :math:`\varphi(x+c) w^{p+1} e^{c^2}/(qcE[w^p])` with
respect to ds; on a cell φ(x + c) and w^{p+1} are at least their smaller end value.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.balls.line_sums import line_sums, widened
from pldverify.errors import NoConvergence
from pldverify.reference.fast.concave_trapezoid import log_peak
from pldverify.reference.fast.hints.gaussian_mixture import bulk, lost_bits, reach, trapezoid
from pldverify.reference.fast.hints.log_concave import concave_rule, peak_near
from pldverify.reference.fast.mixture_lines import parallel_lines
from pldverify.reference.fast.mixture_tails import mixture_tail
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw, over_u_scale, supremum
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.mixture_loss import mixture_loss
from pldverify.reference.lemmas.parallel_lines import ParallelLines, heights

MAX_NODES = 1_000_000
"""Cap on trapezoidal nodes in x: some five seconds."""
MAX_WORK = 150_000_000
"""Cap on nodes in x times nodes on the line, at 100 bits: some twenty seconds."""
_CELLS = 100
"""Cells of the bulk of the tilted law, for the decay; any number is right, few cost size."""
_PLENTY = 500
"""Nodes from which on another rule is looked for."""
_ANGLE = Fraction(3, 2)
"""Angle cb, in radians and below π/2, of the highest line that bounds the decay."""
_LINES = 5
"""Number of these lines, each half as high as the one before; few cost size of the bound."""


class ByTrapezoid(GaussianMixtureLaw):
    """The same law, no equal of it."""

    @staticmethod
    def of(law: GaussianMixtureLaw) -> "ByTrapezoid":
        return ByTrapezoid(law.noise_multiplier, law.q, law.direction)

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        values = _moments(self.noise_multiplier, self.q, self.power(theta), step, count)
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
    p, one = ball(power), (1 / law.noise_multiplier, law.q)
    factor = (c * c).exp() / (q * c * mass * (2 * arb.pi()).sqrt())
    squares, logs = _cells(bulk(*one, power), c, q)
    rising, r = power >= -1, p + 1
    heights_of_cells = [
        factor * (r * (logs[j] if rising else logs[j + 1]) - left.max(right) / 2).exp()
        for j, (left, right) in enumerate(pairwise(squares))
    ]
    if law.direction == "remove":
        layers = Layers.under(logs, heights_of_cells)
    else:
        layers = Layers.under([-log for log in reversed(logs)], heights_of_cells[::-1])
    peak = ball(peak_near(*one, power + 1, one[0])) if surely_less(r, 0) else arb(0)

    def lines() -> ParallelLines:
        return parallel_lines(
            c, q, p, mass, reach(*one, power), heights(1 / law.noise_multiplier, _ANGLE, _LINES)
        )

    over_u = over_u_scale(c, q, mass) * _supremum(c, q, p, peak)
    return Decay(layers, over_u=over_u if over_u.is_finite() else None, lines=cache(lines))


def _cells(bulk: tuple[Fraction, Fraction], c: arb, q: arb) -> tuple[list[arb], list[arb]]:
    """(x + c)² and log w at the edges of cells around the ``bulk``, middle and radius, of the tilted law."""
    mean, spread = bulk
    if not spread > 0:
        raise NoConvergence("contour: the bulk of the tilted law was not found")
    middle, radius = ball(mean), ball(spread)
    edges = [middle + radius * (2 * j - _CELLS) / _CELLS for j in range(_CELLS + 1)]
    return [(x + c) * (x + c) for x in edges], [mixture_loss(c, q, x) for x in edges]


def _supremum(c: arb, q: arb, p: arb, near: arb) -> arb:
    """As :func:`supremum` of r = p + 1; for r < 0 the product is log-concave, and bounded from any point
    ``near``.
    """
    r = p + 1
    return log_peak(c, q, r, c, near).exp() if surely_less(r, 0) else supremum(c, q, r)


def _moments(noise_multiplier: Fraction, q: Fraction, p: Fraction, step: Fraction, count: int) -> list[acb]:
    """∫ φ w^{p + i j step} for j = 0 … count, proved; see the module docstring."""
    if not (noise_multiplier > 0 and 0 < q <= 1):
        raise NoConvergence("contour: σ > 0 and 0 < q ≤ 1 belong to a sampled Gaussian")
    parameters = 1 / noise_multiplier, q, p, step * count, ctx.prec
    eta, first, last, strip, shift, below, above = trapezoid(*parameters)
    concave = concave_rule(*parameters) if p < 0 and q < 1 and last - first > _PLENTY else None
    if concave is not None and concave.last - concave.first < last - first:
        eta, first, last, shift = concave.eta, concave.first, concave.last, Fraction(0)
    else:
        concave = None
    if not (eta > 0 and strip > 0 and shift >= 0 and first <= last):
        raise NoConvergence("contour: the trapezoidal rule of the transform has no nodes")
    nodes = last - first + 1
    if nodes > MAX_NODES or nodes * (count + 1) * max(100, ctx.prec) > 100 * MAX_WORK:
        raise NoConvergence(
            f"contour: the transform needs {nodes} nodes in x times {count + 1} on the line "
            f"(caps {MAX_NODES} and {MAX_WORK} in all)"
        )
    with working(ctx.prec + lost_bits(shift)):
        c, qq, power = 1 / ball(noise_multiplier), ball(q), ball(p)
        a, b, h = ball(strip), ball(shift), ball(eta)
        xs = [h * i for i in range(first, last + 1)]
        weight = h / (2 * arb.pi()).sqrt()
        logs: list[arb | acb] = []
        coefficients: list[arb | acb] = []
        for i, x in enumerate(xs):
            if i % 100 == 0:  # at thousands of bits a node takes milliseconds
                spend(1e-3 * (1 + ctx.prec / 150))
            if shift:
                point = acb(x, b)
                log = mixture_loss(c, qq, point)
                coefficients.append(weight * (power * log - point * point / 2).exp())
                logs.append(log)
            else:
                logs.append(mixture_loss(c, qq, x))
                coefficients.append(weight * (power * logs[-1] - x * x / 2).exp())
        sums = line_sums(coefficients, logs, ball(step), count)
    sums[0] = acb(sums[0].real)  # as the integral is
    if concave is not None:
        errors = concave.errors(c, qq, p, ball(step), count)
        if not all(error.is_finite() for error in errors):
            raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
        return [widened(value, error, j) for j, (value, error) in enumerate(zip(sums, errors, strict=True))]

    if q < 1 and not surely_less(c * (a + b), arb.pi()):
        raise NoConvergence("contour: the strip of the trapezoidal rule is too wide")
    tails = mixture_tail(c, qq, power, [ball(first * eta), *map(ball, below)], -1, h)
    tails += mixture_tail(c, qq, power, [ball(last * eta), *map(ball, above)], 1, h)
    tails *= _growth(c, q, p, b)
    ratio = 2 * _growth(c, q, p, a + b) / (2 * arb.pi() * a / h).expm1()
    if not (surely_less(ratio, 1) and tails.is_finite()):
        raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
    total = ((sums[0].real + tails) / (1 - ratio)).upper()  # ≥ E[w^p]
    turn = c * (a - b).max(arb(0)) * ball(step)
    return [
        widened(value, (tails + ratio * (turn * j).exp() * total).upper(), j) for j, value in enumerate(sums)
    ]


def _growth(c: arb, q: Fraction, p: Fraction, b: arb) -> arb:
    """By how much φ |w|^p on Im x = b may exceed that on the real axis; 0 ≤ cb < π unless q = 1."""
    return (b * b / 2).exp() * ((c * b / 2).cos() ** ball(p) if p < 0 and q < 1 else 1)
