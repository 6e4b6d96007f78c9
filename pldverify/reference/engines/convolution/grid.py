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
float searches (``search/grid.py``): they cost width, never truth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb, fmpz, fmpz_poly
from pldverify.balls.ball import ball, clamped, nearest, working
from pldverify.balls.clock import reserve, spend
from pldverify.balls.compare import surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.reference.engines.convolution.masses import Masses, Rounding, fixed, ones
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.anchored import anchored
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.law import Law, with_tails

MAX_LENGTH = 1_500_000
"""Cap on the length of a window in steps: some 20 s and 1 GiB."""
MAX_BITS = 2_000_000_000
"""Cap on the bits of one product of masses: some 1 GiB with what the multiplication needs."""
_PER_BIT = 4e-9
"""Seconds of a product per bit of its factors: it can't be stopped, so it asks before it begins."""
PREC = 160
_BITS = 60


@dataclass(frozen=True)
class Cells:
    """Ends of the cells of one law, in steps, and log of a scale for its masses."""

    edges: tuple[int, ...]
    shift: Fraction


@dataclass(frozen=True)
class Parameters:
    """What the search chooses.

    Attributes:
        theta: tilt of the masses.
        step: h.
        cells: those of each law.
        windows: first and last index of every partial sum, in the order of :func:`joins`.
    """

    theta: Fraction
    step: Fraction
    cells: tuple[Cells, ...]
    windows: tuple[tuple[int, int], ...]


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
        if any(b - a > MAX_LENGTH for a, b in p.windows):
            raise NoConvergence(f"grid: a sum of losses needs more than {MAX_LENGTH} steps")
        self.theta, self.step = p.theta, p.step
        moved, self.offset = centred(loss)
        if len(p.windows) != sum(1 for _ in joins(moved.factors)) or len(p.cells) != len(moved.factors):
            raise NoConvergence("grid: a window for every sum and cells for every law are needed")
        with working(PREC):
            self._windows = iter(p.windows)
            self.sums = self._compose(moved.factors)

    def _compose(self, factors: Factors) -> Sums:
        total: Sums | None = None
        for (law, k), cells in zip(factors, self.parameters.cells, strict=True):
            power = self._power(self._single(law, cells), k)
            total = power if total is None else self._join(total, power)
        assert total is not None  # a product has factors
        return total

    def __len__(self) -> int:
        return int(self.sums.upper.values.length())

    def value(self, epsilon: Fraction) -> arb:
        with working(PREC):
            low, high = self.bounds(epsilon)
            if surely_less(high, low):
                raise OracleDisagreement(f"grid: lower bound {low} above upper bound {high}")
            return clamped(low.union(high), self.loss.finite_mass())

    def bounds(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Lower and upper bound of the finite part of δ(ε)."""
        with working(PREC):
            epsilon -= self.offset
            sums, growth = self.sums, ball(epsilon).exp()
            tilt_p, tilt_q = self._tilts()
            unit = ball(sums.shift).exp() / 2**_BITS
            above = sums.upper.after((epsilon // self.step) + 1)
            high = sums.overflow + unit * (above.weigh(-tilt_p) - growth * above.weigh(-tilt_q))
            chosen = self._threshold(epsilon)
            low = sums.low_p.after(chosen).weigh(-tilt_p) - growth * sums.low_q.after(chosen).weigh(-tilt_q)
            return (unit * low).lower().max(arb(0)), high.upper()

    def _threshold(self, epsilon: Fraction) -> int:
        """About the index from which P outweighs e^ε Q; any will do, as indices were rounded k times."""
        centre, reach = int(epsilon // self.step), 20 + self.loss.steps // 2
        low, high = centre - reach, centre + reach
        while high - low > 1:
            middle = (low + high) // 2
            weight = ball(epsilon - middle * self.step).exp()
            outweighs = surely_less(weight * self.sums.low_q[middle], arb(self.sums.low_p[middle]))
            low, high = (low, middle) if outweighs else (middle, high)
        return high

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        low, high = self.bounds(epsilon)
        return {"discretisation and windows": high - low}

    def _tilts(self) -> tuple[arb, arb]:
        """θh and (θ+1)h, the tilts of P and of Q per index."""
        h, theta = ball(self.step), ball(self.theta)
        return theta * h, (theta + 1) * h

    def _power(self, base: Sums, k: int) -> Sums:
        size = 1
        result: Sums | None = None
        while True:
            if k & size:
                result = base if result is None else self._join(result, base)
            if 2 * size > k:
                return result  # type: ignore[return-value]  # the top bit of k is set
            size *= 2
            base = self._join(base, base)

    def _single(self, law: Law, cells: Cells) -> Sums:
        """One law on the grid."""
        h, shift = self.step, cells.shift
        first, last = cells.edges[0], cells.edges[-1]
        finite = ball(1 - law.infinite_mass)
        upper: dict[int, arb] = {}
        low_p: dict[int, arb] = {}
        low_q: dict[int, arb] = {}

        def add(masses: dict[int, arb], index: int, mass: arb) -> None:
            masses[index] = masses[index] + mass if index in masses else mass

        add(upper, first, finite - tails(law, first * h)[0])  # below the first edge: moved up to it
        for a, b in pairwise(cells.edges):
            (p, q), width = masses(law, a * h, b * h), ball((b - a) * h)
            left = ((q * ball(b * h).exp() - p) / width.expm1()).max(arb(0))
            add(upper, a, left)
            add(upper, b, (p - left).max(arb(0)))
            index = _index(p, q, h, first, last)
            add(low_p, index, p)
            add(low_q, index, q)
        top_p, top_q = tails(law, last * h)
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

    def _join(self, a: Sums, b: Sums) -> Sums:
        spend()
        first, last = next(self._windows)
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


def joins(factors: Factors) -> Iterator[Factors]:
    """The partial sums in the order in which :class:`Grid` forms them: powers by squaring, then all laws."""
    done: Factors = ()
    for law, k in factors:
        taken, size = 0, 1
        while True:
            if k & size:
                taken += size
                if taken > size:
                    yield ((law, taken),)
            if 2 * size > k:
                break
            size *= 2
            yield ((law, size),)
        done = (*done, (law, k))
        if len(done) > 1:
            yield done


@remembered(200_000)
def tails(law: Law, s: Fraction) -> tuple[arb, arb]:
    """(P(S ≥ s), Q(S ≥ s)) at the precision of the engine; the search asks for most of them first."""
    spend()
    with working(PREC):
        return with_tails(law).tails(s)


def masses(law: Law, a: Fraction, b: Fraction) -> tuple[arb, arb]:
    """P- and Q-mass of [a, b)."""
    (p, q), (p_next, q_next) = tails(law, a), tails(law, b)
    return p - p_next, q - q_next


def _index(p: arb, q: arb, step: Fraction, first: int, last: int) -> int:
    """log(p/q) in steps, kept within the window; any index is allowed."""
    if not surely_less(0, p.mid()):
        return first
    if not surely_less(0, q.mid()):
        return last
    return min(last, max(first, nearest((p.mid() / q.mid()).log() / ball(step))))


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
    reserve(_PER_BIT * size)
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


def centred(product: ComposedLoss) -> tuple[ComposedLoss, Fraction]:
    """Every law seen from its anchor, and the sum of the anchors."""
    factors = tuple((anchored(law), k) for law, k in product.factors)
    return ComposedLoss(factors), sum((k * law.anchor for law, k in factors), Fraction(0))
