r"""Faulty grids: what can go wrong with an accountant that composes losses by FFT.

Each is the accountant of KH21 (:mod:`~pldverify.accountants.heterogeneous_fourier`) on a small grid, with one
of the things undone that make its number an upper bound: losses are rounded up, and what may be cut off, or
come back at the other end of the circle, is added.
"""

from typing import ClassVar

from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper, Side
from pldverify.testing.zoo.mutant import Cage

POINTS = 2**14
"""Of the grids."""
_WIDE = 32.0
"""Half of a grid that is wide enough, in nats."""
_NOISE = 1e-12
"""δ that a careless grid takes for rounding."""


MUTANTS = Cage()


@MUTANTS.stands("one-step", POINTS, _WIDE)
class GridRoundedLeft(HeterogeneousFourierUpper):
    """Losses are rounded to the lower ends of their cells."""

    side: ClassVar[Side] = "left"


class _WithoutError(HeterogeneousFourierUpper):
    def _bounded(self, value: float, error: float) -> float:
        return min(1.0, max(0.0, value))


@MUTANTS.stands("many-steps", POINTS, 1.25)
class GridTooNarrow(_WithoutError):
    """The circle is short, and mass comes back at its other end."""


@MUTANTS.stands("large-epsilon", POINTS, 6.0)
class GridWithoutTail(_WithoutError):
    """Mass above the grid is lost."""


@MUTANTS.stands("tiny-delta", POINTS, _WIDE)
class GridWithoutAllowance(_WithoutError):
    """Small masses are taken for rounding noise, and cleared."""

    def _bounded(self, value: float, error: float) -> float:
        return super()._bounded(value if value > _NOISE else 0.0, error)
