"""Proof obligations and how they ended: kind and state for programs, texts for people."""

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """How an obligation ended; there is no fourth state, and no numerical agreement counts as a proof."""

    PROVED = "PROVED"
    PROVED_ON_A_BOX = "PROVED ON A BOX"
    FAILED = "FAILED"


class Kind(Enum):
    """What an obligation is about."""

    COVER = "the pieces and atoms cover the outcomes"
    POSITIVE = "a density is positive"
    CONTINUOUS = "no pole and no jump"
    LOSS = "the loss is the logarithm of the ratio"
    DERIVATIVE = "a stored derivative or difference is one"
    MONOTONE = "the loss is strictly monotone"
    RANGE = "the range of the loss"
    INVERSE = "the inverse of the loss"
    JACOBIAN = "the Jacobian"
    LOSS_DENSITY = "the density ω of the loss"
    MASS = "an antiderivative or the mass of a piece"
    ATOM = "an atom's loss and masses"
    TOTAL_MASS = "a total mass of 1"
    DELTA = "a formula of δ(ε)"
    REVERSAL = "the other direction"
    TRANSFORM = "the transform M(λ)"
    PRINTED = "a statement of a paper"


@dataclass(frozen=True)
class Obligation:
    """One statement with its proof or the reason why there is none.

    Attributes:
        kind: what it is about.
        statement: the statement, in unicode mathematics, for reading.
        state: PROVED (algebra), PROVED ON A BOX (balls), FAILED (disproved, or no proof found).
        how: the argument; for FAILED where it is false, or what is missing. For reading.
        source: paper key and number where the statement is printed, or "".
        right: for a printed statement that is wrong, what holds instead.
        disproved: whether the statement is known to be false, not only without a proof.
    """

    kind: Kind
    statement: str
    state: State
    how: str
    source: str = ""
    right: str = ""
    disproved: bool = False

    @property
    def argument(self) -> str:
        """``how``, and for FAILED what that means."""
        if self.state is not State.FAILED:
            return self.how
        return f"disproved: {self.how}" if self.disproved else f"no proof found: {self.how}"
