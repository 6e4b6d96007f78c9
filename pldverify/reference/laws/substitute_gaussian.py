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

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most
from pldverify.balls.normal import normal_tail
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.hints.substitute_gaussian import ends, width
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import ratio_of_sums

_ANGLE, _LINES = 3.0, 6
"""Angle cb of the highest line that bounds the decay, and lines, each half as high."""


@dataclass(frozen=True)
class SubstituteGaussianLaw(SmoothLaw):
    """``shift`` = c = sensitivity/σ and 0 < ``q`` < 1."""

    shift: Fraction
    q: Fraction

    @property
    def largest_finite_loss(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        c, q, odds = ball(self.shift), ball(self.q), ball(abs(s))
        a = q * (-c * c / 2).exp()
        b = (1 - q) * odds.expm1()  # for |s|: X = (b + sqrt(b² + 4a²e^s))/2a, no cancellation
        x = ((b + (b * b + 4 * a * a * odds.exp()).sqrt()) / (2 * a)).log() / c
        first, second = ((1 - q) * normal_tail(x) + q * normal_tail(x - sign * c) for sign in (1, -1))
        return (first, second) if s > 0 else (1 - second, 1 - first)

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def densest(self, theta: Fraction) -> list[Piece]:
        return self.pieces(theta)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        pieces, turn = self.pieces(theta), ball(self.shift)
        omitted, levels = self.omitted(theta, pieces), heights(float(self.shift), _ANGLE, _LINES)
        return cache(lambda: ratio_of_sums(pieces[0], ball(theta), mass, omitted, turn, levels))

    def pieces(self, theta: Fraction) -> list[Piece]:
        c, q = ball(self.shift), ball(self.q)
        half = (2 * arb.pi()).log() / 2
        low, high = ends(self.shift, self.q, theta)
        return [
            Piece(
                low,
                high,
                lambda x: mixture_loss(c, q, x) - half - x * x / 2,
                lambda x: mixture_loss(c, q, x) - mixture_loss(-c, q, x),
                lambda x: mixture_slope(c, q, x) - mixture_slope(-c, q, x),
                width(self.shift),
                2 * self.shift,
            )
        ]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        tilt, low, high = ball(theta), -ball(pieces[0].low), ball(pieces[0].high)
        if theta < Fraction(-1, 2):  # x → −x turns θ into −1 − θ
            tilt, low, high = -1 - tilt, high, low
        c, q = ball(self.shift), ball(self.q)
        if not (surely_at_most(c / 2, low) and surely_at_most(c / 2, high)):
            return arb.pos_inf()
        p = tilt + 1
        right = (c * c * (p * p - p) / 2).exp() * normal_tail(high - p * c)
        if theta > 0 or theta < -1:
            right *= (1 - q) ** (-tilt)
        left = (1 - q) * normal_tail(low) + q * normal_tail(low - c)
        return (left + right).upper()
