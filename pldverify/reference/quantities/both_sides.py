"""A bracket of the δ or ε of a composition whose dominating pair is not attained.

The upper end is proved of the dominating pair, the lower one of an attack on some neighbours.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from time import thread_time
from typing import Protocol

from pldverify.balls.clock import allowance, clock, late, spend
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.attained import Chosen
from pldverify.mechanisms.few_draws import few_draws
from pldverify.mechanisms.hidden_batch import Drawn, drawn, revealed
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction, relation, reverse
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.both_sides import Attack, BothSides
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.batch_sums import Events, attacked
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.quantities.directions import carried
from pldverify.reference.quantities.epsilon import epsilon_one_way
from pldverify.reference.quantities.looks import COARSE, LOOK, MOST, SOME
from pldverify.reference.search.effort import Effort
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.largest_batch import Sums, rare, worth
from pldverify.reference.search.neighbours import chosen, in_time


@dataclass(frozen=True)
class _Stage:
    """An attack on hidden batches.

    Attributes:
        cuts: number of cuts of the largest sum.
        digits: significant digits asked of the δ or ε that follows.
        effort: how much work sums of steps may take; None if only the largest sum is looked at.
    """

    cuts: int
    digits: int
    effort: Effort | None = None


_ONE_LOOK = (_Stage(1, 8), _Stage(1, 8, Effort(looks=1, cells=600, steps=16, log_size=15)))
"""Attacks on one epoch alone, in turn: a single event is the best there is."""
_COMPOSED = (
    _Stage(120, 3),
    _Stage(120, 3, Effort(looks=24, cells=200, steps=8, log_size=12)),
    _Stage(120, 5, Effort(looks=80, cells=500, steps=16, log_size=15)),
)
"""Attacks on all other compositions, in turn. Tuned on ``benchmarks/shuffled.py``: a factor of 2 in the looks
changes ε by less than 1 %."""
_WORK = 10.0
"""Counted seconds of one attack."""
_HOPELESS = Fraction(4, 5)
"""Part of the best lower end that a direction has to reach for the last, dearest attack."""
_FAR = 1e-300
"""The least chance down to which events are told apart."""
_ABOVE = 2
"""Significant digits asked of the upper end before the first attack."""
ONLY_A_BRACKET = (
    "a batch is hidden: of the true value only a bracket is known; ask pv.bracket or pldverify bracket"
)
ONLY_TWO_PAIRS = "the pair that dominates is not attained: some neighbours have the lower end"


@remembered(32)
def _many(ordered: Drawn, stage: _Stage, least: float) -> Events:
    """Many events of an attack, for chances down to ``least``. Remembered: near questions, as of one step
    less, have the same. Raises NoConvergence.
    """
    largest = Sums(ordered).cells(stage.cuts, least)
    if stage.effort is None:
        return Events(largest)
    from pldverify.reference.search.batch_sums import StepSums  # numpy is loaded where it is needed

    steps = StepSums(ordered, least / 100, stage.effort)
    return Events(largest, steps.cells, steps.looks(least))


class Above(Protocol):
    """Narrows the enclosure of a query that has a pair of its own, as ``Narrowing`` does."""

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """An enclosure that is ``enough``, or the best within some seconds, with its statement."""


def _best(
    others: Mapping[Chosen, Query], narrow: Callable[[Query], Above], seconds: float
) -> tuple[Chosen, Above]:
    """Those of the greatest lower end at a look, and at a longer one of all that may have it; of those that
    there is time for.
    """
    sides: dict[Chosen, Above] = {}
    for seen, other in in_time(others.items(), seconds):
        sides[seen] = narrow(other)
        if len(others) > 1:
            sides[seen].until(lambda _: True, LOOK)  # its law is made, which the look need not pay for
    best = next(iter(sides))
    for goal in (1, COARSE) if len(sides) > 1 else (1,):
        enough, share = partial(_has, goal), LOOK / len(sides)
        looks = {seen: side.until(enough, share) for seen, side in sides.items()}
        best = max(looks, key=lambda seen: looks[seen].lower)
        sides = {seen: side for seen, side in sides.items() if looks[seen].upper >= looks[best].lower}
    return best, sides[best]


def _has(goal: int, found: Enclosure) -> bool:
    return found.digits >= goal


class NarrowingPairs:
    """Narrows, as ``Narrowing`` does, a query whose true value lies between those of two known pairs."""

    def __init__(
        self,
        query: Query,
        others: Mapping[Chosen, Query],
        narrow: Callable[[Query], Above],
        lost: Fraction = Fraction(0),
        known: Enclosure | None = None,
        seconds: float = math.inf,
    ) -> None:
        """``others`` are the query, at ε ≥ 0, of what some neighbours have, by which these are; ``narrow``
        narrows; draws with replacement of the probability ``lost`` count as lost. ``known`` is an enclosure
        of which the upper end may be the best. After some ``seconds`` no other neighbours are looked at.
        Raises NotSupported.
        """
        self.query = query
        self._chosen, self._below = _best(others, narrow, seconds)
        self._lost, self._known = lost, known
        self._above = narrow(replace(query, composition=few_draws(query.composition, lost)))
        self._proved: list[Enclosure] = []

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """The first of ever narrower enclosures that is ``enough``, or the last within some seconds.

        Enclosures of an earlier demand are looked at first; then both ends get few digits, and more.
        """
        for known in self._proved:
            if enough(known):
                return known
        end = thread_time() + seconds
        for goal in (_ABOVE, SOME, MOST):
            found = self._look(goal, end)
            if enough(found) or thread_time() >= end:
                break
        return found

    def _look(self, goal: int, end: float) -> Enclosure:
        """The enclosure by ``goal`` digits of both ends; half of the time left is for the upper one."""
        above, below = (
            side.until(lambda found: found.digits >= goal, max(0.0, end - thread_time()) * share)
            for side, share in ((self._above, 0.5), (self._below, 1.0))
        )
        if self._known is not None and self._known.upper < above.upper:
            above = self._known
        assert above.witness is not None and below.witness is not None  # a narrowing keeps its statements
        parts: tuple[Proved, ...] = below.witness.statement.parts  # type: ignore[attr-defined]  # one a direction
        statement = both_sides(self.query, above, tuple(self._attacks(parts)), self._lost)
        found = look(statement, {"why not narrower": ONLY_TWO_PAIRS})
        if found not in self._proved[-1:]:  # undecided demands would lengthen the list for ever
            self._proved.append(found)
        return found

    def _attacks(self, parts: tuple[Proved, ...]) -> Iterator[Attack]:
        """Each part of the proof as an attack in the direction whose loss it is about."""
        whole, adjacency = self.query.composition, self.query.adjacency
        for way in _asked(self.query):
            loss = attacked(whole, relation(adjacency), way, (), self._chosen, self._lost)
            yield from (Attack(way, (), part, self._chosen) for part in parts if part.about == loss)


def _asked(query: Query) -> tuple[Direction, ...]:
    """The directions whose δ or ε is asked for; at ε < 0 the reverse ones, which answer at −ε."""
    ways = query.composition.directions(query.adjacency)
    backward = query.epsilon is not None and query.epsilon < 0
    return tuple(map(reverse, ways)) if backward else ways


def both_sides(
    query: Query, above: Enclosure, below: tuple[Attack, ...], lost: Fraction = Fraction(0)
) -> BothSides:
    """The statement that the query lies between an attack's value and the upper end of ``above``."""
    assert above.witness is not None  # a narrowing keeps its statements
    return BothSides(
        query.composition,
        query.adjacency,
        query.quantity,  # type: ignore[arg-type]  # of these two
        query.epsilon if query.delta is None else query.delta,  # type: ignore[arg-type]  # the query is exact
        above.witness.statement,  # type: ignore[arg-type]  # of the revealed composition
        below,
        lost,
    )


