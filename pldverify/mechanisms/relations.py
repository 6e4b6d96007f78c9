"""Relations between data sets, and under each two ordered pairs, called directions.

* ``add-or-remove``: one has a record more. A mechanism stands for a pair (P, Q), P with the record and Q
  without it. Direction ``remove`` is P‖Q (for Poisson sampling the mixture against the base), ``add`` is Q‖P,
  as dp-accounting names them. A neighbour stays what it is through a whole composition, so each direction is
  composed with itself.
* ``zero-out``: one has a record whose contribution is zero in the other; both have n records. The directions
  are called ``remove`` and ``add`` here too. Where the other records do what they did, as under Poisson
  sampling, the pair is that of add-or-remove; where they would take other places, as in shuffled batches,
  only this relation, or the next one, has one.
* ``replace-one``: both have n records and differ in one. Direction ``replace`` is P‖Q, ``replace-back`` Q‖P.

``sensitivity`` always means how far one record's presence moves the query. Replacing a record removes one and
adds another, so under ``replace-one`` the query moves by up to twice the sensitivity. Mechanisms that are
given by their pair (randomised response, pure DP, finite pairs, …) have the same pair under every relation.
"""

from typing import Literal

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief

Direction = Literal["add", "remove", "replace", "replace-back"]
Adjacency = Literal["add", "remove", "add-or-remove", "replace-one", "zero-out"]
Relation = Literal["add-or-remove", "replace-one", "zero-out"]

RELATIONS: tuple[Relation, ...] = ("add-or-remove", "replace-one", "zero-out")
ONE_RECORD_LESS: tuple[Relation, ...] = ("add-or-remove", "zero-out")
"""The relations whose pair is that of a record that does not contribute."""
_DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "add": ("add",),
    "remove": ("remove",),
    "add-or-remove": ("remove", "add"),
    "replace-one": ("replace", "replace-back"),
    "zero-out": ("remove", "add"),
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
    if adjacency == "zero-out":
        return "zero-out"
    return "replace-one" if "replace" in directions(adjacency) else "add-or-remove"
