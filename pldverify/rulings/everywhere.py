r"""Whether a claimed ρ or μ keeps at all orders, at all ε: points are proved, and convexity decides between
them. Steps are halved where it does not, doubled where it does.

**ρ**: :math:`(\alpha - 1) D_\alpha` is convex in α and 0 at 1 (van Erven and Harremoës 2014, Corollary 2), so
it lies below its chords. The claim on [a, b] is that a chord is at most ρα(α − 1): a quadratic polynomial
that must not be negative there.

**μ**: T ≥ G_μ is :math:`\delta(\varepsilon) \le \delta_\mu(\varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) -
e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)` for every ε ≥ 0, of both directions (Dong, Roth, Su 2022,
Proposition 2.12; what is below 0 in one direction is above 0 in the other). Both sides are convex in
:math:`u = e^\varepsilon`: the chord of δ must lie below a tangent of δ_μ, whose slope is
:math:`-\Phi(-\mu/2 - \varepsilon/\mu)`.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.numbers.enclosure import Bound

Upper = Callable[[Fraction], Bound | None]
"""A proved upper bound at a point; None where there is none."""
Point = tuple[Fraction, Fraction]
_MOST = 400
"""Cap on the points of one proof: twice as many halve, at best, the distance from the truth it decides."""
_BITS = 128
"""Precision in bits; any value is right: a poor one leaves claims undecided."""


def keeps_rho(rho: Fraction, divergence: Upper, end: Fraction) -> bool:
    """Whether D_α ≤ ρα is proved for 1 < α ≤ ``end``, for a ρ > 0.

    >>> from pldverify.rulings.everywhere import keeps_rho
    >>> keeps_rho(Fraction("0.51"), lambda order: order / 2, Fraction(9))  # Gaussian noise
    True
    """

    def of(order: Fraction) -> Bound | None:
        value = divergence(order)
        return None if value is None or value == math.inf else (order - 1) * Fraction(value)

    return _walked(Fraction(1), end, of, lambda first, last: _below_parabola(rho, first, last))


def _below_parabola(rho: Fraction, first: Point, last: Point) -> bool:
    (a, low), (b, high) = first, last
    slope = (high - low) / (b - a)

    def room(order: Fraction) -> Fraction:
        return rho * order * (order - 1) - low - slope * (order - a)

    least = (1 + slope / rho) / 2
    return all(room(order) >= 0 for order in (a, b, min(max(least, a), b)))


def keeps_mu(mu: Fraction, profile: Upper, end: Fraction) -> bool:
    """Whether δ(ε) ≤ δ_μ(ε) is proved for 0 ≤ ε ≤ ``end``, for a μ > 0."""

    return _walked(Fraction(0), end, profile, lambda first, last: _below_tangent(mu, first, last))


def _below_tangent(mu: Fraction, first: Point, last: Point) -> bool:
    with working(_BITS):
        middle = (first[0] + last[0]) / 2
        value, slope = gaussian_profile(mu, middle)
        touched = ball(middle).exp()
        return all(
            surely_at_most(ball(delta), value - (ball(epsilon).exp() - touched) * slope)
            for epsilon, delta in (first, last)
        )


def gaussian_profile(mu: Fraction, epsilon: Fraction) -> tuple[arb, arb]:
    """δ_μ(ε), and what it falls by in e^ε, at the working precision."""
    half, shift = ball(mu / 2), ball(epsilon / mu)
    slope = normal_tail(shift + half)
    return normal_tail(shift - half) - ball(epsilon).exp() * slope, slope


def is_below(mu: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether δ_μ(ε) is proved to be smaller than δ."""
    with working(_BITS):
        return surely_less(gaussian_profile(mu, epsilon)[0], ball(delta))


def _walked(start: Fraction, end: Fraction, of: Upper, keeps: Callable[[Point, Point], bool]) -> bool:
    """Whether it ``keeps`` on intervals that cover [start, end]."""
    value, step = of(start), (end - start) / 4
    for _ in range(_MOST):
        if start >= end:
            return True
        if value is None:
            return False
        at = min(start + step, end)
        found = of(at)
        if found is not None and keeps((start, Fraction(value)), (at, Fraction(found))):
            start, value, step = at, found, 2 * step
        else:
            step /= 2
    return False
