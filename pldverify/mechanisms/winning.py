r"""What some neighbours of report noisy max with Laplace noise have: whether one of n wins against m others.

The n have the score 0 and the m have v under P, and v + c under Q, in units of b: that is as far as scores
move apart. More than one against one tell more: the winner of m is above 0 most of the time, where the
density falls at its full rate. Any n, m and v prove; which tell much is a search
(:mod:`pldverify.reference.search.neighbours`). The probabilities: :mod:`pldverify.reference.laws.neighbours`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.noisy_max import NoisyMax


@dataclass(frozen=True)
class Winning(Mechanism):
    """Whether one of ``candidates`` = n wins against ``others`` = m that lead by v = ``lead`` under P, for
    neighbours of ``asked`` that differ in ``moves`` presences of a record: 1, or 2 where one is replaced.

    Raises InvalidInput unless both are from 1 on.

    >>> from pldverify.mechanisms.winning import Winning
    >>> float(pv.delta(Winning(pv.NoisyMax(b=20), 1, 2, 2, Fraction(-1, 20)), epsilon=0))
    0.02915...
    """

    asked: NoisyMax
    moves: int
    candidates: int
    others: int
    lead: Fraction

    def __post_init__(self) -> None:
        if self.candidates < 1 or self.others < 1:
            raise InvalidInput(f"candidates must be from 1 on, got {self.candidates} against {self.others}")

    def __str__(self) -> str:
        return f"whether {self.candidates} candidates of {self.asked} win against {self.others}"
