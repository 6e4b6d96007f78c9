r"""The contour engine: δ(ε) and P(S ≥ ε) by a trapezoidal sum along Re z = θ, with every error term in balls.

.. math:: T = e^{-\theta\epsilon} \frac{h}{2\pi} \sum_{|j| \le J} M(z_j) e^{-ijh\epsilon} \kappa(z_j),
\qquad z_j = \theta + ijh.

The true f(ε) lies where ``inversion_sum.py`` says.

**Cut**: what |j| > J could add. With ρ ≥ |M(θ + iu)|/M(θ) for all u ≥ Jh, and
:math:`\sum_{j>J} (jh)^{-2} \le 1/(h^2 J)`: :math:`e^{-\theta\epsilon} M(\theta) \rho/(\pi h J)` for δ, whose
kernel is at most :math:`u^{-2}`. The kernel of the tail is at most 1/u, so one factor of the product must
also decay like C/u: then the same bound holds with Cρ, ρ of the rest. For a Gaussian factor
:math:`u e^{-gu^2/2}` falls from :math:`1/\sqrt g` on, so beyond E = Jh its C is :math:`E e^{-gE^2/2}`.

M(z) = Π M_i(z)^{k_i}: no cost grows with k. Nothing is assumed of θ, λ, h, J: poor values cost width, never
truth.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_at_most
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.engines.inversion.inversion_sum import InversionSum, Run
from pldverify.reference.laws import together
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.kernel import Side

MAX_NODES = 1_000_000
"""Cap on nodes along the line: they are all in memory."""


@remembered(64)
def decays(loss: ComposedLoss, theta: Fraction) -> list[tuple[Decay, int]]:
    """Decays of the laws and how often each counts, remembered: the search and the proof ask the same
    question.
    """
    with working(BOUND_BITS):
        return together.decays(loss.factors, theta)


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


class Contour(InversionSum):
    """A line Re z = θ with M evaluated at its nodes; answers for every ε.

    Building it costs the transforms; each ε then costs J multiplications.
    """

    engine = "contour"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if not (p.below < p.theta < p.above and p.step > 0 and p.nodes >= 1):
            raise NoConvergence(f"contour: unusable parameters {p}")
        if p.nodes > MAX_NODES:
            raise NoConvergence(f"contour: more than {MAX_NODES} nodes along the line")
        falls = decays(loss, p.theta)
        with working(p.bits):
            values = self._ratios()
            real, height = ball(p.theta), ball(p.step)
            terms = [v * self.kernel.value(acb(real, height * j)) for j, v in enumerate(paced(values))]
            terms[0] /= 2  # it has no mirror image below 0
            self._run, self._scale = Run(0, terms), height / arb.pi()
        with working(BOUND_BITS):
            self._log_decay = self._cut_decay(falls)
            self._bound_aliases(loss, 2 * arb.pi() / ball(p.step))

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

    def _central(self, epsilon: Fraction) -> arb:
        theta, step = ball(self.parameters.theta), ball(self.parameters.step)
        total = self._run.sum(-step * ball(epsilon)).real
        return (self.log_mass - theta * ball(epsilon)).exp() * self._scale * total

    def _cut(self, epsilon: Fraction) -> arb:
        p = self.parameters
        size = (self.log_mass - ball(p.theta) * ball(epsilon) + self._log_decay).exp()
        return size / (arb.pi() * ball(p.step) * p.nodes)


def _product(rows: list[list[acb]]) -> list[acb]:
    """Column by column, by halves: a rectangle that is turned grows by up to √2, so a thousand factors one
    after the other could lose hundreds of bits, and these lose five.
    """
    if len(rows) == 1:
        return rows[0]
    half = len(rows) // 2
    return [a * b for a, b in zip(_product(rows[:half]), _product(rows[half:]), strict=True)]
