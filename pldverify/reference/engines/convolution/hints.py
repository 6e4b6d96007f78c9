"""Floats that say where a sum may be cut. A poor point costs width; one below the masses is refused."""

import math
from collections.abc import Sequence

from pldverify.balls import arb
from pldverify.reference.engines.convolution.masses import Masses

_NEGLIGIBLE = 2**22
"""Units that may be moved up to one point."""


def negligible(levels: Sequence[Masses], tilts: Sequence[arb]) -> tuple[int, int]:
    """Level and index of a point: all mass below it is less than ``_NEGLIGIBLE`` units there."""
    moved, last = 0.0, 0
    for level, (masses, exponent) in enumerate(zip(levels, tilts, strict=True)):
        tilt = float(exponent)
        last //= 2
        for index, mass in enumerate(masses.values.coeffs(), masses.first):
            if mass > _NEGLIGIBLE:
                return level, index
            moved = moved * math.exp(min(700.0, tilt * (index - last))) + float(mass)
            last = index
            if moved > _NEGLIGIBLE:
                return level, index
    return 0, 0
