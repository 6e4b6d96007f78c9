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

**Ratio of exponential sums.** For :math:`g = \varphi(x) f_+`, :math:`\ell = \log(f_+/f_-)` and
:math:`f_\pm(x) = \sum_{j=0}^m a_j e^{\pm jcx}`, a_j ≥ 0, with t = mcb < π: on Im x = b the terms of f_+ have
arguments in [0, t], those of f_− in [−t, 0], so both logarithms are analytic up to there, their principal
values, and turned by t/2: :math:`f_\pm(x) \cos(t/2) \le |f_\pm(x+ib)| \le f_\pm(x)`. Therefore

.. math:: |g e^{(\theta+iv)\ell}|(x+ib) \le e^{b^2/2} \cos(t/2)^{-\max(\theta,\,-1-\theta,\,0)}
          \varphi f_+^{\theta+1} f_-^{-\theta}(x) ,

for one of the powers θ + 1 of f_+ and −θ of f_− is negative at most; v Im ℓ ≥ 0 as Im ℓ ≥ 0. Beyond the piece
the integral of the right-hand side without the factor is what the law calls ``omitted``.

Proof: Cauchy's theorem; and a sum of terms with arguments in [0, t] has, along t/2, at least cos(t/2) of the
sum of their moduli. Assumes: g and ℓ analytic in the strip, which a piece promises; 0 < ``mass`` ≤ M(θ) and
u ≥ 0. Rounds: up; a line outside of the strip weighs +∞, and one with an angle of unknown sign is left out.
Poor lines cost size, never truth.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece

_CELLS = 400


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
    """By how much |g e^{θℓ}| on Im x = ``height`` may exceed that on the real axis; +∞ outside the strip."""
    if not surely_less(abs(turn * height), arb.pi()):
        return arb.pos_inf()
    return (height * height / 2).exp() * (turn * height / 2).cos() ** -tilt.max(-1 - tilt).max(arb(0))


def along(piece: Piece, tilt: arb, height: arb) -> tuple[list[arb], list[arb]] | None:
    """Weights and angles along Im x = ``height``; None if an angle isn't proved to be ≥ 0, or the piece is
    empty."""
    if not piece.low < piece.high:
        return None
    width = (piece.high - piece.low) / _CELLS
    edges = [ball(piece.low + width * j) for j in range(_CELLS + 1)]
    weights, angles = [], []
    for a, b in pairwise(edges):
        x = acb(a.union(b), height)
        loss = piece.loss(x)
        angle = loss.imag.lower()
        if not surely_at_most(0, angle):
            return None
        weights.append((b - a) * (piece.log_weight(x) + tilt * loss).real.exp().upper())
        angles.append(angle)
    return weights, angles
