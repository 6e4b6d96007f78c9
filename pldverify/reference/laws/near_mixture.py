r"""The part of a step of the Poisson-subsampled Gaussian with an outcome up to a cut, direction ``remove``.

Notation as in ``gaussian_mixture.py``. With the cut at x_c the transform is

.. math:: M_c(z) = \int_{-\infty}^{x_c} \varphi\, w^{z+1}\, dx, \qquad \mathrm{Re}\, z = \theta \ge -1 ,

that of a measure of total :math:`M_c(0) = 1 - P(x > x_c)`, and :math:`M_c(-1) = 1 - Q(x > x_c)`. Beyond the
cut the whole step's φ w^{θ+1} may have a second maximum, which for large θ is all that counts; here there is
none.

**Omitted**: w grows with x, so what is left of the first piece, which begins at a, is at most
:math:`\Phi(a)\, w(a)^{\theta+1}`.

**Decay**: lines through the strip as in ``strip_lines.py``, 0 < cb < π: along Im x = b, and back down to x_c.
There :math:`|\varphi(x+ib)| = e^{b^2/2} \varphi(x)`, :math:`|w(x+ib)| \le w(x)` and Im ℓ ≥ 0, so what lies
left of the cells has at most :math:`e^{b^2/2}` times the weight that is omitted. The way down is cut into
cells too, on which Im ℓ, about :math:`\ell'(x_c)\, \mathrm{Im}\, x`, makes the integrand fall as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.hints.near_mixture import count, dense, low_end, tame
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import along

_ANGLE, _LINES = 3.0, 6
"""Angle cb of the highest line that bounds the decay, and lines, each half as high."""
_DOWN = 60
"""Cells on the way down to the cut, each 2^{1/3} times as long as the next one."""


@dataclass(frozen=True)
class NearMixtureLaw(SmoothLaw):
    """``law`` up to the outcome x = ``cut``."""

    law: GaussianMixtureLaw
    cut: Fraction

    @property
    def largest_finite_loss(self) -> arb:
        """ℓ(x_c)."""
        return self._loss(ball(self.cut))

    def far(self) -> tuple[arb, arb]:
        """Both measures of what is left out."""
        base, shifted = normal_tail(ball(self.cut)), normal_tail(ball(self.cut) - self._scale())
        q = ball(self.law.q)
        return (1 - q) * base + q * shifted, base

    def mass(self) -> arb:
        """M(0)."""
        return 1 - self.far()[0]

    def _scale(self) -> arb:
        return 1 / ball(self.law.noise_multiplier)

    def _loss(self, x: arb) -> arb:
        return mixture_loss(self._scale(), ball(self.law.q), x)

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def pieces(self, theta: Fraction) -> list[Piece]:
        low = low_end()
        if self.cut <= low:
            raise NoConvergence(f"near: nothing counts up to the outcome {float(self.cut):.6g}")
        parts = max(1, count(low, self.cut, self.law.noise_multiplier))
        edges = [low + (self.cut - low) * Fraction(j, parts) for j in range(parts + 1)]
        return [self._piece(a, b) for a, b in pairwise(edges)]

    def _piece(self, low: Fraction, high: Fraction) -> Piece:
        c, q = self._scale(), ball(self.law.q)
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

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        if theta < -1:
            return arb.pos_inf()
        start = ball(pieces[0].low)
        return (normal_tail(-start) * (ball(theta + 1) * self._loss(start)).exp()).upper()

    def densest(self, theta: Fraction) -> list[Piece]:
        whole = self._whole(theta)
        low, high = dense(whole.low, whole.high, self.law.noise_multiplier, self.law.q, theta)
        return [self._piece(low, min(high, self.cut))]

    def _whole(self, theta: Fraction) -> Piece:
        return self._piece(self.pieces(theta)[0].low, self.cut)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        whole = self._whole(theta)
        left = self.omitted(theta, [whole])
        c, tilt = self._scale(), ball(theta)
        levels = heights(1 / float(self.law.noise_multiplier), _ANGLE, _LINES)

        def build() -> ParallelLines:
            lines = []
            for height in map(ball, levels):
                cells, end = along(whole, tilt, height), self._down(whole, tilt, height)
                if cells is not None and end is not None and surely_less(c * height, arb.pi()):
                    beyond = left * (height * height / 2).exp()
                    weights = [weight / mass for weight in (beyond, *cells[0], *end[0])]
                    lines.append((weights, [arb(0), *cells[1], *end[1]]))
            return ParallelLines(lines)

        return cache(build)

    def _down(self, piece: Piece, tilt: arb, height: arb) -> tuple[list[arb], list[arb]] | None:
        """Weights and angles on the way down to the cut; None if an angle isn't proved to be ≥ 0."""
        edges = [height * (-arb(2).log() * j / 3).exp() for j in range(_DOWN)] + [arb(0)]
        weights, angles = [], []
        for b, a in pairwise(edges):
            x = acb(ball(piece.high), a.union(b))
            loss = piece.loss(x)
            angle = loss.imag.lower() if surely_less(0, a) else arb(0)  # w is real on the real axis
            if not surely_at_most(0, angle):
                return None
            weights.append((b - a) * (piece.log_weight(x) + tilt * loss).real.exp().upper())
            angles.append(angle)
        return weights, angles
