r"""The parts engine: δ and the tail are linear in the measure, so that a composition is a sum of rows.

Let A be the sum of the losses that are split, B that of the rest, independent of it, and g the finite part of
δ or of the tail of B, which another engine encloses. Then that of A + B is :math:`E[g(\epsilon - A)]`, and
over a row, a part of A of masses p and q between the losses a and b,

.. math:: p\,g(\epsilon - a) \le E[g(\epsilon - A)] \le p\,g(\epsilon - b),

as g falls; g is 0 at +∞ and B's finite mass at −∞.

* **Finitely many losses** A: one row for each sum (``closed/atoms.py``), from one end of its ball to the
  other; nothing is lost where the sum is rational.
* **One loss** A, cut into cells, and δ: :math:`G(x) = g(\epsilon + \log x)` is convex (it is
  :math:`\sup_E P(E) - x e^\epsilon Q(E)` over events of finite loss), and :math:`x = e^{-A}` has in a cell
  the mean :math:`\bar x = q/p`. So by Jensen's inequality, and as G lies below its chord,

  .. math:: p\,G(\bar x) \le E[G(e^{-A})] \le \frac{(p x_a - q)\,G(x_b) + (q - p x_b)\,G(x_a)}{x_a - x_b},
     \qquad x_a = e^{-a}, x_b = e^{-b} .

  What is lost is of second order in the width of the cells; of a tail, which needn't be convex, of first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from pldverify.balls import arb
from pldverify.balls.ball import ball, clamped, lower, upper, working
from pldverify.balls.clock import paced, spend
from pldverify.errors import NoConvergence
from pldverify.reference.engines.closed.atoms import Half
from pldverify.reference.engines.evaluator import Evaluator, Quantity, Work, evaluator
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.law import Law, with_tails


class Row(NamedTuple):
    """A part of A: losses from ``low`` to ``high``, None where there is no end; its P-mass, and its Q-mass
    in a cell.
    """

    low: Fraction | None
    high: Fraction | None
    first: arb
    second: arb | None = None


@dataclass(frozen=True)
class Parameters:
    """Exact parameters, chosen by the search.

    Attributes:
        split: the losses A.
        rest: how g is enclosed.
        cuts: rising ends of cells of the one loss A; none where A has finitely many losses.
        pieces: equal parts that each cell between two cuts is cut into.
        bits: precision.
    """

    split: Factors
    rest: Work
    cuts: tuple[Fraction, ...]
    pieces: int
    bits: int


class Parts(Evaluator):
    """δ or the tail, row by row."""

    engine = "parts"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if (
            ComposedLoss(p.split + p.rest.loss.factors).counts() != loss.counts()
            or p.rest.quantity != quantity
        ):
            raise NoConvergence("parts: the two parts are not the composition")
        self._rest = evaluator(p.rest)
        with working(p.bits):
            self.rows = cells(p.split, p.cuts, p.pieces) if p.cuts else sums(p.split)

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            whole = self.parameters.rest.loss.finite_mass()
            g = cache(lambda loss: self._rest.value(epsilon - loss))
            total, convex = arb(0), self.quantity == "delta"
            for row in self.rows:
                spend()
                total += enclosed(row, g, whole, convex)
            return clamped(total)

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        return {"cells and rounding": self.value(epsilon).rad()}


def sums(split: Factors) -> list[Row]:
    """A row for each sum of finitely many losses, at the working precision. Raises NotSupported."""
    rows = []
    for loss, mass, exact in Half(split).sums:
        low, high = (lower(loss), upper(loss)) if exact is None else (exact, exact)
        rows.append(Row(Fraction(low), Fraction(high), mass))
    return rows


def cells(split: Factors, cuts: tuple[Fraction, ...], pieces: int) -> list[Row]:
    """The cells of one loss between and beyond the ``cuts``, at the working precision. Raises
    NoConvergence.
    """
    if ComposedLoss(split).steps != 1 or pieces < 1 or any(b <= a for a, b in pairwise(cuts)):
        raise NoConvergence("parts: cells are at least one piece each of one loss, between cuts that rise")
    law, ends = split[0][0], [None, *finer(cuts, pieces), None]
    masses = [beyond(law, cut) for cut in paced(ends[:-1])]
    return [cell(*pair, *of) for pair, of in zip(pairwise(ends), pairwise([*masses, NONE]), strict=True)]


def finer(cuts: Sequence[Fraction], pieces: int) -> list[Fraction]:
    """The cuts, and those that divide each cell into equal ``pieces``."""
    between = [a + i * (b - a) / pieces for a, b in pairwise(cuts) for i in range(pieces)]
    return [*between, cuts[-1]]


Masses = tuple[arb, arb]
NONE = (arb(0), arb(0))
"""No mass of P, and none of Q."""


def beyond(law: Law, cut: Fraction | None) -> Masses:
    """P- and Q-mass of the finite losses from the ``cut`` on; without a cut all of P, and 1 for Q."""
    if cut is None:
        return ComposedLoss(((law, 1),)).finite_mass(), arb(1)
    return with_tails(law).tails(cut)


def cell(low: Fraction | None, high: Fraction | None, above_low: Masses, above_high: Masses) -> Row:
    """The losses from ``low`` up to ``high``."""
    first, second = (a - b for a, b in zip(above_low, above_high, strict=True))
    return Row(low, high, first.max(arb(0)), second.max(arb(0)))


def enclosed(row: Row, g: Callable[[Fraction], arb], whole: arb, convex: bool) -> arb:
    """Ball around E[g(ε − A)] over a row, of ``g``: a ↦ g(ε − a), which is ``whole`` at ∞; whether G is
    ``convex``.
    """
    if row.low is not None and row.low == row.high:
        return row.first * g(row.low)
    least = arb(0) if row.low is None else g(row.low)
    most = whole if row.high is None else g(row.high)
    if row.second is None or not convex:
        return row.first * least.lower().union(most.upper())
    return _convex(row, row.second, g, least, most)


def _convex(row: Row, second: arb, g: Callable[[Fraction], arb], least: arb, most: arb) -> arb:
    """The same in a cell, G being convex."""
    first = row.first
    low = first * least
    mean = (first / second).log()
    if mean.is_finite():
        inside = Fraction(lower(mean)) if row.low is None else max(row.low, Fraction(lower(mean)))
        low = first * g(inside)
    high = first * most
    if row.low is not None:
        right = (-ball(row.low)).exp()
        left = arb(0) if row.high is None else (-ball(row.high)).exp()
        chord = ((first * right - second) * most + (second - first * left) * least) / (right - left)
        high = high.min(chord) if chord.is_finite() else high
    return low.lower().union(high.upper())
