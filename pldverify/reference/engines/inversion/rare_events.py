r"""The rare-events engine: rare large losses of Poisson-subsampled Gaussians, direction ``remove``.

With tiny q or little noise most steps lose next to nothing and a few lose much. The many small losses make
the integrand of the contour engine last for millions of nodes, although it is the few large ones that bring
the sum beyond ε. So let every step jump with a probability that rises smoothly with its outcome
(``laws/soft_part.py``). Then

.. math:: \delta(\epsilon) = \delta_G(\epsilon) + \delta_N(\epsilon) ,

G the measure of the steps of which some jump, whose integrand decays like that of one jump
(``laws/some_jump.py``): the contour gives :math:`\delta_G`. N is that of the steps without a jump. Those with
an outcome beyond some x₂ above the cut hardly ever are without, and the others lose little:

.. math:: 0 \le \delta_N(\epsilon) \le \sum_i k_i\, \Phi(-(x_{2,i} - x_{c,i})/\tau)\, P_i(x > x_{2,i})
          + c(\lambda)\, e^{-\lambda\epsilon} \prod_i M_i^{k_i}, \qquad
          M_i = M_{x_c,i}(\lambda)
          + \sum_j \Phi(-(x_j - x_{c,i})/\tau)\, w_i(x_{j+1})^\lambda\, P_i(x_j < x \le x_{j+1}) ,

for every λ > 0, over cells from the cut to x₂, with :math:`M_{x_c}(\lambda)` of the outcomes up to the cut
(``laws/gaussian_pair.py``) and c(λ) as in ``lemmas/kernel.py``; the last term is 0 where the losses up to x₂
never reach ε. Both fall below the last digit if jumps begin at a small part of ε: two or three losses below
it are far less probable than one beyond.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.errors import NoConvergence
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.split import Split
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_pair import NearPairLaw
from pldverify.reference.laws.sampled import mixtures, pair_of
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.laws.some_jump import SomeJump
from pldverify.reference.lemmas.kernel import Kernel

_CELLS = 500
"""Cells in x from the cut to x₂ that bound a moment; any value is right: few cells cost width."""
_KERNEL = Kernel("delta", "upper")
Parts = tuple[tuple[SoftPart, int], ...]


@dataclass(frozen=True)
class Jump:
    """Where a step of one law jumps: around ``cut`` = x_c, within ``width`` = τ; ``end`` is x₂."""

    cut: Fraction
    width: Fraction
    end: Fraction


@dataclass(frozen=True)
class Parameters:
    """Exact parameters, chosen by the search: jumps of each law, contour of δ_G, λ, bits of the sum."""

    jumps: tuple[Jump, ...]
    some: contour.Parameters
    lam: Fraction
    bits: int


class RareEvents(Evaluator):
    """δ of Poisson-subsampled Gaussians, direction ``remove``."""

    engine = "rare events"
    quantities = ("delta",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        rows = list(zip(mixtures(loss), parameters.jumps, strict=True))
        if parameters.lam <= 0 or any(jump.end < jump.cut or jump.width <= 0 for _, jump in rows):
            raise NoConvergence(f"rare events: unusable parameters {parameters}")
        self.parts: Parts = tuple((SoftPart(law, j.cut, j.width, True), k) for (law, k), j in rows)
        self.small = ComposedLoss(tuple((NearPairLaw(pair_of(law), j.end), k) for (law, k), j in rows))
        self.some = contour.Contour(steps_with_jumps(self.parts), "delta", parameters.some)
        with working(BOUND_BITS):
            self._log_moment, self._missed = arb(0), arb(0)
            for (part, k), ((law, _), jump) in zip(self.parts, rows, strict=True):
                small = NearPairLaw(pair_of(law), jump.end)
                self._log_moment += k * _moment(part, small, parameters.lam).log()
                self._missed += k * part.rest().weight(ball(small.cut)) * small.far()[0]

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            return Split(self.some.value(epsilon), arb(0), self._none(epsilon), arb(1)).value()

    def _none(self, epsilon: Fraction) -> arb:
        """Upper bound of δ_N."""
        total, lam = self._missed, self.parameters.lam
        if not self.small.ends_by(epsilon):
            total += _KERNEL.chernoff(lam) * (self._log_moment - ball(lam) * ball(epsilon)).exp()
        return total.upper()

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        with working(BOUND_BITS):
            return {"no step jumps": self._none(epsilon), **self.some.errors(epsilon)}


def steps_with_jumps(parts: Parts) -> ComposedLoss:
    """G, as one loss."""
    return ComposedLoss(((SomeJump(parts), 1),))


def _moment(part: SoftPart, small: NearPairLaw, lam: Fraction) -> arb:
    """Upper bound M_i of the outcomes up to x₂ without a jump, λ > 0."""
    total = NearPairLaw(small.law, part.cut).on_line(lam, Fraction(0), 0)[0].real
    width = (small.cut - part.cut) / _CELLS
    laws = [NearPairLaw(small.law, part.cut + width * j) for j in range(_CELLS + 1)]
    for (left, mass), (right, beyond) in pairwise([(law, law.far()[0]) for law in laws]):
        weight = part.rest().weight(ball(left.cut))
        total += weight * (ball(lam) * right.largest_finite_loss).exp() * (mass - beyond)
    return total.upper()
