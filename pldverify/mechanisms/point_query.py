"""PointQuery: what the questions for a point of another curve than δ(ε) share."""

from dataclasses import dataclass
from typing import ClassVar

from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency


@dataclass(frozen=True)
class PointQuery(Query):
    """A query with one more field, called as ``given`` says, in the place of epsilon and delta; required.

    Only accountants whose ``asks`` has the class are asked it. Raises InvalidInput as
    :class:`~pldverify.mechanisms.query.Query`, and for epsilon, delta, or no such field.
    """

    of: ClassVar[str]
    """What is asked for, in words."""

    def _point(self, composition: Composed, epsilon: None, delta: None, adjacency: Adjacency | None) -> None:
        """Keep what is given but the field. Raises InvalidInput."""
        if epsilon is not None or delta is not None:
            article = "an" if self.given[0] in "aeiou" else "a"
            raise InvalidInput(
                f"query of {self.of} must have {article} {self.given}, and no epsilon or delta"
            )
        self._of(composition, adjacency)
        vars(self).update(epsilon=None, delta=None)

    def _require_rational(self) -> None:
        if not self.composition.is_exact:
            raise InvalidInput(f"query of {self.of} must have rational numbers, got {self.composition}")
