r"""What some neighbours of AboveThreshold have: whether it halts at a query that falls, among some that rise.

Queries come in levels. At each level n that rise come before one that falls, and so on in turn, t times;
their values are v and w under P, v + d and w − e under Q, above the threshold. All later ones are so low that
nothing is above. d and e are the largest moves: Δ where a record is added or removed, 2Δ where one is
replaced; of monotone queries Δ each where one is replaced, else they move one way: e = 0, or, where none
rises, e = Δ. Seen is where it halts: at one that falls, at one that rises, or nowhere; of many queries that
fall, only whether it is at one of these.

Any levels prove; which tell much is a search (:mod:`pldverify.reference.search.neighbours`). What the
outcomes' probabilities are: :mod:`pldverify.reference.laws.neighbours`.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.mechanism import Mechanism


class Level(NamedTuple):
    """``rising`` queries of the value ``high`` and one of ``low``, which falls, so many ``times``: a power of
    two. Values are above the threshold.
    """

    high: Fraction
    rising: int
    low: Fraction
    times: int


@dataclass(frozen=True)
class Halting(Mechanism):
    """Where ``asked`` halts for two neighbours that differ in ``moves`` presences of a record: 1, or 2 where
    one is replaced. ``levels`` are those under P.

    Raises InvalidInput where there are no levels, one that can't be asked, or too many queries.

    >>> from pldverify.mechanisms.halting import Halting, Level
    >>> level = Level(Fraction(3), 4, Fraction(0), 1)
    >>> print(*Halting(pv.AboveThreshold(b=2, query_b=4), 1, (level,)).others[0])
    4 4 -1 1
    """

    asked: AboveThreshold | GaussianAboveThreshold
    moves: int
    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        queries = sum(times * (rising + 1) for _, rising, _, times in self.levels)
        good = all(n >= 0 and t > 0 and t & (t - 1) == 0 for _, n, _, t in self.levels)
        if not (good and 0 < queries <= getattr(self.asked, "queries", queries)):
            raise InvalidInput(f"levels must be queries that may be asked, got {self.levels}")

    @property
    def others(self) -> tuple[Level, ...]:
        """The levels under Q."""
        one, monotone = self.asked.sensitivity, self.asked.monotone
        rise = one if monotone else self.moves * one
        one_way = monotone and self.moves == 1 and any(level.rising for level in self.levels)
        fall = 0 if one_way else rise
        return tuple(Level(v + rise, n, w - fall, times) for v, n, w, times in self.levels)

    def __str__(self) -> str:
        return f"where {self.asked} halts, by {len(self.levels)} levels of queries"
