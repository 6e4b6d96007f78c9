r"""Loss of :math:`P = (1-q) N(0) + q N(c)` against :math:`Q = (1-q) N(0) + q N(-c)`, in units of the noise.

With :math:`w_\pm(x) = 1 - q + q e^{\pm cx - c^2/2}`, :math:`P = \varphi w_+`, :math:`Q = \varphi w_-` and
the loss :math:`\log(w_+/w_-)` is odd and increasing (w_+ increases, w_− decreases), so both directions
coincide. Its inverse is explicit: with :math:`a = q e^{-c^2/2}`, :math:`X = e^{cx}` solves
:math:`aX^2 + (1-q)(1-e^s)X - ae^s = 0` (KJH19 section 5.3).

**Cut** at ±X, X ≥ c/2, by symmetry for θ ≥ −1/2. Right of X, :math:`w_- \ge 1 - q` and :math:`w_+ \ge 1`,
both powers are at most :math:`w_+^{\theta+1} (1-q)^{-\max(\theta,0)}` (for θ < 0, w_− ≤ 1), and
:math:`w_+ \le e^{cx-c^2/2} =: y`. Left of −X, :math:`w_+ \le 1 \le w_-`, so the integrand is at most φ for
θ ≥ 0 and at most :math:`\varphi w_-^{-\theta}` with −θ ≤ 1/2 otherwise, hence at most :math:`\varphi w_-`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from flint import acb, arb, ctx

from pldverify.balls.ball import ball, short
from pldverify.reference.laws.smooth import Piece, SmoothLaw
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.strip_lines import ratio_of_sums


@dataclass(frozen=True)
class SubstituteGaussianLaw(SmoothLaw):
    """``shift`` = c = sensitivity/σ and 0 < ``q`` < 1."""

    shift: Fraction
    q: Fraction

    @property
    def highest(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        c, q, odds = ball(self.shift), ball(self.q), ball(abs(s))
        a = q * (-c * c / 2).exp()
        b = (1 - q) * odds.expm1()  # for |s|: X = (b + sqrt(b² + 4a²e^s))/2a, no cancellation
        x = ((b + (b * b + 4 * a * a * odds.exp()).sqrt()) / (2 * a)).log() / c
        first, second = ((1 - q) * _upper(x) + q * _upper(x - sign * c) for sign in (1, -1))
        return (first, second) if s > 0 else (1 - second, 1 - first)

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def densest(self, theta: Fraction) -> list[Piece]:
        return self.pieces(theta)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        pieces, turn = self.pieces(theta), ball(self.shift)
        return cache(lambda: ratio_of_sums(pieces[0], ball(theta), mass, self.omitted(theta, pieces), turn))

    def pieces(self, theta: Fraction) -> list[Piece]:
        c, q = ball(self.shift), ball(self.q)
        half = (2 * arb.pi()).log() / 2

        def log_w(x: acb, sign: int) -> acb:
            return (q * (sign * c * x - c * c / 2).expm1()).log1p()

        def slope(x: arb) -> arb:
            y, z = (q * (sign * c * x - c * c / 2).exp() for sign in (1, -1))
            return c * (y / (1 - q + y) + z / (1 - q + z))

        rate = float(self.shift)
        reach = math.sqrt(2 * (ctx.prec + 20) * math.log(2)) + rate
        tilt = float(theta)
        reach += rate * math.sqrt(max(0.0, tilt * (tilt + 1)))  # as far as the factor of ``omitted`` asks
        reach += math.sqrt(2 * max(0.0, abs(tilt + 0.5) - 0.5) * -math.log1p(-float(self.q)))
        low, high = -short(max(0.0, -tilt * rate) + reach), short(max(0.0, (tilt + 1) * rate) + reach)
        return [
            Piece(
                low,
                high,
                lambda x: log_w(x, 1) - half - x * x / 2,
                lambda x: log_w(x, 1) - log_w(x, -1),
                slope,
                min(0.7, 0.7 / rate),
                2 * rate,
            )
        ]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        tilt, low, high = ball(theta), -ball(pieces[0].low), ball(pieces[0].high)
        if theta < Fraction(-1, 2):  # x → −x turns θ into −1 − θ
            tilt, low, high = -1 - tilt, high, low
        c, q = ball(self.shift), ball(self.q)
        p = tilt + 1
        right = (c * c * (p * p - p) / 2).exp() * _upper(high - p * c)
        if theta > 0 or theta < -1:
            right *= (1 - q) ** (-tilt)
        left = (1 - q) * _upper(low) + q * _upper(low - c)
        return (left + right).upper()


def _upper(x: arb) -> arb:
    """Φ(−x)."""
    return (x / arb(2).sqrt()).erfc() / 2
