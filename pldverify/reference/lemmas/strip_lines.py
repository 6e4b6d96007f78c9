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

**Ways.** A piece that ends on the real axis, where the integrand does not vanish, takes a way between there
and the line. It is cut into cells too, on which Im ℓ, about ℓ' Im x, makes the integrand fall as well.

**Joints.** Where the integrand goes on in another piece, the ways down and up nearly cancel: a kink makes a
transform fall like 1/u², and not like 1/u. With both integrands e^X and e^Y at the same height,
:math:`|e^X - e^Y| \le e^{\max(\mathrm{Re} X, \mathrm{Re} Y)} \min(2, |X - Y|)` with

.. math:: |X - Y| \le |\log g_1 - \log g_2 + \theta(\ell_1 - \ell_2)| + v |\ell_1 - \ell_2| .

On a cell of angle α, :math:`v e^{-v\alpha}` is at most :math:`u e^{-u\alpha}` where αu ≥ 1, and else
1/(eα).

Proof: Cauchy's theorem; and the path from X to Y is straight. Assumes: g and ℓ analytic in the strip up to
the line, which a piece promises; Im ℓ ≥ 0 between the real axis and the lowest cell of a way; u > 0. Rounds:
up; a line with an angle of unknown sign is left out. Poor lines cost size, never truth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, smallest
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.reference.lemmas.piece import Piece

_CELLS = 400
"""Cells of a line; any value is right: few cells cost size."""
_DOWN = 60
"""Cells on the way down, each 2^{1/3} times as long as the next one; any value is right."""


@dataclass(frozen=True)
class Cell:
    """Length times modulus, and inf Im ℓ; of a joint, suprema of both parts of \\|X − Y\\|, without v."""

    weight: arb
    angle: arb
    gap: tuple[arb, arb] | None = None

    def bound(self, u: arb) -> arb:
        """Bound of the integral over the cell for all v ≥ u."""
        fall, turn = (-u * self.angle).exp(), u * self.angle
        if self.gap is None:
            return self.weight * fall
        if not surely_less(0, self.angle):
            return 2 * self.weight * fall
        steep = u * fall if surely_at_most(1, turn) else 1 / (arb(1).exp() * self.angle)
        return self.weight * (2 * fall).min(self.gap[0] * fall + self.gap[1] * steep)


@dataclass(frozen=True)
class StripLines:
    """The cells of each line, and M(θ) or a bound of it from below."""

    lines: list[list[Cell]]
    mass: arb

    def log_sup(self, u: arb) -> arb:
        """Upper bound of log |M(θ + iv)|/M(θ) over all v ≥ u (its lower end) > 0; at most 0."""
        u, best = u.lower(), arb(0)
        for cells in self.lines:
            spend()
            best = best.min((sum((cell.bound(u) for cell in cells), arb(0)) / self.mass).upper().log())
        return best.upper()


def strip_line(pieces: Sequence[Piece], tilt: arb, height: arb) -> list[Cell] | None:
    """All of pieces that follow on one another: along Im x = ``height`` > 0, the joints between them, and the
    way at the end of the last one if it has a corner there; the first one begins at an open end. None if an
    angle isn't proved to be ≥ 0, or a piece is empty."""
    cells: list[Cell] = []
    for piece in pieces:
        cells += along(piece, tilt, height)
    for left, right in pairwise(pieces):
        cells += ways(left, right, tilt, height)
    if pieces[-1].corners[1]:
        cells += ways(pieces[-1], None, tilt, height)
    proved = all(surely_at_most(0, cell.angle) for cell in cells)
    return cells if proved and all(piece.low < piece.high for piece in pieces) else None


def along(piece: Piece, tilt: arb, height: arb) -> Iterable[Cell]:
    """The cells along Im x = ``height``."""
    spend()
    low, width = ball(piece.low), ball((piece.high - piece.low) / _CELLS)
    edges = [low + width * j for j in range(_CELLS + 1)]
    for a, b in pairwise(edges):
        box = acb(a.union(b), height)
        loss = piece.loss(box)
        size = (piece.log_weight(box) + tilt * loss).real.exp()
        yield Cell(((b - a) * size).upper(), loss.imag.lower())


def ways(left: Piece, right: Piece | None, tilt: arb, height: arb) -> Iterable[Cell]:
    """The cells between Im x = ``height`` and the axis at the end of a piece, where ℓ is real, and at the
    beginning of another one; in the last cell, which touches the axis, that the angle is ≥ 0 is assumed."""
    edges = [height * (-arb(2).log() * j / 3).exp() for j in range(_DOWN)] + [arb(0)]
    ends = [(left, ball(left.high)), *([(right, ball(right.low))] if right is not None else [])]
    for b, a in pairwise(edges):
        boxes = [(piece, acb(x, a.union(b))) for piece, x in ends]
        logs, losses = [p.log_weight(box) for p, box in boxes], [p.loss(box) for p, box in boxes]
        sizes = [(log + tilt * loss).real.exp() for log, loss in zip(logs, losses, strict=True)]
        angle = smallest(loss.imag for loss in losses).lower() if surely_less(0, a) else arb(0)
        gap = None
        if right is not None:
            turn = losses[0] - losses[1]
            gap = abs(logs[0] - logs[1] + tilt * turn).upper(), abs(turn).upper()
        yield Cell(((b - a) * sizes[0].max(sizes[-1])).upper(), angle, gap)
