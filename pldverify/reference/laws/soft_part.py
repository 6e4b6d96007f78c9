r"""The steps of the Poisson-subsampled Gaussian that jump, or those that don't, direction ``remove``.

Notation as in ``gaussian_mixture.py``. Given its outcome x, let a step *jump* with probability
:math:`\Phi((x - x_c)/\tau)`, Φ the standard normal distribution function. So both parts of its measure,

.. math:: M_\pm(z) = \int \varphi\, w^{z+1}\, \Phi(\pm(x - x_c)/\tau)\, dx, \qquad M_+ + M_- = M,

have an analytic density. Let p = Re z + 1 ≥ 0 and v = Im z.

**Off the real axis** :math:`\Phi(t + ih) = \int_{-\infty}^t \varphi(r + ih)\, dr`, therefore
:math:`|\Phi(t+ih)| \le e^{h^2/2} \Phi(t)`: the weight costs a factor :math:`e^{b^2/2\tau^2}` on Im x = b.

**Trapezoidal rule** as there on Im x = b ≥ 0, 0 < a + b < π/c, with
:math:`N = e^{(1 + 1/\tau^2)(a + b)^2/2 + |v|c\max(0,\,a-b)} M_\pm(p - 1)`.

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

from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.balls.line_sums import line_sums, widened
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_mixture import MAX_NODES, MAX_WORK, GaussianMixtureLaw
from pldverify.reference.laws.hints.soft_part import Part
from pldverify.reference.lemmas.mixture_loss import mixture_loss
from pldverify.reference.lemmas.parallel_lines import ParallelLines, heights, lines_over

_ANGLE = Fraction(3, 2)
"""Angle cb, in radians and below π/2, of the highest line that bounds the decay."""
_LINES = 5
"""Number of these lines, each half as high as the one before; few cost size of the bound."""


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

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """M_±(θ + i j step) for j = 0 … count, at the working precision relative to M_±(θ). θ ≥ −1."""
        eta, first, last, strip, shift = self.hints().trapezoid(theta, step * count)
        nodes = last - first + 1
        if nodes > MAX_NODES or nodes * (count + 1) * max(100, ctx.prec) > 100 * MAX_WORK:
            raise NoConvergence(
                f"jumps: the transform needs {nodes} nodes in x times {count + 1} on the line "
                f"(caps {MAX_NODES} and {MAX_WORK} in all)"
            )
        if not (eta > 0 and strip > 0 and shift >= 0 and first <= last):
            raise NoConvergence("jumps: the trapezoidal rule of the transform has no nodes")
        with working(ctx.prec + self.hints().lost_bits(shift)):
            p, c, q = ball(theta + 1), 1 / ball(self.law.noise_multiplier), ball(self.law.q)
            h, a, b = ball(eta), ball(strip), ball(shift)
            xs = [h * i for i in range(first, last + 1)]
            ends = [self._real(p, c, q, x) for x in (xs[0], xs[-1])]
            losses: list[arb | acb] = []
            values: list[arb | acb] = []
            for i, x in enumerate(xs):
                if i % 100 == 0:
                    spend(1e-3 * (1 + ctx.prec / 150))
                if not shift:
                    losses.append(mixture_loss(c, q, x))
                    values.append(h * self._real(p, c, q, x))
                    continue
                point = acb(x, b)
                losses.append(mixture_loss(c, q, point))
                log = p * losses[-1] - point * point / 2
                values.append(h * self._weight(point) * log.exp() / (2 * arb.pi()).sqrt())
            sums = line_sums(values, losses, ball(step), count)
        sums[0] = acb(sums[0].real)  # as the integral is
        stretch = (1 + 1 / ball(self.width) ** 2) / 2
        tails = ends[1] / self._falls(p, c, xs[-1], 1) + ends[0] / self._falls(p, c, xs[0], -1)
        tails *= (stretch * b * b).exp()
        ratio = 2 * (stretch * (a + b) * (a + b)).exp() / (2 * arb.pi() * a / h).expm1()
        proved = surely_less(c * (a + b), arb.pi()) and surely_less(ratio, 1)
        if not (theta >= -1 and proved and tails.is_finite()):
            raise NoConvergence(f"jumps: no proved error bound with {nodes} nodes in x at {ctx.prec} bits")
        total = ((sums[0].real + tails) / (1 - ratio)).upper()
        turn = c * (a - b).max(arb(0)) * ball(step)
        return [
            widened(value, (tails + ratio * (turn * j).exp() * total).upper(), j)
            for j, value in enumerate(sums)
        ]

    def _real(self, p: arb, c: arb, q: arb, x: arb) -> arb:
        """f(x)."""
        return self.weight(x) * (p * mixture_loss(c, q, x) - x * x / 2).exp() / (2 * arb.pi()).sqrt()

    def hints(self) -> Part:
        """Where its nodes and cells are looked for."""
        return Part(1 / self.law.noise_multiplier, self.law.q, self.cut, self.width, self.jumps)

    def weight(self, x: arb) -> arb:
        """Φ(±(x − x_c)/τ)."""
        t = (x - ball(self.cut)) / ball(self.width)
        return normal_tail(-t if self.jumps else t)

    def _weight(self, x: acb) -> acb:
        """The same off the real axis."""
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
        return rate if surely_less(0, rate) else arb(0)

    def lines(self, theta: Fraction, mass: arb) -> ParallelLines:
        """How fast |M_+(θ + iu)|/M_+(θ) falls, M_+(θ) = ``mass``; asked of what jumps only."""
        c, q = 1 / ball(self.law.noise_multiplier), ball(self.law.q)
        edges = [ball(x) for x in self.hints().cells(theta)]
        weights = [self.weight(x).upper() for x in edges] + [arb(1)]
        stretch = 1 + 1 / ball(self.width) ** 2
        levels = heights(1 / self.law.noise_multiplier, _ANGLE, _LINES) if self.jumps else []
        return lines_over(c, q, ball(theta + 1), mass, edges, weights, stretch, levels)
