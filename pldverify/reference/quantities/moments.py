"""The transform M(λ) at real λ, and the mean and variance of the finite privacy loss."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pldverify.balls.ball import LOG2_10, short
from pldverify.balls.clock import clock, spend
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.moments import Mean, Variance
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.transform import Moment
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.directions import MAX_DIGITS, Found, extreme
from pldverify.reference.quantities.rising import rising
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.secant import secant


@dataclass(frozen=True)
class Moments:
    """Mean (nats) and variance (nats²) of the composed loss, given that it is finite."""

    mean: Enclosure
    variance: Enclosure


def mgf(
    composition: Composed,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
) -> Enclosure:
    """The true M(λ) = E[e^{λS}; S < ∞] at λ = ``order``, any real; the larger of the directions asked for.

    Raises InvalidInput, NotSupported; NoConvergence where the transform needs too many nodes.

    e^((λ² + λ)/(2σ²)) for Gaussian noise, here e:

    >>> float(pv.mgf(pv.Gaussian(sigma=1), order=1))
    2.71828182845904...
    """
    lam = rational(order, "order")
    whole, wanted = as_composition(composition), count(digits, "digits", cap=MAX_DIGITS)

    def evaluate(way: Direction, _: Bound | None) -> Found:
        loss = product(whole, way)
        return rising(lambda bits: Moment(loss, lam, bits), wanted)

    return extreme("largest", whole, adjacency, ("mgf", lam), evaluate)


def moments(
    composition: Composed,
    *,
    adjacency: Adjacency | None = None,
    digits: int = 15,
) -> Moments:
    """The true mean and variance of the finite loss, each the larger of the directions asked for.

    Raises InvalidInput, also where the loss is never finite; NotSupported; NoConvergence.

    k/(2σ²) and k/σ² for k steps of Gaussian noise:

    >>> found = pv.moments(8 * pv.Gaussian(sigma=2))
    >>> float(found.mean), float(found.variance)
    (1.0, 2.0)
    """
    whole, wanted = as_composition(composition), count(digits, "digits", cap=MAX_DIGITS)
    with clock(), float_range("moments"):
        losses = {way: product(whole, way) for way in whole.directions(adjacency)}
        if any(loss.finite_mass().is_zero() for loss in losses.values()):
            raise InvalidInput("composition must have finite losses, got one that is infinite with certainty")
        means: dict[Direction, Enclosure] = {}

        def mean(way: Direction, _: Bound | None) -> Found:
            loss = losses[way]
            found = rising(lambda bits: Mean(loss, Fraction(0), secant(loss, bits), 2 * bits), wanted)
            means[way] = found[0]
            return found

        def variance(way: Direction, _: Bound | None) -> Found:
            statement = _variance(losses[way], means[way], wanted)
            return look(statement), statement

        largest = partial(extreme, "largest", whole, adjacency)
        return Moments(largest(("moments", 0), mean), largest(("moments", 0), variance))


def _variance(loss: ComposedLoss, mean: Enclosure, digits: int) -> Proved:
    centre = Fraction(float(mean))
    deviation = math.sqrt(max(0.0, cumulant(loss, 0.0)[2]))
    reach = short(min(0.5, 1 / max(deviation, 1e-150)))  # −1 ≤ −h − r, where M is at most 1
    size = short(max(1e-150, min(1.0, deviation)))
    goal = digits + 4
    while True:
        spend()
        bits = int(4 * goal * LOG2_10) + 64
        statement = Variance(loss, Fraction(0), centre, reach * size / 10**goal, reach, bits)
        reached = look(statement).digits
        if reached >= digits:
            return statement
        goal += max(digits, goal // 2)
        if goal > 20 * digits + 400:
            raise NoConvergence(f"moments: wanted {digits} digits of the variance, reached {reached}")
