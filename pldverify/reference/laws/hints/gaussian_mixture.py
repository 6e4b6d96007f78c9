"""Nodes, strips and cells for the Poisson-subsampled Gaussian; notation as in its law."""

import math
import operator
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls.ball import short
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.log_concave import Exponent, log_w, slope

_MAX_NODES = 20_000
"""Cap on the nodes of a moment in floats, of which a search asks dozens."""
_ROUNDS = 40
"""Rounds of the fixed-point iteration for the peaks."""
_BISECTIONS = 8
"""Bisections by which an edge is looked for."""
_SLACK = 3.0
"""Nats by which a cell that is left out may exceed the size below which nothing counts."""
_NARROWEST = 1e-3
"""Length below which a cell is not halved, in standard deviations of the noise."""
_MAX_CELLS = 400
"""Cap on the cells of what is left out."""


_HALVINGS = 12
"""Half-widths of the strip that are tried, each half as wide."""
_MOST_BITS = 20_000
"""Cap on bits that a sum may lose."""
_HEIGHTS = 16
"""Heights v at which the size of a transform is estimated."""
_FEW = 300
"""Nodes in x up to which these estimates are worth their time."""
_ROOM = 8.0
"""Nats by which an error should stay below the size that is estimated."""


class Trapezoid(NamedTuple):
    """Nodes η·first … η·last on Im x = ``shift``, and the half-width of the strip around them."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction
    shift: Fraction


class Rule(NamedTuple):
    """The same, and the edges of cells below and above the nodes, outwards."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction
    shift: Fraction
    below: tuple[Fraction, ...] = ()
    above: tuple[Fraction, ...] = ()


def trapezoid(c: float, q: float, p: float, v: float, bits: int, times: int = 1) -> Rule:
    """A rule for ∫ φ w^{p + iv} whose proved error is small, on the real axis or where v does not count.

    Where a law occurs many ``times``, the error may grow with v as that power of the value falls.
    """
    goal = (bits + 8) * math.log(2)
    found = _strip(c, q, p, _heights(c, q, p, v, times, goal), goal, 0.0)
    if v > 0:  # twice as many nodes as v = 0 takes
        found = max(found, _strip(c, q, p, [], goal, 1.0))
    eta, strip, shift = (short(x, 20) for x in found)
    goal += _growth(c, q, p, float(shift))
    if p >= 0:
        return _counting(c, q, p, goal, eta, strip, shift)
    excess = c * c * (p * p - p) / 2 + math.log(q)
    low = min(-math.sqrt(2 * goal), p * c - math.sqrt(2 * max(goal + excess, 1.0)))
    high = math.sqrt(2 * goal)
    return Rule(eta, math.floor(low / float(eta)) - 2, math.ceil(high / float(eta)) + 1, strip, shift)


def _counting(
    c: float, q: float, p: float, goal: float, eta: Fraction, strip: Fraction, shift: Fraction
) -> Rule:
    """Nodes around the peaks of φ w^p, p ≥ 0, that count, and cells towards 0 and towards pc, where no more
    are needed.
    """
    ends = _peaks(c, q, p)
    powers = Powers.around(c, q, p, max(ends, key=lambda x: p * log_w(c, q, x) - x * x / 2))
    floor, step = -goal, float(eta)
    low, high = (x - powers.peak for x in ends)
    left = powers.edge(high if powers.value(low) < floor else low, floor, -1)
    right = powers.edge(low if powers.value(high) < floor else high, floor, 1)
    first, last = math.floor((powers.peak + left) / step), math.ceil((powers.peak + right) / step)
    below = powers.cells(first * step, 0.0, floor + _SLACK) if first > 0 else []
    above = powers.cells(last * step, p * c, floor + _SLACK) if last * step < p * c else []
    return Rule(eta, first, last, strip, shift, tuple(map(Fraction, below)), tuple(map(Fraction, above)))


