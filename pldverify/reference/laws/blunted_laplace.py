r"""Loss of blunted Laplace noise, moved by c: what choices by noisy scores are dominated by.

The density is :math:`f = \kappa e^{g}`, g even, 0 up to w, then falling with slopes :math:`\sigma_k` along
lengths :math:`\ell_k`, then with the slope 1 (:mod:`pldverify.mechanisms.selection`), so that a tail has the
mass of f at its corner.

The loss :math:`g(x - c) - g(x)` rises with x, as g is concave, and is linear between the corners of both,
which are rational, as it is there: where it is flat it is an atom, beyond the last corners ±c, and elsewhere
a density that is an exponential of the loss. Both directions coincide, as f is even. So :math:`E e^{zS}` is a
sum of :math:`\int e^{u(x)} dx`, u linear: the length times :math:`e^m \sinh(d)/d`, with m the mean of u and d
half of what it grows by. **Decay**: on a part of a cell a tilted density is at least as large as at one end.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.clock import paced
from pldverify.balls.memory import remembered
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.layers import Layers

_PARTS = 100
"""Parts of a cell, for the decay; any number is right, few cost size."""


class Cell(NamedTuple):
    """``length`` of x between two corners, and at both of them the loss and the log of f/κ under P."""

    length: Fraction
    low: Fraction
    high: Fraction
    start: Fraction
    end: Fraction


class Row(NamedTuple):
    """A cell, and 1/κ times the masses under P and Q of all that is beyond it."""

    cell: Cell
    first: arb
    second: arb


@dataclass(frozen=True)
class BluntedLaplaceLaw:
    """``shift`` is c > 0; ``flat`` is w, and ``bends`` are all (σ, ℓ), σ < 1 rising; exact."""

    shift: Fraction
    flat: Fraction
    bends: tuple[tuple[Fraction, Fraction], ...]
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> Fraction:
        return self.shift

    def kinks(self) -> list[tuple[Fraction, Fraction]]:
        """Where g turns, x > 0, or at 0, and by how much its slope falls there."""
        places = accumulate((length for _, length in self.bends), initial=self.flat)
        slopes = pairwise((Fraction(0), *(slope for slope, _ in self.bends), Fraction(1)))
        return [(x, after - before) for x, (before, after) in zip(places, slopes, strict=True)]

    def log(self, x: Fraction) -> Fraction:
        """g."""
        return -sum((turn * max(abs(x) - place, Fraction(0)) for place, turn in self.kinks()), Fraction(0))

    def cells(self) -> list[Cell]:
        """From the first corner of all to the last, in x and in the loss."""
        known = [side * x for x, _ in self.kinks() for side in (-1, 1)]
        ends = sorted({x + y for x in known for y in (Fraction(0), self.shift)})
        logs = [self.log(x - self.shift) for x in ends]
        losses = [p - self.log(x) for p, x in zip(logs, ends, strict=True)]
        rows = zip(pairwise(ends), pairwise(losses), pairwise(logs), strict=True)
        return [Cell(b - a, *loss, *log) for (a, b), loss, log in rows]

    def beyond(self) -> arb:
        """The mass of a tail, in units of κ."""
        return ball(self.log(self.kinks()[-1][0])).exp()

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if s <= -self.shift:
            return arb(1), arb(1)
        if s > self.shift:
            return arb(0), arb(0)
        height, rows = _rows(self, ctx.prec)
        (length, low, high, start, end), first, second = next(row for row in rows if s <= row.cell.high)
        left = (high - s) / (high - low) if low < s else Fraction(1)
        part = Cell(left * length, high - left * (high - low), high, end - left * (end - start), end)
        return height * (first + moment(part, 0).real), height * (second + moment(part, -1).real)

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        (height, rows), c, tail = _rows(self, ctx.prec), ball(self.shift), self.beyond()
        cells = [[ball(x) for x in row.cell] for row in rows]
        values = []
        for j in paced(range(count + 1)):
            z = acb(ball(theta), ball(step * j))
            ends = tail * ((z * c).exp() + (-(1 + z) * c).exp())
            values.append(height * sum((moment(cell, z) for cell in cells), ends))
        return values

    def decay(self, theta: Fraction) -> Decay:
        height, rows = _rows(self, ctx.prec)
        scale, edges, heights = height / self.on_line(theta, Fraction(0), 0)[0].real, list[arb](), list[arb]()
        parts = [Fraction(j, _PARTS) for j in range(_PARTS + 1)]
        for length, low, high, start, end in (row.cell for row in rows if row.cell.low < row.cell.high):
            first, grown = start + theta * low, end - start + theta * (high - low)
            ends = [scale * ball(length / (high - low)) * ball(first + x * grown).exp() for x in parts]
            edges = [*edges[:-1], *(ball(low + x * (high - low)) for x in parts)]
            heights += [a.min(b) for a, b in pairwise(ends)]
        return Decay(Layers.under(edges, heights))


@remembered(16)
def _rows(law: BluntedLaplaceLaw, prec: int) -> tuple[arb, list[Row]]:
    """κ and all cells, from the least losses on, at the working precision ``prec``."""
    first, second = law.beyond(), law.beyond() * ball(-law.shift).exp()
    rows = []
    for cell in reversed(law.cells()):
        rows.append(Row(cell, first, second))
        first, second = first + moment(cell, 0).real, second + moment(cell, -1).real
    return 1 / (second + law.beyond()), rows[::-1]


def moment(cell: Iterable[Fraction | arb], z: acb | int) -> acb:
    """1/κ times E e^{zS} of what is in a cell, exact or in balls; for z = 0 and −1 its masses."""
    length, low, high, start, end = map(ball, cell)
    half = (end - start + z * (high - low)) / 2
    return length * (start + z * low + half).exp() * (acb(0, 1) * half).sinc()  # sin(id)/id
