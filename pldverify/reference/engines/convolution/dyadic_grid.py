r"""The dyadic-grid engine: a grid whose cells are as wide as the loss is large, for losses of many scales.

Poisson sampling with a small q leaves every loss next to an end of its range, at distances T > 0 whose
logarithm has the spread of the noise: :math:`T = \log(1 + y/(1-q))`, y log-normal. Few steps add up
distances of many orders of magnitude, for which no single width of cells will do. Here the loss is anchor ±
T, and a sum of distances lives on *levels*: level 0 has the grid :math:`h_0 \{0, …, N\}`, level l the grid
:math:`2^l h_0 \{N/2 + 1, …, N\}`, one octave.

**Sums.** With A_l the part of a law up to level l on the grid of level l, and ↓ the step to the next coarser
grid, :math:`A_l = {\downarrow}A_{l-1} + a_l`. The larger of two distances decides the level:

.. math:: A * B = A_0 * B_0 + \sum_{l \ge 1} \left( a_l * B_l + {\downarrow}A_{l-1} * b_l \right).

The l-th term lies on level l or l + 1. A move ↓ sends the mass at an odd point to both neighbours; its
error is of second order, relative to the size of the sum.

* **Upper**: the mass of a cell of one loss, or at an odd point, goes to both ends, P- and Q-mass kept
  ("connect the dots", as in ``grid.py``; Q is :math:`e^{-s}P` at each point). Given the other distance, δ(ε)
  is a sum of terms convex in :math:`e^{-s}`, so each move lets it grow, at every ε.
* **Lower**: a coin chooses the neighbour that a cell or an odd point goes to. That is post-processing of the
  two outputs, so :math:`\sum_{g \in A}(P(g) - e^\epsilon Q(g))` is a lower bound for every set A.

**Below the bulk** of a sum of many steps, where the loss rises with T, what is too little to count moves up
to one point (upper) or stays out of every set A (lower).

**Beyond the last level** lies more than what ε leaves: as distances only grow, a sum that gets there stays
there. If the loss rises with T, all of it counts, by its two masses p − e^ε q alone, whatever the other
steps do; if the loss falls, none of it does.

Masses are integers, rounded up or down, and stored tilted as in ``masses.py``. N, the levels and the tilt
come from floats: they cost width, never truth. Moves by w of each of k steps add k w² to a variance, one of
the last sum by w' adds w'²: :math:`\log_2(k)/2` levels are enough.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from pldverify.balls import arb, fmpz, fmpz_poly
from pldverify.balls.ball import ball, clamped, dyadic, rounded, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_less
from pldverify.balls.integers import Rounding, fixed, ones
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.reference.engines.convolution.hints import negligible
from pldverify.reference.engines.convolution.masses import Masses
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.anchored import Anchored, anchored
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw

PREC = 160
_WEIGHT = 62
"""Bits of the weights of a move."""
MAX_BITS = 20_000
"""Cap on B: masses of so many bits are far from the tilt."""
_EMPTY = Masses(0, fmpz_poly())
_ZERO = arb(0)
Levels = list[Masses]


@dataclass(frozen=True)
class Shape:
    """Choices: N (even), h_0, the number of levels, θ, B, and points to a cell by law and level."""

    points: int
    width: Fraction
    levels: int
    theta: Fraction
    bits: int
    strides: tuple[tuple[int, ...], ...]

    def step(self, level: int) -> Fraction:
        """The step of a level."""
        return self.width * (1 << level)


@dataclass(frozen=True)
class Part:
    """One bound of a sum of distances: its masses on every level, and those beyond.

    P is ``mass · 2^{−B} e^{shift − θs}`` for a mass in ``p``, Q ``mass · 2^{−B} e^{shift − (θ+1)s}`` for one
    in ``q``, s = ±T; the upper bound has ``q`` = ``p``, as Q = e^{−s}P. ``beyond`` are a P- and a Q-mass;
    the latter is without ``anchor``, the sum of the anchors.
    """

    p: Levels
    q: Levels
    beyond: tuple[arb, arb]
    shift: Fraction
    anchor: Fraction


class DyadicGrid(Evaluator):
    """δ of one composed loss, every factor of which lies on one side of its anchor."""

    engine = "dyadic grid"
    quantities = ("delta",)
    parameters: Shape

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Shape) -> None:
        super().__init__(loss, quantity, parameters)
        factors, self.side = distances(loss)
        self.shape = shape = parameters
        rows = [stride for row in shape.strides for stride in row]
        if not (shape.levels >= 1 and shape.points > 0 and shape.width > 0 and all(n > 0 for n in rows)):
            raise NoConvergence(f"dyadic grid: unusable parameters {shape}")
        if any(len(row) != shape.levels for row in shape.strides):
            raise NoConvergence(f"dyadic grid: cells of {shape.levels} levels are needed")
        half, odd = divmod(shape.points, 2)
        if not 0 < shape.bits <= MAX_BITS:
            raise NoConvergence(f"dyadic grid: masses of {shape.bits:.3g} bits (cap {MAX_BITS})")
        if odd or any(half % stride for strides in shape.strides for stride in strides):
            raise NoConvergence(
                f"dyadic grid: cells {shape.strides} do not fill levels of {shape.points} points"
            )
        with working(PREC):
            self.upper, self.lower = self._parts(factors)

    def _parts(self, factors: list[tuple[Anchored, int]]) -> tuple[Part, Part]:
        up, down = Bound("upper", self.shape, self.side), Bound("lower", self.shape, self.side)
        upper: Part | None = None
        lower: Part | None = None
        for (law, k), strides in zip(factors, self.shape.strides, strict=True):
            grids = [
                Grid(law, self.side, self.shape.step(i) * n, *self._ends(i, n)) for i, n in enumerate(strides)
            ]
            dominating = up.power(up.single(law, grids, strides), k)
            randomised = down.power(down.single(law, grids, strides), k)
            upper = dominating if upper is None else up.join(upper, dominating)
            lower = randomised if lower is None else down.join(lower, randomised)
        assert upper is not None and lower is not None  # a product has factors
        return upper, lower

    def _ends(self, level: int, stride: int) -> tuple[int, int]:
        """First and last point of a level, in cells."""
        return (self.shape.points // 2 // stride if level else 0), self.shape.points // stride

    def value(self, epsilon: Fraction) -> arb:
        with working(PREC):
            low, high = self.bounds(epsilon)
            if surely_less(high, low):
                raise OracleDisagreement(f"dyadic grid: lower bound {low} above upper bound {high}")
            return clamped(low.union(high))

    def bounds(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Lower and upper bound of δ(ε)."""
        with working(PREC):
            low, high = self._value(self.lower, epsilon), self._value(self.upper, epsilon)
            end = self.shape.step(self.shape.levels - 1) * self.shape.points
            if self.side * (epsilon - self.upper.anchor) > end:  # what lies beyond may be on either side of ε
                high = arb(1)
            return low.lower().max(arb(0)), high.upper()

    def _value(self, part: Part, epsilon: Fraction) -> arb:
        """P − e^ε Q of all losses above ε, and of all that lie beyond."""
        centre = epsilon - part.anchor
        growth, unit = ball(centre).exp(), ball(part.shift).exp() / fmpz(2) ** self.shape.bits
        total = part.beyond[0] - ball(epsilon).exp() * part.beyond[1]
        for level, (p, q) in enumerate(zip(part.p, part.q, strict=True)):
            step = self.shape.step(level)
            index = self.side * centre // step
            p, q = ((m.after(index + 1) if self.side > 0 else m.before(index + 1)) for m in (p, q))
            tilts = (ball(self.side * step * tilt) for tilt in (self.shape.theta, self.shape.theta + 1))
            mass, second = (m.weigh(-tilt) for m, tilt in zip((p, q), tilts, strict=True))
            total += unit * (mass - growth * second)
        return total

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        low, high = self.bounds(epsilon)
        return {"discretisation": high - low}


