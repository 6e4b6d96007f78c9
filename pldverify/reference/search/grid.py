"""Search for the tilt, the step, the cells and the windows of a grid, in floats."""

import math
from bisect import bisect
from collections.abc import Callable, Sequence
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import short, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.convolution.grid import (
    MAX_LENGTH,
    PREC,
    Cells,
    Grid,
    Parameters,
    centred,
    joins,
    masses,
)
from pldverify.reference.engines.evaluator import Quantity, Work, evaluator
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.law import Law
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.tilt import saddle

MAX_CELLS = 150_000
"""Cap on the cells of one law: each costs some 20 µs."""
DIGITS = 6.31
"""What the engine aims at, at most: a relative width (twice the radius) of 1e-6 and a little less."""
_BITS = 60
_COARSE_LENGTH = 60_000
"""Grids up to this length may guide the next one."""
_SLACK = math.log(1e8)
"""Windows may cost e^{−_SLACK} of δ."""
_TILTS = (0.03, 0.06, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 40.0, 100.0, 300.0)
Curvature = Callable[[float, float], float]
"""Largest r(ε − s)/δ over s in [a, b], in floats; it decides where cells are narrow."""


def plan_grid(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """A grid whose δ(ε) should have min(digits, 6) digits. Raises NotSupported for tails, NoConvergence.

    Predicted are convolutions on a grid of one step width.
    """
    if quantity != "delta":
        raise NotSupported(f"grid: it encloses δ, and no {quantity}: that error would be of first order")
    moved, offset = centred(product)
    theta, log_value = saddle(moved, Kernel("delta", "upper"), float(epsilon - offset))
    depth, goal = max(0.0, -log_value), 10.0 ** -min(digits + 0.2, DIGITS)
    k, spread = product.steps, max(0.0, cumulant(product, theta)[2])
    width = math.sqrt(8 * spread * (depth + _SLACK + math.log(k)))
    length = width / math.sqrt(5 * goal / k / (theta * theta + theta))
    seconds = 0.01 * len(moved.factors) + 2e-6 * length * math.log2(2 * k)
    return Plan(seconds, lambda: _refined(product, epsilon, theta, depth, goal))


def _refined(product: ComposedLoss, epsilon: Fraction, theta: float, depth: float, goal: float) -> Work:
    """Grid after grid, until the relative width of δ(ε) is at most ``goal``."""
    choice = Choice(product, epsilon, theta, depth, 0.02)
    tolerance = 8 * goal
    coarse = choice
    for _ in range(5):
        grid = choice.grid()
        low, high = grid.bounds(epsilon)
        width = float((high - low) / (high + low)) if surely_less(0, high) else 0.0
        if width <= goal:
            break
        if len(grid) < _COARSE_LENGTH:
            coarse = choice
        else:
            tolerance *= min(0.7, max(0.1, 0.7 * goal / width))
        # the saddle-point value may be far off; what a coarse grid finds is not
        choice = Choice(product, epsilon, theta, max(0.0, -float(high.log())), tolerance, coarse)
    return choice.work


class Choice:
    """Parameters for ε near ``epsilon``, with tilt θ and −log δ ≈ ``depth``.

    Cells are chosen so that Σ k E[w² r(ε − S)]/δ should be at most ``tolerance``.
    """

    def __init__(
        self,
        product: ComposedLoss,
        epsilon: Fraction,
        theta: float,
        depth: float,
        tolerance: float,
        coarse: "Choice | None" = None,
    ) -> None:
        self.product, offset = centred(product)
        self._raw, self.step, self.cells = product, Fraction(0), list[Refining]()
        self.epsilon, self.depth = float(epsilon - offset), depth
        self.theta = short(theta)
        with working(PREC):
            curvatures = [self._curvature(i, coarse) for i in range(len(self.product.factors))]
            share = 0.64 * tolerance / product.steps
            if coarse is None:
                step = math.sqrt(share / (theta * theta + theta))
            else:
                rows = zip(coarse.cells, curvatures, strict=True)
                step = max(min(c.widest(curvature, share) for c, curvature in rows), float(coarse.step) / 200)
            self.step = short(step, 8)
            self.cells = [
                Refining(law, *self._window(((law, 1),)), self.step, curvature)
                for (law, _), curvature in zip(self.product.factors, curvatures, strict=True)
            ]
            for cells in self.cells:
                cells.refine(tolerance / product.steps)
        self.work = self._work(range(len(self.product.factors)))

    def grid(self) -> Grid:
        """The grid of these parameters."""
        return _grid(self.work)

    def _work(self, chosen: Sequence[int], counts: Sequence[int] | None = None) -> Work:
        """The grid of all losses, or of some."""
        counts = counts or [self.product.factors[i][1] for i in chosen]
        moved = tuple((self.product.factors[i][0], k) for i, k in zip(chosen, counts, strict=True))
        raw = tuple((self._raw.factors[i][0], k) for i, k in zip(chosen, counts, strict=True))
        shifts = [short(cumulant(law, float(self.theta))[0], 40) for law, _ in moved]
        cells = tuple(Cells(self.cells[i].edges(), shift) for i, shift in zip(chosen, shifts, strict=True))
        windows = tuple(self._indices(part) for part in joins(moved))
        return Work("grid", ComposedLoss(raw), "delta", Parameters(self.theta, self.step, cells, windows))

    def _indices(self, part: Factors) -> tuple[int, int]:
        low, high = self._window(part)
        first, last = math.floor(low / float(self.step)), math.ceil(high / float(self.step))
        if last - first > MAX_LENGTH:
            raise NoConvergence(f"grid: a sum of losses needs {last - first} steps (cap {MAX_LENGTH})")
        return first, last

    def _curvature(self, i: int, coarse: "Choice | None") -> Curvature:
        """For one loss of law i: from a coarse grid, or as if the other losses had a profile ∝ e^{−θε}."""
        theta = float(self.theta)
        others = [(j, k - (i == j)) for j, (_, k) in enumerate(self.product.factors) if k > (i == j)]
        if coarse is None or not others:
            scale = math.log(theta * theta + theta) - cumulant(self.product.factors[i][0], theta)[0]
            return lambda a, b: math.exp(min(600.0, theta * b + scale))
        return Table(self.epsilon, self.depth, coarse.density(others)).largest

    def density(self, others: list[tuple[int, int]]) -> list[tuple[float, float]]:
        """(y, log density) of the sum of other losses, from the upper masses on this grid."""
        sums = _grid(self._work([j for j, _ in others], [k for _, k in others])).sums
        h, theta = float(self.step), float(self.theta)
        scale = float(sums.shift) - _BITS * math.log(2) - math.log(h)
        rows = enumerate(sums.upper.values.coeffs(), sums.upper.first)
        # what was moved up to the first index is no density
        return [(g * h, math.log(mass) + scale - theta * g * h) for g, mass in rows if mass > 0][1:]

    def _window(self, part: Factors) -> tuple[float, float]:
        """Losses worth keeping of a partial sum: Chernoff bounds in floats."""
        counts = dict(self.product.factors)
        for law, k in part:
            counts[law] -= k
        mine = ComposedLoss(part)
        others = ComposedLoss(tuple((law, k) for law, k in counts.items() if k))
        goal = self.depth + _SLACK + math.log(self.product.steps)
        low, high = -math.inf, math.inf
        for lam in (float(self.theta) * factor for factor in _TILTS):
            high = min(high, (_log_moment(mine, lam) + goal) / lam)
            low = max(low, self.epsilon - (_log_moment(others, lam) + goal) / lam)
            low = max(low, -(_log_moment(mine, -lam) + goal) / lam)
        return low, max(low, high)


def _grid(work: Work) -> Grid:
    found = evaluator(work)
    assert isinstance(found, Grid)
    return found


def _log_moment(part: ComposedLoss, lam: float) -> float:
    """K(λ) in floats; +∞ where it is out of reach."""
    try:
        return cumulant(part, lam)[0] if part.factors else 0.0
    except (NoConvergence, OverflowError):
        return math.inf


class Table:
    """log of r(ε − s)/δ, r the density of the other losses, as a table (search only)."""

    def __init__(self, epsilon: float, depth: float, density: list[tuple[float, float]]) -> None:
        """``density``: pairs y, log r(y) in increasing order of y; r is taken as 0 outside of them."""
        self._epsilon, self._depth = epsilon, depth
        self._points, self._logs = [y for y, _ in density], [log for _, log in density]

    def largest(self, a: float, b: float) -> float:
        """Maximum of r(ε − s)/δ over the table's points with s in [a, b], or at the point next to it."""
        first, last = bisect(self._points, self._epsilon - b), bisect(self._points, self._epsilon - a)
        logs = self._logs[max(0, first - 1) : last + 1]
        return math.exp(min(600.0, max(logs) + self._depth)) if logs else 0.0


class Refining:
    """Cells of width step · 2^j, j ≥ 0, over [low, high] of one law, narrow where it matters."""

    def __init__(self, law: Law, low: float, high: float, step: Fraction, curvature: Curvature) -> None:
        if (high - low) / float(step) > MAX_LENGTH:
            raise NoConvergence(
                f"grid: a single loss needs {(high - low) / float(step):.3g} steps (cap {MAX_LENGTH})"
            )
        self._law, self._largest, self._step = law, curvature, step
        width = step * 2 ** max(0, math.floor(math.log2(max(high - low, float(step)) / 64 / float(step))))
        start, stop = math.floor(low / width), math.ceil(high / width)
        self._cells = [(i * width, (i + 1) * width) for i in range(start, max(stop, start + 1))]

    def masses(self, cell: tuple[Fraction, Fraction]) -> tuple[arb, arb]:
        """P- and Q-mass of [a, b)."""
        return masses(self._law, *cell)

    def edges(self) -> tuple[int, ...]:
        """End points in order, in steps."""
        return (*(int(a / self._step) for a, _ in self._cells), int(self._cells[-1][1] / self._step))

    def widest(self, curvature: Curvature, share: float) -> float:
        """Width h at which cells of width h alone would spread at most ``share``, in floats.

        Mass that piles up at a distance d of the point 0, which is an edge of every grid, spreads only d·h.
        """
        weights = [(self._weight(cell, curvature), self._distance(cell)) for cell in self._cells]
        h = float(self._cells[-1][1] - self._cells[0][0])
        while math.fsum(w * min(h * h, 4 * h * d) for w, d in weights) > share:
            h *= 0.9
        return h

    def _distance(self, cell: tuple[Fraction, Fraction]) -> float:
        """Distance of the cell's mean loss from 0, if 0 is one of its ends; else +∞."""
        return abs(self._mean(cell)) if 0 in cell else math.inf

    def _weight(self, cell: tuple[Fraction, Fraction], curvature: Curvature) -> float:
        mass = float(self.masses(cell)[0].mid())
        return mass * curvature(float(cell[0]), float(cell[1])) if mass > 0 else 0.0

    def _mean(self, cell: tuple[Fraction, Fraction]) -> float:
        """log(p/q) of the cell, kept inside."""
        low, high = float(cell[0]), float(cell[1])
        p, q = self.masses(cell)
        ratio = (
            float((p.mid() / q.mid()).log().mid())
            if surely_less(0, p.mid()) and surely_less(0, q.mid())
            else math.inf
        )
        return min(max(ratio, low), high) if math.isfinite(ratio) else (low + high) / 2

    def _spread(self, cell: tuple[Fraction, Fraction], weight: float) -> float:
        """4 (m − a)(b − m) bounds the square of the width that counts, m the mean loss of [a, b)."""
        if not weight:
            return 0.0
        mean = self._mean(cell)
        return 4 * weight * (mean - float(cell[0])) * (float(cell[1]) - mean)

    def refine(self, budget: float) -> None:
        """Halve cells until their spreads add up to at most ``budget`` or all are of width ``step``.

        Raises NoConvergence at the cap.
        """
        weights = [self._weight(cell, self._largest) for cell in self._cells]
        while True:
            spreads = [self._spread(cell, w) for w, cell in zip(weights, self._cells, strict=True)]
            total = math.fsum(spreads)
            threshold = max(total / len(spreads) / 2, budget / MAX_CELLS)
            cells, values = [], []
            for cell, weight, spread in zip(self._cells, weights, spreads, strict=True):
                if spread <= threshold or cell[1] - cell[0] <= self._step:
                    cells.append(cell)
                    values.append(weight)
                    continue
                middle = (cell[0] + cell[1]) / 2
                for half in ((cell[0], middle), (middle, cell[1])):
                    cells.append(half)
                    values.append(self._weight(half, self._largest))
            if total <= budget or len(cells) == len(self._cells):
                return
            if len(cells) > MAX_CELLS:
                raise NoConvergence(f"grid: more than {MAX_CELLS} cells needed for one loss")
            self._cells, weights = cells, values
