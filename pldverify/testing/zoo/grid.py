r"""A small accountant on a grid of losses, and what can go wrong with it.

The loss of one step is rounded up to a grid of L cells of width h: P(S in cell) moves to its upper end. The
mass above the grid becomes infinite, the mass below moves to the lowest cell. k-fold convolution by FFT is
circular, so what would leave the grid comes back at its other end; it refuses where ten standard
deviations don't fit. What is left of that, and of rounding, is allowed for, so δ(ε) is an upper bound.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.losses import loss
from pldverify.errors import NotSupported
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.testing.zoo.mutant import Mutant

if TYPE_CHECKING:
    from pldverify.accountants.losses import Vector

_ALLOWANCE = 1e-9
"""Added to δ for rounding, and for mass that the circle brings back."""
_NOISE = 1e-12
"""Mass below which a careless grid takes it for rounding."""


@dataclass(frozen=True)
class GridAccountant(Accountant):
    """δ(ε) of one mechanism, composed with itself.

    Attributes:
        rounds_up: losses to the upper end of their cells; else to the lower.
        keeps_tail: the mass above the grid becomes infinite; else it is lost.
        allows: for rounding and for the circle; else small masses are taken for noise, and cleared.
        guards: refuses what would not fit on the circle.
        reach: half of the grid, in nats.
    """

    rounds_up: bool = True
    keeps_tail: bool = True
    allows: bool = True
    guards: bool = True
    reach: float = 64.0
    name: str = "grid"

    direction: ClassVar[str] = "upper"  # type: ignore[assignment]
    library: ClassVar[str] = "pldverify"
    cells: ClassVar[int] = 2**16

    def claim(self, query: Query) -> float:
        """δ(ε), the larger of the directions. Refuses ε(δ), mixtures of mechanisms, and other losses."""
        if query.epsilon is None or query.epsilon < 0 or len(query.composition.parts) > 1:
            raise NotImplementedError("only δ at an ε >= 0 of one kind of mechanism")
        if query.adjacency == "replace-one":
            raise NotImplementedError("only records that are added or removed")
        try:
            return max(
                self._delta(query, direction) for direction in query.composition.directions(query.adjacency)
            )
        except NotSupported as reason:
            raise NotImplementedError(str(reason)) from None

    def _delta(self, query: Query, direction: Direction) -> float:
        import numpy as np

        (mechanism, count), h = query.composition.parts[0], 2 * self.reach / self.cells
        edges = np.asarray(-self.reach + h * np.arange(self.cells + 1), dtype=np.float64)
        above = loss(mechanism, direction).above(edges)
        masses = above[:-1] - above[1:]
        masses[0] += 1 - above[0]
        infinite = (
            -math.expm1(count * math.log1p(-min(float(above[-1]), 1 - 1e-16))) if self.keeps_tail else 0.0
        )
        if self.guards and self._spread(edges[1:], masses, count) > self.reach:
            raise NotImplementedError("the loss is too large for the grid")
        composed = self._composed(masses, count)
        ends = edges[1:] if self.rounds_up else edges[:-1]
        # a cell i stands for the loss ends[0] + h·i; the sum of k of them for k·ends[0] + h·(sum of i)
        places = self._places(ends, count, h)
        gain = -np.expm1(np.minimum(0.0, float(query.epsilon or 0) - places))
        return min(1.0, float(infinite + composed @ gain) + (_ALLOWANCE if self.allows else 0.0))

    def _spread(self, losses: "Vector", masses: "Vector", count: int) -> float:
        """Ten standard deviations beyond the mean of the sum."""
        mean = float(masses @ losses)
        variance = max(0.0, float(masses @ losses**2) - mean**2)
        return count * abs(mean) + 10 * math.sqrt(count * variance)

    def _composed(self, masses: "Vector", count: int) -> "Vector":
        """Masses of the sum, on the circle."""
        import numpy as np

        composed = np.maximum(0.0, np.fft.irfft(np.fft.rfft(masses) ** count, n=self.cells))
        return composed if self.allows else np.where(composed < _NOISE, 0.0, composed)

    def _places(self, ends: "Vector", count: int, h: float) -> "Vector":
        """The losses of the cells after composition: those within half of the circle around 0."""
        import numpy as np

        start = count * ends[0] + h * np.arange(self.cells)
        period = 2 * self.reach
        return np.asarray(start - period * np.round(start / period))


MUTANTS = (
    Mutant(
        "grid-rounded-left",
        "one-step",
        "Losses are rounded to the lower ends of their cells.",
        lambda: GridAccountant(rounds_up=False, name="grid-rounded-left"),
    ),
    Mutant(
        "grid-too-narrow",
        "many-steps",
        "The circle is short, and mass comes back at its other end.",
        lambda: GridAccountant(reach=1.25, guards=False, name="grid-too-narrow"),
    ),
    Mutant(
        "grid-without-tail",
        "large-epsilon",
        "Mass above the grid is lost.",
        lambda: GridAccountant(keeps_tail=False, reach=6.0, name="grid-without-tail"),
    ),
    Mutant(
        "grid-without-allowance",
        "tiny-delta",
        "Small masses are taken for rounding noise, and cleared.",
        lambda: GridAccountant(allows=False, name="grid-without-allowance"),
    ),
)
