"""Search for the tilt, the levels and the cells of a dyadic grid, in floats."""

import math
from fractions import Fraction
from itertools import pairwise

from pldverify.balls.ball import short
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.convolution.dyadic_grid import DyadicGrid, Shape, distances
from pldverify.reference.engines.evaluator import Quantity, Work, evaluator
from pldverify.reference.laws.anchored import Anchored
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.search.plan import Plan

MAX_POINTS = 600_000
"""Cap on N times the number of levels."""
MAX_LAWS = 20
"""Cap on distinct laws: each takes some 5 ms to look at."""
DIGITS = 6.31
"""What the engine aims at, at most: a relative width (twice the radius) of 1e-6 and a little less."""
_FIRST, _BITS = 128, 128
"""N and B of a first look."""
_DEAR, _FINER = 0.5, 4.0
"""Predicted seconds from which a first look waits until it is needed, and how much more the rest costs."""
_SPARE = 64
"""Bits of δ in units of the masses."""
_GUESS = 600.0
"""N of 6 digits for θT = 1, very roughly."""
_SHARE = 0.25
"""What all single steps may err, the last sum erring by 1."""
_BINS, _OCTAVES = 4, 60
"""Bins to an octave, and octaves below ε, that the search looks at."""


def plan_dyadic_grid(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Levels whose δ(ε) should have min(digits, 6) digits. Raises NotSupported, NoConvergence.

    A first look, if it takes hundredths of a second, tells how many points it takes.
    """
    if quantity != "delta":
        raise NotSupported(
            f"dyadic grid: it encloses δ, and no {quantity}: that error would be of first order"
        )
    search = searched(product, epsilon)
    goal = 10.0 ** -min(digits + 0.2, DIGITS)
    joins = 1 + sum(1.5 * math.log2(k) + 1 for _, k in search.factors)
    price = 1e-5 * search.levels * joins

    def look() -> tuple[Work, int, int]:
        return _look(product, epsilon, search, _FIRST, _BITS, goal)

    if _FIRST * price > _DEAR:
        return Plan(_FINER * _FIRST * price, lambda: _refined(product, epsilon, search, goal, *look()))
    found, points, bits = look()
    seconds = 0.02 + (price * points if points else 0.0)
    return Plan(seconds, lambda: _refined(product, epsilon, search, goal, found, points, bits))


def _refined(
    product: ComposedLoss,
    epsilon: Fraction,
    search: "Search",
    goal: float,
    found: Work,
    points: int,
    bits: int,
) -> Work:
    """Finer and finer, until the relative width of δ(ε) is at most ``goal``."""
    points = min(points, 16 * _FIRST)  # a first look may be far off
    for _ in range(6):
        if not points:
            break
        found, points, bits = _look(product, epsilon, search, points, bits, goal)
    return found


def _look(
    product: ComposedLoss, epsilon: Fraction, search: "Search", points: int, bits: int, goal: float
) -> tuple[Work, int, int]:
    """What so many points give, and the points, 0 if these will do, and bits to take next."""
    levels = search.levels
    if points * levels > MAX_POINTS:
        raise NoConvergence(
            f"dyadic grid: {levels} levels of {points} points needed (cap {MAX_POINTS} in all)"
        )
    width = short(1.05 * abs(search.target) / 2 ** (levels - 1) / points, 8)
    shape = Shape(points, width, levels, short(search.theta), bits, search.strides(points))
    work = Work("dyadic grid", product, "delta", shape)
    found = evaluator(work)
    assert isinstance(found, DyadicGrid)
    lower, upper = found.bounds(epsilon)
    relative = float((upper - lower) / (upper + lower)) if surely_less(0, upper) else 1.0
    if relative <= goal:
        return work, 0, bits
    if surely_less(0, upper):
        lost = float(found.upper.shift) - search.theta * search.target - float(upper.log())
        bits = _SPARE + max(0, math.ceil(lost / math.log(2)))
    return work, _round_up(points * max(1.2, 1.12 * math.sqrt(relative / goal))), bits


def _round_up(points: float) -> int:
    """A number of the form 8 … 15 times a power of 2."""
    unit: int = 2 ** (math.floor(math.log2(points)) - 3)
    return unit * math.ceil(points / unit)


def searched(product: ComposedLoss, epsilon: Fraction) -> "Search":
    """What a search finds for ε. Raises NotSupported, NoConvergence."""
    factors, _ = distances(product)
    if len(factors) > MAX_LAWS:
        raise NoConvergence(f"dyadic grid: {len(factors)} distinct laws (cap {MAX_LAWS})")
    return Search(factors, float(epsilon - sum(k * law.anchor for law, k in factors)))


class Search:
    """Choice of the tilt, of the levels and of the cells, in floats.

    ``target`` is what ε leaves to the distances, with their sign.
    """

    def __init__(self, factors: list[tuple[Anchored, int]], target: float) -> None:
        self.factors, self.target = factors, target
        self._counts = [k for _, k in factors]
        ends = [1.05 * target / 2 ** (j / _BINS) for j in range(_OCTAVES * _BINS + 1)]
        self._losses = ends[1:]
        self._masses = []
        for law, _ in factors:
            tails = [float(law.tails(short(end))[0].mid()) for end in ends]
            self._masses.append([abs(a - b) for a, b in pairwise(tails)])
        self.theta = self._tilt()
        self.levels = self._depth()

    def _tilt(self) -> float:
        """θ that minimises K(θ) − θε over the distances that count, by golden section on log θ."""

        def size(log_theta: float) -> float:
            theta = math.exp(log_theta)
            logs = [self._log_mass(masses, theta) for masses in self._masses]
            return math.fsum(k * log for k, log in zip(self._counts, logs, strict=True)) - theta * self.target

        low, high = (math.log(x / abs(self.target)) for x in (1e-3, 3e3))
        for _ in range(40):
            a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
            low, high = (low, b) if size(a) < size(b) else (a, high)
        return math.exp((low + high) / 2)

    def _log_mass(self, masses: list[float], theta: float) -> float:
        """log E[e^{θs}] over the distances that count."""
        near = 1 - math.fsum(masses) if self.target > 0 else 0.0  # nearly all lies next to the anchor
        logs = [math.log(m) + theta * s for m, s in zip(masses, self._losses, strict=True) if m > 0]
        top = max([0.0, *logs])
        return top + math.log(math.fsum(math.exp(x - top) for x in logs) + max(near, 1e-300) * math.exp(-top))

    def _depth(self) -> int:
        """Levels: steps on level 0, by Σ min(w, 4T) w, should err no more than a move of the last sum."""
        points = _GUESS * (1 + abs(self.theta * self.target))
        tilted = [
            (k, t, m) for k, x in zip(self._counts, self._masses, strict=True) for t, m in self._tilted(x)
        ]
        levels, end = 2, 0.5
        while levels < _OCTAVES:
            width = end / points
            error = math.fsum(k * m * min(width, 4 * t) * width for k, t, m in tilted if t < end)
            if error * points**2 <= 1:
                break
            levels, end = levels + 1, end / 2
        return levels

    def _tilted(self, masses: list[float]) -> list[tuple[float, float]]:
        """T in units of what ε leaves, and tilted mass, bin by bin."""
        total = self._log_mass(masses, self.theta)
        return [
            (abs(s / self.target), m * math.exp(min(700.0, self.theta * s - total)))
            for m, s in zip(masses, self._losses, strict=True)
        ]

    def strides(self, points: int) -> tuple[tuple[int, ...], ...]:
        """Points to a cell: all single steps should err less than the last sum, and hardly feel the tilt."""
        most = int(points & -points).bit_length() - 2  # N/2 points are whole cells
        return tuple(
            tuple(self._stride(k, tilted, level, points, most) for level in range(self.levels))
            for k, tilted in zip(self._counts, map(self._tilted, self._masses), strict=True)
        )

    def _stride(self, k: int, tilted: list[tuple[float, float]], level: int, points: int, most: int) -> int:
        """As wide as the sum of tilted mass · w² allows, or mass · Tw where w is wider than T."""
        above = self.levels - 1 - level
        part = slice(_BINS * above, _BINS * (above + 1) if level else None)
        for power in range(most, 0, -1):
            width = 2.0**power / 2**above / points
            error = math.fsum(m * min(width, 4 * t) * width for t, m in tilted[part])
            tame = self.theta * abs(self.target) * width <= 1
            if tame and self.levels * k * error <= _SHARE / points**2:
                return 1 << power
        return 1
