r"""Faulty grids: what can go wrong with an accountant that composes losses by FFT.

Each is the accountant of KH21 (:mod:`~pldverify.accountants.heterogeneous_fourier`) on a small grid, with one
of the things undone that make its number an upper bound: losses are rounded up, and what may be cut off, or
come back at the other end of the circle, is added.
"""

from typing import ClassVar

from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper, Side
from pldverify.testing.zoo.mutant import Mutant

POINTS = 2**14
"""Of the grids."""
_WIDE = 32.0
"""Half of a grid that is wide enough, in nats."""
_NOISE = 1e-12
"""δ that a careless grid takes for rounding."""


class _RoundedDown(HeterogeneousFourierUpper):
    side: ClassVar[Side] = "left"


class _WithoutError(HeterogeneousFourierUpper):
    def _bounded(self, value: float, error: float) -> float:
        return min(1.0, max(0.0, value))


class _Cleared(_WithoutError):
    def _bounded(self, value: float, error: float) -> float:
        return super()._bounded(value if value > _NOISE else 0.0, error)


MUTANTS = (
    Mutant(
        "grid-rounded-left",
        "one-step",
        "Losses are rounded to the lower ends of their cells.",
        lambda: _RoundedDown(POINTS, _WIDE),
    ),
    Mutant(
        "grid-too-narrow",
        "many-steps",
        "The circle is short, and mass comes back at its other end.",
        lambda: _WithoutError(POINTS, 1.25),
    ),
    Mutant(
        "grid-without-tail",
        "large-epsilon",
        "Mass above the grid is lost.",
        lambda: _WithoutError(POINTS, 6.0),
    ),
    Mutant(
        "grid-without-allowance",
        "tiny-delta",
        "Small masses are taken for rounding noise, and cleared.",
        lambda: _Cleared(POINTS, _WIDE),
    ),
)
