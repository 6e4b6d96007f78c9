"""Bounds on the number of sums of losses with finitely many values, before any sum is formed."""

import math
from fractions import Fraction
from typing import NamedTuple

from pldverify.errors import NotSupported
from pldverify.reference.laws.lattice import lattice_of
from pldverify.reference.laws.law import HasFiniteAtoms, Law


class Size(NamedTuple):
    """Bound on the number of sums; rational ones lie on a lattice, in an interval of ``width``."""

    sums: int
    spacing: Fraction | None
    width: Fraction

    def plus(self, other: "Size") -> "Size":
        sums, width = self.sums * other.sums, self.width + other.width
        if self.spacing is None or other.spacing is None:
            return Size(sums, None, width)
        (a, b), (c, d) = self.spacing.as_integer_ratio(), other.spacing.as_integer_ratio()
        common = Fraction(math.gcd(a * d, c * b), b * d)
        return Size(min(sums, int(width / common) + 1), common, width)


NOTHING = Size(1, Fraction(0), Fraction(0))
"""The sum of no losses."""


def size_of(law: Law, k: int) -> Size:
    """Bound on the number of sums of ``k`` losses. Raises NotSupported for infinitely many values."""
    if not isinstance(law, HasFiniteAtoms):
        raise NotSupported("atoms: not all laws have finitely many losses")
    lattice = lattice_of(law)
    if lattice is None or not isinstance(lattice.offset, Fraction):
        return Size(math.comb(k + len(law.atoms()) - 1, k), None, Fraction(0))
    steps = k * (len(lattice.masses) - 1)
    if isinstance(lattice.spacing, Fraction):
        return Size(steps + 1, lattice.spacing, steps * lattice.spacing)
    return Size(steps + 1, None, Fraction(0))
