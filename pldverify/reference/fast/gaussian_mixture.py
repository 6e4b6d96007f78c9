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
:math:`N = e^{(a+b)^2/2 + |v|c\max(0,\,a-b)}\cos(c(a+b)/2)^{\min(p,0)} E[w^p]` for 0 < a + b < π/c.
With b ≥ a nothing grows with v: the number of nodes does not depend on how far up the line M is wanted. Where
φ w^p, p < 0, is narrow the equidistant nodes are many, and the panels of the law are sooner.

**Cut tails.** ``mixture_tails.py``; on Im x = b what is left out is larger by the factor of N at a = 0 at
most.

**Decay.** The tilted loss has, in x, the density :math:`\varphi(x+c) w^{p+1} e^{c^2}/(qcE[w^p])` with
respect to ds; on a cell φ(x + c) and w^{p+1} are at least their smaller end value.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.balls.line_sums import line_sums, widened
from pldverify.errors import NoConvergence
from pldverify.reference.fast.hints.gaussian_mixture import Rule, bulk, lost_bits, trapezoid
from pldverify.reference.fast.mixture_tails import mixture_tail
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw, over_u_scale, supremum
from pldverify.reference.laws.gaussian_stretches import lines_of
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.gaussian_sum import GaussianSum
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.mixture_loss import mixture_loss
from pldverify.reference.lemmas.strip_lines import StripLines

MAX_NODES = 1_000_000
"""Cap on trapezoidal nodes in x: some five seconds."""
MAX_WORK = 150_000_000
"""Cap on nodes in x times nodes on the line, at 100 bits: some twenty seconds."""
_CELLS = 100
"""Cells of the bulk of the tilted law, for the decay; any number is right, few cost size."""
_PLENTY = 1_000
"""Nodes from which on panels, which need few where φw^p is narrow, are sooner for p < 0."""


class ByTrapezoid(GaussianMixtureLaw):
    """The same law, no equal of it."""

    @staticmethod
    def of(law: GaussianMixtureLaw) -> "ByTrapezoid":
        return ByTrapezoid(law.noise_multiplier, law.q, law.direction)

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        power = self.power(theta)
        rule = _rule(self, power, step * count)
        if power < 0 and rule.last - rule.first > _PLENTY:
            return super().on_line(theta, step, count)
        values = _moments(self, rule, power, step, count)
        return values if self.direction == "remove" else [value.conjugate() for value in values]

    def decay(self, theta: Fraction) -> Decay:
        with working(max(64, ctx.prec)):
            mass = self.on_line(theta, Fraction(0), 0)[0].real
            return mixture_decay(self, theta, 1 / ball(self.noise_multiplier), ball(self.q), mass)


def mixture_decay(law: GaussianMixtureLaw, theta: Fraction, c: arb, q: arb, mass: arb) -> Decay:
    """The decay of all laws of c, q and M(θ) in these balls; cells and heights are chosen for ``law``, one of
    them.
    """
    power = law.power(theta)
    factor = (c * c).exp() / (q * c * mass * (2 * arb.pi()).sqrt())
    squares, logs = _cells(bulk(1 / law.noise_multiplier, law.q, power), c, q)
    rising, r = power >= -1, ball(power + 1)
    heights_of_cells = [
        factor * (r * (logs[j] if rising else logs[j + 1]) - left.max(right) / 2).exp()
        for j, (left, right) in enumerate(pairwise(squares))
    ]
    if law.direction == "remove":
        layers = Layers.under(logs, heights_of_cells)
    else:
        layers = Layers.under([-log for log in reversed(logs)], heights_of_cells[::-1])
    over_u = over_u_scale(c, q, mass) * supremum(c, q, r)
    lines = cache(lambda: _lines(law, theta, c, q, mass))
    return Decay(layers, over_u=over_u if over_u.is_finite() else None, lines=lines)


