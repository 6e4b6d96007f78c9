r"""Loss of the Laplace mechanism: atoms at ±c, c = s/b, of mass 1/2 and e^{−c}/2, and a density in between.

For |s| < c the density is :math:`e^{-c/2} e^{s/2}/4`, so with y = (2z + 1)c/2

.. math:: M(z) = \tfrac12 e^{zc} + \tfrac12 e^{-(z+1)c} + \tfrac{c}{2} e^{-c/2}\, \frac{\sinh y}{y}.

Both directions coincide. **Decay**: tilted by θ the density is proportional to :math:`e^{(\theta+1/2)s}`,
monotone, so on a cell it is at least its smaller end value; the atoms stay in the rest.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.layers import Layers

_CELLS = 100


@dataclass(frozen=True)
class LaplaceLaw:
    """``loss`` is c = sensitivity/b, exact."""

    loss: Fraction
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> Fraction:
        return self.loss

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if s <= -self.loss:
            return arb(1), arb(1)
        if s > self.loss:
            return arb(0), arb(0)
        return 1 - ball((s - self.loss) / 2).exp() / 2, ball(-(s + self.loss) / 2).exp() / 2

    def _moment(self, z: acb) -> acb:
        c = ball(self.loss)
        y = (2 * z + 1) * c / 2
        sinhc = (acb(0, 1) * y).sinc()  # sin(iy)/(iy) = sinh(y)/y
        return (z * c).exp() / 2 + (-(z + 1) * c).exp() / 2 + c / 2 * (-c / 2).exp() * sinhc

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        real, height = ball(theta), ball(step)
        return [self._moment(acb(real, height * j)) for j in range(count + 1)]

    def decay(self, theta: Fraction) -> Decay:
        c, rate = ball(self.loss), ball(theta + Fraction(1, 2))
        factor = (-c / 2).exp() / 4 / self._moment(acb(ball(theta))).real
        edges = [c * (2 * j - _CELLS) / _CELLS for j in range(_CELLS + 1)]
        densities = [factor * (rate * s).exp() for s in edges]
        return Decay(Layers.under(edges, [a.min(b) for a, b in pairwise(densities)]))