class NarrowingSides:
    """Narrows, as ``Narrowing`` does, a query of hidden batches: they are revealed above, attacked below."""

    def __init__(self, query: Query, narrow: Callable[[Query], Above]) -> None:
        """``narrow`` narrows the same query with all batches revealed. Raises NotSupported."""
        self.query = query
        self._above = narrow(replace(query, composition=revealed(query.composition)))
        self._hidden, self._rest = drawn(query.composition, relation(query.adjacency))
        self._chosen = chosen(query.composition, query.adjacency)
        self._least: Bound = Fraction(0)
        self._below: tuple[Attack, ...] = ()
        self._ways: dict[Direction, Bound] = {}
        self._goal = _ABOVE
        self._proved: list[Enclosure] = []
        self._stages = self._attacks()
        self._reason = ONLY_A_BRACKET

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """The first of ever narrower enclosures that is ``enough``, or the last one; those of an earlier
        demand are looked at first, so a demand has the same answer alone.
        """
        for known in self._proved:
            if enough(known):
                return known
        found = self._look(seconds / 2)
        if enough(found):
            return found
        try:
            with clock(seconds / 2):
                for _ in self._stages:
                    spend()
                    found = self._look(seconds / 2)
                    if enough(found):
                        return found
        except NoConvergence as reason:
            self._reason = f"{ONLY_A_BRACKET}; {reason}"
        self._goal = MOST
        return self._look(seconds / 2)

    def _look(self, seconds: float) -> Enclosure:
        """The enclosure by the best attack so far and the upper end, found within some seconds."""
        goal = self._goal
        above = self._above.until(lambda found: found.digits >= goal, seconds)
        found = look(both_sides(self.query, above, self._below), {"why not narrower": self._reason})
        if found not in self._proved[-1:]:  # undecided demands would lengthen the list for ever
            self._proved.append(found)
        return found

    def _attacks(self) -> Iterator[None]:
        """Tries one attack at each step, in each direction, from the cheapest stage to the dearest."""
        ways = _asked(self.query)
        one_look = not self._rest and [k for _, k in self._hidden] == [1]
        stages = _ONE_LOOK if one_look else _COMPOSED
        waiting = deque((stage, way) for stage in stages for way in ways)
        while waiting:
            stage, way = waiting.popleft()
            if stage is stages[-1] and self._ways.get(way, self._least) < _HOPELESS * self._least:
                continue
            try:
                with float_range("bracket"), allowance(_WORK):
                    self._learn(way, stage)
            except (NoConvergence, NotSupported) as reason:
                self._reason = f"{ONLY_A_BRACKET}; {way}: {reason}"
            if late():  # it may have been cut short
                waiting.append((stage, way))
            yield

    def _learn(self, way: Direction, stage: _Stage) -> None:
        """Tries one attack in one direction, and keeps it if its lower end is the best so far.

        Raises NoConvergence, NotSupported.
        """
        query = self.query
        events = tuple(self._events(sums, k, way, stage) for sums, k in self._hidden)
        loss = attacked(query.composition, relation(query.adjacency), way, events, self._chosen)
        for part in self._parts(loss, stage.digits):
            least = part.prove()[0]
            if stage.effort is not None:
                self._ways[way] = max(least, self._ways.get(way, least))
            if least > self._least or not self._below:
                self._least, self._below = least, (Attack(way, events, part, self._chosen),)

    def _events(self, drawn: Drawn, k: int, way: Direction, stage: _Stage) -> Events:
        """The events of a stage for sums that are drawn ``k`` times, in one direction."""
        query, effort = self.query, stage.effort
        at = abs(float(query.epsilon if query.delta is None else query.delta))  # type: ignore[arg-type]
        ordered = drawn if way in ("remove", "replace") else drawn.reversed()
        least = at / k if query.delta is not None else rare(at) / k
        if stage.cuts > 1:
            return _many(ordered, stage, 10.0 ** math.floor(math.log10(max(least, _FAR))))
        largest = Sums(ordered).best(query.quantity, at)
        if effort is None:
            return Events(largest)
        from pldverify.reference.search.batch_sums import StepSums  # numpy is loaded where it is needed

        steps = StepSums(ordered, least / 100, effort)
        look = steps.best(
            lambda p, q: worth(query.quantity, p, math.log(q) if q > 0 else -math.inf, at), least
        )
        return Events(largest, steps.cells, (look,))

    def _parts(self, loss: ComposedLoss, digits: int) -> list[Proved]:
        """Statements proved of the δ or ε of the loss. Raises NoConvergence, NotSupported."""
        query = self.query
        try:
            if query.delta is not None:
                return [epsilon_one_way(loss, query.delta, digits)[1]]
            assert query.epsilon is not None  # a query has exactly one of the two
            return [settle(loss, "delta", abs(query.epsilon), digits).statement]
        except NoConvergence as failure:
            if found := carried(failure):
                return [part for _, part in found]
            raise
