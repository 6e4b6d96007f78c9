r"""The contour engine: δ(ε) and P(S ≥ ε) by a trapezoidal sum along Re z = θ, with every error term in balls.

.. math:: T = e^{-\theta\epsilon} \frac{h}{2\pi} \sum_{|j| \le J} M(z_j) e^{-ijh\epsilon} \kappa(z_j),
\qquad z_j = \theta + ijh.

The true f(ε) (see ``lemmas/kernel.py``) lies in [T − cut − alias, T + cut]:

* **alias** ≥ 0: the terms m ≠ 0 of Poisson's formula, bounded with M(λ) at a λ on each side of θ;
* **cut**: what |j| > J could add. With ρ ≥ |M(θ + iu)|/M(θ) for all u ≥ Jh, and
  :math:`\sum_{j>J} (jh)^{-2} \le 1/(h^2 J)`: :math:`e^{-\theta\epsilon} M(\theta) \rho/(\pi h J)` for δ,
  whose kernel is at most :math:`u^{-2}`. The kernel of the tail is at most 1/u, so one factor of the
  product must also decay like C/u: then the same bound holds with Cρ, ρ of the rest. For a Gaussian factor
  :math:`u e^{-gu^2/2}` falls from :math:`1/\sqrt g` on, so beyond E = Jh its C is :math:`E e^{-gE^2/2}`.

Left of −1, where e^ε M(−1) is taken away, δ is small beside what is summed: that costs bits.
M(z) = Π M_i(z)^{k_i}: no cost grows with k. Nothing is assumed of θ, λ, h, J: poor values cost width, never
truth.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, acb_mat, arb
from pldverify.balls.ball import BOUND_BITS, ball, clamped, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_at_most
from pldverify.balls.line_sums import powers
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws import together
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.kernel import Kernel, Side

MAX_NODES = 1_000_000
"""Cap on nodes along the line: they are all in memory."""


@remembered(64)
def decays(loss: ComposedLoss, theta: Fraction) -> list[tuple[Decay, int]]:
    """Decays of the laws and how often each counts, remembered: the search and the proof ask the same
    question.
    """
    with working(BOUND_BITS):
        return together.decays(loss.factors, theta)


def _log_moment(loss: ComposedLoss, lam: Fraction) -> arb:
    """log M(λ), or 0 where M(λ) ≤ 1 is known: M(0) is a probability, M(−1) one under the second measure."""
    return arb(0) if lam in (0, -1) else loss.log_moment(lam)


@dataclass(frozen=True)
class Parameters:
    """Side of the pole, θ, λ below and above it, step h, nodes J, precision of the sum."""

    side: Side
    theta: Fraction
    below: Fraction
    above: Fraction
    step: Fraction
    nodes: int
    bits: int


class Contour(Evaluator):
    """A line Re z = θ with M evaluated at its nodes; answers for every ε.

    Building it costs the transforms; each ε then costs J multiplications.
    """

    engine = "contour"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p, self.kernel = parameters, Kernel(quantity, parameters.side)
        if not (p.below < p.theta < p.above and p.step > 0 and p.nodes >= 1):
            raise NoConvergence(f"contour: unusable parameters {p}")
        if p.nodes > MAX_NODES:
            raise NoConvergence(f"contour: more than {MAX_NODES} nodes along the line")
        falls = decays(loss, p.theta)
        with working(p.bits):
            self._mass = loss.finite_mass()
            self._second = loss.log_moment(Fraction(-1)).exp() if p.side == "beyond" else arb(0)
            values = self._ratios()
            real, height = ball(p.theta), ball(p.step)
            self._terms = [v * self.kernel.value(acb(real, height * j)) for j, v in enumerate(paced(values))]
            self._scale = height / (2 * arb.pi())
        with working(BOUND_BITS):
            self._log_decay = self._cut_decay(falls)
            self._chernoffs = [(lam, _log_moment(loss, lam)) for lam in (p.below, p.above)]
            period = 2 * arb.pi() / ball(p.step)
            self._aliases = self.kernel.aliases(p.theta, period, self._chernoffs)
        self._last: tuple[Fraction, arb, arb, arb] | None = None

    def _ratios(self) -> list[acb]:
        """Π (M_i/M_i(θ))^{k_i} at the nodes, with one power for all laws of a count; sets log M(θ)."""
        p, factors = self.parameters, self.loss.factors
        lines = together.on_lines([law for law, _ in factors], p.theta, p.step, p.nodes)
        alike: dict[int, list[list[acb]]] = {}
        for line, (_, k) in zip(lines, factors, strict=True):
            alike.setdefault(k, []).append(line)
        found = _product([[m**k for m in paced(_product(rows))] for k, rows in alike.items()])
        mass = found[0].real
        self.log_mass = mass.log()
        return [m / mass for m in paced(found)]

    def _cut_decay(self, falls: list[tuple[Decay, int]]) -> arb:
        """log of ρ (δ) or Cρ (tail) beyond the last node. ``gauss`` of a decay is that of exactly a
        Gaussian.
        """
        edge = ball(self.parameters.step) * self.parameters.nodes
        total: arb = arb(0)
        for bound, k in falls:
            total += k * bound.log_sup(edge)
        if self.quantity == "delta":
            return total
        for bound, _ in falls:
            if bound.gauss is not None and surely_at_most(1, bound.gauss * edge * edge):
                return total + edge.log()
            if bound.over_u is not None:  # this factor is bounded by C/u instead of by its ρ
                return total - bound.log_sup(edge) + bound.over_u.log()
        raise NotSupported("tail: no law of the composition has a density of bounded variation")

    def value(self, epsilon: Fraction) -> arb:
        p = self.parameters
        with working(p.bits):
            central, cut, alias = self._parts(epsilon)
            value = (central - cut - alias).lower().union((central + cut).upper())
            if p.side == "beyond":
                value += self._mass - ball(epsilon).exp() * self._second
            return clamped(self._mass - value if p.side == "lower" else value, self._mass)

    def _parts(self, epsilon: Fraction) -> tuple[arb, arb, arb]:
        """(T, cut, alias) at the precision of the sum; those of the last ε are at hand."""
        if self._last is None or self._last[0] != epsilon:
            self._last = epsilon, self._central(epsilon), *self._errors(epsilon)
        return self._last[1:]

    def _central(self, epsilon: Fraction) -> arb:
        """T; its radius is what the transforms and the rounding err by."""
        eps = ball(epsilon)
        return (self.log_mass - ball(self.parameters.theta) * eps).exp() * self._scale * self._sum(eps)

    def _sum(self, eps: arb) -> arb:
        """Σ over |j| ≤ J, by rows: with j = j₁B + j₂ it is a product of a row, a matrix and a column."""
        terms = self._terms
        width = math.isqrt(len(terms)) + 1
        (*column, giant), height = self._turns(eps, width + 1), -(-len(terms) // width)
        rest = [acb(0)] * (width * height - len(terms))
        inner = acb_mat(height, width, terms + rest) * acb_mat(width, 1, column)
        outer = acb_mat(1, height, [row[0] for row in powers([giant], max(2, height))[:height]]) * inner
        return 2 * outer[0, 0].real - terms[0].real

    def _turns(self, eps: arb, count: int) -> list[acb]:
        """e^{−ijhε}, j < ``count``."""
        return [row[0] for row in powers([acb(0, -ball(self.parameters.step) * eps).exp()], count)]

    def _errors(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Proved bounds (cut, alias), both ≥ 0."""
        p = self.parameters
        with working(BOUND_BITS):
            eps, theta = ball(epsilon), ball(p.theta)
            cut = (self.log_mass - theta * eps + self._log_decay).exp() / (arb.pi() * ball(p.step) * p.nodes)
            return cut.upper(), sum((a * (-lam * eps).exp() for lam, a in self._aliases), arb(0)).upper()

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        with working(self.parameters.bits):
            central, cut, alias = self._parts(epsilon)
        return {"cut": cut, "alias": alias, "transform and rounding": central.rad()}


def _product(rows: list[list[acb]]) -> list[acb]:
    """Column by column, by halves: a rectangle that is turned grows by up to √2, so a thousand factors one
    after the other could lose hundreds of bits, and these lose five.
    """
    if len(rows) == 1:
        return rows[0]
    half = len(rows) // 2
    return [a * b for a, b in zip(_product(rows[:half]), _product(rows[half:]), strict=True)]
