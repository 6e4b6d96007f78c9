r"""Loss of the discrete Laplace mechanism: s + 1 atoms at :math:`\{-s, -s+2, \dots, s\}/b`.

With :math:`r = e^{-1/b}`, noise around s under P and around 0 under Q: all outcomes x ≤ 0 have loss −s/b and
together P-mass :math:`r^s/(1+r)`; x = 1 … s − 1 has loss (2x − s)/b and P-mass :math:`r^{s-x}(1-r)/(1+r)`;
all x ≥ s have loss s/b and P-mass 1/(1+r). Q has the masses in reverse.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import ball
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class DiscreteLaplaceLaw(AtomicLaw):
    """``b`` > 0 and integer ``sensitivity`` s ≥ 1."""

    b: Fraction
    sensitivity: int
    infinite_mass = Fraction(0)

    def _outcomes(self) -> list[Outcome]:
        s, rate = self.sensitivity, ball(1 / self.b)
        r, minus = (-rate).exp(), -(-rate).expm1()  # r and 1 − r
        masses = [r**s / (1 + r), *(r ** (s - x) * minus / (1 + r) for x in range(1, s)), 1 / (1 + r)]
        losses = [(2 * x - s) / self.b for x in range(s + 1)]
        return [Outcome(*row) for row in zip(masses, reversed(masses), losses, strict=True)]
