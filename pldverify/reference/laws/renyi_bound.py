r"""Known Rényi divergences of what has no law: upper bounds of M(λ), 0 < λ < the greatest order.

:math:`\log M(\lambda) = \lambda D_{\lambda+1}`, and :meth:`~pldverify.mechanisms.renyi_dp.RenyiDP.at_most`
proves what is known of D.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb
from pldverify.balls.ball import ball
from pldverify.errors import NoConvergence
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.reference.laws.law import Decay


@dataclass(frozen=True)
class RenyiBound:
    """What is ``known``, the same in both directions."""

    known: RenyiDP
    infinite_mass = Fraction(0)
    largest_finite_loss = None

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """An upper bound at a real ``theta`` > 0 up to the orders. Raises NoConvergence elsewhere."""
        most = self.known.at_most(theta + 1) if theta > 0 and not count else None
        if most is None:
            raise NoConvergence(
                "Rényi DP: moments of positive order, up to the known ones, are bounded alone"
            )
        return [acb(ball(theta * most).exp())]

    def decay(self, theta: Fraction) -> Decay:
        """Nothing is known."""
        return Decay()
