"""Question: what a statement is about."""

from abc import ABC, abstractmethod
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import lower, upper
from pldverify.numbers.witness import Bound
from pldverify.reference.laws.composed_loss import ComposedLoss


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


def probability(value: arb) -> tuple[Bound, Bound]:
    """The ends of a ball around a probability."""
    return max(Fraction(0), lower(value)), min(Fraction(1), upper(value))