def _peaks(c: float, q: float, p: float) -> tuple[float, float]:
    """The lowest and the highest peak, or points below and above all: x = p (log w)'(x), iterated."""
    low, high = 0.0, p * c
    for _ in range(_ROUNDS):
        low, high = p * slope(c, q, low), p * slope(c, q, high)
    return low, high


class Powers(NamedTuple):
    """p log w(x) − x²/2, p ≥ 0, relative to its value at a ``peak``, as a function of d = x − peak.

    ``rest`` and ``share`` are the logarithms of (1 − q)/w and of y/w there: at large p differences of
    p log w have no digits.
    """

    c: float
    p: float
    peak: float
    rest: float
    share: float

    @classmethod
    def around(cls, c: float, q: float, p: float, peak: float) -> "Powers":
        odds = math.inf if q == 1 else math.log(q) - math.log1p(-q) + c * peak - c * c / 2
        return cls(c, p, peak, -_softplus(odds), -_softplus(-odds))

    def convex(self, d: float) -> float:
        """The same without −d²/2."""
        moved = self.share + self.c * d
        log = max(self.rest, moved) + math.log1p(math.exp(-abs(self.rest - moved)))
        return self.p * log - self.peak * d

    def value(self, d: float) -> float:
        return self.convex(d) - d * d / 2

    def edge(self, start: float, floor: float, side: int) -> float:
        """Where it falls below ``floor`` on one side of ``start``."""
        near, far = 0.0, 1.0
        while self.value(start + side * far) > floor:
            near, far = far, 2 * far
        for _ in range(_BISECTIONS):
            middle = (near + far) / 2
            near, far = (middle, far) if self.value(start + side * middle) > floor else (near, middle)
        return start + side * far

    def cells(self, start: float, end: float, floor: float) -> list[float]:
        """Edges from ``start``, left out, to ``end``, such that what the chords bound is below ``floor``."""
        edges: list[float] = []
        waiting = [(start, end)]
        while waiting and len(edges) < _MAX_CELLS:
            x, y = waiting.pop()
            a, b = x - self.peak, y - self.peak
            left = self.convex(a)
            chord = (self.convex(b) - left) / (b - a)
            at = min(max(chord, min(a, b)), max(a, b))
            bound = left + chord * (at - a) - at * at / 2
            if bound + math.log1p(abs(b - a)) < floor or abs(b - a) < _NARROWEST:
                edges.append(y)
            else:
                waiting += [((x + y) / 2, y), (x, (x + y) / 2)]
        return edges


