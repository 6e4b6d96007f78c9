"""Proof obligations: what a derivation must show, and how it ended."""

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """How an obligation ended; there is no fourth state, and no numerical agreement counts as a proof."""

    PROVED = "PROVED"
    PROVED_ON_A_BOX = "PROVED ON A BOX"
    FAILED = "FAILED"


@dataclass(frozen=True)
class Obligation:
    """One statement with its proof or the reason why there is none.

    Attributes:
        statement: the statement, in unicode mathematics.
        state: PROVED (algebra), PROVED ON A BOX (balls), FAILED (disproved, or no proof found).
        how: the argument; for FAILED, whether it is disproved (and where) or only not proved.
        source: paper key and number where the statement is printed, or "" for what the machine itself asks.
        right: for a printed statement that is wrong, what holds instead.
    """

    statement: str
    state: State
    how: str
    source: str = ""
    right: str = ""

    @property
    def disproved(self) -> bool:
        """Whether the statement is known to be false, not only without a proof."""
        return self.state is State.FAILED and self.how.startswith("disproved")
