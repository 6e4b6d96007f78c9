r"""Whether a ρ or a μ is large enough at all orders, all ε: points are proved, and convexity decides between.

**ρ**: :math:`(\alpha - 1) D_\alpha` is convex in α and 0 at 1 (van Erven and Harremoës 2014, Corollary 2), so
it lies below its chords. The claim on [a, b] is that a chord is at most ρα(α − 1): a quadratic polynomial
that must not be negative there.

**μ**: T ≥ G_μ is :math:`\delta(\varepsilon) \le \delta_\mu(\varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) -
e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)` for every ε ≥ 0, of both directions (Dong, Roth, Su 2022,
Proposition 2.12; what is below 0 in one direction is above 0 in the other). Both sides are convex in
:math:`u = e^\varepsilon`: the chord of δ must lie below a tangent of δ_μ, whose slope is
:math:`-\Phi(-\mu/2 - \varepsilon/\mu)`.

**μ with regret** r: :math:`G_\mu(x + r) - r \le T(x)` for 0 ≤ x ≤ 1 − r, in both directions: the graph of G_μ
is moved by r in both coordinates. The least such r is the Δ-divergence of G_μ from T (Kaissis, Kolek, Balle,
Hayes, Rueckert 2024). It is δ(ε) ≤ E(ε) for every ε ≥ 0,

.. math:: E(\varepsilon) = \sup_{y \ge r} 1 - G_\mu(y) + r - e^\varepsilon (y - r).

Proof. Let f(x) = G_μ(x + r) − r. :math:`1 - E(\varepsilon) = \inf_{x \ge 0} f(x) + e^\varepsilon x`, and
:math:`1 - \delta(\varepsilon) = \inf_x T(x) + e^\varepsilon x`. If f ≤ T up to 1 − r, then δ ≤ E: beyond,
T ≥ 0 exceeds f(1 − r) = −r. If δ ≤ E, take an x > 0 with f(x) > 0. Where f has a slope −e^ε ≤ −1, its tangent
touches it at x, so T(x) ≥ 1 − δ(ε) − e^ε x ≥ f(x). Elsewhere (f(x), x) is on the graph of f too, which is
symmetric, and the slope is < −1 there: in the other direction T⁻¹(f(x)) ≥ x, so T exceeds f(x) left of x, and
T is continuous at x. At x = 0, T is at least what it tends to. ∎

Every y ≥ r gives a line below E, and E is δ_μ(ε) + r (1 + e^ε) as long as its y,
:math:`\Phi(-\mu/2 - \varepsilon/\mu)`, is at least r; from there on it is :math:`1 - G_\mu(r) + r`. So a
finite range of ε decides: beyond, δ falls and E does not. For μ = 0, E = 2r.
"""

import math
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail

Point = tuple[Fraction, Fraction]
"""Of a curve: where, and an upper bound there."""
_BITS = 128
"""Precision in bits; any value is right: a poor one leaves claims undecided."""


def below_parabola(rho: Fraction, first: Point, last: Point) -> bool:
    """Whether a chord of (α − 1) D_α is at most ρα(α − 1) between its ends."""
    (a, low), (b, high) = first, last
    slope = (high - low) / (b - a)

    def room(order: Fraction) -> Fraction:
        return rho * order * (order - 1) - low - slope * (order - a)

    least = (1 + slope / rho) / 2
    return all(room(order) >= 0 for order in (a, b, min(max(least, a), b)))


def below_gaussian(mu: Fraction, first: Point, last: Point | None, regret: Fraction = Fraction(0)) -> bool:
    """Whether the chord of δ between two ε ≥ 0 is proved to lie below E; for None, what is beyond ``first``.

    δ falls, so it is below E where it is at ``first`` no more than E at ∞.
    """
    with working(_BITS):
        flat, level = _flat(mu, regret) if regret else (None, arb(0))
        if regret and surely_at_most(ball(first[1]), level):
            return True
        if last is None:
            return first[1] == 0
        middle = (first[0] + last[0]) / 2
        touched = middle if flat is None else min(middle, flat)
        value, slope = gaussian_profile(mu, touched, regret)
        x = ball(touched).exp()
        return surely_at_most(0, slope) and all(
            surely_at_most(ball(delta), value - (ball(epsilon).exp() - x) * slope)
            for epsilon, delta in (first, last)
        )


def _flat(mu: Fraction, regret: Fraction) -> tuple[Fraction | None, arb]:
    """An ε next to that from which E is constant, and smaller; and that constant. None, and NaN, of numbers
    so extreme that no ball holds them.
    """
    z, size = ball(2).sqrt() * (ball(2 * regret)).erfcinv(), ball(mu)
    least = lower(size * (z - size / 2))
    return None if math.isinf(least) else Fraction(least), normal_tail(z - size) + ball(regret)


def gaussian_profile(mu: Fraction, epsilon: Fraction, regret: Fraction = Fraction(0)) -> tuple[arb, arb]:
    """δ_μ(ε) + r (1 + e^ε), and what it falls by in e^ε, at the working precision."""
    half, shift, x = ball(mu / 2), ball(epsilon / mu), ball(epsilon).exp()
    slope = normal_tail(shift + half)
    less = ball(regret)
    return normal_tail(shift - half) - x * slope + less * (1 + x), slope - less


def is_below(mu: Fraction, epsilon: Fraction, delta: Fraction, regret: Fraction = Fraction(0)) -> bool:
    """Whether E(ε) is proved to be smaller than δ: δ_μ(ε), where there is no regret."""
    with working(_BITS):
        value, slope = gaussian_profile(mu, epsilon, regret)
        if surely_less(slope, 0):
            value = _flat(mu, regret)[1]
        return surely_less(value, ball(delta))
