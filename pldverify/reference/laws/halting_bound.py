r"""Rényi divergences of Gaussian AboveThreshold: upper bounds of M(λ), λ > 0, and no law.

:math:`\log M(\lambda) \le \min(\rho\lambda(\lambda+1) + \log(k+1), \rho'\lambda(\lambda+1))`, as
:mod:`pldverify.mechanisms.gaussian_above_threshold` proves.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.moment_bound import MomentBound


@dataclass(frozen=True)
class HaltingBound(MomentBound):
    """``rho`` with ``queries`` = k, and ``plain`` = ρ', the same in both directions."""

    rho: Fraction
    queries: int
    plain: Fraction

    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log M(``lam``)."""
        square = lam * (lam + 1)
        return (ball(self.rho * square) + arb(self.queries + 1).log()).min(ball(self.plain * square))
