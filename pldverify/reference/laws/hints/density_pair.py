"""Where the outcomes of a user's pair are cut, and into which panels, exactly: no choice can be wrong."""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, biggest, dyadic, rounded, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.laws.smooth import RHO

if TYPE_CHECKING:
    from pldverify.symbolic.analytic_piece import AnalyticPiece

_BOXES = 8
"""Boxes that cover the ellipse of a panel while its size is searched for."""
_SWELL = 8
"""Nats by which the weight inside of a panel's ellipse may exceed its largest value on the panel."""
_TURN = 3
"""Nats by which the loss may move inside of a panel's ellipse."""
_SMALLEST = -200
"""Binary logarithm of the least length of a panel."""
_LARGEST = 60
"""Binary logarithm of the greatest length of a panel, and of how far an end is looked for."""
_ANGLES = [Fraction(8) / 2**j for j in range(10)]
_SPARE = 5
"""Nats by which a guess may be too large, to be looked at in balls."""
_NEAREST = -20
"""A power of 2: how close to an end the bulk is looked for."""
_HUGE = 2**60
"""Nats beyond which nothing is told apart."""


class Curve(Hashable, Protocol):
    """Weight and loss along one monotone piece."""

    @property
    def piece(self) -> "AnalyticPiece": ...
    def log_weight(self, x: acb) -> acb: ...
    def loss(self, x: acb) -> acb: ...
    def slope(self, x: arb) -> arb: ...
    def rising(self) -> int: ...
    def beyond(self, theta: Fraction, end: Fraction, side: int) -> arb: ...


class Panel(NamedTuple):
    """An interval and how fast the loss moves in its ellipse."""

    low: Fraction
    high: Fraction
    rate: Fraction


def panels(curve: Curve, low: Fraction, high: Fraction) -> list[Panel]:
    """Dyadic panels that cover [low, high], clipped to it, each tame in its ellipse."""
    if low >= high:
        return []
    size = Fraction(2) ** _SMALLEST
    while size < high - low and size < Fraction(2) ** _LARGEST:
        size *= 2
    first = math.floor(low / size)
    found: list[Panel] = []
    waiting = [((first + j) * size, size) for j in (1, 0)]
    while waiting:
        start, size = waiting.pop()
        left, right = max(start, low), min(start + size, high)
        if left >= right:
            continue
        rate = _rate(curve, start, size) or _rate(curve, left, right - left)
        if rate is not None:
            found.append(Panel(left, right, rate))
        elif size > Fraction(2) ** _SMALLEST:
            waiting += [(start + size / 2, size / 2), (start, size / 2)]
        else:
            raise NoConvergence("contour: the densities are not analytic inside of their support")
    return found


@lru_cache(maxsize=10_000)
def _rate(curve: Curve, start: Fraction, size: Fraction) -> Fraction | None:
    """A bound of |L'| for a panel that is tame; None for others."""
    spend()
    with working(53):
        middle, radius = ball(start + size / 2), ball(size / 2)
        loss = curve.loss(acb(middle))
        inside = [curve.log_weight(acb(middle + radius * j / 2)).real.mid() for j in (-1, 0, 1)]
        swell, turn = arb.neg_inf(), arb(0)
        for box in _boxes(middle, radius):
            weight, moved = curve.log_weight(box), curve.loss(box)
            if not (weight.is_finite() and moved.is_finite()):
                return None
            swell, turn = swell.max(weight.real.upper()), turn.max(abs(moved - loss).upper())
        if not (surely_at_most(swell - biggest(inside), _SWELL) and surely_at_most(turn, _TURN)):
            return None
        return rounded(dyadic(turn)) / (RHO * size / 4) + Fraction(1, 10**6)


def _boxes(middle: arb, radius: arb) -> Iterator[acb]:
    """Boxes that cover the ellipse."""
    wide, tall = (arb(RHO**2 + sign) / (2 * RHO) for sign in (1, -1))
    for j in range(_BOXES):
        across = wide * (arb(2 * j - _BOXES) / _BOXES).union(arb(2 * j + 2 - _BOXES) / _BOXES)
        yield acb(middle + radius * across, radius * tall * arb(0, 1))


def ends(curves: Sequence[Curve], theta: Fraction, proved: bool = True) -> list[tuple[Fraction, Fraction]]:
    """Cuts of the pieces beyond which the transform at θ has nothing that counts at the working precision;
    where not ``proved``, by the look of the integrand.
    """
    goal = Fraction(7, 10) * (ctx.prec + 8)  # log 2 < 7/10
    tops = [_top(curve, theta) for curve in curves]
    peak = max(size for size, _ in tops)

    def cut(curve: Curve, start: Fraction, side: int) -> Fraction:
        return _cut(curve, theta, start, side, peak - goal, proved)

    return [
        (cut(curve, start, -1), cut(curve, start, 1)) for curve, (_, start) in zip(curves, tops, strict=True)
    ]


def densest(curves: Sequence[Curve], theta: Fraction) -> tuple[int, Fraction, Fraction] | None:
    """The piece that holds the largest density at θ, and where most of it lies, to bound the decay with."""
    tops = [_top(curve, theta) for curve in curves]
    best = max(range(len(curves)), key=lambda j: tops[j][0], default=None)
    if best is None:
        return None
    with working(16):
        size, start = tops[best]
        low, high = (_cut(curves[best], theta, start, side, size - 8) for side in (-1, 1))
    return best, low, high


