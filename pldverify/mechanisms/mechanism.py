"""What a mechanism is: a name for its dominating pair, exact parameters, and nothing that computes.

Two relations between data sets, and under each two ordered pairs, called directions:

* ``add-or-remove``: one has a record more. A mechanism stands for a pair (P, Q), P with the record and Q
  without it. Direction ``remove`` is P‖Q (for Poisson sampling the mixture against the base), ``add`` is Q‖P,
  as dp-accounting names them. A neighbour stays what it is through a whole composition, so each direction is
  composed with itself.
* ``replace-one``: both have n records and differ in one. Direction ``replace`` is P‖Q, ``replace-back`` Q‖P.

``sensitivity`` always means how far one record's presence moves the query. Replacing a record removes one and
adds another, so under ``replace-one`` the query moves by up to twice the sensitivity. Mechanisms that are
given by their pair (randomised response, pure DP, finite pairs, …) have the same pair under both relations.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief

if TYPE_CHECKING:
    from pldverify.mechanisms.composition import Composition

Direction = Literal["add", "remove", "replace", "replace-back"]
Adjacency = Literal["add", "remove", "add-or-remove", "replace-one"]
Relation = Literal["add-or-remove", "replace-one"]

BOTH_RELATIONS: tuple[Relation, ...] = ("add-or-remove", "replace-one")
_DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "add": ("add",),
    "remove": ("remove",),
    "add-or-remove": ("remove", "add"),
    "replace-one": ("replace", "replace-back"),
}
_REVERSE: dict[Direction, Direction] = {
    "add": "remove",
    "remove": "add",
    "replace": "replace-back",
    "replace-back": "replace",
}


def directions(adjacency: str) -> tuple[Direction, ...]:
    """The ordered pairs over which the reported δ(ε) is the maximum."""
    if not isinstance(adjacency, str) or adjacency not in _DIRECTIONS:
        raise InvalidInput(
            f"adjacency must be one of {', '.join(_DIRECTIONS)}, got adjacency={brief(adjacency)}"
        )
    return _DIRECTIONS[adjacency]


def reverse(direction: Direction) -> Direction:
    """The other ordered pair of the same relation."""
    return _REVERSE[direction]


def relation(adjacency: str) -> Relation:
    """The relation that ``adjacency`` belongs to. Raises InvalidInput."""
    return "replace-one" if "replace" in directions(adjacency) else "add-or-remove"


class Mechanism(ABC):
    """Base of all mechanisms: hashable, comparable, composed with ``+`` and ``count * mechanism``."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations under which the mechanism has a pair."""
        return BOTH_RELATIONS

    @property
    def tight_steps(self) -> int | None:
        """Steps for which the pair's δ is attained (None: any number); beyond, it only bounds the truth."""
        return None

    @abstractmethod
    def __str__(self) -> str:
        """The expression that the command line reads back as this mechanism."""

    def __rmul__(self, count: int) -> "Composition":
        from pldverify.mechanisms.composition import Composition

        return Composition.of((self, count))

    def __add__(self, other: "Mechanism | Composition") -> "Composition":
        from pldverify.mechanisms.composition import Composition

        return Composition.of((self, 1)) + other
