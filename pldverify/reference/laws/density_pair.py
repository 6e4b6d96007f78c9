"""Loss of a pair of densities that a user wrote: distribution functions from the symbolic layer, in balls.

Enough for the threshold engine (one step) and the grid engine (compositions). The transform on a line is not
offered, so no engine inverts it.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.balls import arb
from pldverify.balls.memory import remembered
from pldverify.errors import NotSupported
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction

if TYPE_CHECKING:
    from pldverify.symbolic.ball_pair import BallPair


@dataclass(frozen=True)
class DensityPairLaw:
    """``pair`` in one ``direction``. Raises NotSupported for what the symbolic layer could not prove."""

    pair: DensityPair
    direction: Direction

    @property
    def infinite_mass(self) -> Fraction:
        mass = _balls(self).infinite_mass
        if not mass.is_zero():
            raise NotSupported("density_pair: losses of +∞ are referenced for a single step only, by derive")
        return Fraction(0)

    @property
    def largest_finite_loss(self) -> arb | None:
        return _balls(self).largest_finite_loss

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        return _balls(self).tails(s)

    def balls(self) -> "BallPair":
        """Its distribution functions."""
        return _balls(self)


@remembered(64)
def _balls(law: DensityPairLaw) -> "BallPair":
    from pldverify.symbolic.ball_pair import ball_pair

    return ball_pair(law.pair, law.direction)
