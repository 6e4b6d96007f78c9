"""Search for the tilt, the step, the cells and the window of a grid, in floats.

Any value of the constants below is right: poor ones cost time or width.
"""

import math
from array import array
from bisect import bisect
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pldverify.balls import arb
from pldverify.balls.ball import short, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.balls.integers import MAX_LOG_SIZE
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.convolution.grid import (
    PREC,
    Cells,
    Grid,
    Parameters,
    centred,
    on_grid,
)
from pldverify.reference.engines.evaluator import Quantity, Work, evaluator
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import HasFiniteAtoms, Law, with_tails
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.grouped import grouped
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.size import size_of_delta
from pldverify.reference.search.tilt import saddle

if TYPE_CHECKING:
    from pldverify.reference.search.grid_density import CellMasses
    from pldverify.reference.search.grid_moments import GridMoments

MAX_CELLS = 150_000
"""Cap on the cells of one law; each costs some 20 µs."""
DIGITS = 6.8
"""Decimal digits aimed at, at most: a relative radius of 10^−6.8, so a relative width of 3.2e-7."""
_MIN_LOG_SIZE = 9
"""Least m of a circle of 2^m points."""
_BITS = 40.0
"""Nats of precision, besides those lost by the tilt, in the price of a sum in integers."""
_EVEN = 1_000
"""Cells of one law on the first grid, all of one width: with unequal ones its density would be a comb, and no
guide for the next grid."""
_FEW = 250
"""The same where the relative width wanted is at least ``_DIGIT``."""
_DIGIT = 0.01
"""Relative width from which on ``_FEW`` cells will do."""
_GRIDS = 10
"""Cap on the grids tried."""
_ROUGH = 0.3
"""Relative width above which a grid does not tell how fine the next must be: its step is quartered."""
_OFF = 2.0
"""Nats by which −log δ of a grid may exceed the depth that it was chosen for; beyond, it is chosen again."""
_LESS = 0.7
"""Part of the spread that should do for the next grid that is tried for it."""
_GROUPS = 8
"""Cap on the groups of laws: each has a density of the sum of all other losses."""
_POINTS = 2**21
"""Cap on the points of all these densities together."""
_SPREADS = 10.0
"""Bound on the spread Σ k E[w² r], as a multiple of the relative width wanted (observed: ≥ 12)."""
_NEARLY = 1.25
"""Width that ends the search, as a multiple of the goal."""
_STUCK = 0.8
"""A grid is stuck if its width is above this part of the one before; two in a row end the search."""
_TAKEN = 0.7
"""Part of its spread that a cell loses when it is halved: 3/4 for an even density, and a little less."""
_LEAP = 64.0
"""Largest ratio of one grid's step to the next one's."""
_MOST_OF = 0.97
"""Part of the largest circle that a window may need."""
_LONGER = (1.0, 1.25, 1.6)
"""Steps tried, as multiples of the least one: a finer grid may need a longer window."""
_FINER = 0.9
"""A step is finer if it is below this part of the one before."""
_WINDOW = 0.06
"""Part of the goal that the losses outside of the window may cost."""
_ABOVE = (1.03, 1.06, 1.1, 1.15, 1.2, 1.3, 1.4, 1.5, 1.7, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0)
"""Tilts tried, as multiples of θ, in Chernoff's bound of what comes back from above the window."""
_BELOW = (0.9, 0.8, 0.7, 0.55, 0.4, 0.2, 0.0, -0.5, -1.0, -2.0, -4.0, -8.0, -16.0)
"""Tilts tried, as multiples of θ, in Chernoff's bound of what comes back from below the window."""
_TILTS = (0.03, 0.06, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 40.0, 100.0, 300.0)
"""Tilts tried, as multiples of the saddle point, in Chernoff's bound of what is sent to +∞."""
_NOISE = 3e-14
"""Estimate of the rounding error of one step in doubles, relative to all tilted mass."""
_SILENT = math.log(0.3)
"""log of rounding errors, relative to the goal, that are negligible."""
_LOUD = math.log(2.0)
"""log of rounding errors, relative to the goal, above which the sums are taken in integers."""
_STEEP = 256.0
"""Largest tilt tried, as a multiple of 1/ε."""
_PARTS = (-0.1, 0.0, *(i / 14 for i in range(1, 15)))
"""Exponents t of the tilts tried for the masses: the lightest tilt times ratio^t, ratio ≤ 1/10."""
Curvature = Callable[[float, float], float]
"""Largest r(ε − s)/δ over s in [a, b], in floats; it decides where cells are narrow."""


