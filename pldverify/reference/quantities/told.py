"""What is proved of each direction while a question is decided; a NoConvergence carries it to the caller.

An engine that gives up carries what it has proved of its own question, which may be another one: one
direction, −ε, a tail. Only statements about the question itself are kept, and only the extreme value over all
directions is carried on, proved like any other.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from pldverify.balls.clock import clock
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.between import between
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.search.float_range import float_range

Found = tuple[Enclosure, Proved]
"""An enclosure, and the statement behind it."""
_ROUGH_SECONDS = 0.5
"""Processor seconds for the rough bounds of a direction whose engine gave up."""


@dataclass
class Told:
    """Statements about a ``question`` (``engines/derived/question.py``), by direction.

    Wanted is the largest value over the directions ``ways``; ``rough`` bounds that of one direction, within a
    time of its own.
    """

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

    def _all(self) -> Enclosure | None:
        """The enclosure of the question by all that is proved.

        By rough bounds alone if the rest takes too long to prove again; None if a direction has no proof.
        """
        for proved in (self.proved, dict[Direction, list[Proved]]()):
            with suppress(NoConvergence, NotSupported), clock(_ROUGH_SECONDS), float_range("rough bounds"):
                parts = tuple(self._one(way, proved.get(way, [])) for way in self.ways)
                return look(Directions(self.composition, self.adjacency, "largest", parts))
        return None

    def _one(self, way: Direction, proved: Sequence[Proved]) -> Proved:
        """Raises NoConvergence where nothing is proved of a direction."""
        asked = product(self.composition, way), self.question
        known = [one for one in proved if (one.about, one.question) == asked]
        return between(*known, *([self.rough(self.composition, way)] if self.rough else []))


@contextmanager
def silent(name: str) -> Iterator[None]:
    """Run the block within the time of one call; its NoConvergence then carries no enclosure."""
    try:
        with clock(), float_range(name):
            yield
    except NoConvergence as failure:
        raise NoConvergence(str(failure)) from None


def carried(failure: NoConvergence) -> list[Found]:
    """The enclosure that a NoConvergence carries, with its statement, if there is one."""
    bracket: Enclosure | None = failure.bracket
    statement = bracket.witness.statement if bracket is not None and bracket.witness is not None else None
    return [(bracket, statement)] if bracket is not None and isinstance(statement, Proved) else []
