"""Loss of a pair of probability vectors: log(p_i/q_i) with probability p_i."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import ball
from pldverify.reference.laws.atomic import AtomicLaw, Outcome


@dataclass(frozen=True)
class FinitePairLaw(AtomicLaw):
    """``first`` = P and ``second`` = Q, exact."""

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]

    @property
    def infinite_mass(self) -> Fraction:
        return sum((p for p, q in zip(self.first, self.second, strict=True) if q == 0), Fraction(0))

    def _outcomes(self) -> list[Outcome]:
        pairs = zip(self.first, self.second, strict=True)
        return [Outcome(ball(p), ball(q), Fraction(0) if p == q else None) for p, q in pairs]
