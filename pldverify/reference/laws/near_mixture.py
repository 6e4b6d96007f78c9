r"""The part of a step of the Poisson-subsampled Gaussian with an outcome up to a cut, direction ``remove``.

Notation as in ``gaussian_mixture.py``. With the cut at x_c the transform is

.. math:: M_c(z) = \int_{-\infty}^{x_c} \varphi\, w^{z+1}\, dx, \qquad \mathrm{Re}\, z = \theta \ge -1 ,

that of a measure of total :math:`M_c(0) = 1 - P(x > x_c)`, and :math:`M_c(-1) = 1 - Q(x > x_c)`. It has no
far mode, however large θ is.

**Omitted**: w grows with x, so what is left of the first piece, which begins at a, is at most
:math:`\Phi(a)\, w(a)^{\theta+1}`.

**Decay**: lines through the strip as in ``strip_lines.py``, 0 < cb < π: along Im x = b, and back down to x_c.
There :math:`|\varphi(x+ib)| = e^{b^2/2} \varphi(x)`, :math:`|w(x+ib)| \le w(x)` and Im ℓ ≥ 0, so what lies
left of the cells has at most :math:`e^{b^2/2}` times the weight that is omitted. The way down is cut into
cells too, on which Im ℓ, about :math:`\ell'(x_c)\, \mathrm{Im}\, x`, makes the integrand fall as well.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

from flint import acb, arb, ctx

from pldverify.balls.ball import ball, short
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.smooth import Piece, SmoothLaw
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.strip_lines import along

_WIDEST, _LINES = 10.0, 6
_DOWN = 60
"""Cells on the way down to the cut, each 2^{1/3} times as long as the next one."""
_LONGEST = 4.0
"""Length of a piece at most."""
_DENSE, _SAMPLES = 14.0, 200
"""Nats below its peak down to which the tilted density bounds the decay, looked for at so many points."""


@dataclass(frozen=True)
class NearMixtureLaw(SmoothLaw):
    """``law`` up to the outcome x = ``cut``."""

    law: GaussianMixtureLaw
    cut: Fraction

    @property
    def highest(self) -> arb:
        """ℓ(x_c)."""
        return self._loss(acb(ball(self.cut))).real

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        raise NotSupported("near: the tails of a part of a law are not asked for")

    def far(self) -> tuple[arb, arb]:
        """Both measures of what is left out."""
        base = _upper(ball(self.cut))
        shifted = _upper(ball(self.cut) - self._scale())
        q = ball(self.law.q)
        return (1 - q) * base + q * shifted, base

    def mass(self) -> arb:
        """M(0)."""
        return 1 - self.far()[0]

    def _scale(self) -> arb:
        return 1 / ball(self.law.noise_multiplier)

    def _loss(self, x: acb) -> acb:
        """log w(x), accurate where w is near 1."""
        c = self._scale()
        return (ball(self.law.q) * (c * x - c * c / 2).expm1()).log1p()

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def serving(self, theta: float) -> float:
        """The cut bounds the nodes of every tilt."""
        return 0.0

    def pieces(self, theta: Fraction) -> list[Piece]:
        low = -short(math.sqrt(2 * (ctx.prec + 20) * math.log(2)) + 1)
        if self.cut <= low:
            raise NoConvergence(f"near: nothing counts up to the outcome {float(self.cut):.6g}")
        length = min(_LONGEST, float(self.law.noise_multiplier))
        count = math.ceil((float(self.cut) - float(low)) / length)
        edges = [low + (self.cut - low) * Fraction(j, count) for j in range(count + 1)]
        return [self._piece(a, b) for a, b in pairwise(edges)]

    def _piece(self, low: Fraction, high: Fraction) -> Piece:
        c, q = self._scale(), ball(self.law.q)
        half = (2 * arb.pi()).log() / 2

        def slope(x: arb) -> arb:
            y = q * (c * x - c * c / 2).exp()
            return c * y / (1 - q + y)

        width = min(0.5, 0.5 * float(self.law.noise_multiplier))
        rate = float(slope(ball(high + short(1.2 * width))).mid())  # it grows: that is where the ellipse ends
        return Piece(low, high, lambda x: self._loss(x) - half - x * x / 2, self._loss, slope, width, rate)

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        if theta < -1:
            return arb.pos_inf()
        start = ball(pieces[0].low)
        return (_upper(-start) * (ball(theta + 1) * self._loss(acb(start)).real).exp()).upper()

    def densest(self, theta: Fraction) -> list[Piece]:
        """From the first to the last point where the tilted density is within e^{−_DENSE} of its peak."""
        whole = self._whole(theta)
        points = [whole.low + (whole.high - whole.low) * Fraction(j, _SAMPLES) for j in range(_SAMPLES + 1)]
        logs = [self._tilted(theta, x) for x in points]
        bulk = [x for x, log in zip(points, logs, strict=True) if log > max(logs) - _DENSE]
        step = points[1] - points[0]
        return [self._piece(max(whole.low, bulk[0] - step), min(whole.high, bulk[-1] + step))]

    def _tilted(self, theta: Fraction, x: Fraction) -> float:
        return float((ball(theta + 1) * self._loss(acb(ball(x))).real).mid()) - float(x) ** 2 / 2

    def _whole(self, theta: Fraction) -> Piece:
        return self._piece(self.pieces(theta)[0].low, self.cut)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        whole = self._whole(theta)
        left = self.omitted(theta, [whole])
        c, tilt = self._scale(), ball(theta)
        widest = short(min(_WIDEST, 3.0 / float(c)))

        def build() -> ParallelLines:
            lines = []
            for height in (ball(widest / 2**j) for j in range(_LINES)):
                cells, end = along(whole, tilt, height), self._down(whole, tilt, height)
                if cells is not None and end is not None and c * height < arb.pi():
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
            angle = loss.imag.lower() if a > 0 else arb(0)  # w is real on the real axis
            if not angle >= 0:
                return None
            weights.append((b - a) * (piece.log_weight(x) + tilt * loss).real.exp().upper())
            angles.append(angle)
        return weights, angles


def _upper(x: arb) -> arb:
    """Φ(−x)."""
    return (x / arb(2).sqrt()).erfc() / 2
