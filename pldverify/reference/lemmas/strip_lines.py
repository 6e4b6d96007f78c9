r"""Decay of a characteristic function from lines through the strip where a smooth loss is analytic.

Where g and ℓ of a piece are analytic, :math:`\int g e^{(\theta+iv)\ell} dx` may be taken along Im x = b
instead of the real axis, b > 0 for an increasing ℓ. On a cell of that line, in balls over the whole cell,

.. math:: |g e^{(\theta+iv)\ell}| = e^{\mathrm{Re}(\log g + \theta\ell) - v\,\mathrm{Im}\,\ell}
          \le \sup e^{\mathrm{Re}(\log g + \theta\ell)}\, e^{-u \inf \mathrm{Im}\,\ell}
          \quad\text{for all } v \ge u,\ \text{if } \inf \mathrm{Im}\,\ell \ge 0 .

So every line gives weights, the lengths of its cells times those suprema, and angles, inf Im ℓ, as in
``parallel_lines.py``. A line with a cell whose angle isn't proved to be ≥ 0 is left out. What lies beyond the
ends of the line is a cell of angle 0, whose weight the law must bound, and with it that the integrand
vanishes at both ends of the strip.

**Back down.** A piece that ends on the real axis, where the integrand does not vanish, takes a way from there
up to the line. It is cut into cells too, on which Im ℓ, about ℓ' Im x, makes the integrand fall as well.

**Ratio of exponential sums.** For :math:`g = \varphi(x) f_+`, :math:`\ell = \log(f_+/f_-)` and
:math:`f_\pm(x) = \sum_{j=0}^m a_j e^{\pm jcx}`, a_j ≥ 0, with t = mcb < π: on Im x = b the terms of f_+ have
arguments in [0, t], those of f_− in [−t, 0], so both logarithms are analytic up to there, their principal
values, and turned by t/2: :math:`f_\pm(x) \cos(t/2) \le |f_\pm(x+ib)| \le f_\pm(x)`. Therefore

.. math:: |g e^{(\theta+iv)\ell}|(x+ib) \le e^{b^2/2} \cos(t/2)^{-\max(\theta,\,-1-\theta,\,0)}
          \varphi f_+^{\theta+1} f_-^{-\theta}(x) ,

for one of the powers θ + 1 of f_+ and −θ of f_− is negative at most; v Im ℓ ≥ 0 as Im ℓ ≥ 0. Beyond the piece
the integral of the right-hand side without the factor is what the law calls ``omitted``.

**Beyond the end.** With w = 1 − q + y, :math:`y = q e^{cx - c^2/2}`, θ ≥ 0 and 0 ≤ t = cb < π/2 there is
:math:`|w(x+ib)| \ge \mathrm{Re}\, w(x+ib) = 1 - q + y \cos t`, which grows with x. So

.. math:: \int_X^\infty |\varphi w^{-z}|(x+ib)\, dx \le
          e^{b^2/2}\, \bar\Phi(X)\, (1 - q + y(X) \cos t)^{-\theta},

where the sign of b is such that :math:`|w^{-z}| \le |w|^{-\theta}`.

Proof: Cauchy's theorem; and a sum of terms with arguments in [0, t] has, along t/2, at least cos(t/2) of the
sum of their moduli. Assumes: g and ℓ analytic in the strip, which a piece promises; Im ℓ ≥ 0 between the real
axis and the lowest cell on the way down, as for the logarithms of f_+/f_− and of 1 − q + y, whose arguments
are ≥ 0 there; 0 < ``mass`` ≤ M(θ) and u ≥ 0. Rounds: up; a line outside of the strip weighs +∞, and one with
an angle of unknown sign is left out. Poor lines cost size, never truth.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece

_CELLS = 400
"""Cells of a line; any value is right: few cells cost size."""
_DOWN = 60
"""Cells on the way down, each 2^{1/3} times as long as the next one; any value is right."""


def ratio_of_sums(
    piece: Piece, tilt: arb, mass: arb, omitted: arb, turn: arb, heights: Sequence[Fraction]
) -> ParallelLines:
    """Lines at ``heights`` for a law of one ``piece`` as above, ``turn`` = mc, of M(θ) ≥ ``mass`` > 0 at
    θ = ``tilt``."""
    lines = []
    for height in map(ball, heights):
        cells = along(piece, tilt, height)
        if cells is not None:
            weights, angles = cells
            beyond = growth(tilt, height, turn) * omitted
            lines.append(([weight / mass for weight in (beyond, *weights)], [arb(0), *angles]))
    return ParallelLines(lines)


def growth(tilt: arb, height: arb, turn: arb) -> arb:
    """Upper bound of |g e^{θℓ}| on Im x = ``height`` over that on the real axis; +∞ outside the strip."""
    if not surely_less(abs(turn * height), arb.pi()):
        return arb.pos_inf()
    return (height * height / 2).exp() * (turn * height / 2).cos() ** -tilt.max(-1 - tilt).max(arb(0))


def beyond(c: arb, q: arb, tilt: arb, end: arb, height: arb) -> arb:
    """Upper bound of ∫ |φ w^{−z}| beyond ``end`` on Im x = ±``height``; +∞ unless θ = ``tilt`` ≥ 0 and
    0 ≤ cb < π/2."""
    turn = c * height
    if not (surely_at_most(0, tilt) and surely_at_most(0, turn) and surely_less(turn, arb.pi() / 2)):
        return arb.pos_inf()
    least = 1 - q + q * (c * end - c * c / 2).exp() * turn.cos()
    return (normal_tail(end) * (height * height / 2 - tilt * least.log()).exp()).upper()


def along(piece: Piece, tilt: arb, height: arb) -> tuple[list[arb], list[arb]] | None:
    """Weights and angles along Im x = ``height``; None if an angle isn't proved to be ≥ 0, or the piece is
    empty."""
    if not piece.low < piece.high:
        return None
    width = (piece.high - piece.low) / _CELLS
    edges = [ball(piece.low + width * j) for j in range(_CELLS + 1)]
    weights, angles = [], []
    spend()
    for a, b in pairwise(edges):
        x = acb(a.union(b), height)
        loss = piece.loss(x)
        angle = loss.imag.lower()
        if not surely_at_most(0, angle):
            return None
        weights.append((b - a) * (piece.log_weight(x) + tilt * loss).real.exp().upper())
        angles.append(angle)
    return weights, angles


def back_down(piece: Piece, tilt: arb, height: arb) -> tuple[list[arb], list[arb]] | None:
    """Weights and angles from Im x = ``height`` down to the end of the piece, where ℓ is real.

    None if an angle isn't proved to be ≥ 0; in the last cell, which touches the real axis, that is assumed.
    """
    edges = [height * (-arb(2).log() * j / 3).exp() for j in range(_DOWN)] + [arb(0)]
    weights, angles = [], []
    for b, a in pairwise(edges):
        x = acb(ball(piece.high), a.union(b))
        loss = piece.loss(x)
        angle = loss.imag.lower() if surely_less(0, a) else arb(0)
        if not surely_at_most(0, angle):
            return None
        weights.append((b - a) * (piece.log_weight(x) + tilt * loss).real.exp().upper())
        angles.append(angle)
    return weights, angles
