r"""The mean and variance of the finite privacy loss.

The cumulant :math:`K(\lambda) = \log E[e^{\lambda S}; S < \infty]` of the composed loss is convex, and
:math:`K'(0)` is the mean of S, given that it is finite. So for any h > 0

.. math:: \frac{K(0) - K(-h)}{h} \le K'(0) \le \frac{K(h) - K(0)}{h}.

For one law with :math:`M = e^K` and any h, r > 0:

* :math:`\frac{M(0) - M(-h)}{h} \le M'(0) \le \frac{M(h) - M(0)}{h}`.
* With :math:`D = (M(h) - 2M(0) + M(-h))/h^2 = E[2(\cosh hS - 1)/h^2]`, from
  :math:`0 \le 2(\cosh y - 1) - y^2 \le \frac{y^4}{12} \cosh y`, :math:`(rs)^4 \le 24 \cosh rs` and
  :math:`\cosh hs \cosh rs \le \cosh (h+r)s`,

  .. math:: D - \frac{h^2}{r^4}(M(h+r) + M(-h-r)) \le M''(0) \le D.

Its variance is :math:`M''(0)/M(0) - (M'(0)/M(0))^2`, and variances of independent losses add up. h and r come
from a search: poor ones cost width, never truth.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Law, with_transform


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
    """Of S given that it is finite; ``at`` = 0, ``steps`` are (h, r) of each law, ``bits`` of precision."""

    steps: tuple[tuple[Fraction, Fraction], ...]
    bits: int

    asks = "variance"
    engine = "transform"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            pairs = zip(self.loss.factors, self.steps, strict=True)
            total = sum((k * _variance(law, h, r) for (law, k), (h, r) in pairs), arb(0))
        return max(Fraction(0), lower(total)), upper(total)


def mean(loss: ComposedLoss, h: Fraction) -> arb:
    """K'(0), at the working precision. Raises NoConvergence unless h > 0."""
    if not h > 0:
        raise NoConvergence("moments: steps must be > 0")
    left, middle, right = loss.log_moment(-h), loss.finite_mass().log(), loss.log_moment(h)
    return ((middle - left) / ball(h)).union((right - middle) / ball(h))


def _variance(law: Law, h: Fraction, r: Fraction) -> arb:
    """Of one loss, at the working precision."""
    if not (h > 0 and r > 0):
        raise NoConvergence("moments: steps must be > 0")

    def moment(lam: Fraction) -> arb:
        return with_transform(law).on_line(lam, Fraction(0), 0)[0].real

    mass, left, right = ball(1 - law.infinite_mass), moment(-h), moment(h)
    step = ball(h)
    slope = ((mass - left) / step).union((right - mass) / step)
    bend = (right - 2 * mass + left) / step**2
    rest = step**2 / ball(r) ** 4 * (moment(h + r) + moment(-h - r))
    return (bend - rest).union(bend) / mass - (slope / mass) ** 2
