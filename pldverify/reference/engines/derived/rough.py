r"""Rough bounds of δ(ε), ε ≥ 0, and of tails, where no digit is needed.

With :math:`c(\lambda) = \lambda^\lambda/(1+\lambda)^{1+\lambda}`, any λ > 0 and any −1 ≤ θ ≤ 0,

.. math:: 1 - e^{-\theta\epsilon} M(\theta) \le \delta(\epsilon)
          \le \delta_\infty + c(\lambda) e^{-\lambda\epsilon} M(\lambda)

(Markov's inequality; :mod:`pldverify.reference.lemmas.kernel`); P(S ≥ ε) obeys the same with c = 1 and any θ
≤ 0. A composition has at least the δ(ε) of a part of it, which an adversary may look at alone, and by basic
composition at most :math:`\sum_i k_i \delta_i(\epsilon_i)` for any :math:`\epsilon = \sum_i k_i \epsilon_i`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss, Proved, probability
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.lemmas.kernel import Kernel


@dataclass(frozen=True)
class Markov(OfLoss):
    """With λ = ``above`` and θ = ``below``; 1 and 0 where these are None."""

    above: Fraction | None
    below: Fraction | None
    quantity: Quantity = "delta"

    engine = "markov"

    @property
    def question(self) -> tuple[str, Bound]:
        return self.quantity, self.at

    def prove(self) -> tuple[Bound, Bound]:
        low, high = arb(0), arb(1)
        with working(BOUND_BITS):
            if self.above is not None:
                size = self._size(Kernel(self.quantity, "upper"), self.above)
                high = high.min((self.loss.infinite_mass() + size).upper())
            if self.below is not None:
                low = low.max((1 - self._size(Kernel(self.quantity, "lower"), self.below)).lower())
            return probability(low.union(high))

    def _size(self, kernel: Kernel, lam: Fraction) -> arb:
        return kernel.chernoff(lam) * (self.loss.log_moment(lam) - ball(lam * self.at)).exp()


@dataclass(frozen=True)
class Basic(OfLoss):
    """At most what the ``singles`` give: for each law δ of one step at ε_i, where Σ k_i ε_i ≤ ε."""

    singles: tuple[Proved, ...]

    asks = "delta"
    engine = "basic composition"

    def prove(self) -> tuple[Bound, Bound]:
        high, left = Fraction(0), self.at
        if len(self.singles) != len(self.loss.factors):
            raise NoConvergence("basic composition: not δ of each step")
        for (law, k), single in zip(self.loss.factors, self.singles, strict=True):
            quantity, epsilon = single.question
            if single.about != ComposedLoss(((law, 1),)) or quantity != "delta":
                raise NoConvergence("basic composition: not δ of each step")
            left -= k * Fraction(epsilon)
            high += k * Fraction(single.prove()[1])
        if left < 0:
            raise NoConvergence("basic composition: the steps have more than ε together")
        return Fraction(0), min(Fraction(1), high)


@dataclass(frozen=True)
class Part(OfLoss):
    """At least δ(ε) of a ``part`` of the composition."""

    part: Proved

    asks = "delta"

    @property
    def engine(self) -> str:
        return self.part.engine

    def prove(self) -> tuple[Bound, Bound]:
        counts = self.loss.counts()
        inside = all(k <= counts.get(law, 0) for law, k in self.part.about.counts().items())
        if not inside or self.part.question != self.question:
            raise NoConvergence("part: not the same δ(ε) of some of the losses")
        return self.part.prove()[0], Fraction(1)