def _softplus(x: float) -> float:
    """log(1 + e^x)."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _heights(c: float, q: float, p: float, v: float, times: int, goal: float) -> list[tuple[float, float]]:
    """Heights u ≤ v, and by how many nats an error up to there may exceed that at 0.

    |M(θ + iu)| is about M(θ) less the part of 1 − cos(u(s − mean)), losses s far from the mean left out.
    """
    if times == 1 or v == 0:
        return [(v, 0.0)]
    nodes, _, _ = nodes_for_moments(c, q, p)
    if len(nodes) > _FEW:
        return [(v, 0.0)]
    losses, weights = _tilted(c, q, p, nodes)
    mean = math.fsum(map(operator.mul, weights, losses))
    found, nats = [], 0.0
    for u in (v * i / _HEIGHTS for i in range(1, _HEIGHTS + 1)):
        found.append((u, nats))  # what is allowed at the height below
        turns = [min(abs(u * (s - mean)), 2 * math.pi) for s in losses]
        lost = math.fsum(
            w * (1 - math.cos(turn)) for w, turn in zip(weights, turns, strict=True) if turn < math.pi
        )
        fall = -math.log1p(-min(lost, 0.99))
        nats = max(0.0, min((times - 1) * fall, goal - fall - math.log(times) - _ROOM))
    return found


def _strip(
    c: float, q: float, p: float, heights: list[tuple[float, float]], goal: float, part: float
) -> tuple[float, float, float]:
    """The largest step, the half-width a of its strip, and its distance b = ``part``·a from the real axis."""
    entire, far = q == 1, 1 + part
    widest = math.sqrt(2 * goal) / far
    if not entire:
        widest = min(widest, (0.95 if p >= 0 else 0.6) * math.pi / c / far)
    best = (0.0, widest, 0.0)
    for a in (widest / 2**j for j in range(_HALVINGS)):
        growth = _growth(c, q, p, far * a) + max((u * c * a - nats for u, nats in heights), default=0.0)
        best = max(best, (2 * math.pi * a / (goal + growth), a, part * a))
    return best


def _growth(c: float, q: float, p: float, b: float) -> float:
    """log of how much φ |w|^p may exceed on Im x = b what it is on the real axis."""
    return b * b / 2 + (p * math.log(math.cos(c * b / 2)) if p < 0 and q < 1 else 0.0)


def lost_bits(shift: Fraction) -> int:
    """What the sum on Im x = ``shift`` loses by cancellation."""
    return min(_MOST_BITS, math.ceil(float(shift) ** 2 / 2 / math.log(2)))


def bulk(c: float, q: float, p: float) -> tuple[Fraction, Fraction]:
    """Mean and five-sigma radius in x of the law with density ∝ φ w^p."""
    nodes, _, _ = nodes_for_moments(c, q, p)
    _, weights = _tilted(c, q, p, nodes)
    mean = math.fsum(map(operator.mul, weights, nodes))
    deviation = math.sqrt(math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, nodes, strict=True)))
    return short(mean), short(5 * (max(deviation, 1.0) if p >= 0 else deviation))


def _tilted(c: float, q: float, p: float, nodes: list[float]) -> tuple[list[float], list[float]]:
    """Losses at the nodes, and the weights of the law with density ∝ φ w^p."""
    losses = [log_w(c, q, x) for x in nodes]
    logs = [p * s - x * x / 2 for s, x in zip(losses, nodes, strict=True)]
    peak = max(logs)
    weights = [math.exp(value - peak) for value in logs]
    total = math.fsum(weights)
    return losses, [w / total for w in weights]


def reach(c: float, q: float, p: float) -> tuple[Fraction, Fraction]:
    """Ends in x of what counts of φ w^p."""
    if p >= 0:
        return Fraction(-9), short(p * c + 9)
    exponent = Exponent(c, q, p)
    mode = exponent.mode()
    floor = exponent.value(mode) - 40
    return short(exponent.edge(mode, floor, -1)), short(exponent.edge(mode, floor, 1))


def nodes_for_moments(c: float, q: float, p: float) -> tuple[list[float], float, bool]:
    """Equally spaced nodes over the bulk of φ w^p, their distance, and whether they cover that of φw as well.

    A few are enough for a moment in floats.
    """
    low, high, eta, whole = -6.5, c * max(1.0, p) + 6.5, min(0.9, 1.2 / c), True
    if p < 0:
        exponent = Exponent(c, q, p)
        mode = exponent.mode()
        deviation = exponent.deviation(mode)
        eta = min(eta, 0.4 * deviation)
        eta = min(0.9, 1.2 / c) / 2 ** max(0, math.ceil(math.log2(min(0.9, 1.2 / c) / eta)))
        if deviation > 0.3:
            low = mode - 6.5
        else:  # the cumulant is large
            floor, whole = exponent.value(mode) - 18, False
            low, high = exponent.edge(mode, floor, -1), exponent.edge(mode, floor, 1)
    low = eta * math.floor(low / eta)  # nodes of all p are multiples of few distances
    count = int((high - low) / eta) + 2
    if count > _MAX_NODES:
        raise NoConvergence(f"a tilted moment of order {p:.3g} at noise multiplier {1 / c:.3g} is too large")
    return [low + eta * i for i in range(count)], eta, whole