def heights(curve: Curve, theta: Fraction) -> list[Fraction]:
    """Heights of detours, on the side on which Im ℓ grows: angles near the bulk from large to small."""
    _, at = _top(curve, theta)
    rise = rounded(dyadic(curve.slope(ball(at)).mid()))
    side = curve.rising()
    return [side * angle / max(rise, Fraction(1, 2**40)) for angle in _ANGLES]


def _top(curve: Curve, theta: Fraction) -> tuple[Fraction, Fraction]:
    """How large log g + θL is where it is largest, about, and where."""
    low, high = (curve.piece.end(side) for side in (-1, 1))
    origin = _origin(low, high)
    steps = [Fraction(2) ** j for j in range(_NEAREST, _LARGEST, 2)]
    if low is not None and high is not None:
        width = dyadic(high.mid()) - dyadic(low.mid())
        steps = [width * (Fraction(1, 2) - Fraction(1, 2**j)) for j in range(2, 30, 2)]
    points = [origin, *(origin + side * step for side in (-1, 1) for step in steps)]
    best, at = max((_size(curve, theta, x), x) for x in points if _within(low, x, high))
    step = max(abs(at - origin) / 2, Fraction(2) ** _NEAREST)
    for _ in range(40):
        near = [(best, at)] + [
            (_size(curve, theta, x), x) for x in (at - step, at + step) if _within(low, x, high)
        ]
        size, x = max(near)
        if x == at:
            step /= 2
            if size - min(near)[0] < 1:
                break
        best, at = size, x
    return best, at


def _origin(low: arb | None, high: arb | None) -> Fraction:
    if low is not None and high is not None:
        return (dyadic(low.mid()) + dyadic(high.mid())) / 2
    known = low if high is None else high
    return Fraction(0) if known is None else Fraction(dyadic(known.mid()))


def _within(low: arb | None, x: Fraction, high: arb | None) -> bool:
    return (low is None or surely_less(low, ball(x))) and (high is None or surely_less(ball(x), high))


def _size(curve: Curve, theta: Fraction, x: Fraction, length: Fraction = Fraction(1)) -> Fraction:
    """log of the integrand at ``x`` times ``length``, about; very small where it is not known."""
    with working(53):
        at = acb(ball(x))
        value = (curve.log_weight(at) + ball(theta) * curve.loss(at)).real + ball(length).log()
        return dyadic(value.mid()) if surely_less(abs(value), _HUGE) else Fraction(-_HUGE)


def _cut(
    curve: Curve, theta: Fraction, start: Fraction, side: int, goal: Fraction, proved: bool = True
) -> Fraction:
    """A cut beyond ``start`` from where on there is at most e^``goal``, or nearly."""

    def enough(at: Fraction, length: Fraction) -> bool:
        if _size(curve, theta, at, length) > goal + _SPARE:
            return False
        if not proved:
            return True
        try:
            with working(max(53, ctx.prec)):
                bound = curve.beyond(theta, at, side)
        except NotSupported:
            return False
        return bound.is_zero() or surely_at_most(bound.log(), ball(goal))

    end = curve.piece.end(side)
    if end is not None:
        stop: Fraction = dyadic(end.lower() if side == 1 else end.upper())
        return _near_end(curve, enough, start, side, stop)
    step, more = _reach(curve, theta, start, side, goal), Fraction(1, 8)
    while not enough(start + side * step, step):
        spend()
        if step > Fraction(2) ** _LARGEST:
            raise NoConvergence("contour: no proved decay of the densities")
        step, more = step * (1 + more), min(Fraction(1), 2 * more)
    return start + side * step


def _reach(curve: Curve, theta: Fraction, start: Fraction, side: int, goal: Fraction) -> Fraction:
    """How far from ``start`` the integrand falls to e^``goal``, about: a proved mass is dear."""

    def low_enough(step: Fraction) -> bool:
        return _size(curve, theta, start + side * step, step) <= goal

    far = Fraction(1)
    while not low_enough(far) and far < Fraction(2) ** _LARGEST:
        far *= 2
    near = far / 2
    while low_enough(near) and near > Fraction(2) ** _SMALLEST:
        far, near = near, near / 2
    for _ in range(5):
        middle = (near + far) / 2
        near, far = (near, middle) if low_enough(middle) else (middle, far)
    return far


def _near_end(
    curve: Curve, enough: Callable[[Fraction, Fraction], bool], start: Fraction, side: int, stop: Fraction
) -> Fraction:
    """The same towards a finite end: the end, but where nothing counts before it or nothing is analytic."""
    box = acb(ball(stop) + arb(0, 1) / 2**30)
    regular = curve.loss(box).is_finite() and curve.log_weight(box).is_finite()
    gap = abs(stop - start)
    for j in range(1, 8 if regular else 4 * ctx.prec):
        rest = gap / Fraction(2**j)
        at = stop - side * rest
        if enough(at, rest):
            return at
    return stop
