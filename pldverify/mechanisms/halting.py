r"""What some neighbours of AboveThreshold have: which of many queries is above first.

Queries come in levels. At each there are so many of one value, above the threshold, which is v under P and v
± d under Q: they rise, or they fall, or stay where they are. All later ones are so low that nothing is above.
d is the largest move: Δ where a record is added or removed, 2Δ where one is replaced; of monotone queries Δ
each where one is replaced, and else they move one way. Seen is the outcome of the level where it halts; 0 is
also that of nothing above.

**Roles.** With v ± d for v, and the other way, P and Q are exchanged: as good a pair of neighbours.

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
    one is replaced. ``levels`` are those under P.

    Raises InvalidInput where there are no levels, one that can't be asked, or too many queries.

    >>> from pldverify.mechanisms.halting import Halting, Level
    >>> levels = Level(Fraction(3), 4, 1, 0), Level(Fraction(0), 1, -1, 1)
    >>> print(*Halting(pv.AboveThreshold(b=2, query_b=4), 1, levels).others[0])
    4 4 1 0
    """

    asked: AboveThreshold | GaussianAboveThreshold
    moves: int
    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        queries, ways = sum(level.queries for level in self.levels), {level.way for level in self.levels}
        good = all(n > 0 and abs(way) <= 1 and seen >= 0 for _, n, way, seen in self.levels)
        one_way = self.asked.monotone and self.moves == 1 and {1, -1} <= ways
        if one_way or not (good and 0 < queries <= getattr(self.asked, "queries", queries)):
            raise InvalidInput(f"levels must be queries that may be asked, got {self.levels}")

    @property
    def others(self) -> tuple[Level, ...]:
        """The levels under Q."""
        rise = self.asked.sensitivity * (1 if self.asked.monotone else self.moves)
        return tuple(level._replace(value=level.value + level.way * rise) for level in self.levels)

    @property
    def exchanged(self) -> "Halting":
        """P and Q exchanged."""
        back = tuple(level._replace(way=-level.way) for level in self.others)
        return Halting(self.asked, self.moves, back)

    def __str__(self) -> str:
        return f"where {self.asked} halts, by {len(self.levels)} levels of queries"
