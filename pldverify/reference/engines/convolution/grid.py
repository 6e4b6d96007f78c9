r"""The grid engine: works for every law with distribution functions; second order on both sides.

Cut the losses of one step into cells [a, b) with end points on the grid hZ. With the cell's P-mass p and
Q-mass q, both from ``law.tails``:

* **Upper** ("connect the dots", Doroshenko et al. 2022): the mass goes to the two end points,
  :math:`(q e^b - p)/(e^{b-a} - 1)` to a and the rest to b, which keeps p and q. As
  :math:`(1 - e^{\epsilon-s})_+` is convex in :math:`e^{-s}`, δ only grows, at every ε: the grid pair
  dominates, and so do its compositions. Losses below the first edge move up to it, which grows δ too; those
  above the last edge are a cell that ends at +∞.
* **Lower**: the output is replaced by an index of its cell, any index, here log(p/q)/h rounded; outputs of
  a composition by the sum of the indices. That is post-processing, so :math:`P_k(A) - e^\epsilon Q_k(A)` is a
  lower bound for every set A of indices of the k losses.

Both errors are of order :math:`k E[w^2 r(\epsilon - S)]`, w the width of the cell of S and r the density of
the sum of the other losses, so cells are wide where mass or curvature is small.

**Sums** are taken on a circle of n indices, in doubles (``balls/doubles.py``): by one Fourier transform there
and back, whatever k is; or in integers, where δ is too small beside all tilted mass. P is tilted by
:math:`e^{\theta s}`, Q by :math:`e^{(\theta+1)s}`: a tiny δ keeps its relative accuracy. Tilted, P and Q of
the lower bound hardly differ, and 1 − e^{ε−s} is small if losses are: their difference has sums of its own,
so that little is lost when one is taken from the other. Masses are rounded to their safe side, at least 0. A
sum outside of the window of n indices comes back at another one. That adds mass to all three measures; from
the lower bound's P it is taken again: if A begins at a, at most the tilted mass below the window and from
a + n on, times e^{−θah}. The upper bound counts what lies above the window as +∞. Chernoff's bound, from the
grid masses, tells these amounts.

θ, h, the cells and the window come from float searches (``search/grid.py``): they cost width, never truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from pldverify.balls import arb
from pldverify.balls.ball import ball, clamped, nearest, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_less
from pldverify.balls.integers import MAX_LOG_SIZE, IntegerCircle, Rounding, convolved_integers
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.anchored import anchored
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Law, with_tails

if TYPE_CHECKING:
    from pldverify.balls.doubles import Circle  # loads numpy

    AnyCircle = Circle | IntegerCircle

PREC = 160
"""Precision, in bits, of masses and bounds; any value is right: a poor one costs width."""
MAX_BITS = 20_000
"""Cap on the bits of a mass where sums are taken in integers; it bounds memory."""
Masses = dict[int, arb]
"""Mass by index."""


@dataclass(frozen=True)
class Cells:
    """The cells of one law.

    Attributes:
        edges: their ends, in steps.
        shift: log of a scale for the tilted masses.
    """

    edges: tuple[int, ...]
    shift: Fraction


@dataclass(frozen=True)
class Parameters:
    """Exact parameters, chosen by the search.

    Attributes:
        theta: tilt of the masses.
        step: h.
        cells: those of each law.
        first: first index of the window.
        log_size: m, of a window of n = 2^m indices.
        below, above: tilts, one on each side of θ, that bound what comes back from outside of the window.
        top: a tilt > 0 that bounds what lies above it.
        bits: precision of sums in integers; 0 for doubles.
    """

    theta: Fraction
    step: Fraction
    cells: tuple[Cells, ...]
    first: int
    log_size: int
    below: Fraction
    above: Fraction
    top: Fraction
    bits: int = 0


@dataclass(frozen=True)
class Single:
    """One law on the grid: P of the dominating pair, its mass at +∞, and P and Q of the lower bound."""

    upper: Masses
    overflow: arb
    low_p: Masses
    low_q: Masses


class Grid(Evaluator):
    """δ of one composed loss for ε near the one that the parameters were chosen for."""

    engine = "grid"
    quantities = ("delta",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if p.step <= 0 or any(a >= b for row in p.cells for a, b in pairwise(row.edges)):
            raise NoConvergence("grid: cells must have increasing ends")
        if not p.below < p.theta < p.above or p.theta <= 0 or p.top <= 0:
            raise NoConvergence("grid: tilts must be above 0, with one on each side of θ")
        if not 0 <= p.log_size <= MAX_LOG_SIZE or not 0 <= p.bits <= MAX_BITS:
            raise NoConvergence(
                f"grid: 2^{p.log_size} points of {p.bits} bits (caps 2^{MAX_LOG_SIZE}, {MAX_BITS})"
            )
        largest = max(p.theta, p.step, 1 / p.step)
        if not loss.factors or abs(p.first) > 2**60 or largest > 10**15 or (p.theta + 1) * p.step > 500:
            raise NoConvergence("grid: nothing is asked, or beyond the range of floats")
        moved, self.offset = centred(loss)
        if len(p.cells) != len(moved.factors) or any(len(row.edges) < 2 for row in p.cells):
            raise NoConvergence("grid: cells for every law are needed")
        self.last = p.first + (1 << p.log_size)
        counts = [k for _, k in moved.factors]
        with working(PREC):
            ones = [
                single(law, cells.edges, p.step)
                for (law, _), cells in zip(moved.factors, p.cells, strict=True)
            ]
            upper, low_p, low_q = zip(*((one.upper, one.low_p, one.low_q) for one in ones), strict=True)
            self.shift = sum((k * cells.shift for k, cells in zip(counts, p.cells, strict=True)), Fraction(0))
            self.upper, self.low_q, self.low_more = self._circles(upper, low_p, low_q, counts)
            gone = self._sent_up([one.overflow for one in ones], moved)
            self.overflow = gone + self._moment(upper, counts, p.top) * self._tilted(-p.top, self.last)
            self.low_moments = {tilt: self._moment(low_p, counts, tilt) for tilt in (p.below, p.above)}

    def _sent_up(self, overflows: list[arb], loss: ComposedLoss) -> arb:
        """Upper bound of the P-mass of sums with a loss that was sent to +∞: by a union bound, or exactly."""
        most, whole, kept = arb(0), arb(1), arb(1)
        for overflow, (law, k) in zip(overflows, loss.factors, strict=True):
            finite = ball(1 - law.infinite_mass)
            most, whole, kept = (
                most + k * overflow,
                whole * finite**k,
                kept * (finite - overflow).lower().max(arb(0)) ** k,
            )
        return most.min(whole - kept).upper()

    def _circles(
        self, upper: Sequence[Masses], low_p: Sequence[Masses], low_q: Sequence[Masses], counts: list[int]
    ) -> "tuple[AnyCircle, AnyCircle, AnyCircle]":
        """Sums of tilted masses: P of the upper bound; Q of the lower one, and by how much P exceeds it."""
        from pldverify.balls.doubles import Row, convolved, differences, placed

        p = self.parameters
        high, first = self._tilted_rows(upper, p.theta), self._tilted_rows(low_p, p.theta)
        second = self._tilted_rows(low_q, p.theta + 1)

        def integers(rows: list[Masses], rounding: Rounding) -> IntegerCircle:
            factors = [(masses.items(), k) for masses, k in zip(rows, counts, strict=True)]
            return convolved_integers(factors, p.log_size, p.bits, rounding)

        def vectors(rows: list[Masses], rounding: Rounding, beside: list[Row] | None = None) -> list[Row]:
            others = [None] * len(rows) if beside is None else [row.values for row in beside]
            return [
                Row(placed(masses.items(), p.log_size, rounding, other), k)
                for masses, other, k in zip(rows, others, counts, strict=True)
            ]

        if p.bits:
            below = integers(second, "up")
            return integers(high, "up"), below, integers(first, "down").less(below)
        base = vectors(second, "up")
        return convolved(vectors(high, "up")), *differences(base, vectors(first, "down", base))

    def _tilted_rows(self, rows: Sequence[Masses], tilt: Fraction) -> list[Masses]:
        """Each in units of its shift."""
        rate, cells = ball(tilt * self.parameters.step), self.parameters.cells
        return [
            {g: mass * (rate * g - ball(one.shift)).exp() for g, mass in paced(masses.items())}
            for masses, one in zip(rows, cells, strict=True)
        ]

    def _moment(self, rows: Sequence[Masses], counts: list[int], tilt: Fraction) -> arb:
        """Upper bound of Π (Σ mass · e^{tilt · s})^k."""
        product, rate = arb(1), ball(tilt * self.parameters.step)
        for masses, k in zip(rows, counts, strict=True):
            one = sum((mass * (rate * g).exp() for g, mass in paced(masses.items())), arb(0))
            product *= one.upper().max(arb(0)) ** k  # no power of a ball around 0
        return product.upper()

    def _tilted(self, tilt: Fraction, index: int) -> arb:
        return ball(tilt * index * self.parameters.step).exp()

    def _come_back(self, start: int) -> arb:
        """Upper bound of the tilted P-mass of the lower bound that comes back from ``start`` on."""
        p = self.parameters
        places = {p.below: p.first, p.above: start + len(self)}
        rows = (m * self._tilted(p.theta - tilt, places[tilt]) for tilt, m in self.low_moments.items())
        return sum(rows, arb(0))

    def __len__(self) -> int:
        return 1 << self.parameters.log_size

    def value(self, epsilon: Fraction) -> arb:
        with working(PREC):
            low, high = self.bounds(epsilon)
            if surely_less(high, low):
                raise OracleDisagreement(f"grid: lower bound {low} above upper bound {high}")
            return clamped(low.union(high), self.loss.finite_mass())

    def bounds(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Lower and upper bound of the finite part of δ(ε)."""
        p, last = self.parameters, self.last
        with working(PREC):
            epsilon -= self.offset
            growth, unit = ball(epsilon).exp(), ball(self.shift).exp()
            start = min(epsilon // p.step + 1, last)
            high = arb(1)  # below the window, losses that count are not on the circle
            if start >= p.first:
                part = growth * self._tilted(Fraction(-1), start)
                high = unit * self._sum(self.upper, start, part)
                high += self.overflow
            chosen = self._threshold(epsilon)
            part = growth * self._tilted(Fraction(-1), chosen)
            low = unit * (self._sum(self.low_more, chosen) + self._sum(self.low_q, chosen, part))
            low -= self._come_back(chosen) * self._tilted(-p.theta, chosen)
            return (
                low.lower().max(arb(0)) if low.is_finite() else arb(0),
                high.upper().min(arb(1)) if high.is_finite() else arb(1),
            )

    def _sum(self, circle: "AnyCircle", start: int, part: arb | None = None) -> arb:
        """Sum of the untilted masses from index ``start`` on, in units of e^shift.

        With ``part`` each mass has the weight 1 − part · e^{−s}, s its loss minus that of ``start``.
        """
        step, tilt = ball(self.parameters.step), self.parameters.theta
        found = circle.weigh(start, self.last, ball(tilt) * step, None if part is None else (part, step))
        return found * self._tilted(-tilt, start)

    def _threshold(self, epsilon: Fraction) -> int:
        """Index from which P outweighs e^ε Q, nearly: any index is right."""
        from pldverify.balls.doubles import crossing

        p = self.parameters
        centre, reach = epsilon // p.step, 20 + min(self.loss.steps // 2, 50_000)
        low = max(p.first, min(centre - reach, self.last))
        high = max(p.first, min(centre + reach, self.last))
        more, second = (circle.floats(low, high) for circle in (self.low_more, self.low_q))
        first = [a + b for a, b in zip(more, second, strict=True)]
        at = max(Fraction(-(10**9)), min(epsilon, Fraction(10**9)))
        return crossing(first, second, low, p.step, p.theta, at)

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        low, high = self.bounds(epsilon)
        return {"discretisation, window and rounding": high - low}


def single(law: Law, edges: tuple[int, ...], h: Fraction) -> Single:
    """One law on the grid of step h."""
    first, last = edges[0], edges[-1]
    finite = ball(1 - law.infinite_mass)
    upper: Masses = {}
    low_p: Masses = {}
    low_q: Masses = {}

    def add(masses: Masses, index: int, mass: arb) -> None:
        masses[index] = masses[index] + mass if index in masses else mass

    grid, unit, rises = on_grid(law, h), ball(h), dict[int, arb]()
    ends = [grid.at(edge) for edge in edges]
    add(upper, first, finite - ends[0][0])  # below the first edge: moved up to it
    for (a, b), (above, beyond) in zip(pairwise(edges), pairwise(ends), strict=True):
        p, q = above[0] - beyond[0], above[1] - beyond[1]
        if b - a not in rises:
            rises[b - a] = (unit * (b - a)).expm1()
        left = ((q * (unit * b).exp() - p) / rises[b - a]).max(arb(0))
        add(upper, a, left)
        add(upper, b, (p - left).max(arb(0)))
        index = _index(p, q, unit, first, last)
        add(low_p, index, p)
        add(low_q, index, q)
    top_p, top_q = ends[-1]
    add(low_p, last, top_p)
    add(low_q, last, top_q)
    left = (top_q * (unit * last).exp()).min(top_p).max(arb(0))  # of the last cell, which ends at +∞
    add(upper, last, left)
    return Single(upper, (top_p - left).max(arb(0)).upper(), low_p, low_q)


class OnGrid:
    """(P(S ≥ s), Q(S ≥ s)) of a law at s = i · ``step``, at the precision of the engine."""

    def __init__(self, law: Law, step: Fraction) -> None:
        power = _twos(step.numerator) - _twos(step.denominator)
        self._tails, self._power = _tails(law, step / Fraction(2) ** power), power

    def at(self, index: int) -> tuple[arb, arb]:
        """Remembered for all steps that differ by a power of 2, as the search asks for most of them first."""
        twos = _twos(index)
        return self._tails.at(index >> twos, self._power + twos if index else 0)


class _Tails:
    """(P(S ≥ s), Q(S ≥ s)) of a law at s = odd · 2^power · ``unit``."""

    def __init__(self, law: Law, unit: Fraction) -> None:
        self.law, self.unit = with_tails(law), unit

    @remembered(200_000)
    def at(self, odd: int, power: int) -> tuple[arb, arb]:
        spend()
        with working(PREC):
            return self.law.tails(odd * self.unit * Fraction(2) ** power)


@remembered(2_000)
def on_grid(law: Law, step: Fraction) -> OnGrid:
    """The tails of a law on a grid; remembered, so that the law is hashed once, not for every index."""
    return OnGrid(law, step)


@remembered(2_000)
def _tails(law: Law, unit: Fraction) -> _Tails:
    return _Tails(law, unit)


def _twos(number: int) -> int:
    """How often 2 divides a number that is not 0."""
    return (number & -number).bit_length() - 1 if number else 0


def _index(p: arb, q: arb, step: arb, first: int, last: int) -> int:
    """log(p/q) in steps, kept within the window; any index is allowed."""
    if not surely_less(0, p.mid()):
        return first
    if not surely_less(0, q.mid()):
        return last
    return min(last, max(first, nearest((p.mid() / q.mid()).log() / step)))


def centred(product: ComposedLoss) -> tuple[ComposedLoss, Fraction]:
    """Every law seen from its anchor, and the sum of the anchors."""
    factors = tuple((anchored(law), k) for law, k in product.factors)
    return ComposedLoss(factors), sum((k * law.anchor for law, k in factors), Fraction(0))
