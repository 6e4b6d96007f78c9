"""Offer: what an engine says before it is set to work."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from flint import arb

Quantity = Literal["delta", "tail"]


class Profile(Protocol):
    """An engine at work on one composed loss; answers for every ε, best near the one it was built for."""

    engine: str
    limit: float  # digits that the engine can give at most

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε)."""

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms."""


@dataclass(frozen=True)
class Offer:
    """The price of an answer, and the work itself.

    Attributes:
        seconds: predicted processor time; rough, it only orders the engines.
        build: sets the engine to work from where the search left off; NoConvergence where that fails.
    """

    seconds: float
    build: Callable[[], Profile]
