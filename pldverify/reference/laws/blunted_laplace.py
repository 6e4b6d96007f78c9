r"""Loss of blunted Laplace noise, moved by c: what choices by noisy scores are dominated by.

The density is :math:`f = \kappa e^{g}`, g even, 0 up to w, then falling with slopes :math:`\sigma_k` along
lengths :math:`\ell_k`, then with the slope 1 (:mod:`pldverify.mechanisms.selection`), so that a tail has the
mass of f at its corner.

The loss :math:`g(x - c) - g(x)` rises with x, as g is concave, and is linear between the corners of both,
which are rational, as it is there: where it is flat it is an atom, beyond the last corners ±c, and elsewhere
a density that is an exponential of the loss. Both directions coincide, as f is even.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.memory import remembered
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.piece import Piece

_WIDTH = Fraction(1)
"""Half-width of a panel, in nats of the loss; any value is right."""


class Cell(NamedTuple):
    """``length`` of x between two corners: of log(f/κ) under P and Q at both ends."""

    length: Fraction
    first: tuple[Fraction, Fraction]
    second: tuple[Fraction, Fraction]

    @property
    def losses(self) -> tuple[Fraction, Fraction]:
        (p, p_end), (q, q_end) = self.first, self.second
        return p - q, p_end - q_end


class Row(NamedTuple):
    """A cell with its losses, and the masses under P and Q of all that is beyond it."""

    low: Fraction
    high: Fraction
    cell: Cell
    first: arb
    second: arb


@dataclass(frozen=True)
class BluntedLaplaceLaw(SmoothLaw):
    """``shift`` is c > 0; ``flat`` is w, and ``bends`` are all (σ, ℓ), σ < 1 rising; exact."""

    shift: Fraction
    flat: Fraction
    bends: tuple[tuple[Fraction, Fraction], ...]

    @property
    def largest_finite_loss(self) -> Fraction:
        return self.shift

    def corners(self) -> list[tuple[Fraction, Fraction]]:
        """(x, g) from w on."""
        rows = [(self.flat, Fraction(0))]
        for slope, length in self.bends:
            x, g = rows[-1]
            rows.append((x + length, g - slope * length))
        return rows

    def cells(self) -> list[Cell]:
        """From the first corner of all to the last, in x and in the loss."""
        half = self.corners()
        known = [(-x, g) for x, g in reversed(half)] + half
        ends = sorted({x + y for x, _ in known for y in (Fraction(0), self.shift)})
        logs = [[_log(known, x - y) for x in ends] for y in (self.shift, Fraction(0))]
        rows = zip(pairwise(ends), *map(pairwise, logs), strict=True)
        return [Cell(b - a, first, second) for (a, b), first, second in rows]

    def height(self) -> arb:
        """κ."""
        half = pairwise(self.corners())
        bends = sum((_integral(b - a, start, end) for (a, start), (b, end) in half), arb(0))
        return 1 / (2 * (ball(self.flat) + bends + self.beyond()))

    def beyond(self) -> arb:
        """The mass of a tail, in units of κ."""
        return ball(self.corners()[-1][1]).exp()

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if s <= -self.shift:
            return arb(1), arb(1)
        if s > self.shift:
            return arb(0), arb(0)
        height, rows = _rows(self, ctx.prec)
        low, high, cell, *beyond = next(row for row in rows if s <= row.high)
        left = (high - s) / (high - low) if low < s else Fraction(1)
        first, second = (
            height * (mass + _integral(left * cell.length, end - left * (end - start), end))
            for mass, (start, end) in zip(beyond, (cell.first, cell.second), strict=True)
        )
        return first, second

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """At θ alone it is exact."""
        if count:
            return super().on_line(theta, step, count)
        c = self.shift
        whole = self.beyond() * (ball(theta * c).exp() + ball(-(1 + theta) * c).exp())
        for length, *sides in self.cells():
            start, end = ((1 + theta) * p - theta * q for p, q in zip(*sides, strict=True))
            whole += _integral(length, start, end)
        return [acb(self.height() * whole)]

    def points(self) -> list[tuple[arb, arb]]:
        c, tail = self.shift, self.beyond()
        rows = [(c, tail), (-c, tail * ball(-c).exp())]
        for cell in self.cells():
            low, high = cell.losses
            if low == high:
                rows.append((low, _integral(cell.length, *cell.first)))
        return [(ball(loss), self.height() * mass) for loss, mass in rows]

    def pieces(self, theta: Fraction) -> list[Piece]:
        return [self._piece(cell) for cell in self.cells() if cell.losses[0] < cell.losses[1]]

    def _piece(self, cell: Cell) -> Piece:
        (low, high), (start, end) = cell.losses, cell.first
        rate = (end - start) / (high - low)
        log = (self.height() * ball(cell.length / (high - low))).log() + ball(start - rate * low)

        def log_weight(s: acb) -> acb:
            return ball(rate) * s + log

        return Piece(low, high, log_weight, lambda s: s, lambda s: arb(1), _WIDTH, Fraction(1))

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return arb(0)


@remembered(16)
def _rows(law: BluntedLaplaceLaw, prec: int) -> tuple[arb, list[Row]]:
    """κ and all cells, from the least losses on, at the working precision ``prec``."""
    first, second = law.beyond(), law.beyond() * ball(-law.shift).exp()
    rows = []
    for cell in reversed(law.cells()):
        rows.append(Row(*cell.losses, cell, first, second))
        first += _integral(cell.length, *cell.first)
        second += _integral(cell.length, *cell.second)
    return law.height(), rows[::-1]


def _log(corners: list[tuple[Fraction, Fraction]], x: Fraction) -> Fraction:
    """g at ``x``."""
    (first, outside), *_, (last, _) = corners
    if not first < x < last:
        return outside - max(first - x, x - last)
    (a, start), (b, end) = next(pair for pair in pairwise(corners) if x <= pair[1][0])
    return end + (start - end) * (b - x) / (b - a)


def _integral(length: Fraction, start: Fraction, end: Fraction) -> arb:
    """Of the exponential of what goes from one log to the other on a straight line."""
    if start == end:
        return ball(length) * ball(start).exp()
    return ball(length / (end - start)) * ball(start).exp() * ball(end - start).expm1()
