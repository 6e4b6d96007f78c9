"""Loss of a pair that a user wrote whose outcomes, as far as the loss tells them apart, are finitely many.

Those are regions on which p/q is constant, and the integers of a bounded range. Total masses that are not
proved to be 1 are divided out.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.density_pair import balls_of
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class DensityAtomsLaw(AtomicLaw):
    """``pair`` in one ``direction``, ``remove`` or ``add``."""

    pair: DensityPair
    direction: Direction

    @property
    def infinite_mass(self) -> Fraction | arb:
        mass = balls_of(self.pair, self.direction).infinite_mass
        return Fraction(0) if mass.is_zero() else mass

    def _outcomes(self) -> list[Outcome]:
        rows = balls_of(self.pair, self.direction).outcomes()
        return [Outcome(p, q) for p, q in rows]


def is_atomic(pair: DensityPair) -> bool:
    """Whether the losses of ``pair`` are finitely many."""
    return bool(balls_of(pair, "remove").is_finite())
