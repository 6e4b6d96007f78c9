r"""The grid engine: works for every law with distribution functions; second order on both sides.

Cut the losses of one step into cells [a, b) with end points on the grid hZ. With the cell's P-mass p and
Q-mass q, both from ``law.tails``:

* **Upper** ("connect the dots", Doroshenko et al. 2022): the mass goes to the two end points,
  :math:`(q e^b - p)/(e^{b-a} - 1)` to a and the rest to b, which keeps p and q. As
  :math:`(1 - e^{\epsilon-s})_+` is convex in :math:`e^{-s}`, δ only grows, at every ε: the grid pair
  dominates, and so do its compositions. Losses below the first edge move up to it, which grows δ too; mass
  above the last edge counts as +∞.
* **Lower**: the output is replaced by an index of its cell, any index, here log(p/q)/h rounded; outputs of
  a composition by the sum of the indices. That is post-processing, so :math:`P_k(A) - e^\epsilon Q_k(A)` is a
  lower bound for every set A of indices of the k losses.

Both errors are of order :math:`k E[w^2 r(\epsilon - S)]`, w the width of the cell of S and r the density of
the sum of the other losses, so cells are wide where mass or curvature is small.

Masses are integers in units of 2^{−B}, rounded up or down after every exact integer convolution, and stored
tilted, P by :math:`e^{\theta s}` and Q by :math:`e^{(\theta+1)s}`, so that a tiny δ keeps its relative
accuracy. Partial sums live in a window:
what falls below moves up to its first index (upper) or is not in A (lower); what lies above counts as +∞
(upper) or is merged into the last index (lower: post-processing). θ, h, the cells and the windows come from
float searches: they cost width, never truth.
"""

import math
from bisect import bisect
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, fmpz, fmpz_poly

from pldverify.balls.ball import ball, clamped, short, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.convolution.masses import Masses, Rounding, fixed, ones
from pldverify.reference.laws.anchored import anchored
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.law import Law, with_tails
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.offer import Offer
from pldverify.reference.search.tilt import saddle

MAX_CELLS = 150_000
"""Cap on the cells of one law: each costs some 20 µs."""
MAX_LENGTH = 1_500_000
"""Cap on the length of a window in steps: some 20 s and 1 GiB."""
MAX_BITS = 2_000_000_000
"""Cap on the bits of one product of masses: some 1 GiB with what the multiplication needs."""
DIGITS = 6.31
"""What the engine aims at, at most: a relative width (twice the radius) of 1e-6 and a little less."""
_BITS = 60
_PREC = 160
_COARSE_LENGTH = 60_000
"""Grids up to this length may guide the next one."""
_SLACK = math.log(1e8)
"""Windows may cost e^{−_SLACK} of δ."""
_TILTS = (0.03, 0.06, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 40.0, 100.0, 300.0)
Curvature = Callable[[float, float], float]
"""Largest r(ε − s)/δ over s in [a, b], in floats; it decides where cells are narrow."""


@dataclass(frozen=True)
class Sums:
    """A partial sum of losses: dominating P-masses with what they sent to +∞, and both masses of the lower
    bound.

    P(g) is ``mass · 2^{−B} e^{shift − θgh}``, Q(g) is ``mass · 2^{−B} e^{shift − (θ+1)gh}``.
    """

    upper: Masses
    overflow: arb
    low_p: Masses
    low_q: Masses
    shift: Fraction


