r"""Rényi divergences of a sample of what is ρ-zCDP: upper bounds of M(λ), λ > 0, and no law.

R = P/Q is the ratio of the base's outputs, :math:`w = 1 - q + qR`, n = λ + 1. :math:`E_Q[R] = 1`, as no
mechanism with finite divergences has infinite losses, and :math:`E_Q[R^j] = e^{(j-1)D_j} \le e^{\rho
j(j-1)}`.

* ``remove``, M = E_Q[w^n]: for an integer n :math:`\sum_j \binom{n}{j} (1-q)^{n-j} q^j E_Q[R^j]`. As log M is
  convex and M(0) ≤ 1, between two integers the line between both logarithms is a bound.
* ``add``, M = E_Q[w^{−λ}]: by Taylor's theorem at R = 1, and as the second derivative falls in R ≥ 0, at most
  :math:`1 + \tfrac12 \lambda(\lambda+1) q^2 (1-q)^{-\lambda-2} E_Q[(R-1)^2]`, where the last is at most
  :math:`e^{2\rho} - 1`.
* A batch of a fixed size under replace-one (Wang, Balle, Kasiviswanathan 2019, Theorem 9). For outputs x,
  x', y of the base as in :mod:`pldverify.mechanisms.sampled_without_replacement`, each two of ratio R, its
  proof gives :math:`H_\alpha \le q H_\beta(x\|x') + q H_\beta(x\|y)` for α ≥ 1, β = 1 + (α − 1)/q. M is the
  mean of f(r) = r^n: 1, and :math:`\int_1^\infty f''(\alpha) H_\alpha\,d\alpha`, and the same of :math:`u
  f(1/u) = u^{-\lambda}` with x' in the place of x (α < 1). The first integral is for each pair
  :math:`E[f(1 + q(R-1)) - 1 - nq(R-1); R > 1] \le \sum_{j \ge 2} \binom{n}{j} q^j E[(R-1)_+^j]`, the
  second at most :math:`\binom{n}{2} q^2 E[(R-1)^2]`. As :math:`E[(R-1)^2] \le e^{2\rho} - 1` and
  :math:`E[(R-1)_+^j] \le e^{\rho j(j-1)}`, :math:`M \le 1 + 4\binom{n}{2} q^2 (e^{2\rho} - 1) + 2\sum_{j
  \ge 3} \binom{n}{j} q^j e^{\rho j(j-1)}` for an integer n; between two as above.
* All: :math:`e^{\rho\lambda(\lambda+1)}`, the base's, as a Rényi divergence is quasi-convex (van Erven and
  Harremoës 2014, Theorem 13).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.clock import paced
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.moment_bound import MomentBound

MAX_ORDER = 5_000
"""Cap on the order of a divergence that is summed; beyond it the base's is taken."""


@dataclass(frozen=True)
class SampledZCDPBound(MomentBound):
    """``rho``, 0 < ``q`` < 1 and the direction: of a Poisson sample, or, where a record is replaced, of a
    batch of a fixed size.
    """

    rho: Fraction
    q: Fraction
    direction: Direction

    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log M(``lam``)."""
        base = ball(self.rho * lam * (lam + 1))
        if self.direction == "add":
            square = ball(lam * (lam + 1) * self.q**2 / 2) * ball(2 * self.rho).expm1()
            return base.min((square * (-ball(lam + 2) * (-ball(self.q)).log1p()).exp()).log1p())
        if lam >= MAX_ORDER:
            return base
        low, part = floor(lam), ball(lam - floor(lam))
        return base.min((1 - part) * self._log_sum(low) + part * self._log_sum(low + 1))

    def _log_sum(self, lam: int) -> arb:
        """Upper bound of log E_Q[w^{λ+1}] for an integer λ ≥ 0."""
        grown = ball(2 * self.rho).exp()
        if self.direction != "remove":
            term = ball(lam * (lam + 1) * self.q**2 / 2) * grown  # of j = 2
            total, factor = 1 + 2 * lam * (lam + 1) * ball(self.q) ** 2 * (grown - 1), ball(self.q) * grown**2
            for j in paced(range(3, lam + 2)):
                term *= factor * (lam + 2 - j) / j
                total += 2 * term
                factor *= grown
            return total.log() if lam else arb(0)
        factor = ball(self.q / (1 - self.q))
        total = term = ball(1 - self.q) ** (lam + 1)
        for j in paced(range(1, lam + 2)):  # ``factor``: what E_Q[R^j] grows by, with the odds of q
            term *= factor * (lam + 2 - j) / j
            total += term
            factor *= grown
        return total.log() if lam else arb(0)
