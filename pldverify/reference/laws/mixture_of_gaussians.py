r"""Loss of :math:`P = \sum_i w_i N(c_i, 1)` against :math:`Q = N(0, 1)`, c_i ≥ 0, in units of the noise.

Notation: :math:`f(x) = \sum_i w_i e^{c_i x - c_i^2/2}`, so that P = φf and Q = φ; the c_i are multiples of
one unit c, and f is a polynomial in :math:`e^{cx}`. Its coefficients are ≥ 0, f increases, and so does the
loss of ``remove``, log f. Direction ``add``, whose loss is −log f under Q, is taken in y = −x, where it
increases too. Both transforms are :math:`\int \varphi f^{p+iv}` with p = θ + 1 for ``remove`` and p = −θ for
``add``.

**Tails.** With :math:`y = e^s - w_0` (w_0 the weight of c_i = 0, or 0) the outcome of log f = s solves g(x) =
y, where g = f − w_0. h = log g − log y is convex with slopes of at least the least c_i > 0, so from any m the
root lies within r = |h(m)|/least c_i, and, as slopes left of the root but right of m − r are at least h'(m −
r), within |h(m)|/h'(m − r).

**Cut** at −A and B. Right of B: for p ≥ 1 :math:`f^p \le \sum_i w_i e^{p(c_i x - c_i^2/2)}` (Jensen, as the
w_i sum to 1), which integrates to :math:`\sum_i w_i e^{c_i^2(p^2-p)/2}\,\bar\Phi(B - pc_i)`; for 0 ≤ p < 1
:math:`f^p \le 1 - p + pf`; for p < 0 :math:`f^p \le f(B)^p`. Left of −A: for p ≥ 0 :math:`f^p \le f(-A)^p`;
for p < 0 f is at least its first term, which integrates to :math:`w_1^p e^{c_1^2(p^2-p)/2}\,\bar\Phi(A +
pc_1)`.

**Decay.** On Im x = b > 0, t = c_max b < π, the terms of f have arguments in [0, t]: so has f, and :math:`f
\cos(t/2) \le |f(x+ib)| \le f`, as in ``strip_lines.py``, whose ``growth`` bounds the one power f^p here too
(there are two, of which one is negative). The angle of the loss is ≥ 0: arg f(x + ib), or −arg f(−y − ib).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pldverify.balls import acb, acb_poly, arb, arb_poly, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.hints.mixture_of_gaussians import ends, width
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import ratio_of_sums

_ANGLE, _LINES = 3.0, 6
"""Angle c_max b of the highest line that bounds the decay, and lines, each half as high."""
_SPARE = 8
Levels = tuple[tuple[int, Fraction], ...]
"""(c_i/c, w_i) with rising integers ≥ 0, the last one > 0, and weights > 0 of sum 1."""


@dataclass(frozen=True)
class MixtureOfGaussiansLaw(SmoothLaw):
    """``shift`` = c, a unit of all c_i, and the ``levels``."""

    shift: Fraction
    levels: Levels
    direction: Direction

    @property
    def largest_finite_loss(self) -> arb | None:
        level, weight = self.levels[0]
        return None if self.direction == "remove" or level else -ball(weight).log()

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        side = 1 if self.direction == "remove" else -1
        level, weight = self.levels[0]
        y = ball(side * s).exp() if level else ball(side * s).expm1() + ball(1 - weight)
        end = arb(1) if side == 1 else arb(0)
        if surely_at_most(y, 0):
            return end, end
        if not surely_less(0, y):  # at the end of the losses: between there and the largest such y
            first, second = self._from_odds(y.upper(), side)
            return first.union(end), second.union(end)
        return self._from_odds(y, side)

    def _from_odds(self, y: arb, side: int) -> tuple[arb, arb]:
        """Both measures of the losses from the one on at which g = ``y`` > 0."""
        c, x = ball(self.shift), self._outcome(y)
        base = normal_tail(side * x)
        mixture = sum((ball(w) * normal_tail(side * (x - c * level)) for level, w in self.levels), arb(0))
        return (mixture, base) if side == 1 else (base, mixture)

    def _outcome(self, y: arb) -> arb:
        """x with g(x) = ``y``. Raises NoConvergence."""
        c, goal = ball(self.shift), y.log()
        rising = tuple(row for row in self.levels if row[0])
        g = _polynomial(self.shift, rising, ctx.prec)
        slope = g.derivative()

        def gap(x: arb) -> arb:
            return g((c * x).exp()).log() - goal

        def rate(x: arb) -> arb:
            up = (c * x).exp()
            return c * up * slope(up) / g(up)

        x = arb(0)
        for _ in range(200 + len(rising) + ctx.prec):
            step = (gap(x) / rate(x)).mid()
            x = (x - step).mid()
            if surely_at_most(abs(step), (abs(x) + 1) * arb(2) ** (_SPARE - ctx.prec)):
                break
        miss = abs(gap(x)).upper()
        radius = (miss / (c * rising[0][0])).upper()
        radius = (miss / rate((x - radius).lower())).upper()
        if not radius.is_finite():
            raise NoConvergence("mixture: the outcome of a loss could not be enclosed")
        return x + arb(0, 1) * radius

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def densest(self, theta: Fraction) -> list[Piece]:
        return self.pieces(theta)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        pieces, turn = self.pieces(theta), self.shift * self.levels[-1][0]
        omitted, levels = self.omitted(theta, pieces), heights(float(turn), _ANGLE, _LINES)
        return cache(lambda: ratio_of_sums(pieces[0], ball(theta), mass, omitted, ball(turn), levels))

    def _power(self, theta: Fraction) -> Fraction:
        return theta + 1 if self.direction == "remove" else -theta

    def pieces(self, theta: Fraction) -> list[Piece]:
        c, f = ball(self.shift), _polynomial(self.shift, self.levels, ctx.prec)
        whole, derivative, half = acb_poly(f), f.derivative(), (2 * arb.pi()).log() / 2
        side = 1 if self.direction == "remove" else -1

        def loss(x: acb) -> acb:
            return side * whole((side * c * x).exp()).log()

        def log_weight(x: acb) -> acb:
            normal = -x * x / 2 - half
            return normal + loss(x) if side == 1 else normal

        def slope(x: arb) -> arb:
            up = (side * c * x).exp()
            return c * up * derivative(up) / f(up)

        low, high = ends(self.shift, self.levels, self._power(theta))
        low, high = (low, high) if side == 1 else (-high, -low)
        top = self.shift * self.levels[-1][0]
        return [Piece(low, high, log_weight, loss, slope, width(self.shift, self.levels), top)]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        low, high = -ball(pieces[0].low), ball(pieces[0].high)
        low, high = (low, high) if self.direction == "remove" else (high, low)
        p = self._power(theta)
        return (self._left(p, low) + self._right(p, high)).upper()

    def _left(self, p: Fraction, cut: arb) -> arb:
        """Bound of the transform left of −``cut``."""
        c, power = ball(self.shift), ball(p)
        if p >= 0:
            f = _polynomial(self.shift, self.levels, ctx.prec)
            return f((-c * cut).exp()) ** power * normal_tail(cut)
        level, weight = self.levels[0]
        first = c * level
        size = (power * ball(weight).log() + first * first * (power * power - power) / 2).exp()
        return size * normal_tail(cut + power * first)

    def _right(self, p: Fraction, cut: arb) -> arb:
        """Bound of the transform right of ``cut``."""
        c, power = ball(self.shift), ball(p)
        if p < 0:
            f = _polynomial(self.shift, self.levels, ctx.prec)
            return f((c * cut).exp()) ** power * normal_tail(cut)
        total = arb(0) if p >= 1 else (1 - power) * normal_tail(cut)
        for level, weight in self.levels:
            shift = c * level
            growth = (shift * shift * (power * power - power) / 2).exp() if p >= 1 else power
            total += ball(weight) * growth * normal_tail(cut - (power if p >= 1 else 1) * shift)
        return total


@remembered(16)
def _polynomial(shift: Fraction, levels: Levels, prec: int) -> arb_poly:
    """Σ w_i e^{−c_i²/2} X^{c_i/c} over these levels; ``prec`` is the working precision."""
    c, coefficients = ball(shift), [arb(0)] * (levels[-1][0] + 1)
    for level, weight in levels:
        coefficients[level] = ball(weight) * (-c * c * level * level / 2).exp()
    return arb_poly(coefficients)
