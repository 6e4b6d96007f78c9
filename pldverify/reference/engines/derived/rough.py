r"""Rough bounds of δ(ε), ε ≥ 0, where no digit is needed.

With :math:`c(\lambda) = \lambda^\lambda/(1+\lambda)^{1+\lambda}`, any λ > 0 and any −1 ≤ θ ≤ 0,

.. math:: 1 - e^{-\theta\epsilon} M(\theta) \le \delta(\epsilon)
          \le \delta_\infty + c(\lambda) e^{-\lambda\epsilon} M(\lambda)

(Markov's inequality; :mod:`pldverify.reference.lemmas.kernel`). A composition of k steps has at least the
δ(ε) of each one, which an adversary may look at alone, and by basic composition at most
:math:`\sum_i \delta_i(\epsilon/k)`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss, Proved, probability
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.lemmas.kernel import Kernel


@dataclass(frozen=True)
class Markov(OfLoss):
    """With λ = ``above`` and θ = ``below``; 1 and 0 where these are None."""

    above: Fraction | None
    below: Fraction | None

    asks = "delta"
    engine = "markov"

    def prove(self) -> tuple[Bound, Bound]:
        low, high = arb(0), arb(1)
        with working(BOUND_BITS):
            if self.above is not None:
                size = self._size(Kernel("delta", "upper"), self.above)
                high = high.min((self.loss.infinite_mass() + size).upper())
            if self.below is not None:
                low = low.max((1 - self._size(Kernel("delta", "lower"), self.below)).lower())
            return probability(low.union(high))

    def _size(self, kernel: Kernel, lam: Fraction) -> arb:
        return kernel.chernoff(lam) * (self.loss.log_moment(lam) - ball(lam * self.at)).exp()


@dataclass(frozen=True)
class Steps(OfLoss):
    """``singles``: for each law δ of one step at ε and at ε/k; empty where nothing is known."""

    singles: tuple[tuple[Proved, Proved], ...]

    asks = "delta"
    engine = "steps"

    def prove(self) -> tuple[Bound, Bound]:
        if not self.singles:
            return Fraction(0), Fraction(1)
        low: Bound = Fraction(0)
        high: Bound = Fraction(0)
        for (law, k), (each, share) in zip(self.loss.factors, self.singles, strict=True):
            one = ComposedLoss(((law, 1),))
            if (each.about, each.question) != (one, ("delta", self.at)) or (
                share.about,
                share.question,
            ) != (one, ("delta", self.at / self.loss.steps)):
                raise NoConvergence("steps: not δ of each step")
            low, high = max(low, each.prove()[0]), high + k * share.prove()[1]
        return low, max(low, min(Fraction(1), high))
