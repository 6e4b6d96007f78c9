r"""The part of a step of the Poisson-subsampled Gaussian with an outcome up to a cut, direction ``remove``.

Notation as in ``gaussian_mixture.py``. With the cut at x_c the transform is

.. math:: M_c(z) = \int_{-\infty}^{x_c} \varphi\, w^{z+1}\, dx, \qquad \mathrm{Re}\, z = \theta \ge -1 ,

that of a measure of total :math:`M_c(0) = 1 - P(x > x_c)`, and :math:`M_c(-1) = 1 - Q(x > x_c)`. Beyond the
cut the whole step's φ w^{θ+1} may have a second maximum, which for large θ is all that counts; here there is
none.

**Omitted**: w grows with x, so what is left of the first piece, which begins at a, is at most
:math:`\Phi(a)\, w(a)^{\theta+1}`.

**Off the axis**, 0 < cb < π: :math:`|\varphi(x+ib)| = e^{b^2/2} \varphi(x)`, :math:`|w(x+ib)| \le w(x)` and
Im ℓ ≥ 0.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.near_mixture import count, dense, low_end, tame
from pldverify.reference.laws.near import Near
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope
from pldverify.reference.lemmas.piece import Piece


@dataclass(frozen=True)
class NearMixtureLaw(Near):
    """``law`` up to the outcome x = ``cut``."""

    law: GaussianMixtureLaw
    cut: Fraction

    @property
    def largest_finite_loss(self) -> arb:
        return self._loss(ball(self.cut))

    def far(self) -> tuple[arb, arb]:
        base, shifted = normal_tail(ball(self.cut)), normal_tail(ball(self.cut) - self.scale())
        q = ball(self.law.q)
        return (1 - q) * base + q * shifted, base

    def scale(self) -> arb:
        return 1 / ball(self.law.noise_multiplier)

    def low(self, theta: Fraction) -> Fraction:
        return low_end()

    def pieces(self, theta: Fraction) -> list[Piece]:
        whole = self.whole(theta)
        low, high = whole.low, whole.high
        parts = max(1, count(low, high, self.law.noise_multiplier))
        edges = [low + (high - low) * Fraction(j, parts) for j in range(parts + 1)]
        return [self.piece(a, b) for a, b in pairwise(edges)]

    def _loss(self, x: arb) -> arb:
        return mixture_loss(self.scale(), ball(self.law.q), x)

    def piece(self, low: Fraction, high: Fraction) -> Piece:
        c, q = self.scale(), ball(self.law.q)
        half = (2 * arb.pi()).log() / 2

        def loss(x: acb) -> acb:
            return mixture_loss(c, q, x)

        return Piece(
            low,
            high,
            lambda x: loss(x) - half - x * x / 2,
            loss,
            lambda x: mixture_slope(c, q, x),
            *tame(self.law.noise_multiplier, self.law.q, high),
        )

    def left_out(self, theta: Fraction, low: arb, height: arb) -> arb:
        if theta < -1:
            return arb.pos_inf()
        return ((height * height / 2 + ball(theta + 1) * self._loss(low)).exp() * normal_tail(-low)).upper()

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return self.left_out(theta, ball(pieces[0].low), arb(0))

    def densest(self, theta: Fraction) -> list[Piece]:
        whole = self.whole(theta)
        low, high = dense(whole.low, whole.high, self.law.noise_multiplier, self.law.q, theta)
        return [self.piece(min(low, self.cut), min(high, self.cut))]
