r"""Loss of the pair of KJH20s B.4: :math:`P = \varphi f(x)`, :math:`Q = \varphi f(-x)` with
:math:`f(x) = \sum_{\ell=0}^m b_\ell e^{c\ell x - c^2\ell^2/2}`, in units of the noise.

f is a polynomial in :math:`e^{cx}` with positive coefficients, so :math:`\log f(x) - \log f(-x)` is odd and
increasing, and both directions coincide. Its inverse at s is found by Newton's method and proved by the signs
at both ends of a short interval.

**Cut** at ±X, X ≥ cm/2, by symmetry for θ ≥ −1/2. Right of X, with p = θ + 1 > 0 and r = pcm,
:math:`f(x)^p \le f(X)^p e^{r(x-X)}`, as the slope of log f is at most cm, while :math:`b_0 \le f(-x) \le 1`.
Left of −X the integrand is at most :math:`\varphi f(-x)`.
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
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.hints.printed_with_replacement import ends, width
from pldverify.reference.laws.lattice import is_mass
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import ratio_of_sums

_ANGLE, _LINES = 3.0, 6
"""Angle mcb of the highest line that bounds the decay, and lines, each half as high."""


@dataclass(frozen=True)
class PrintedWithReplacementLaw(SmoothLaw):
    """``shift`` = c = sensitivity/σ, ``m`` draws from ``n`` ≥ 2 records."""

    shift: Fraction
    m: int
    n: int

    @property
    def largest_finite_loss(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        x, c = self._inverse(abs(s)), ball(self.shift)
        first = second = arb(0)
        for level, weight in enumerate(_weights(self.m, self.n, ctx.prec)):
            first += weight * normal_tail(x - c * level)
            second += weight * normal_tail(x + c * level)
        return (first, second) if s > 0 else (1 - second, 1 - first)

    def _loss(self, x: arb) -> arb:
        f, power = _polynomial(self, ctx.prec), (ball(self.shift) * x).exp()
        return (f(power) / f(1 / power)).log()

    def _inverse(self, s: Fraction) -> arb:
        """x with loss s ≥ 0. Raises NoConvergence."""
        point, c, f = ball(s), ball(self.shift), _polynomial(self, ctx.prec)
        slope, x = f.derivative(), arb(0)
        high = arb(1)
        while not surely_less(point, self._loss(high)):
            high *= 2
            if surely_less(2**40, high):
                raise NoConvergence(f"mixture: no outcome of loss {float(s):.6g} below 2**40")
        low = arb(0)
        for _ in range(200 + 2 * ctx.prec):
            gap = (self._loss(x) - point).mid()
            low, high = (x, high) if surely_less(gap, 0) else (low, x)
            up = (c * x).exp()
            rate = c * (up * slope(up) / f(up) + slope(1 / up) / (up * f(1 / up)))
            step = (x - gap / rate).mid()
            step = step if surely_less(low, step) and surely_less(step, high) else ((low + high) / 2).mid()
            if surely_at_most(abs(step - x), abs(x) * arb(2) ** (20 - ctx.prec)) or gap.is_zero():
                break
            x = step
        width = (abs(x) + 1) * arb(2) ** (30 - ctx.prec)
        for _ in range(20):
            if surely_less(self._loss((x - width).mid()), point) and surely_less(
                point, self._loss((x + width).mid())
            ):
                return (x - width).union(x + width)
            width *= 4
        raise NoConvergence(f"mixture: the outcome of loss {float(s):.6g} could not be bracketed")

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def densest(self, theta: Fraction) -> list[Piece]:
        return self.pieces(theta)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        pieces, turn = self.pieces(theta), ball(self.m * self.shift)
        omitted, levels = self.omitted(theta, pieces), heights(float(self.m * self.shift), _ANGLE, _LINES)
        return cache(lambda: ratio_of_sums(pieces[0], ball(theta), mass, omitted, turn, levels))

    def pieces(self, theta: Fraction) -> list[Piece]:
        c, f = ball(self.shift), _polynomial(self, ctx.prec)
        half, derivative = (2 * arb.pi()).log() / 2, f.derivative()

        def log_f(x: acb) -> acb:
            return acb_poly(f)((c * x).exp()).log()

        def slope(x: arb) -> arb:
            up = (c * x).exp()
            return c * (up * derivative(up) / f(up) + derivative(1 / up) / (up * f(1 / up)))

        low, high = ends(self.shift, self.m, self.n, theta)
        return [
            Piece(
                low,
                high,
                lambda x: log_f(x) - half - x * x / 2,
                lambda x: log_f(x) - log_f(-x),
                slope,
                width(self.shift, self.m),
                2 * self.shift * self.m,
            )
        ]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        tilt, low, high = ball(theta), -ball(pieces[0].low), ball(pieces[0].high)
        if theta < Fraction(-1, 2):  # x → −x turns θ into −1 − θ
            tilt, low, high = -1 - tilt, high, low
        c, f = ball(self.shift), _polynomial(self, ctx.prec)
        if not (surely_at_most(c * self.m / 2, low) and surely_at_most(c * self.m / 2, high)):
            return arb.pos_inf()
        weights = _weights(self.m, self.n, ctx.prec)
        p, rate = tilt + 1, (tilt + 1) * c * self.m
        right = f((c * high).exp()) ** p * (rate * rate / 2 - rate * high).exp() * normal_tail(high - rate)
        left = sum((w * normal_tail(low - c * level) for level, w in enumerate(weights)), arb(0))
        if theta > 0 or theta < -1:
            right *= weights[0] ** (-tilt)
        return (left + right).upper()


@remembered(16)
def _weights(m: int, n: int, prec: int) -> list[arb]:
    """b_0 … b_m of Bin(m, 1/n); ``prec`` is the working precision."""
    ratio = ball(Fraction(1, n - 1))
    weights = [ball(1 - Fraction(1, n)) ** m]
    for level in range(1, m + 1):
        weights.append(weights[-1] * ratio * (m - level + 1) / level)
    if not all(map(is_mass, weights)):
        raise NoConvergence(f"mixture: {prec} bits can't tell a component's weight from 0")
    return weights


@remembered(16)
def _polynomial(law: PrintedWithReplacementLaw, prec: int) -> arb_poly:
    """f as a polynomial in e^{cx}; ``prec`` is the working precision."""
    c = ball(law.shift)
    weights = _weights(law.m, law.n, prec)
    return arb_poly([w * (-c * c * level * level / 2).exp() for level, w in enumerate(weights)])
