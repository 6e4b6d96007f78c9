r"""Loss of binary randomised response: +L with probability p, −L with probability 1 − p, L = log(p/(1−p)).

:math:`M(z) = p^{z+1}(1-p)^{-z} + (1-p)^{z+1}p^{-z}` for 0 < p < 1; both directions coincide. For p ∈ {0, 1}
the loss is +∞. A k-fold composition lives on the lattice kL + 2LZ.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from pldverify.balls.ball import ball
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.law import Decay


@dataclass(frozen=True)
class RandomizedResponseLaw:
    """``p``: probability of the true bit, exact, 1/2 < p ≤ 1 (the pair for p and 1 − p is the same)."""

    p: Fraction

    @property
    def infinite_mass(self) -> Fraction:
        return Fraction(self.p == 1)

    @property
    def loss(self) -> arb:
        """L, the positive loss."""
        return ball(self.p / (1 - self.p)).log()

    @property
    def highest(self) -> arb:
        return self.loss

    def lattice(self) -> Lattice:
        return Lattice(2 * self.loss, Fraction(-1, 2), 0, [ball(1 - self.p), ball(self.p)])

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        size, point = self.loss, ball(s)
        if point <= -size:
            return arb(1), arb(1)
        if point > size:
            return arb(0), arb(0)
        if point > -size and point <= size:
            return ball(self.p), ball(1 - self.p)
        unknown = arb(0).union(arb(1))  # s is too close to an atom for this precision
        return unknown, unknown

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        size = math.log(self.p / (1 - self.p))
        up, down = math.log(self.p) + theta * size, math.log(1 - self.p) - theta * size
        peak = max(up, down)
        total = math.exp(up - peak) + math.exp(down - peak)
        share = math.exp(up - peak) / total
        return peak + math.log(total), size * (2 * share - 1), 4 * size * size * share * (1 - share)

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        size, real, height = self.loss, ball(theta), ball(step)
        points = (acb(real, height * j) for j in range(count + 1))
        return [ball(self.p) * (z * size).exp() + ball(1 - self.p) * (-z * size).exp() for z in points]

    def decay(self, theta: Fraction) -> Decay:
        return Decay()
