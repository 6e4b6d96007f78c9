r"""Loss of binary randomised response: +L with probability p, −L with probability 1 − p, L = log(p/(1−p)).

Both directions coincide. For p = 1 the loss is +∞. A k-fold composition lives on the lattice kL + 2LZ.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import ball
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class RandomizedResponseLaw(AtomicLaw):
    """``p``: probability of the true bit, exact, 1/2 < p ≤ 1 (the pair for p and 1 − p is the same)."""

    p: Fraction

    @property
    def infinite_mass(self) -> Fraction:
        return Fraction(self.p == 1)

    def masses(self) -> list[tuple[Fraction, Fraction]]:
        return [(self.p, 1 - self.p), (1 - self.p, self.p)]

    def _outcomes(self) -> list[Outcome]:
        true, other = ball(self.p), ball(1 - self.p)
        return [Outcome(true, other), Outcome(other, true)]

    def lattice(self) -> Lattice | None:
        if self.p == 1:
            return None
        size = ball(self.p / (1 - self.p)).log()
        return Lattice(2 * size, Fraction(-1, 2), 0, [ball(1 - self.p), ball(self.p)])
