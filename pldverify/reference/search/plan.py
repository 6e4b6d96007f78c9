"""Plan: the predicted price of an engine's answer, and how its parameters are found."""

from collections.abc import Callable
from dataclasses import dataclass

from pldverify.reference.engines.evaluator import Work

MAX_SECONDS = 15.0
"""Cap on the predicted price of what takes long: two directions must fit into the time of one call."""


@dataclass(frozen=True)
class Plan:
    """The price of an answer, and the search for its parameters.

    Attributes:
        seconds: predicted processor time; rough, it only orders the engines.
        build: finds the parameters; raises NoConvergence where that fails.
        digits: those that the answer should have, where its engine promises fewer than were asked for.
    """

    seconds: float
    build: Callable[[], Work]
    digits: float = 0.0