def plan_grid(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """A grid whose δ(ε) should have min(digits, 6) digits. Raises NotSupported for tails, NoConvergence.

    The predicted price is that of transforms on a grid of one step width, and of its cells.
    """
    if quantity != "delta":
        raise NotSupported(f"grid: it encloses δ, and no {quantity}: that error would be of first order")
    for law, _ in product.factors:
        with_tails(law)
    moved, offset = centred(product)
    theta, log_value = saddle(moved, Kernel("delta", "upper"), float(epsilon - offset))
    size = size_of_delta(product, epsilon)
    depth = max(0.0, -(log_value if size is None else size))
    goal = 10.0 ** -min(digits + 0.2, DIGITS)
    k, spread = product.steps, max(0.0, cumulant(product, theta)[2])
    width = math.sqrt(8 * spread * (depth - math.log(_WINDOW * goal) + math.log(k)))
    length = width / math.sqrt(5 * goal / k / (theta * theta + theta))
    cells = (0.5 if goal < _DIGIT else 0.2) + 1e-3 / math.sqrt(goal)
    seconds = cells * len(moved.factors) + 2.5e-7 * length
    return Plan(seconds, lambda: _refined(product, epsilon, theta, depth, goal))


def _refined(product: ComposedLoss, epsilon: Fraction, theta: float, depth: float, goal: float) -> Work:
    """Ever finer grids, until the relative width of δ(ε) is at most the goal or no more points are allowed.

    The width falls as the square of the step.
    """
    even = _EVEN if goal < _DIGIT else _FEW
    choice = Choice(product, epsilon, theta, depth, even=even, goal=goal)
    tolerance, before, step, stuck = _SPREADS * goal, 1.0, None, 0
    best, narrowest = None, math.inf
    for _ in range(_GRIDS):
        try:
            low, high = choice.grid().bounds(epsilon)
        except NoConvergence:  # too many points for integers
            if best is None:
                raise
            break
        width = float((high - low) / (high + low)) if surely_less(0, high) else 0.0
        if width < narrowest:
            best, narrowest = choice.work, width
        least = max(choice.length / (_MOST_OF * 2**MAX_LOG_SIZE), float(choice.step) / _LEAP)
        stuck = stuck + 1 if choice.spread and width > _STUCK * before else 0
        if width <= _NEARLY * goal or least >= float(choice.step) or stuck > 1:
            break
        found = max(0.0, -float(high.log()))
        if found > depth + _OFF:  # the saddle-point value may be far off; what a grid finds is not
            choice = Choice(product, epsilon, theta, found, step, even=even, goal=goal)
        elif width > _ROUGH:
            step, even = max(float(choice.step) / 4, least), min(4 * even, MAX_CELLS)
            choice = Choice(product, epsilon, theta, found, step, even=even, goal=goal)
        else:
            if choice.spread:
                tolerance = min(tolerance, _LESS * choice.spread * goal / width)
            wanted = 0.75 * float(choice.step) * math.sqrt(goal / width)
            for finer in _finer(choice.step, wanted, least):
                with suppress(NoConvergence):
                    choice = Choice(product, epsilon, theta, found, finer, choice, tolerance, goal=goal)
                    break
            else:  # too fine for any circle
                break
        depth, before = found, width
    return best or choice.work


def _aligned(product: ComposedLoss, step: float) -> Fraction:
    """A step of about the size ``step`` with all rational atoms on its grid.

    An atom off the grid costs an error of first order where a sum of atoms is ε.
    """
    laws = [law for law, _ in product.factors]
    outcomes = [outcome.loss for law in laws if isinstance(law, HasFiniteAtoms) for outcome in law.outcomes()]
    atoms = [x for x in [*outcomes, *(law.largest_finite_loss for law in laws)] if isinstance(x, Fraction)]
    scale = math.lcm(*(atom.denominator for atom in atoms))
    unit = Fraction(math.gcd(*(int(atom * scale) for atom in atoms)), scale)
    return unit / math.ceil(unit / Fraction(step)) if unit > step else short(step, 8)


def _finer(before: Fraction, wanted: float, least: float) -> list[float]:
    """Steps to try in turn after ``before``: ``wanted`` first, or longer ones from ``least`` on."""
    steps = [least * factor for factor in _LONGER]
    if wanted > least:
        steps = [_halved(before, wanted, least), wanted, *steps]
    return [step for step in steps if step < _FINER * float(before)]


def _halved(before: Fraction, step: float, least: float) -> float:
    """``before``, halved until it is at most ``step``: tails at the points of the coarser grid are known."""
    times = max(0, math.ceil(math.log2(float(before) / max(step, least))))
    halved = float(before) / 2**times
    return halved if halved >= least else max(step, least)


class Choice:
    """Parameters for ε near ``epsilon``, with saddle point θ and −log δ ≈ ``depth``.

    Cells are even, or, with a coarse grid to tell where they may be wide, such that Σ k E[w² r(ε − S)]/δ
    should be at most ``tolerance``.
    """

    def __init__(
        self,
        product: ComposedLoss,
        epsilon: Fraction,
        theta: float,
        depth: float,
        step: float | None = None,
        coarse: "Choice | None" = None,
        tolerance: float = 0.0,
        even: int = _EVEN,
        goal: float = 10.0**-DIGITS,
    ) -> None:
        from pldverify.reference.search.reaches import Reaches  # loads numpy

        self.product, offset = centred(product)
        self._raw, self.step, self.cells = product, Fraction(0), list[Refining]()
        self.epsilon, self.depth, self.spread = float(epsilon - offset), depth, 0.0
        self.saddle, self.quiet, self.bits, self.length = theta, theta, 0, 0.0
        self.goal, self.slack = math.log(goal), -math.log(_WINDOW * goal)
        with working(PREC):
            laws = [law for law, _ in self.product.factors]
            self.scale = abs(self.epsilon) or 0.1 / theta
            reaches = Reaches(self.product, self.scale, max(self.scale, 1 / theta))
            far = math.exp(-self.depth - self.slack) / len(laws)
            ends = [reaches.of(i, self.epsilon, far) for i in range(len(laws))]
            if step is None:
                step = max((high - low) / even for low, high in ends)
            self.step = _aligned(product, step)
            curvatures = self._alone() if coarse is None else coarse.guides
            self.cells = [
                Refining(law, *both, self.step, curvature)
                for law, both, curvature in zip(laws, ends, curvatures, strict=True)
            ]
            for cells, (_, k) in zip(self.cells, product.factors, strict=True):
                if coarse is None:
                    cells.even(even)
                else:
                    self.spread += k * cells.refine(tolerance / product.steps)
        self.work = self._work()

    def grid(self) -> Grid:
        """The grid of these parameters."""
        return _grid(self.work)

    def _work(self) -> Work:
        moments = self._moments([k for _, k in self.product.factors])
        window, self.bits = self._window(moments)
        self.length = window.length
        first, log_size = self._place(window)
        cells = tuple(
            Cells(one.edges(), short(shift, 40))
            for one, shift in zip(self.cells, moments.singles(window.theta), strict=True)
        )
        below, above, top = map(short, (window.below, window.above, window.top))
        tilt = short(window.theta)
        parameters = Parameters(tilt, self.step, cells, first, log_size, below, above, top, self.bits)
        return Work("grid", self._raw, "delta", parameters)

    def _moments(self, counts: Sequence[int]) -> "GridMoments":
        from pldverify.reference.search.grid_moments import GridMoments  # loads numpy

        return GridMoments([(*one.masses(), k) for one, k in zip(self.cells, counts, strict=True)])

    def _around(self, counts: Sequence[int]) -> tuple[int, int]:
        """First index and m of a circle that holds the tilted sum of ``counts`` losses of the laws."""
        return self._place(self._tilted_window(self._moments(counts), self.quiet, False))

    def _place(self, window: "Window") -> tuple[int, int]:
        """First index, and m of a circle of 2^m that holds it."""
        length = math.ceil(window.length / float(self.step))
        log_size = max(_MIN_LOG_SIZE, length.bit_length())
        if log_size > MAX_LOG_SIZE:
            raise NoConvergence(f"grid: {length} steps are needed (cap 2^{MAX_LOG_SIZE})")
        return math.floor(window.low / float(self.step)), log_size

    def _window(self, moments: "GridMoments") -> tuple["Window", int]:
        """The window, and the bits of integers (0: doubles).

        The shortest window over the tilts with negligible rounding errors; else the one with the least
        errors, if they will do; else the cheapest one for integers.
        """
        steepest = max(2 * self.saddle, _STEEP / self.scale)
        least = moments.lightest(self.epsilon, self.saddle / 10, steepest)
        ratio = min(self.saddle, least) / 10 / least
        tilts = _times(least, [ratio**part for part in _PARTS])
        windows = [self._tilted_window(moments, tilt, True) for tilt in tilts]
        noises = [self._noise(moments, window) for window in windows]
        self.quiet = min(zip(noises, tilts, strict=True))[1]
        fitting = [x for x, noise in zip(windows, noises, strict=True) if noise < _SILENT + self.goal]
        if fitting:
            return min(fitting, key=lambda x: x.length), 0
        noise, found = min(zip(noises, windows, strict=True), key=lambda x: x[0])
        if noise < _LOUD + self.goal:
            return found, 0
        found = min(windows, key=lambda x: x.length * (_BITS + x.gap))
        lost = found.gap + self.slack + math.log(moments.steps * found.length / float(self.step))
        return found, 8 + math.ceil(lost / math.log(2))

    def _noise(self, moments: "GridMoments", window: "Window") -> float:
        """log of the rounding errors relative to δ: a sum s ≥ ε has the weight 1 − e^{ε−s}."""
        theta = window.theta
        spread = moments.log_concentration(theta, float(self.step)) - math.log(2 * theta)
        return math.log(_NOISE * moments.steps / max(1.0, theta)) + window.gap + spread / 2

    def _tilted_window(self, moments: "GridMoments", theta: float, whole: bool) -> "Window":
        """A window by Chernoff's bounds, in floats: the mass outside of it is negligible.

        Negligible beside δ if ``whole`` (the sum of all losses), else beside the tilted mass.
        """
        spend(2e-3 * len(self.cells))
        size, mass = moments.log_moment, moments.log_moment(theta)
        goal = theta * self.epsilon - self.depth if whole else mass
        most, least = goal - self.slack, self.depth + self.slack
        back, above = _least(lambda x: (size(x) - most) / (x - theta), _times(theta, _ABOVE))
        low, below = _least(lambda x: (size(x) - most) / (theta - x), _times(theta, _BELOW))
        high, top = _least(lambda x: (size(x) + least) / x, _times(self.saddle, _TILTS))
        low = -low
        if whole:
            low = min(low, self.epsilon)
        length = max(back - self.epsilon, high - low) if whole else back - low
        return Window(theta, mass - goal, low, length, below, above, top)

    def _alone(self) -> list[Curvature]:
        """A curvature for each law, as if the sum of the other losses had a profile ∝ e^{−θε}."""

        def curvature(law: Law) -> Curvature:
            scale = math.log(theta * theta + theta) - cumulant(law, theta)[0]
            return lambda a, b: math.exp(min(600.0, theta * b + scale))

        theta = self.saddle
        return [curvature(law) for law, _ in self.product.factors]

    @cached_property
    def guides(self) -> list[Curvature]:
        """A curvature for each law, from the densities on this grid."""
        if self.product.steps == 1:
            return self._alone()
        groups, found = self.densities()
        tables = [Table(self.epsilon, self.depth, *density) for density in found]
        return [tables[group].largest for group in groups]

    @property
    def few(self) -> bool:
        """Whether the laws are so few that each has a group of its own."""
        return len(self.cells) <= _GROUPS

    def densities(self) -> tuple[list[int], list[tuple[Sequence[float], Sequence[float]]]]:
        """The group of each law; and for each group the points and log densities of a sum of losses.

        The sum leaves out one loss of the group's first law; for its other laws it is about the same.
        """
        from pldverify.reference.search.grid_density import densities  # loads numpy

        counts = [k for _, k in self.product.factors]
        first, log_size = self._around(counts)
        most = max(1, min(_GROUPS, _POINTS >> log_size))
        groups = [place % most for place in grouped(self._raw, most, "between")[1]]
        left_out = [groups.index(group) for group in range(max(groups) + 1)]
        rows = [
            cells.law(k, groups[i] if i in left_out else None)
            for i, (cells, k) in enumerate(zip(self.cells, counts, strict=True))
        ]
        firsts = [first] * len(left_out)
        if self.few:
            places = [self._around([k - (i == out) for i, k in enumerate(counts)]) for out in left_out]
            firsts, log_size = [first for first, _ in places], max(size for _, size in places)
        found = densities(rows, float(self.step), self.quiet, firsts, log_size)
        return groups, [(array("d", points.tobytes()), array("d", logs.tobytes())) for points, logs in found]


@dataclass(frozen=True)
class Window:
    """A tilt θ, log of the tilted mass relative to δ, lower end and length in nats, and the other tilts."""

    theta: float
    gap: float
    low: float
    length: float
    below: float
    above: float
    top: float


def _least(value: Callable[[float], float], tilts: Sequence[float]) -> tuple[float, float]:
    """The least value at one of the tilts, and where that is."""
    return min((value(x), x) for x in tilts)


def _times(theta: float, factors: Sequence[float]) -> list[float]:
    return [theta * factor for factor in factors]


def _grid(work: Work) -> Grid:
    found = evaluator(work)
    assert isinstance(found, Grid)
    return found


class Table:
    """log of r(ε − s)/δ, r the density of the other losses, as a table (search only)."""

    def __init__(self, epsilon: float, depth: float, points: Sequence[float], logs: Sequence[float]) -> None:
        """``logs``: log r(y) at increasing y; r is taken as 0 outside of them."""
        self._epsilon, self._depth = epsilon, depth
        self._points, self._logs = points, logs

    def largest(self, a: float, b: float) -> float:
        """Maximum of r(ε − s)/δ over the table's points with s in [a, b], and at both ends."""
        low, high = self._epsilon - b, self._epsilon - a
        first, last = bisect(self._points, low), bisect(self._points, high)
        if not self._points:
            return 0.0
        most = max(self._at(low, first), self._at(high, last), *self._logs[first:last])
        return math.exp(min(600.0, most + self._depth))

    def _at(self, y: float, place: int) -> float:
        """log r(y), y before the point at ``place`` and not before the last one."""
        if place in (0, len(self._points)):
            return self._logs[min(place, len(self._points) - 1)]
        (x, z), (left, right) = self._points[place - 1 : place + 1], self._logs[place - 1 : place + 1]
        return left + (right - left) * (y - x) / (z - x)


class Cell(NamedTuple):
    """Losses in [a, b) steps, their P-mass and mean log(p/q), and how much of δ hangs on their width."""

    a: int
    b: int
    mass: float
    mean: float
    weight: float


class Refining:
    """Cells of width step · 2^j, j ≥ 0, over [low, high] of one law, narrow where it matters."""

    def __init__(self, law: Law, low: float, high: float, step: Fraction, curvature: Curvature) -> None:
        if not (high - low) / float(step) <= 2**MAX_LOG_SIZE:
            raise NoConvergence(
                f"grid: a single loss needs {(high - low) / float(step):.3g} steps (cap 2^{MAX_LOG_SIZE})"
            )
        self._grid, self._largest, self._h = on_grid(law, step), curvature, float(step)
        self._tails: dict[int, tuple[arb, arb]] = {}
        self._ends = low, high
        self._cells = self._equal(max(0, math.floor(math.log2(max(high - low, self._h) / 64 / self._h))))

    def _equal(self, power: int) -> list[Cell]:
        """Cells of 2^power steps each."""
        low, high = (end / self._h / 2**power for end in self._ends)
        first = math.floor(low)
        edges = [i << power for i in range(first, max(math.ceil(high), first + 1) + 1)]
        return [self._cell(a, b) for a, b in pairwise(edges)]

    def _cell(self, a: int, b: int) -> Cell:
        for i in (a, b):
            if i not in self._tails:
                self._tails[i] = self._grid.at(i)
        (p, q), (p_next, q_next) = self._tails[a], self._tails[b]
        mass, second, low, high = float(p - p_next), float(q - q_next), a * self._h, b * self._h
        if not (mass > 0 and second > 0):
            return Cell(a, b, max(mass, 0.0), (low + high) / 2, 0.0)
        mean = min(max(math.log(mass) - math.log(second), low), high)
        return Cell(a, b, mass, mean, mass * self._largest(low, high))

    def masses(self) -> tuple[list[float], list[float]]:
        """Mean losses and masses of the cells; the mass outside is at the outer ends."""
        low, high = self._cells[0].a, self._cells[-1].b
        means = [low * self._h, *(cell.mean for cell in self._cells), high * self._h]
        masses = [max(0.0, 1 - float(self._tails[low][0])), *(cell.mass for cell in self._cells)]
        return means, [*masses, float(self._tails[high][0])]

    def law(self, count: int, left_out: int | None) -> "CellMasses":
        """The cells in the form that the densities of sums take."""
        from pldverify.reference.search.grid_density import CellMasses  # loads numpy

        means, (below, *masses, above) = self.masses()
        return CellMasses(self.edges(), masses, means[1:-1], below, above, count, left_out)

    def edges(self) -> tuple[int, ...]:
        """End points in order, in steps."""
        return (*(cell.a for cell in self._cells), self._cells[-1].b)

    def even(self, most: int) -> None:
        """Cells of one width: ``step``, doubled until there are about ``most`` at most."""
        count = (self._ends[1] - self._ends[0]) / self._h / most
        self._cells = self._equal(max(0, math.ceil(math.log2(count))) if count > 1 else 0)

    def _spread(self, cell: Cell) -> float:
        """4 (m − a)(b − m) bounds the square of the width that counts, m the mean loss of [a, b)."""
        return 4 * cell.weight * (cell.mean - cell.a * self._h) * (cell.b * self._h - cell.mean)

    def refine(self, budget: float) -> float:
        """Halve cells until their spreads add up to at most ``budget``; the sum of the spreads reached.

        Stops before that where all cells are of width ``step``, or there are too many.
        """
        while True:
            spreads = [self._spread(cell) for cell in self._cells]
            total = math.fsum(spreads)
            threshold = max(total / len(spreads) / 2, budget / MAX_CELLS, _enough(spreads, total - budget))
            cells = []
            for cell, spread in zip(self._cells, spreads, strict=True):
                if spread < threshold or cell.b - cell.a == 1:
                    cells.append(cell)
                else:
                    middle = (cell.a + cell.b) // 2
                    cells += [self._cell(cell.a, middle), self._cell(middle, cell.b)]
            if total <= budget or len(cells) == len(self._cells) or len(cells) > MAX_CELLS:
                return total
            self._cells = cells


def _enough(spreads: list[float], excess: float) -> float:
    """Threshold on spreads: halving the cells at it or above lowers the sum by a little more than ``excess``.

    Cells are halved in order, the largest spread first; both halves together keep about a quarter.
    """
    for spread in sorted(spreads, reverse=True):
        excess -= _TAKEN * spread
        if excess < 0:
            return spread
    return 0.0
