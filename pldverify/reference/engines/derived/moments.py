r"""The mean and variance of the finite privacy loss.

For one law with :math:`M(\lambda) = E[e^{\lambda S}; S < \infty]`, convex in λ, and any h > 0:

* :math:`\frac{M(0) - M(-h)}{h} \le M'(0) \le \frac{M(h) - M(0)}{h}`.
* With :math:`D = (M(h) - 2M(0) + M(-h))/h^2 = E[2(\cosh hS - 1)/h^2]`, from
  :math:`0 \le 2(\cosh y - 1) - y^2 \le \frac{y^4}{12} \cosh y`, :math:`(rs)^4 \le 24 \cosh rs` and
  :math:`\cosh hs \cosh rs \le \cosh (h+r)s`, for any r > 0

  .. math:: D - \frac{h^2}{r^4}(M(h+r) + M(-h-r)) \le M''(0) \le D.

Given that it is finite, a loss has mean :math:`\mu = M'(0)/M(0)` and variance
:math:`M''(0)/M(0) - \mu^2`, and both add up over independent losses. h and r come from a search: poor ones
cost width, never truth.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Law, with_transform


@dataclass(frozen=True)
class MeanOrVariance(Proved):
    """Of the composed loss, given that it is finite; ``steps`` are (h, r) of each law, ``bits`` of
    precision.
    """

    loss: ComposedLoss
    quantity: Literal["mean", "variance"]
    steps: tuple[tuple[Fraction, Fraction], ...]
    bits: int

    engine = "transform"

    @property
    def about(self) -> ComposedLoss:
        return self.loss

    @property
    def question(self) -> tuple[str, Bound]:
        return self.quantity, Fraction(0)

    def prove(self) -> tuple[Bound, Bound]:
        which = ("mean", "variance").index(self.quantity)
        with working(self.bits):
            total = arb(0)
            for (law, k), (h, r) in zip(self.loss.factors, self.steps, strict=True):
                if not (h > 0 and r > 0):
                    raise NoConvergence("moments: steps must be > 0")
                total += k * single(law, h, r)[which]
        low = lower(total)
        return (low if which == 0 else max(Fraction(0), low)), upper(total)


def single(law: Law, h: Fraction, r: Fraction) -> tuple[arb, arb]:
    """Mean and variance of one loss, at the working precision."""

    def moment(lam: Fraction) -> arb:
        return with_transform(law).on_line(lam, Fraction(0), 0)[0].real

    mass, left, right = ball(1 - law.infinite_mass), moment(-h), moment(h)
    step = ball(h)
    slope = ((mass - left) / step).union((right - mass) / step)
    bend = (right - 2 * mass + left) / step**2
    rest = step**2 / ball(r) ** 4 * (moment(h + r) + moment(-h - r))
    first = slope / mass
    return first, (bend - rest).union(bend) / mass - first**2
