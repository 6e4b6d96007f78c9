"""Losses on a lattice: what the lattice engine asks of a law, besides the transform."""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb


@dataclass(frozen=True)
class Lattice:
    """Losses offset + j·spacing, j an integer; ``masses[i]`` = P(j = first + i), at the working precision.

    Attributes:
        spacing: > 0; exact where it is rational.
        offset: exact where it is rational.
        first: index of the first mass.
        masses: balls; the list may have zeros in it.
        omitted: upper bound of the P-mass of all finite losses that the list leaves out.
    """

    spacing: Fraction | arb
    offset: Fraction | arb
    first: int
    masses: list[arb]
    omitted: arb | int = 0
