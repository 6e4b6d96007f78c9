"""The largest, or the smallest, value over the directions that an adjacency asks for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfParts, Proved
from pldverify.reference.laws.composed_loss import product

_PICK: dict[str, Callable[..., Bound]] = {"largest": max, "smallest": min}


@dataclass(frozen=True)
class Directions(OfParts):
    """One statement for every different law of a direction, the leading one first; rough ones where it
    settles them."""

    composition: Composition
    adjacency: str
    which: Literal["largest", "smallest"]
    parts: tuple[Proved, ...]

    @property
    def question(self) -> tuple[str, Bound]:
        quantity, argument = self.parts[0].question
        return f"{self.which} of {quantity}", argument  # no statement about one direction

    def prove(self) -> tuple[Bound, Bound]:
        asked = {product(self.composition, way) for way in self.composition.directions(self.adjacency)}
        if {part.about for part in self.parts} != asked or len({part.question for part in self.parts}) != 1:
            raise NoConvergence("directions: not one question about each direction")
        ends = [part.prove() for part in self.parts]
        pick = _PICK[self.which]
        return pick(low for low, _ in ends), pick(high for _, high in ends)
