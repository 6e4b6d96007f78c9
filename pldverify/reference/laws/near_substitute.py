r"""The part of a step of Poisson sampling under replace-one with an outcome up to a cut.

Notation as in ``substitute_gaussian.py``; the cut leaves out the largest losses, and the smallest are kept:

.. math:: M_c(z) = \int_{-\infty}^{x_c} \varphi\, w_+^{z+1} w_-^{-z}\, dx, \qquad
          \mathrm{Re}\, z = \theta \ge -1 .

**Path**: along Im x = b, and back down to x_c.

**Left of** a ≤ −c/2 there is :math:`|w_+(x+ib)| \le w_+ \le 1 \le w_-`. For θ ≥ 0 and cb < π/2 what
:math:`\varphi w_-^{-z}` has there is bounded by ``beyond`` of ``strip_lines.py``, x → −x. For other b the
bound is ``growth`` times that on the real axis, and for −1 ≤ θ < 0 that of :math:`\varphi w_-`.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.reference.laws.hints.near_substitute import dense, height, low_end, tame
from pldverify.reference.laws.near import Near
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import beyond, growth


@dataclass(frozen=True)
class NearSubstituteLaw(Near):
    """``law`` up to the outcome x = ``cut``."""

    law: SubstituteGaussianLaw
    cut: Fraction

    @property
    def largest_finite_loss(self) -> arb:
        return self.piece(self.cut, self.cut).loss(acb(ball(self.cut))).real

    def far(self) -> tuple[arb, arb]:
        return self._beyond(ball(self.cut), 1), self._beyond(ball(self.cut), -1)

    def _beyond(self, x: arb, side: int) -> arb:
        """P-mass beyond ``x``; Q-mass for ``side`` −1."""
        q = ball(self.law.q)
        return (1 - q) * normal_tail(x) + q * normal_tail(x - side * self.scale())

    def scale(self) -> arb:
        return ball(self.law.shift)

    def low(self, theta: Fraction) -> Fraction:
        return low_end(self.law.shift, float(self.law.q), theta)

    def piece(self, low: Fraction, high: Fraction) -> Piece:
        c, q = self.scale(), ball(self.law.q)
        half = (2 * arb.pi()).log() / 2
        return Piece(
            low,
            high,
            lambda x: mixture_loss(c, q, x) - half - x * x / 2,
            lambda x: mixture_loss(c, q, x) - mixture_loss(-c, q, x),
            lambda x: mixture_slope(c, q, x) - mixture_slope(-c, q, x),
            *tame(self.law.shift, float(self.law.q), high),
        )

    def pieces(self, theta: Fraction) -> list[Piece]:
        b = max(Fraction(0), height(self.law.shift))  # below the axis Im ℓ < 0 on what is left out
        return [replace(self.whole(theta), height=b, corners=(False, True))]

    def left_out(self, theta: Fraction, low: arb, height: arb) -> arb:
        c, q, tilt = self.scale(), ball(self.law.q), ball(theta)
        if theta < -1 or not surely_at_most(c / 2, -low):
            return arb.pos_inf()
        if theta < 0:
            return (growth(tilt, height, c) * self._beyond(-low, 1)).upper()
        if surely_less(c * height, arb.pi() / 2):
            return beyond(c, q, tilt, -low, height)
        return (growth(tilt, height, c) * beyond(c, q, tilt, -low, arb(0))).upper()

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        low = ball(pieces[0].low)
        return self.left_out(theta, low, arb(0)).max(self.left_out(theta, low, ball(pieces[0].height)))

    def densest(self, theta: Fraction) -> list[Piece]:
        low, high = dense(self.low(theta), self.cut, self.law.shift, self.law.q, theta)
        return [self.piece(min(low, self.cut), min(high, self.cut))]
