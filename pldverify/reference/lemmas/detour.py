r"""Decay of a characteristic function from a detour through the complex plane, around one piece.

For :math:`\int_a^b g e^{(\theta+iv)\ell}` with log g and ℓ analytic on the rectangle between [a, b] and
[a, b] + ih the path may go from a to a + ih, along to b + ih, and down to b. Where Im ℓ ≥ 0 on all of it,
every cell of the path adds, for all v ≥ u ≥ 0 at once, at most

.. math:: |\text{cell}| \sup |g e^{\theta\ell}|\, e^{-u \inf \mathrm{Im}\,\ell} .

Upright cells shrink towards the real axis, as Im ℓ does there: they add C/u. Im ℓ ≥ 0 also where h Re ℓ' ≥ 0
all the way up from the axis, on which ℓ is real: that settles the lowest cells, and those far out, where ℓ
hardly moves. **Analytic** is what the functions say of themselves: a value on a box is finite only if the
function is analytic there, and boxes cover the rectangle.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_at_most
from pldverify.reference.lemmas.piece import Piece

Cells = list[tuple[arb, arb]]
"""(weight, angle) each."""
_CELLS = 60
"""Cells along the detour; any value is right: few cells cost size."""
_HALVINGS = 4
"""How often a cell may be halved where Im ℓ ≥ 0 is not proved; any value is right: few lose the detour."""
_UPRIGHT = 40
"""Cells of an upright part, each 3/4 as long as the one above it; any value is right: few cells cost size."""


@dataclass(frozen=True)
class _Way:
    """One detour around ``piece`` at ``height``; ``derivative`` is ℓ', ``tilt`` θ."""

    piece: Piece
    derivative: Callable[[acb], acb]
    tilt: arb
    height: Fraction

    def cell(self, x: acb, length: arb, down: acb) -> Cells | None:
        """Weight and angle of a cell; ``down`` covers what is between it and the axis."""
        spend()
        loss = self.piece.loss(x)
        log = (self.piece.log_weight(x) + self.tilt * loss).real
        if not (log.is_finite() and loss.is_finite()):
            return None
        angle = loss.imag.lower()
        if not surely_at_most(0, angle):
            if not surely_at_most(0, self.derivative(down).real * ball(self.height)):
                return None
            angle = arb(0)
        return [(length * log.exp().upper(), angle)]

    def along(self, low: Fraction, high: Fraction, halvings: int) -> Cells | None:
        """Cells at the height from ``low`` to ``high``."""
        across, top = ball(low).union(ball(high)), ball(self.height)
        down = acb(across, arb(0).union(top))
        if self.piece.loss(down).is_finite() and self.piece.log_weight(down).is_finite():
            found = self.cell(acb(across, top), ball(high - low), down)
            if found is not None:
                return found
        if not halvings:
            return None
        middle = (low + high) / 2
        left = self.along(low, middle, halvings - 1)
        right = None if left is None else self.along(middle, high, halvings - 1)
        return None if left is None or right is None else left + right

    def upright(self, x: Fraction) -> Iterator[Cells | None]:
        """Cells between the axis at x and the height."""
        levels = [self.height * Fraction(3, 4) ** j for j in range(_UPRIGHT)] + [Fraction(0)]
        for a, b in pairwise(levels):
            cell = acb(ball(x), ball(a).union(ball(b)))
            yield self.cell(cell, ball(abs(a - b)), acb(ball(x), arb(0).union(ball(a))))


def detour(
    piece: Piece, derivative: Callable[[acb], acb], tilt: arb, height: Fraction
) -> tuple[list[arb], list[arb]] | None:
    """Weights and angles along the detour at ``height``, which has the sign of ℓ' on [a, b].

    None where ℓ or log g is not proved to be analytic, or Im ℓ to be ≥ 0. Assumes that a value of
    ``piece.loss`` or ``piece.log_weight`` on a box is finite only if the function is analytic there, and that
    ``derivative`` is ℓ' wherever it is finite.
    """
    if not piece.low < piece.high:
        return None
    way, step = _Way(piece, derivative, tilt, height), (piece.high - piece.low) / _CELLS
    joints = [piece.low + step * j for j in range(_CELLS)] + [piece.high]
    rows: list[tuple[arb, arb]] = []
    across = (way.along(a, b, _HALVINGS) for a, b in pairwise(joints))
    for found in chain(across, way.upright(piece.low), way.upright(piece.high)):
        if found is None:
            return None
        rows += found
    return [weight for weight, _ in rows], [angle for _, angle in rows]
