r"""The transform M(λ) at real λ, and the mean and variance of the finite privacy loss.

For one law with :math:`M(\lambda) = E[e^{\lambda S}; S < \infty]`, convex in λ, and any h > 0:

* :math:`\frac{M(0) - M(-h)}{h} \le M'(0) \le \frac{M(h) - M(0)}{h}`.
* With :math:`D = (M(h) - 2M(0) + M(-h))/h^2 = E[2(\cosh hS - 1)/h^2]`, from
  :math:`0 \le 2(\cosh y - 1) - y^2 \le \frac{y^4}{12} \cosh y`, :math:`(rs)^4 \le 24 \cosh rs` and
  :math:`\cosh hs \cosh rs \le \cosh (h+r)s`, for any r > 0

  .. math:: D - \frac{h^2}{r^4}(M(h+r) + M(-h-r)) \le M''(0) \le D.

Given that it is finite, a loss has mean :math:`\mu = M'(0)/M(0)` and variance
:math:`M''(0)/M(0) - \mu^2`, and both add up over independent losses. h and r come from a float search: poor
ones cost width, never truth.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, ball, enclose, lower, short, upper, working
from pldverify.balls.clock import budget, spend
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Mechanism
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.reference.laws.composed_loss import Product, product
from pldverify.reference.laws.law import Law, with_transform
from pldverify.reference.quantities.delta import MAX_DIGITS, distinct, largest
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.float_range import float_range


@dataclass(frozen=True)
class Moments:
    """Mean (nats) and variance (nats²) of the composed loss, given that it is finite."""

    mean: Enclosure
    variance: Enclosure


def mgf(
    composition: Composition | Mechanism,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
) -> Enclosure:
    """The true M(λ) = E[e^{λS}; S < ∞] at λ = ``order``, any real; the larger of the directions asked for.

    Raises InvalidInput, NotSupported; NoConvergence where the transform needs too many nodes.
    """
    lam = rational(order, "order")
    laws, wanted = _asked(composition, adjacency, digits)

    def value(law: Product) -> Enclosure:
        return enclose(lambda: law.log_moment(lam).exp(), digits=wanted, engine="transform", low=0)

    with budget(), float_range("mgf"):
        return largest([value(law) for law in laws])


def moments(
    composition: Composition | Mechanism,
    *,
    adjacency: Adjacency | None = None,
    digits: int = 15,
) -> Moments:
    """The true mean and variance of the finite loss, each the larger of the directions asked for.

    Raises InvalidInput, also where the loss is never finite; NotSupported; NoConvergence.
    """
    laws, wanted = _asked(composition, adjacency, digits)
    if any(law.finite_mass().is_zero() for law in laws):
        raise InvalidInput("composition must have finite losses, got one that is infinite with certainty")
    with budget(), float_range("moments"):
        found = [_moments(law, wanted) for law in laws]
    return Moments(largest([m.mean for m in found]), largest([m.variance for m in found]))


def _asked(composition: object, adjacency: Adjacency | None, digits: object) -> tuple[list[Product], int]:
    whole = as_composition(composition)
    ways = distinct(whole, whole.directions(adjacency))
    return [product(whole, way) for way in ways], count(digits, "digits", cap=MAX_DIGITS)


def _moments(law: Product, digits: int) -> Moments:
    goal = digits + 4
    while True:
        spend()
        with working(int(4 * goal * LOG2_10) + 64):
            mean, variance = arb(0), arb(0)
            for factor, k in law.factors:
                first, second = _single(factor, goal)
                mean, variance = mean + k * first, variance + k * second
        found = Moments(_result(mean, -math.inf), _result(variance, 0))
        if min(found.mean.digits, found.variance.digits) >= digits:
            return found
        goal += max(digits, goal // 2)
        if goal > 20 * digits + 400:
            raise NoConvergence(
                f"moments: wanted {digits} digits, reached {found.mean.digits} of the mean and "
                f"{found.variance.digits} of the variance"
            )


def _result(value: arb, low: Fraction | float) -> Enclosure:
    return Enclosure(max(low, lower(value)), upper(value), "transform")


def _single(law: Law, goal: int) -> tuple[arb, arb]:
    """Mean and variance of one loss, at the working precision."""
    _, mean, variance = cumulant(law, 0.0)
    size = min(1.0, max(math.hypot(mean, math.sqrt(max(variance, 0.0))), 1e-150))
    r = short(min(0.5, 1 / math.hypot(mean, 1.0)))  # −1 ≤ −h − r, where M is at most 1
    h = r * short(size) / 10**goal

    def moment(lam: Fraction) -> arb:
        return with_transform(law).on_line(lam, Fraction(0), 0)[0].real

    mass, left, right = ball(1 - law.infinite_mass), moment(-h), moment(h)
    step = ball(h)
    slope = ((mass - left) / step).union((right - mass) / step)
    bend = (right - 2 * mass + left) / step**2
    rest = step**2 / ball(r) ** 4 * (moment(h + r) + moment(-h - r))
    first = slope / mass
    return first, (bend - rest).union(bend) / mass - first**2