class Grid:
    """δ of one composed loss for ε near ``epsilon``, with tilt θ and −log δ ≈ ``depth``.

    Cells are chosen so that Σ k E[w² r(ε − S)]/δ should be at most ``budget``.
    """

    engine = "grid"
    limit = 6.0

    def __init__(
        self,
        product: Product,
        epsilon: Fraction,
        theta: float,
        depth: float,
        budget: float,
        coarse: "Grid | None" = None,
    ) -> None:
        self.product, self.offset = centred(product)
        self.epsilon, self.depth = float(epsilon - self.offset), depth
        self.theta = short(theta)
        self.step: Fraction
        with working(_PREC):
            curvatures = {law: self._curvature(law, coarse) for law, _ in self.product.factors}
            share = 0.64 * budget / product.steps
            if coarse is None:
                step = math.sqrt(share / (theta * theta + theta))
            else:
                widest = min(cells.widest(curvatures[law], share) for law, cells in coarse._cells.items())
                step = max(widest, float(coarse.step) / 200)
            self.step = short(step, 8)
            self._cells: dict[Law, Cells] = {
                law: Cells(law, *self._window([(law, 1)]), self.step, curvatures[law])
                for law, _ in self.product.factors
            }
            for cells in self._cells.values():
                cells.refine(budget / product.steps)
            self.sums = self._compose(self.product.factors)

    def _compose(self, factors: tuple[tuple[Law, int], ...]) -> Sums:
        done, total = [], None
        for law, k in factors:
            power = self._power(law, k)
            done.append((law, k))
            total = power if total is None else self._join(total, power, done)
        assert total is not None  # a product has factors
        return total

    def __len__(self) -> int:
        return int(self.sums.upper.values.length())

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε): [lower, upper]."""
        with working(_PREC):
            low, high = self.bounds(epsilon)
            return clamped(low.union(high), self.product.finite_mass())

    def bounds(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Lower and upper bound of the finite part of δ(ε)."""
        with working(_PREC):
            epsilon -= self.offset
            sums, growth = self.sums, ball(epsilon).exp()
            tilt_p, tilt_q = self._tilts()
            unit = ball(sums.shift).exp() / 2**_BITS
            above = sums.upper.after(math.floor(epsilon / self.step) + 1)
            high = sums.overflow + unit * (above.weigh(-tilt_p) - growth * above.weigh(-tilt_q))
            chosen = self._threshold(epsilon)
            low = sums.low_p.after(chosen).weigh(-tilt_p) - growth * sums.low_q.after(chosen).weigh(-tilt_q)
            return (unit * low).lower().max(arb(0)), high.upper()

    def _threshold(self, epsilon: Fraction) -> int:
        """The index from which P outweighs e^ε Q, by bisection in floats: indices were rounded k times."""
        centre, reach = math.floor(epsilon / self.step), 20 + self.product.steps // 2
        low, high = centre - reach, centre + reach
        while high - low > 1:
            middle = (low + high) // 2
            weight = math.exp(min(700.0, float(epsilon - middle * self.step)))
            outweighs = float(self.sums.low_p[middle]) > weight * float(self.sums.low_q[middle])
            low, high = (low, middle) if outweighs else (middle, high)
        return high

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms, for reading."""
        low, high = self.bounds(epsilon)
        return {
            "step": str(self.step),
            "theta": str(self.theta),
            "length": str(len(self)),
            "discretisation and windows": (high - low).str(3, radius=False),
            "precision": f"{_BITS} bits fixed point",
        }

    def _tilts(self) -> tuple[arb, arb]:
        """θh and (θ+1)h, the tilts of P and of Q per index."""
        h, theta = ball(self.step), ball(self.theta)
        return theta * h, (theta + 1) * h

    def _power(self, law: Law, k: int) -> Sums:
        base, taken, size = self._single(law, self._cells[law]), 0, 1
        result: Sums | None = None
        while True:
            if k & size:
                taken += size
                result = base if result is None else self._join(result, base, [(law, taken)])
            if 2 * size > k:
                return result  # type: ignore[return-value]  # the top bit of k is set
            size *= 2
            base = self._join(base, base, [(law, size)])

    def _single(self, law: Law, cells: "Cells") -> Sums:
        """One law on the grid."""
        h, edges = self.step, cells.edges()
        first, last = int(edges[0] / h), int(edges[-1] / h)
        shift = short(cumulant(law, float(self.theta))[0], 40)
        finite = ball(1 - law.infinite_mass)
        upper: dict[int, arb] = {}
        low_p: dict[int, arb] = {}
        low_q: dict[int, arb] = {}

        def add(masses: dict[int, arb], index: int, mass: arb) -> None:
            masses[index] = masses[index] + mass if index in masses else mass

        add(upper, first, finite - cells.tails(edges[0])[0])  # below the first edge: moved up to it
        for a, b in pairwise(edges):
            (p, q), width = cells.masses(a, b), ball(b - a)
            left = ((q * ball(b).exp() - p) / width.expm1()).max(arb(0))
            add(upper, int(a / h), left)
            add(upper, int(b / h), (p - left).max(arb(0)))
            index = _index(p, q, float(h), first, last)
            add(low_p, index, p)
            add(low_q, index, q)
        top_p, top_q = cells.tails(edges[-1])
        add(low_p, last, top_p)
        add(low_q, last, top_q)
        tilt_p, tilt_q = self._tilts()
        scale = (-ball(shift)).exp() * 2**_BITS
        return Sums(
            _store(upper, first, last, tilt_p, scale, "up"),
            top_p.upper(),
            _store(low_p, first, last, tilt_p, scale, "down"),
            _store(low_q, first, last, tilt_q, scale, "up"),
            shift,
        )

    def _join(self, a: Sums, b: Sums, part: list[tuple[Law, int]]) -> Sums:
        spend()
        low, high = self._window(part)
        first, last = math.floor(low / float(self.step)), math.ceil(high / float(self.step))
        if last - first > MAX_LENGTH:
            raise NoConvergence(f"grid: a sum of losses needs {last - first} steps (cap {MAX_LENGTH})")
        shift = a.shift + b.shift
        tilt_p, tilt_q = self._tilts()
        upper = _merge_below(_product(a.upper, b.upper), first, tilt_p, "up")
        spill = ball(shift).exp() / 2 ** (2 * _BITS) * upper.after(last + 1).weigh(-tilt_p)
        low_p = _merge_above(_product(a.low_p, b.low_p).after(first), last, tilt_p, "down")
        low_q = _merge_above(_product(a.low_q, b.low_q).after(first), last, tilt_q, "up")
        overflow = (a.overflow + b.overflow + spill).upper()
        return Sums(
            _rounded(upper.before(last + 1), "up"),
            overflow,
            _rounded(low_p, "down"),
            _rounded(low_q, "up"),
            shift,
        )

    def _curvature(self, law: Law, coarse: "Grid | None") -> Curvature:
        """For one loss of ``law``: from a coarse grid, or as if the other losses had a profile ∝ e^{−θε}."""
        theta = float(self.theta)
        rest = tuple((other, k - (other == law)) for other, k in self.product.factors)
        others = Product(tuple((other, k) for other, k in rest if k))
        if coarse is None or not others.factors:
            scale = math.log(theta * theta + theta) - cumulant(law, theta)[0]
            return lambda a, b: math.exp(min(600.0, theta * b + scale))
        return Table(self.epsilon, self.depth, coarse.density(others)).largest

    def density(self, others: Product) -> list[tuple[float, float]]:
        """(y, log density) of the sum of other losses, from the upper masses on this grid."""
        with working(_PREC):
            sums = self._compose(others.factors)
        h, theta = float(self.step), float(self.theta)
        scale = float(sums.shift) - _BITS * math.log(2) - math.log(h)
        masses = enumerate(sums.upper.values.coeffs(), sums.upper.first)
        # what was moved up to the first index is no density
        return [(g * h, math.log(mass) + scale - theta * g * h) for g, mass in masses if mass > 0][1:]

    def _window(self, part: list[tuple[Law, int]]) -> tuple[float, float]:
        """Losses worth keeping of a partial sum: Chernoff bounds in floats."""
        counts = dict(self.product.factors)
        for law, k in part:
            counts[law] -= k
        mine = Product(tuple(part))
        others = Product(tuple((law, k) for law, k in counts.items() if k))
        goal = self.depth + _SLACK + math.log(self.product.steps)
        low, high = -math.inf, math.inf
        for lam in (float(self.theta) * factor for factor in _TILTS):
            high = min(high, (_log_moment(mine, lam) + goal) / lam)
            low = max(low, self.epsilon - (_log_moment(others, lam) + goal) / lam)
            low = max(low, -(_log_moment(mine, -lam) + goal) / lam)
        return low, max(low, high)


def _log_moment(part: Product, lam: float) -> float:
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


class Cells:
    """Cells of width step · 2^j, j ≥ 0, over [low, high] of one law, narrow where it matters."""

    def __init__(self, law: Law, low: float, high: float, step: Fraction, curvature: Curvature) -> None:
        if (high - low) / float(step) > MAX_LENGTH:
            raise NoConvergence(
                f"grid: a single loss needs {(high - low) / float(step):.3g} steps (cap {MAX_LENGTH})"
            )
        self._law, self._largest, self._step = law, curvature, step
        self._tails: dict[Fraction, tuple[arb, arb]] = {}
        width = step * 2 ** max(0, math.floor(math.log2(max(high - low, float(step)) / 64 / float(step))))
        start, stop = math.floor(low / width), math.ceil(high / width)
        self._cells = [(i * width, (i + 1) * width) for i in range(start, max(stop, start + 1))]

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """(P(S ≥ s), Q(S ≥ s)), each evaluated once."""
        if s not in self._tails:
            spend()
            self._tails[s] = with_tails(self._law).tails(s)
        return self._tails[s]

    def masses(self, a: Fraction, b: Fraction) -> tuple[arb, arb]:
        """P- and Q-mass of [a, b)."""
        (p, q), (p_next, q_next) = self.tails(a), self.tails(b)
        return p - p_next, q - q_next

    def edges(self) -> list[Fraction]:
        """End points in order."""
        return [a for a, _ in self._cells] + [self._cells[-1][1]]

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
        mass = float(self.masses(*cell)[0].mid())
        return mass * curvature(float(cell[0]), float(cell[1])) if mass > 0 else 0.0

    def _mean(self, cell: tuple[Fraction, Fraction]) -> float:
        """log(p/q) of the cell, kept inside."""
        low, high = float(cell[0]), float(cell[1])
        p, q = self.masses(*cell)
        ratio = float((p.mid() / q.mid()).log().mid()) if p.mid() > 0 and q.mid() > 0 else math.inf
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


def _index(p: arb, q: arb, step: float, first: int, last: int) -> int:
    """log(p/q) in steps, kept within the window; any index is allowed."""
    if not p.mid() > 0:
        return first
    if not q.mid() > 0:
        return last
    ratio = float((p.mid() / q.mid()).log().mid())
    return min(last, max(first, round(ratio / step)))


def _store(
    masses: dict[int, arb], first: int, last: int, tilt: arb, scale: arb, rounding: Rounding
) -> Masses:
    values = [fmpz(0)] * (last - first + 1)
    for index, mass in masses.items():
        values[index - first] = fixed(mass * scale * (tilt * index).exp(), rounding)
    return Masses(first, fmpz_poly(values))


def _product(a: Masses, b: Masses) -> Masses:
    """Masses of the sum, exact, in units of 2^{−2B}.

    They are rounded after what lies outside of the window was moved: units that are rounded up far below it
    would weigh much inside. Raises NoConvergence at the cap of memory.
    """
    size = (a.values.length() + b.values.length()) * (a.values.height_bits() + b.values.height_bits())
    if size > MAX_BITS:
        raise NoConvergence(f"grid: masses of a sum of losses need {size} bits (cap {MAX_BITS})")
    return Masses(a.first + b.first, a.values * b.values)


def _rounded(masses: Masses, rounding: Rounding) -> Masses:
    """In units of 2^{−B}. ``//`` rounds non-negative coefficients down; one more unit is above the truth.

    (``//`` makes 0 of a negative coefficient smaller than the unit, so −(−x // unit) would be no ceiling.)
    """
    values = masses.values // fmpz(2) ** _BITS
    if rounding == "up":
        values += ones(masses.values.length())
    return Masses(masses.first, values)


def _merge_below(masses: Masses, first: int, tilt: arb, rounding: Rounding) -> Masses:
    """Move all mass below ``first`` to it; a move by n indices multiplies tilted mass by e^{tilt n}."""
    if masses.first >= first:
        return masses
    gone = masses.before(first)
    moved = fixed(Masses(gone.first - first, gone.values).weigh(-tilt), rounding)
    return Masses(first, masses.after(first).values + fmpz_poly([moved]))


def _merge_above(masses: Masses, last: int, tilt: arb, rounding: Rounding) -> Masses:
    """Move all mass above ``last`` to it."""
    gone = masses.after(last + 1)
    if gone.values.length() == 0 or last < masses.first:
        return masses
    moved = fixed(Masses(gone.first - last, gone.values).weigh(-tilt), rounding)
    top = fmpz_poly([moved]).left_shift(last - masses.first)
    return Masses(masses.first, masses.before(last + 1).values + top)


def centred(product: Product) -> tuple[Product, Fraction]:
    """Every law seen from its anchor, and the sum of the anchors."""
    factors = tuple((anchored(law), k) for law, k in product.factors)
    return Product(factors), sum((k * law.anchor for law, k in factors), Fraction(0))


def offer_grid(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
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
    return Offer(seconds, lambda: _refined(product, epsilon, theta, depth, goal))


def _refined(product: Product, epsilon: Fraction, theta: float, depth: float, goal: float) -> Grid:
    """Grid after grid, until the relative width of δ(ε) is at most ``goal``."""
    grid = Grid(product, epsilon, theta, depth, 0.02)
    budget = 8 * goal
    coarse = grid
    for _ in range(5):
        low, high = grid.bounds(epsilon)
        width = float((high - low) / (high + low)) if high > 0 else 0.0
        if width <= goal:
            break
        if len(grid) < _COARSE_LENGTH:
            coarse = grid
        else:
            budget *= min(0.7, max(0.1, 0.7 * goal / width))
        # the saddle-point value may be far off; what a coarse grid finds is not
        grid = Grid(product, epsilon, theta, max(0.0, -float(high.log())), budget, coarse)
    return grid
