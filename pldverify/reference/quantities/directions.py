"""One question to every direction: the largest or smallest value, and what is proved where one gives up.

A NoConvergence carries an enclosure to the caller. An engine that gives up carries what it has proved of its
own question, which may be another one: one direction, −ε, a tail. Only statements about the question itself
are kept, and only the extreme value over all directions is carried on, proved like any other.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

from pldverify.balls.clock import clock
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.conclude import conclude, look
from pldverify.reference.engines.derived.between import between
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.looks import LOOK
from pldverify.reference.search.float_range import float_range

Found = tuple[Enclosure, Proved]
"""An enclosure, and the statement behind it."""
Evaluate = Callable[[Direction, Bound | None], Found]
"""Encloses the value of a direction. The bound is what another one is proved to reach: a proof that this one
does not go beyond it will do. None: there is none.
"""
Which = Literal["largest", "smallest"]
MAX_DIGITS = 1000
"""Cap on the decimal digits that may be asked for."""
_LEADING: tuple[Direction, ...] = ("remove", "add", "replace", "replace-back")
"""Directions in the order in which they are asked: the first tends to have the largest δ."""


def distinct(composition: Composition, asked: tuple[Direction, ...]) -> list[Direction]:
    """The directions whose laws differ, in the order in which they are asked."""
    seen: dict[ComposedLoss, Direction] = {}
    for direction in sorted(asked, key=_LEADING.index):
        seen.setdefault(product(composition, direction), direction)
    return list(seen.values())


def extreme(
    which: Which,
    whole: Composition,
    adjacency: str | None,
    question: tuple[str, Bound],
    evaluate: Evaluate,
    rough: Callable[[Composition, Direction], Proved] | None = None,
) -> Enclosure:
    """The largest, or the smallest, value over the directions.

    Raises NoConvergence within the time of one call, which carries what is proved of each direction: by
    ``evaluate``, and by ``rough``, which has a time of its own.
    """
    ways = whole.directions(adjacency)
    asked = distinct(whole, ways)
    told = Told(which, whole, adjacency or whole.adjacency, asked, question, rough)
    found: dict[Direction, Found] = {}
    bound: Bound | None = None
    notes: dict[str, str] = {}
    with told.refusals():
        for way in asked:
            with told.of(way):
                found[way] = value, statement = evaluate(way, bound)
            told.proved[way] = [statement]
            if bound is not None and (value.upper <= bound if which == "largest" else value.lower >= bound):
                notes[f"why not {way}"] = f"{'smaller' if which == 'largest' else 'larger'}: {value}"
            bound = value.lower if which == "largest" else value.upper
        if which == "largest":
            leading = max(found, key=lambda way: found[way][0].upper)
        else:
            leading = min(found, key=lambda way: found[way][0].lower)
        best, statement = found.pop(leading)
        alike = " and ".join(ways) + " alike" if len(asked) < len(ways) else ""
        notes = {"direction": alike or leading, **notes, **dict(best.provenance)}
        return conclude(told.all_of([statement, *(part for _, part in found.values())]), notes)


@dataclass
class Told:
    """Statements about a ``question`` (``engines/derived/question.py``), by direction.

    Wanted is the extreme value over the directions ``ways``; ``rough`` bounds that of one direction, within a
    time of its own.
    """

    which: Which
    composition: Composition
    adjacency: str
    ways: Sequence[Direction]
    question: tuple[str, Bound]
    rough: Callable[[Composition, Direction], Proved] | None = None
    proved: dict[Direction, list[Proved]] = field(default_factory=dict)

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Run the block within the time of one call; its NoConvergence carries what is proved so far."""
        try:
            with clock(), float_range(self.question[0]):
                yield
        except NoConvergence as failure:
            raise NoConvergence(str(failure), self._all()) from None

    @contextmanager
    def of(self, way: Direction) -> Iterator[None]:
        """Keep the enclosures carried by a NoConvergence that is raised inside."""
        try:
            yield
        except NoConvergence as failure:
            self.proved.setdefault(way, []).extend(statement for _, statement in carried(failure))
            raise

    def all_of(self, parts: Sequence[Proved]) -> Directions:
        """The statement that one about each direction proves."""
        return Directions(self.composition, self.adjacency, self.which, tuple(parts))

    def _all(self) -> Enclosure | None:
        """The enclosure of the question by all that is proved.

        By rough bounds alone if the rest takes too long to prove again; None if a direction has no proof.
        """
        for proved in (self.proved, dict[Direction, list[Proved]]()):
            with suppress(NoConvergence, NotSupported), clock(LOOK), float_range("rough bounds"):
                return look(self.all_of([self._one(way, proved.get(way, [])) for way in self.ways]))
        return None

    def _one(self, way: Direction, proved: Sequence[Proved]) -> Proved:
        """Raises NoConvergence where nothing is proved of a direction."""
        asked = product(self.composition, way), self.question
        known = [one for one in proved if (one.about, one.question) == asked]
        return between(*known, *([self.rough(self.composition, way)] if self.rough else []))


def carried(failure: NoConvergence) -> list[Found]:
    """The enclosure that a NoConvergence carries, with its statement, if there is one."""
    bracket: Enclosure | None = failure.bracket
    statement = bracket.witness.statement if bracket is not None and bracket.witness is not None else None
    return [(bracket, statement)] if bracket is not None and isinstance(statement, Proved) else []
