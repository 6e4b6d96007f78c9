r"""The mean and variance of the finite privacy loss.

The cumulant :math:`K(\lambda) = \log E[e^{\lambda S}; S < \infty]` of the composed loss is convex, and
:math:`K'(0)` is the mean of S, given that it is finite. So for any h > 0

.. math:: \frac{K(0) - K(-h)}{h} \le K'(0) \le \frac{K(h) - K(0)}{h}.

For any real c and h, r > 0, with X = S - c and :math:`M_c(\lambda) = E[e^{\lambda X}; S < \infty] =
e^{K(\lambda) - \lambda c}`:

* :math:`\frac{M_c(0) - M_c(-h)}{h} \le E[X; S < \infty] \le \frac{M_c(h) - M_c(0)}{h}`.
* With :math:`D = (M_c(h) - 2M_c(0) + M_c(-h))/h^2 = E[2(\cosh hX - 1)/h^2; S < \infty]`, from
  :math:`0 \le 2(\cosh y - 1) - y^2 \le \frac{y^4}{12} \cosh y`, :math:`(rx)^4 \le 24 \cosh rx` and
  :math:`\cosh hx \cosh rx \le \cosh (h+r)x`,

  .. math:: D - \frac{h^2}{r^4}(M_c(h+r) + M_c(-h-r)) \le E[X^2; S < \infty] \le D.

The variance of S is that of X: :math:`E[X^2]/M(0) - (E[X]/M(0))^2` over the finite losses. c (near the mean),
h and r come from a search: poor ones cost width, never truth.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class Mean(OfLoss):
    """E[S] given that S is finite; ``at`` = 0, ``step`` = h, ``bits`` of precision."""

    step: Fraction
    bits: int

    asks = "mean"
    engine = "transform"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            value = mean(self.loss, self.step)
        return lower(value), upper(value)


@dataclass(frozen=True)
class Variance(OfLoss):
    """Of S given that it is finite; ``at`` = 0, ``centre`` = c, ``step`` = h, ``reach`` = r, ``bits``."""

    centre: Fraction
    step: Fraction
    reach: Fraction
    bits: int

    asks = "variance"
    engine = "transform"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            value = variance(self.loss, self.centre, self.step, self.reach)
        return max(Fraction(0), lower(value)), upper(value)


def mean(loss: ComposedLoss, h: Fraction) -> arb:
    """K'(0), at the working precision. Raises NoConvergence unless h > 0."""
    if not h > 0:
        raise NoConvergence("moments: steps must be > 0")
    left, middle, right = loss.log_moment(-h), loss.finite_mass().log(), loss.log_moment(h)
    return ((middle - left) / ball(h)).union((right - middle) / ball(h))


def variance(loss: ComposedLoss, c: Fraction, h: Fraction, r: Fraction) -> arb:
    """Of the finite S, at the working precision. Raises NoConvergence unless h, r > 0."""
    if not (h > 0 and r > 0):
        raise NoConvergence("moments: steps must be > 0")

    def moment(lam: Fraction) -> arb:
        return (loss.log_moment(lam) - ball(lam * c)).exp()

    mass, left, right, step = loss.finite_mass(), moment(-h), moment(h), ball(h)
    first = ((mass - left) / step).union((right - mass) / step)
    second = (right - 2 * mass + left) / step**2
    rest = step**2 / ball(r) ** 4 * (moment(h + r) + moment(-h - r))
    return (second - rest).union(second) / mass - (first / mass) ** 2
