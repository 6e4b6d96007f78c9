"""Sized: a family, and how much of it each built-in grid asks."""

from dataclasses import dataclass, replace
from typing import Literal

from pldverify.sweeps.family import Family

Size = Literal["quick", "standard", "full"]


@dataclass(frozen=True)
class Sized:
    """``quick`` and ``standard`` are numbers of questions; ``full`` asks all."""

    family: Family
    quick: int
    standard: int

    def at(self, size: Size) -> Family:
        """The family of a grid."""
        sizes = {"quick": self.quick, "standard": self.standard, "full": None}
        return replace(self.family, at_most=sizes[size])
