"""Loss of a Poisson-subsampled mechanism with finitely many losses: (1 − q)Q + qP against Q, or the reverse.

Every outcome keeps its place; only its masses change. Where Q = 0 the mixture has qP, which stays in δ_∞;
where P = 0 the odds are 1 − q, so that the loss −∞ becomes finite.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class PoissonAtomicLaw(AtomicLaw):
    """``base`` is the law in direction ``remove``; 0 < ``q`` < 1."""

    base: AtomicLaw
    q: Fraction
    direction: Direction

    @property
    def infinite_mass(self) -> Fraction | arb:
        mass = self.base.infinite_mass
        if self.direction == "add":
            return Fraction(0)
        return self.q * mass if isinstance(mass, Fraction) else ball(self.q) * mass

    def _outcomes(self) -> list[Outcome]:
        q, rest = ball(self.q), ball(1 - self.q)  # both positive balls, however close q is to 0 or 1
        rows = []
        for a, b, loss in self.base.outcomes():
            mixed = rest * b + q * a
            same = loss if loss == 0 else None  # P = Q stays so; other rational losses become irrational
            rows.append(Outcome(mixed, b, same) if self.direction == "remove" else Outcome(b, mixed, same))
        return rows
