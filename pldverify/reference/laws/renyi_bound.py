r"""Known Rényi divergences of what has no law: upper bounds of M(λ), 0 < λ < the greatest order.

:math:`\log M(\lambda) = \lambda D_{\lambda+1}`, and :meth:`~pldverify.mechanisms.renyi_dp.RenyiDP.at_most`
proves what is known of D.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.errors import NoConvergence
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.reference.laws.moment_bound import MomentBound


@dataclass(frozen=True)
class RenyiBound(MomentBound):
    """What is ``known``, the same in both directions."""

    known: RenyiDP

    def log_moment(self, lam: Fraction) -> arb:
        most = self.known.at_most(lam + 1)
        if most is None:
            raise NoConvergence("Rényi DP: moments are bounded up to the known orders alone")
        return ball(lam * most)
