r"""Loss of the Laplace mechanism: atoms at ±c, c = s/b, of mass 1/2 and e^{−c}/2, and a density in between.

For |s| < c the density is :math:`e^{-c/2} e^{s/2}/4`, so with y = (2z + 1)c/2

.. math:: M(z) = \tfrac12 e^{zc} + \tfrac12 e^{-(z+1)c} + \tfrac{c}{2} e^{-c/2}\, \frac{\sinh y}{y}.

Both directions coincide. **Decay**: tilted by θ the density is proportional to :math:`e^{(\theta+1/2)s}`,
monotone, so on a cell it is at least its smaller end value; the atoms stay in the rest.

**Outline**: with y = α + iβ, β = uc, :math:`M(z) = e^{-c/2} (\cosh y + \tfrac c2 \sinh y/y)`,
:math:`|\cosh y|^2 = \sinh^2\alpha + \cos^2\beta`, :math:`|\sinh y|^2 = \sinh^2\alpha + \sin^2\beta` and, as
an average of :math:`e^{ty}` over \|t| ≤ 1, :math:`|\sinh y/y| \le \sinh\alpha/\alpha`. So where β is at least
πd and at most πd' away from the multiples of π,

.. math:: e^{c/2}\, |M(z)| \le \sqrt{\sinh^2\alpha + \cos^2 \pi d} + \frac c2 \min\Big(
          \frac{\sinh\alpha}{\alpha}, \frac{\sqrt{\sinh^2\alpha + \sin^2 \pi d'}}{|y|}\Big) :

it returns to its height at u = 0 near the multiples of π/c, but for the density in between.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, off_integers
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.layers import Layers

_CELLS = 100
"""Cells of the losses from −c to c, for the decay; any number is right, few cost size."""


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

    def beyond(self, x: arb) -> tuple[arb, arb]:
        """The same from a ball on; of both sides of an atom that can't be told from ``x``."""
        c = ball(self.loss)
        if surely_at_most(x, -c):
            return arb(1), arb(1)
        if surely_less(c, x):
            return arb(0), arb(0)
        first, second = 1 - ((x - c) / 2).exp() / 2, (-(x + c) / 2).exp() / 2
        if not surely_less(-c, x):
            first, second = first.union(arb(1)), second.union(arb(1))
        if not surely_at_most(x, c):
            first, second = first.union(arb(0)), second.union(arb(0))
        return first, second

    def _moment(self, z: acb) -> acb:
        c = ball(self.loss)
        y = (2 * z + 1) * c / 2
        sinhc = (acb(0, 1) * y).sinc()  # sin(iy)/(iy) = sinh(y)/y
        return (z * c).exp() / 2 + (-(z + 1) * c).exp() / 2 + c / 2 * (-c / 2).exp() * sinhc

    def on_line(self, theta: Fraction, step: Fraction, count: int, first: int = 0) -> list[acb]:
        real, height = ball(theta), ball(step)
        return [self._moment(acb(real, height * j)) for j in paced(range(first, first + count + 1))]

    def outline(self, theta: Fraction) -> "Outline":
        return Outline(ball(self.loss), ball(self.loss * (theta + Fraction(1, 2))))

    def decay(self, theta: Fraction) -> Decay:
        c, rate = ball(self.loss), ball(theta + Fraction(1, 2))
        factor = (-c / 2).exp() / 4 / self._moment(acb(ball(theta))).real
        edges = [c * (2 * j - _CELLS) / _CELLS for j in range(_CELLS + 1)]
        densities = [factor * (rate * s).exp() for s in edges]
        return Decay(Layers.under(edges, [a.min(b) for a, b in pairwise(densities)]))


@dataclass(frozen=True)
class Outline:
    """``loss`` is c, ``alpha`` is α."""

    loss: arb
    alpha: arb

    def most(self, start: Fraction, width: Fraction, count: int) -> list[arb]:
        square, flat = self.alpha.sinh() ** 2, acb(0, self.alpha).sinc().real  # sin(iα)/(iα)
        whole, weight = self.alpha.cosh() + self.loss / 2 * flat, self.loss / 2
        low, growth = self.loss * ball(start), self.loss * ball(width)
        reach, bounds = growth / 2 / arb.pi(), []
        for j in range(count):
            beta = low + growth * j
            off = off_integers(beta / arb.pi() + reach)
            near, far = (off - reach).lower().max(arb(0)), (off + reach).upper().min(arb(1) / 2)
            cosh, sinh = square + (arb.pi() * near).cos() ** 2, square + (arb.pi() * far).sin() ** 2
            size = self.alpha**2 + beta**2  # |y|² at the lower end, where it is smallest
            slope = (sinh / size).sqrt().min(flat) if surely_less(0, size) else flat
            bounds.append(((cosh.sqrt() + weight * slope) / whole).min(arb(1)).upper())
        return bounds