class Bound:
    """One law, its sums and their moves between levels, for the upper or for the lower bound."""

    def __init__(self, name: Literal["upper", "lower"], shape: Shape, side: int) -> None:
        self._name, self._shape, self._side = name, shape, side
        self._p, self._q = self._kind(shape.theta), self._kind(shape.theta + 1)

    def _kind(self, theta: Fraction) -> "Kind":
        rounding: Rounding = "down" if self._name == "lower" and theta == self._shape.theta else "up"
        return Kind(self._name, self._shape, self._side * theta, self._side, rounding)

    def single(self, law: Anchored, grids: list["Grid"], strides: tuple[int, ...]) -> Part:
        """One law."""
        if self._name == "upper":
            p = q = [grid.connect_dots() for grid in grids]
        else:
            p, q = ([grid.randomised(which) for grid in grids] for which in (0, 1))
        for levels in (p,) if p is q else (p, q):
            for fine, coarse in pairwise(levels):
                fine[-1] += coarse.pop(0)  # the same point
        last_p, last_q = grids[-1].tails[-1]
        beyond = (last_p, last_q * (-ball(law.anchor)).exp()) if self._side > 0 else (arb(0), arb(0))
        spread = [
            [_spaced(m, n, level > 0) for level, (m, n) in enumerate(zip(x, strides, strict=True))]
            for x in (p, q)
        ]
        shift = self._p.size(spread[0])
        stored = self._p.stored(spread[0], shift)
        second = stored if p is q else self._q.stored(spread[1], shift)
        return self._trimmed(Part(stored, second, beyond, shift, law.anchor))

    def power(self, base: Part, k: int) -> Part:
        """k times the same, by factors of k: a square is half the work of a product."""
        if k == 1:
            return base
        factor = next((p for p in (2, 3, 5, 7) if k % p == 0 and p < k), None)
        if factor is not None:
            return self.power(self.power(base, factor), k // factor)
        if k == 2:
            return self.join(base, base)
        return self.join(self.power(base, k - 1), base)

    def join(self, a: Part, b: Part) -> Part:
        """The sum of two."""
        shift, anchor = a.shift + b.shift, a.anchor + b.anchor
        p, beyond_p = self._p.convolved(a.p, b.p)
        q, beyond_q = (p, beyond_p) if self._name == "upper" else self._q.convolved(a.q, b.q)
        beyond = arb(0), arb(0)
        if self._side > 0:  # the first lies beyond; or the second, not the first; or only both together
            last, unit = self._shape.levels - 1, self._unit(shift)
            first = self._unit(a.shift) * self._p.total(a.p), self._unit(a.shift) * self._q.total(a.q)
            together = unit * beyond_p.weigh(-self._p.tilt(last)), unit * beyond_q.weigh(-self._q.tilt(last))
            factors = (-ball(a.anchor)).exp(), (-ball(anchor)).exp()
            beyond = (
                a.beyond[0] + first[0] * b.beyond[0] + together[0],
                a.beyond[1] + first[1] * factors[0] * b.beyond[1] + together[1] * factors[1],
            )
        return self._trimmed(Part(p, q, beyond, shift, anchor))

    def _unit(self, shift: Fraction) -> arb:
        return ball(shift).exp() / fmpz(2) ** self._shape.bits

    def _trimmed(self, part: Part) -> Part:
        """Without small distances that hardly count: moved up (upper), left out of every set (lower)."""
        if self._side < 0:
            return part
        level, index = negligible(part.p, [self._p.tilt(level) for level in range(len(part.p))])
        if not (0 <= level < len(part.p) and index >= (self._shape.points // 2 if level else 0)):
            raise NoConvergence(f"dyadic grid: mass would be moved down to point {index} of level {level}")
        p, q = ([_EMPTY] * level + [x[level].after(index), *x[level + 1 :]] for x in (part.p, part.q))
        if self._name == "upper":
            gone = self._p.total([*part.p[:level], part.p[level].before(index)])
            moved = fixed(gone * (self._p.tilt(level) * index).exp(), "up")
            p[level] = _plus(p[level], Masses(index, fmpz_poly([moved])))
            q = p
        return Part(p, q, part.beyond, part.shift, part.anchor)


class Kind:
    """Masses of one measure in one bound: their tilt and rounding, and how they move and add up."""

    def __init__(self, name: str, shape: Shape, tilt: Fraction, side: int, rounding: Rounding) -> None:
        self._shape, self._tilt, self._rounding = shape, tilt, rounding
        self._moves = []
        for level in range(shape.levels):
            far = 1 / (1 + (-side * ball(shape.step(level))).exp()) if name == "upper" else arb(1) / 2
            growth = self.tilt(level).exp()
            weights = [fixed(w * fmpz(2) ** _WEIGHT, rounding) for w in ((1 - far) / growth, far * growth)]
            self._moves.append(fmpz_poly(weights))

    def tilt(self, level: int) -> arb:
        """log of the tilt from one point of a level to the next."""
        return ball(self._tilt * self._shape.step(level))

    def total(self, levels: Levels) -> arb:
        """All masses, no longer tilted, in units."""
        return sum((masses.weigh(-self.tilt(level)) for level, masses in enumerate(levels)), arb(0))

    def size(self, levels: list[list[arb]]) -> Fraction:
        """log of the tilted mass, near enough."""
        tilted = (sum(self._tilted(level, masses, arb(1)), arb(0)) for level, masses in enumerate(levels))
        return rounded(dyadic(sum(tilted, arb(0)).mid().log().mid()), 40)

    def stored(self, levels: list[list[arb]], shift: Fraction) -> Levels:
        """In units of 2^{−B} e^shift, tilted and rounded."""
        scale = (-ball(shift)).exp() * fmpz(2) ** self._shape.bits
        stored = []
        for level, masses in enumerate(levels):
            tilted = self._tilted(level, masses, scale)
            values = [fmpz(0) if value is _ZERO else fixed(value, self._rounding) for value in tilted]
            stored.append(Masses(self._first(level), fmpz_poly(values)))
        return stored

    def _first(self, level: int) -> int:
        return self._shape.points // 2 + 1 if level else 0

    def _tilted(self, level: int, masses: list[arb], scale: arb) -> list[arb]:
        growth = self.tilt(level).exp()
        turn = scale * (self.tilt(level) * self._first(level)).exp()
        tilted = []
        for mass in masses:
            tilted.append(mass if mass is _ZERO else mass * turn)
            turn *= growth
        return tilted

    def convolved(self, a: Levels, b: Levels) -> tuple[Levels, Masses]:
        """All levels of the sum, and what lies beyond the last."""
        n, same = self._shape.points, a is b
        done: Levels = []
        carried = beyond = low_a = low_b = _EMPTY  # carried from the level below; ↓A_{l−1} and ↓B_{l−1}
        for level, (one, other) in enumerate(zip(a, b, strict=True)):
            spend()
            all_b = _plus(low_b, other)
            if level == 0:
                total = self._times(one, other)
            elif same:
                total = self._times(one, _plus(all_b, low_b))
            else:
                total = _plus(self._times(one, all_b), self._times(low_a, other))
            total = _plus(total, carried)
            here, beyond = total.before(n + 1), total.after(n + 1)
            if level + 1 < len(a):
                carried = self._down(level, beyond)
                if carried[n // 2]:  # from point N + 1 back to point N
                    here = _plus(here, Masses(n, fmpz_poly([carried[n // 2]])))
                    carried = carried.after(n // 2 + 1)
                low_b = self._down(level, all_b)
                low_a = low_b if same else self._down(level, _plus(low_a, one))
            done.append(here)
        return done, beyond

    def _times(self, a: Masses, b: Masses) -> Masses:
        return Masses(a.first + b.first, self._divided(a.values * b.values, self._shape.bits))

    def _down(self, level: int, masses: Masses) -> Masses:
        """↓: the mass at point 2j + 1 goes to 2j and 2j + 2."""
        values, first = masses.values.coeffs(), masses.first
        even, odd = fmpz_poly(values[first % 2 :: 2]), fmpz_poly(values[1 - first % 2 :: 2])
        moved = self._divided(self._moves[level] * odd, _WEIGHT)
        return _plus(Masses((first + 1) // 2, even), Masses(first // 2, moved))

    def _divided(self, values: fmpz_poly, bits: int) -> fmpz_poly:
        """By 2^bits, rounded as these masses are."""
        quotient = values // fmpz(2) ** bits
        return quotient + ones(values.length()) if self._rounding == "up" else quotient


class Grid:
    """The cells of one law between two points of a level; ``tails`` at their ends."""

    def __init__(self, law: Anchored, side: int, step: Fraction, first: int, last: int) -> None:
        self._side, self._step, self._first = side, step, first
        self.tails = [law.tails(side * j * step) for j in paced(range(first, last + 1))]
        self._growths = [ball(side * j * step).exp() for j in range(first, last + 1)]

    def connect_dots(self) -> list[arb]:
        """P-mass at each point: that of each cell shared between its ends, P and Q kept."""
        width, side = ball(self._step).expm1(), self._side
        masses = [arb(0)] * len(self.tails)
        for j, ((p, q), (p_next, q_next)) in enumerate(pairwise(self.tails)):
            mass, second = side * (p - p_next), side * (q - q_next)
            low, high = (j, j + 1) if side > 0 else (j + 1, j)
            left = ((second * self._growths[high] - mass) / width).max(arb(0))
            masses[low] += left
            masses[high] += (mass - left).max(arb(0))
        return masses

    def randomised(self, which: int) -> list[arb]:
        """P- or Q-mass at each point: what the coin of each cell next to it leaves there."""
        cells = [self._side * (a[which] - b[which]) for a, b in pairwise(self.tails)]
        far = [mass * share for mass, share in zip(cells, self._shares(), strict=True)]
        near = [mass - other for mass, other in zip(cells, far, strict=True)]
        return [a + b for a, b in zip([arb(0), *far], [*near, arb(0)], strict=True)]

    def _shares(self) -> list[arb]:
        """Chance of each cell to go to its larger distance: where log(p/q) lies; any chance will do."""
        shares = []
        for j, ((p, q), (p_next, q_next)) in enumerate(pairwise(self.tails), self._first):
            ratio = ((p - p_next).mid() / (q - q_next).mid()).mid().log()
            place = (self._side * ratio / ball(self._step) - j).mid()
            shares.append(place.max(arb(0)).min(arb(1)).mid() if place.is_finite() else arb(1) / 2)
        return shares


def _spaced(masses: list[arb], stride: int, headless: bool) -> list[arb]:
    """Zeros between the ends of cells; ``headless``: the first end belongs to the level below."""
    if stride == 1:
        return masses
    spaced = [_ZERO] * ((len(masses) - (not headless)) * stride + (not headless))
    spaced[stride - 1 if headless else 0 :: stride] = masses
    return spaced


def _plus(a: Masses, b: Masses) -> Masses:
    if not a.values.length():
        return b
    if not b.values.length():
        return a
    first = min(a.first, b.first)
    return Masses(first, a.values.left_shift(a.first - first) + b.values.left_shift(b.first - first))


def distances(product: ComposedLoss) -> tuple[list[tuple[Anchored, int]], int]:
    """The laws seen from their anchors, and +1 if all lie above, −1 if below. Raises NotSupported."""
    laws = [law for law, _ in product.factors]
    sides = {1 if law.largest_finite_loss is None else -1 for law in laws}
    if not all(isinstance(law, GaussianMixtureLaw) for law in laws) or len(sides) > 1:
        raise NotSupported("dyadic grid: not all are Poisson-subsampled Gaussians in one direction")
    return [(anchored(law), k) for law, k in product.factors], sides.pop()
