"""Plan: what an engine's search says before the engine is set to work."""

from collections.abc import Callable
from dataclasses import dataclass

from pldverify.reference.engines.evaluator import Work


@dataclass(frozen=True)
class Plan:
    """The price of an answer, and the search for its parameters.

    Attributes:
        seconds: predicted processor time; rough, it only orders the engines.
        build: finds the parameters, from where the plan left off; NoConvergence where that fails.
        digits: that this answer should have, where its engine promises fewer.
    """

    seconds: float
    build: Callable[[], Work]
    digits: float = 0.0
