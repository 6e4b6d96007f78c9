"""Losses on a lattice: what the lattice engine asks of a law, besides the transform."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from flint import arb, ctx

from pldverify.balls.ball import ball
from pldverify.errors import NoConvergence, NotSupported


@dataclass(frozen=True)
class Lattice:
    """Losses (offset + j)·spacing, j an integer; ``masses[i]`` = P(j = first + i), at the working precision.

    Raises NoConvergence unless the spacing is certainly positive and every mass certainly zero or positive.

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

    def __post_init__(self) -> None:
        if not (self.spacing > 0 and self.omitted >= 0):
            raise NoConvergence(f"{ctx.prec} bits can't tell the spacing of a lattice from 0")
        if not all(mass.is_zero() or (mass.is_finite() and mass > 0) for mass in self.masses):
            raise NoConvergence(f"{ctx.prec} bits can't tell a mass on a lattice from 0")


@runtime_checkable
class HasLattice(Protocol):
    """A law whose finite losses may lie on a lattice."""

    def lattice(self) -> Lattice | None:
        """The lattice and its masses; None if there is none that we know."""

    def tilted_lattice(self, theta: Fraction) -> Lattice | None:
        """The same with masses p_j e^{θ d j}; ``omitted`` is tilted too."""


def lattice_of(law: object) -> Lattice | None:
    """The lattice of one loss; None if it has none that we know."""
    return law.lattice() if isinstance(law, HasLattice) else None


def tilted(law: object, theta: Fraction) -> Lattice:
    """Masses p_j e^{θ d j}. Raises NotSupported where we know of no lattice."""
    lattice = law.tilted_lattice(theta) if isinstance(law, HasLattice) else None
    if lattice is None:
        raise NotSupported(f"lattice: no finite lattice of losses for {law}")
    return lattice


def tilted_masses(lattice: Lattice, theta: Fraction) -> Lattice | None:
    """A finite lattice with tilted masses; None for one that leaves out anything."""
    if lattice.omitted:
        return None
    growth = ball(theta) * (
        ball(lattice.spacing) if isinstance(lattice.spacing, Fraction) else lattice.spacing
    )
    values = [m * (growth * (lattice.first + i)).exp() for i, m in enumerate(lattice.masses)]
    return Lattice(lattice.spacing, lattice.offset, lattice.first, values)
