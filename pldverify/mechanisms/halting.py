r"""What some neighbours of AboveThreshold have: which of many queries is above first.

Queries come in levels. At each there are so many of one value, above the threshold, which is v under P and v
± d under Q: they rise, or they fall, or stay where they are. Levels make turns, and each turn is asked so
many times before the next one. All later queries are so low that nothing is above. d is the largest move: Δ
where a record is added or removed, 2Δ where one is replaced; of monotone queries Δ each where one is
replaced, and else they move one way. Seen is the outcome of the level where it halts; 0 is also that of
nothing above.

**Roles.** With v ± d for v, and the other way, P and Q are exchanged: as good a pair of neighbours.

Any levels prove; which tell much is a search (:mod:`pldverify.reference.search.neighbours`). What the
outcomes' probabilities are: :mod:`pldverify.reference.laws.neighbours`.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.mechanism import Mechanism


class Level(NamedTuple):
    """So many queries of one ``value`` above the threshold, which rise by their largest move (``way`` = 1),
    fall (−1) or stay (0), and the number of the outcome that is ``seen`` where it halts at one of them.
    """

    value: Fraction
    queries: int
    way: int
    seen: int


@dataclass(frozen=True)
class Halting(Mechanism):
    """Where ``asked`` halts for two neighbours that differ in ``moves`` presences of a record: 1, or 2 where
    one is replaced. ``turns`` are those under P, each asked so many ``times``: a power of two.

    Raises InvalidInput where there are no levels, one that can't be asked, or too many queries.

    >>> from pldverify.mechanisms.halting import Halting, Level
    >>> turn = Level(Fraction(3), 4, 1, 0), Level(Fraction(0), 1, -1, 1)
    >>> print(*Halting(pv.AboveThreshold(b=2, query_b=4), 1, (turn,)).others[0][0])
    4 4 1 0
    """

    asked: AboveThreshold | GaussianAboveThreshold
    moves: int
    turns: tuple[tuple[Level, ...], ...]
    times: int = 1

    def __post_init__(self) -> None:
        levels, ways = self.levels, {level.way for level in self.levels}
        good = all(n > 0 and abs(way) <= 1 and seen >= 0 for _, n, way, seen in levels)
        good = good and self.times > 0 and self.times & (self.times - 1) == 0
        one_way = self.asked.monotone and self.moves == 1 and {1, -1} <= ways
        if one_way or not (good and 0 < self.queries <= getattr(self.asked, "queries", self.queries)):
            raise InvalidInput(f"turns must be of queries that may be asked, got {self.turns}")

    @property
    def levels(self) -> tuple[Level, ...]:
        """Of all turns, under P."""
        return tuple(chain(*self.turns))

    @property
    def queries(self) -> int:
        """How many are asked at most."""
        return self.times * sum(level.queries for level in self.levels)

    @property
    def others(self) -> tuple[tuple[Level, ...], ...]:
        """The turns under Q."""
        rise = self.asked.sensitivity * (1 if self.asked.monotone else self.moves)
        return tuple(tuple(x._replace(value=x.value + x.way * rise) for x in turn) for turn in self.turns)

    def __str__(self) -> str:
        return f"where {self.asked} halts, by {len(self.levels)} levels of queries"
