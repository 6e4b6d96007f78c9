"""Question: what a statement is about."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Protocol

from pldverify.balls import arb
from pldverify.balls.ball import lower, upper
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction, reverse
from pldverify.numbers.witness import Bound
from pldverify.reference.laws.composed_loss import ComposedLoss, product


class Proved(ABC):
    """A statement about one composed loss: its parameters are fields of a frozen dataclass, its proof a
    method.
    """

    @property
    @abstractmethod
    def engine(self) -> str:
        """What proves it."""

    @property
    @abstractmethod
    def about(self) -> ComposedLoss:
        """The composed loss."""

    @property
    @abstractmethod
    def question(self) -> tuple[str, Bound]:
        """The quantity that is enclosed, and its argument."""

    @abstractmethod
    def prove(self) -> tuple[Bound, Bound]:
        """Both ends. Raises NoConvergence."""

    def errors(self) -> dict[str, arb]:
        """Proved bounds of the error terms, by name."""
        return {}


@dataclass(frozen=True)
class OfLoss(Proved):
    """About ``loss``: what its class ``asks``, at ``at``."""

    loss: ComposedLoss
    at: Fraction

    asks: ClassVar[str]

    @property
    def about(self) -> ComposedLoss:
        return self.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return self.asks, self.at


@dataclass(frozen=True)
class OfDirection(Proved):
    """About one direction of a composition, proved from both: what its class ``asks``, at ``at``."""

    composition: Composition
    direction: Direction
    at: Fraction

    asks: ClassVar[str]

    @property
    def about(self) -> ComposedLoss:
        return product(self.composition, self.direction)

    @property
    def back(self) -> ComposedLoss:
        """The loss of the other direction."""
        return product(self.composition, reverse(self.direction))

    @property
    def question(self) -> tuple[str, Bound]:
        return self.asks, self.at


class OfParts(Proved):
    """About what its ``parts`` are about, the leading one first."""

    parts: tuple[Proved, ...]

    @property
    def engine(self) -> str:
        return self.parts[0].engine

    @property
    def about(self) -> ComposedLoss:
        return self.parts[0].about

    def errors(self) -> dict[str, arb]:
        return self.parts[0].errors()


@dataclass(frozen=True)
class OfLargest:
    """About the largest ``quantity`` at ``at`` over the directions that the ``adjacency`` asks for."""

    composition: Composition
    adjacency: str
    quantity: Literal["delta", "epsilon"]
    at: Fraction

    @property
    def question(self) -> tuple[str, Bound]:
        """As that of ``Directions``."""
        return f"largest of {self.quantity}", self.at

    def unknown(self) -> tuple[Bound, Bound]:
        """Both ends where nothing is known."""
        return Fraction(0), Fraction(1) if self.quantity == "delta" else math.inf


class OfAll(Protocol):
    """A statement about all directions that an adjacency asks for, from above at least."""

    @property
    def composition(self) -> Composition:
        """What it is about."""

    @property
    def adjacency(self) -> str:
        """For which neighbours."""

    @property
    def engine(self) -> str:
        """What proves it."""

    @property
    def question(self) -> tuple[str, Bound]:
        """As that of ``Directions``."""

    def prove(self) -> tuple[Bound, Bound]:
        """Both ends. Raises NoConvergence."""


def probability(value: arb) -> tuple[Bound, Bound]:
    """The ends of a ball around a probability."""
    return max(Fraction(0), lower(value)), min(Fraction(1), upper(value))
