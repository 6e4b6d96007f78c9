"""Witness: how an Enclosure was proved, exactly and typed: enough to prove it again without any search."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

Bound = Fraction | float
"""An exact rational, or ``math.inf`` where the bound is +∞."""


class Statement(Protocol):
    """A frozen dataclass of exact parameters, and of other statements, whose proof is a computation in
    balls.
    """

    @property
    def engine(self) -> str:
        """What proves it, as the choice names it."""

    def prove(self) -> tuple[Bound, Bound]:
        """Both ends, from these parameters alone. Raises NoConvergence where they prove nothing."""


@dataclass(frozen=True)
class Witness:
    """What was proved, and how far each error term reached.

    Attributes:
        statement: the engine's exact parameters; :func:`pldverify.prove_again` needs nothing else.
        errors: proved bounds of the error terms, dyadic numbers by name.
    """

    statement: Statement
    errors: tuple[tuple[str, Bound], ...] = ()
