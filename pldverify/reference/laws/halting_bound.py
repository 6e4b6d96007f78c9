r"""Rényi divergences of Gaussian AboveThreshold: upper bounds of M(λ), λ > 0, and no law.

:math:`\log M(\lambda) \le \min(\rho\lambda(\lambda+1) + \log(k+1), \rho'\lambda(\lambda+1))`, as
:mod:`pldverify.mechanisms.gaussian_above_threshold` proves.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.errors import NoConvergence
from pldverify.reference.laws.law import Decay


@dataclass(frozen=True)
class HaltingBound:
    """``rho`` with ``queries`` = k, and ``plain`` = ρ', the same in both directions."""

    rho: Fraction
    queries: int
    plain: Fraction
    infinite_mass = Fraction(0)
    largest_finite_loss = None

    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log M(``lam``)."""
        square = lam * (lam + 1)
        return (ball(self.rho * square) + arb(self.queries + 1).log()).min(ball(self.plain * square))

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """An upper bound at a real ``theta`` > 0. Raises NoConvergence elsewhere."""
        if count or theta <= 0:
            raise NoConvergence("Gaussian sparse vectors: moments of positive order alone are bounded")
        return [acb(self.log_moment(theta).exp())]

    def decay(self, theta: Fraction) -> Decay:
        """Nothing is known."""
        return Decay()
