"""What a mechanism is: a name for its dominating pair, exact parameters, and nothing that computes.

A mechanism stands for a pair (P, Q), P with the record and Q without it. Direction ``remove`` is
P‖Q (for Poisson sampling the mixture against the base), ``add`` is Q‖P, as dp-accounting names them.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal

from pldverify.errors import InvalidInput

if TYPE_CHECKING:
    from pldverify.mechanisms.composition import Composition

Direction = Literal["add", "remove"]
Adjacency = Literal["add", "remove", "add-or-remove"]

_DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "add": ("add",),
    "remove": ("remove",),
    "add-or-remove": ("remove", "add"),
}


def directions(adjacency: str) -> tuple[Direction, ...]:
    """The ordered pairs over which the reported δ(ε) is the maximum."""
    if adjacency not in _DIRECTIONS:
        raise InvalidInput(f"adjacency must be one of {', '.join(_DIRECTIONS)}, got adjacency={adjacency!r}")
    return _DIRECTIONS[adjacency]


class Mechanism(ABC):
    """Base of all mechanisms: hashable, comparable, composed with ``+`` and ``count * mechanism``."""

    @abstractmethod
    def __str__(self) -> str:
        """The expression that the command line reads back as this mechanism."""

    def __rmul__(self, count: int) -> "Composition":
        from pldverify.mechanisms.composition import Composition

        return Composition.of((self, count))

    def __add__(self, other: "Mechanism | Composition") -> "Composition":
        from pldverify.mechanisms.composition import Composition

        return Composition.of((self, 1)) + other
