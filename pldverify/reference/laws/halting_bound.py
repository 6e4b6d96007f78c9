r"""Rényi divergences of Gaussian AboveThreshold: upper bounds of M(λ), λ > 0, and no law.

As :mod:`pldverify.mechanisms.gaussian_above_threshold` proves, log M(λ) is at most :math:`\rho'
\lambda(\lambda + 1)`, and with any t ≥ 0, :math:`s = e^{\lambda a(a/2 + t)}` and the normal distribution
function Φ at most

.. math:: \rho\lambda(\lambda + 1) + \log\big(s + k(e^{\lambda(\lambda + 1)a^2/2} \Phi(\lambda a - t)
    - s\Phi(-t))\big).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail
from pldverify.reference.laws.moment_bound import MomentBound


@dataclass(frozen=True)
class HaltingBound(MomentBound):
    """``rho`` with ``last`` = a and ``queries`` = k, and ``plain`` = ρ', the same in both directions."""

    rho: Fraction
    last: Fraction
    queries: int
    plain: Fraction

    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log M(``lam``)."""
        square, a, k = ball(lam * (lam + 1)), ball(self.last), self.queries
        t = (ball(2).sqrt() * (2 / ball(max(k, 2))).erfcinv()).mid()  # Φ(−t) is next to 1/k
        s = (ball(lam) * a * (a / 2 + t)).exp()
        above = (square * a**2 / 2).exp() * normal_tail(t - ball(lam) * a) - s * normal_tail(t)
        many, plain = ball(self.rho) * square + (s + k * above).log(), ball(self.plain) * square
        return many.min(plain) if many.is_finite() else plain
