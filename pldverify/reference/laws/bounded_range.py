r"""Rényi divergences of choices of bounded range η: upper bounds of M(λ), λ > 0, and no law.

Each of ``times`` choices is (η²/8)-zCDP (:mod:`pldverify.mechanisms.exponential`) and its loss at most η, so
:math:`D_\alpha \le \min(\alpha\eta^2/8, \eta)`, whatever came before: :math:`\log M(\lambda) \le k \lambda
\min((\lambda + 1)\eta^2/8, \eta)`.

For many steps with a small η that is less than what the composed logistic pairs have, whose variance is 4/3
of it.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb
from pldverify.balls.ball import ball
from pldverify.errors import NoConvergence
from pldverify.reference.laws.law import Decay


@dataclass(frozen=True)
class BoundedRangeBound:
    """``times`` choices of range ``eta`` > 0, the same in both directions."""

    eta: Fraction
    times: int
    infinite_mass = Fraction(0)
    largest_finite_loss = None

    def slope(self, lam: Fraction) -> Fraction:
        """The bound of log M(``lam``)/``lam``."""
        return self.times * min((lam + 1) * self.eta**2 / 8, self.eta)

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """An upper bound at a real ``theta`` > 0. Raises NoConvergence elsewhere."""
        if count or theta <= 0:
            raise NoConvergence("bounded range: moments of positive order alone are bounded")
        return [acb(ball(theta * self.slope(theta)).exp())]

    def decay(self, theta: Fraction) -> Decay:
        """Nothing is known."""
        return Decay()