def _lines(law: GaussianMixtureLaw, theta: Fraction, c: arb, q: arb, mass: arb) -> StripLines:
    """Those of the pair that ``law`` is, of all laws in these balls."""
    drawn, base = ((0, 1 - q), (1, q)), ((0, arb(1)),)
    first, second = (drawn, base) if law.direction == "remove" else (base, drawn)
    (one,) = law.pair().stretches(theta)
    return lines_of(
        [replace(one, up=GaussianSum(c, first, 1), down=GaussianSum(c, second, -1))], theta, mass, arb(0)
    )


def _cells(bulk: tuple[Fraction, Fraction], c: arb, q: arb) -> tuple[list[arb], list[arb]]:
    """(x + c)² and log w at the edges of cells around the ``bulk``, middle and radius, of the tilted law."""
    mean, spread = bulk
    if not spread > 0:
        raise NoConvergence("contour: the bulk of the tilted law was not found")
    middle, radius = ball(mean), ball(spread)
    edges = [middle + radius * (2 * j - _CELLS) / _CELLS for j in range(_CELLS + 1)]
    return [(x + c) * (x + c) for x in edges], [mixture_loss(c, q, x) for x in edges]


def _rule(law: GaussianMixtureLaw, power: Fraction, reach: Fraction) -> Rule:
    """The trapezoidal rule for the ``law``. Raises NoConvergence for what is none, as a hint may say."""
    if not (law.noise_multiplier > 0 and 0 < law.q < 1):
        raise NoConvergence("contour: σ > 0 and 0 < q < 1 belong to a sampled Gaussian")
    return trapezoid(1 / law.noise_multiplier, law.q, power, reach, ctx.prec)


def _moments(law: GaussianMixtureLaw, rule: Rule, p: Fraction, step: Fraction, count: int) -> list[acb]:
    """∫ φ w^{p + i j step} for j = 0 … count, proved; see the module docstring."""
    eta, first, last, strip, shift, below, above = rule
    if not (eta > 0 and strip > 0 and shift >= 0 and first <= last):
        raise NoConvergence("contour: the trapezoidal rule of the transform has no nodes")
    nodes = last - first + 1
    if nodes > MAX_NODES or nodes * (count + 1) * max(100, ctx.prec) > 100 * MAX_WORK:
        raise NoConvergence(
            f"contour: the transform needs {nodes} nodes in x times {count + 1} on the line "
            f"(caps {MAX_NODES} and {MAX_WORK} in all)"
        )
    with working(ctx.prec + lost_bits(shift)):
        c, q, power = 1 / ball(law.noise_multiplier), ball(law.q), ball(p)
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
                log = mixture_loss(c, q, point)
                coefficients.append(weight * (power * log - point * point / 2).exp())
                logs.append(log)
            else:
                logs.append(mixture_loss(c, q, x))
                coefficients.append(weight * (power * logs[-1] - x * x / 2).exp())
        sums = line_sums(coefficients, logs, ball(step), count)
    sums[0] = acb(sums[0].real)  # as the integral is
    if not surely_less(c * (a + b), arb.pi()):
        raise NoConvergence("contour: the strip of the trapezoidal rule is too wide")
    tails = mixture_tail(c, q, power, [ball(first * eta), *map(ball, below)], -1, h)
    tails += mixture_tail(c, q, power, [ball(last * eta), *map(ball, above)], 1, h)
    tails *= _growth(c, p, b)
    ratio = 2 * _growth(c, p, a + b) / (2 * arb.pi() * a / h).expm1()
    if not (surely_less(ratio, 1) and tails.is_finite()):
        raise NoConvergence(f"contour: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
    total = ((sums[0].real + tails) / (1 - ratio)).upper()  # ≥ E[w^p]
    turn = c * (a - b).max(arb(0)) * ball(step)
    return [
        widened(value, (tails + ratio * (turn * j).exp() * total).upper(), j) for j, value in enumerate(sums)
    ]


def _growth(c: arb, p: Fraction, b: arb) -> arb:
    """By how much φ |w|^p on Im x = b may exceed that on the real axis; 0 ≤ cb < π."""
    return (b * b / 2).exp() * ((c * b / 2).cos() ** ball(p) if p < 0 else 1)
