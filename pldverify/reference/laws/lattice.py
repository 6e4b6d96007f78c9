"""Losses on a lattice: what the lattice engine asks of a law, besides the transform."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_above, surely_at_most, surely_less
from pldverify.errors import NoConvergence, NotSupported


@dataclass(frozen=True)
class Lattice:
    """Losses (offset + j)·spacing, j an integer; ``masses[i]`` = P(j = first + i), at the working precision.

    Raises NoConvergence unless the spacing is certainly positive, and of a mass that can't be one.

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
        if not (surely_above(self.spacing, 0) and surely_at_most(0, self.omitted)):
            raise NoConvergence(f"{ctx.prec} bits can't tell the spacing of a lattice from 0")
        if not all(map(may_be_mass, self.masses)):
            raise NoConvergence(f"{ctx.prec} bits do not enclose a mass on a lattice")


def is_mass(value: arb) -> bool:
    """Whether it is exactly zero or certainly positive."""
    return bool(value.is_zero() or (value.is_finite() and surely_less(0, value)))


def may_be_mass(value: arb) -> bool:
    """Whether it isn't certainly negative, and is a number: a tilt may make a mass under- or overflow."""
    return not (surely_less(value, 0) or value.is_nan())


@runtime_checkable
class HasLattice(Protocol):
    """A law whose finite losses may lie on a lattice."""

    def lattice(self) -> Lattice | None:
        """The lattice and its masses; None if there is none that we know."""

    def tilted_lattice(self, theta: Fraction) -> Lattice | None:
        """The same with masses p_j e^{θ d j}; ``omitted`` is tilted too."""


class Circle(Protocol):
    """The tilted masses of a lattice, summed on the circle in closed form."""

    def values(self, period: int, count: int) -> list[acb]:
        """Σ_n p_n e^{θdn} e^{ixn} at x = 2πj/period, j = 0 … count, at the working precision."""

    def log_sup(self, place: Fraction) -> arb:
        """Upper bound of the log of its modulus relative to x = 0, over 2π·``place`` ≤ x ≤ π; at most 0."""


@runtime_checkable
class HasCircle(Protocol):
    """A law on a lattice with a closed transform."""

    @property
    def place(self) -> tuple[Fraction, Fraction]:
        """Spacing and offset of its lattice."""

    def circle(self, theta: Fraction) -> Circle | None:
        """None where the masses, one by one, are better."""


def circle_of(law: object, theta: Fraction) -> Circle | None:
    """The closed transform on the circle, if there is one."""
    return law.circle(theta) if isinstance(law, HasCircle) else None


def place_of(law: object) -> tuple[Fraction | arb, Fraction | arb] | None:
    """Spacing and offset of the lattice of one loss; None as in :func:`lattice_of`."""
    if isinstance(law, HasCircle):
        return law.place
    lattice = lattice_of(law)
    return (lattice.spacing, lattice.offset) if lattice is not None else None


def lattice_of(law: object) -> Lattice | None:
    """The lattice of one loss; None if it has none that we know. Raises NoConvergence unless each mass is 0
    or positive."""
    lattice = law.lattice() if isinstance(law, HasLattice) else None
    if lattice is not None and not all(map(is_mass, lattice.masses)):
        raise NoConvergence(f"{ctx.prec} bits can't tell a mass on a lattice from 0")
    return lattice


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
