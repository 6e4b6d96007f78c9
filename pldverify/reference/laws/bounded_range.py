r"""Rényi divergences of choices of bounded range η: upper bounds of M(λ), λ > 0, and no law.

Each of ``times`` choices is (η²/8)-zCDP (:mod:`pldverify.mechanisms.exponential`) and its loss at most η, so
:math:`D_\alpha \le \min(\alpha\eta^2/8, \eta)`, whatever came before: :math:`\log M(\lambda) \le k \lambda
\min((\lambda + 1)\eta^2/8, \eta)`.

For many steps with a small η that is less than what the composed logistic pairs have, whose variance is 4/3
of it.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.moment_bound import MomentBound


@dataclass(frozen=True)
class BoundedRangeBound(MomentBound):
    """``times`` choices of range ``eta`` > 0, the same in both directions."""

    eta: Fraction
    times: int

    def slope(self, lam: Fraction) -> Fraction:
        """The bound of log M(``lam``)/``lam``."""
        return self.times * min((lam + 1) * self.eta**2 / 8, self.eta)

    def log_moment(self, lam: Fraction) -> arb:
        return ball(lam * self.slope(lam))
