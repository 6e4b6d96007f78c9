"""Loss of randomised response over k > 2 categories: ±L on the two that differ, 0 on the others."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class CategoriesLaw(AtomicLaw):
    """Probabilities ``high`` > ``low`` ≥ 0 of the two categories that differ; the others share the rest."""

    high: Fraction
    low: Fraction

    @property
    def infinite_mass(self) -> Fraction:
        return Fraction(0) if self.low else self.high

    def masses(self) -> list[tuple[Fraction, Fraction]]:
        rest = 1 - self.high - self.low
        return [(self.high, self.low), (self.low, self.high), (rest, rest)]

    def _outcomes(self) -> list[Outcome]:
        high, low, rest = ball(self.high), ball(self.low), ball(1 - self.high - self.low)
        return [Outcome(high, low), Outcome(rest, rest, Fraction(0)), Outcome(low, high)]

    def lattice(self) -> Lattice:
        if not self.low:
            return Lattice(Fraction(1), Fraction(0), 0, [ball(1 - self.high)])
        size: arb = ball(self.high / self.low).log()
        return Lattice(
            size, Fraction(-1), 0, [ball(self.low), ball(1 - self.high - self.low), ball(self.high)]
        )
