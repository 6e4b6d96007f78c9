r"""One step of sampled Gaussian noise up to an outcome: a measure, of what has no far mode.

:math:`M_c(z)` is the transform of the step's first measure up to the cut :math:`x_c`, of a total of 1 less
what is beyond; :math:`M_c(-1)` is that of the second. What is left out has losses of at least that of the
cut. Beyond it the tilted density of the whole step may have a second maximum, which for large θ is all that
counts.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.gaussian_stretches import GaussianStretches, Stretch
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw


@dataclass(frozen=True)
class NearLaw(GaussianStretches):
    """``law`` up to the outcome x = ``cut``. A batch of a fixed size has one component, else what is asked
    raises InvalidInput; and its cut lies among the losses above 0, else :meth:`far` raises NoConvergence.
    """

    law: GaussianPairLaw | ShiftedGaussianLaw
    cut: Fraction

    @property
    def largest_finite_loss(self) -> arb:
        return self.law.loss(ball(self.cut))

    def far(self) -> tuple[arb, arb]:
        """Both measures of what is left out."""
        return self.law.beyond(ball(self.cut))

    def mass(self) -> arb:
        """M(0)."""
        return 1 - self.far()[0]

    def points(self) -> list[tuple[arb, arb]]:
        return self.law.points()

    def stretches(self, theta: Fraction) -> list[Stretch]:
        return self.law.up_to(self.cut)
