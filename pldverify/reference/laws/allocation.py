r"""Loss of random allocation: one step of T, drawn at random, has the record (balls and bins).

P = :math:`\frac1T \sum_t N(e_t, \sigma^2 I)` against Q = N(0, σ²I), in units of the sensitivity
(:mod:`pldverify.mechanisms.balls_and_bins`). With c = 1/σ and y = x/σ the ratio is

.. math:: R = \frac{dP}{dQ} = \frac1T \sum_t e^{c y_t - c^2/2} ,

under Q a mean of independent lognormal variables. So both transforms are moments of it,

.. math:: M_{P\|Q}(z) = E_Q[R^{z+1}] = F(-1-z), \qquad M_{Q\|P}(z) = E_Q[R^{-z}] = F(z) ,

with F of ``mean_of_lognormals.py``; :math:`F(\bar w)` is the conjugate of F(w).

**Decay.** Let m be the mean of the y_t, and R' the ratio at y − m. Then :math:`R = R'e^{cm}`, and under Q m
is normal of variance 1/T and independent of y − m, so of R'. :math:`M(\theta+iu)` is :math:`E[R^{p+iv}] =
E[R'^{p+iv}]\,E[e^{(p+iv)cm}]` with v = ±u, and so :math:`|\varphi_\theta(u)| \le e^{-u^2 c^2/(2T)}`. That is
exact at T = 1.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.hints.allocation import rays
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.mean_of_lognormals import MAX_MOMENT, Mean, raw_moment

_ROUGH = 10**7
"""Points times bits of a moment from which on a bound of it is enough for bounds: some tenths of a second."""


@dataclass(frozen=True)
class AllocationLaw:
    """``noise_multiplier`` = σ/sensitivity and ``batches`` = T ≥ 1, exact."""

    noise_multiplier: Fraction
    batches: int
    direction: Direction
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> None:
        return None

    @property
    def mean(self) -> Mean:
        return Mean(self.noise_multiplier, self.batches)

    def power(self, theta: Fraction) -> Fraction:
        """Re w at Re z = θ."""
        return -1 - theta if self.direction == "remove" else theta

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        power = self.power(theta)
        if count == 0 and power in (0, -1):  # E[1] and E[R]
            return [acb(1)]
        if count == 0 and power.denominator == 1 and -MAX_MOMENT <= power < 0:
            return [acb(raw_moment(self.mean, -power.numerator, ctx.prec + 2 * power.numerator.bit_length()))]
        rough = not count and ctx.prec <= BOUND_BITS and not -1 < power < 0
        try:
            chosen = rays(self.mean, power, step, count, ctx.prec)
            if rough and chosen.price > _ROUGH:
                return [acb(self._revealed(power))]
            with working(ctx.prec + chosen.lost):
                values = self.mean.moments(power, step, count, chosen.order, chosen.rays)
        except NoConvergence:
            if not rough:
                raise
            return [acb(self._revealed(power))]
        return [value.conjugate() for value in values] if self.direction == "remove" else values

    def _revealed(self, power: Fraction) -> arb:
        """F(w) between 1 and E[W^{−w}], by Jensen's inequality twice, for w ≥ 0 and w ≤ −1."""
        exponent = ball(power * (power + 1) / (2 * self.noise_multiplier**2))
        return arb(1).union(exponent.exp())

    def decay(self, theta: Fraction) -> Decay:
        variance = 1 / (ball(self.noise_multiplier) ** 2 * self.batches)
        return Decay(gauss=variance, over_u=1 / (variance * arb(1).exp()).sqrt())  # max of u e^{−vu²/2}
