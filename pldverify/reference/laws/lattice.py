"""Losses on a lattice: what the lattice engine asks of a law, besides the transform."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from flint import arb


@dataclass(frozen=True)
class Lattice:
    """Losses (offset + j)·spacing, j an integer; ``masses[i]`` = P(j = first + i), at the working precision.

    Attributes:
        spacing: > 0; exact where it is rational.
        offset: in units of the spacing, so that it is exact for all but a general pair of atoms.
        first: index of the first mass.
        masses: balls; the list may have zeros in it.
        omitted: upper bound of the P-mass of all finite losses that the list leaves out.
    """

    spacing: Fraction | arb
    offset: Fraction | arb
    first: int
    masses: list[arb]
    omitted: arb | int = 0


@runtime_checkable
class LatticeLaw(Protocol):
    """A law whose finite losses lie on a lattice."""

    def lattice(self) -> Lattice:
        """The lattice and its masses."""
