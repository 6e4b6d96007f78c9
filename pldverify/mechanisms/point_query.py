"""PointQuery: what the questions for a point of another curve than δ(ε) share."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.query import Quantity, Query
from pldverify.mechanisms.relations import Adjacency


@dataclass(frozen=True)
class PointQuery(Query):
    """A query with one more field, ``at``, in the place of epsilon and delta; it is required.

    Only accountants whose ``asks`` has the class are asked it. Raises InvalidInput as
    :class:`~pldverify.mechanisms.query.Query`, and for epsilon, delta, or no such field.
    """

    of: ClassVar[str]
    """What is asked for, in words."""
    at: ClassVar[str]
    """The name of the field."""
    kind: ClassVar[Quantity]

    def _point(
        self, composition: Composed, epsilon: None, delta: None, adjacency: Adjacency | None, value: object
    ) -> None:
        """Keep what is given, the field as :meth:`_read` reads it. Raises InvalidInput."""
        if epsilon is not None or delta is not None:
            article = "an" if self.at[0] in "aeiou" else "a"
            raise InvalidInput(f"query of {self.of} must have {article} {self.at}, and no epsilon or delta")
        self._of(composition, adjacency)
        vars(self).update({"epsilon": None, "delta": None, self.at: self._read(value)})

    @staticmethod
    @abstractmethod
    def _read(value: object) -> object:
        """An exact number of what is given. Raises InvalidInput."""

    @property
    def quantity(self) -> Quantity:
        """What is asked for."""
        return self.kind

    @property
    def given(self) -> str:
        """The name of the field."""
        return self.at

    def _require_rational(self) -> None:
        if not self.composition.is_exact:
            raise InvalidInput(f"query of {self.of} must have rational numbers, got {self.composition}")
