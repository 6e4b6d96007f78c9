"""Nodes, strips and cells for the Poisson-subsampled Gaussian; notation as in its law."""

import math
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls.ball import short
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.log_concave import Exponent, log_w, slope

_MAX_NODES = 20_000
"""Cap on the nodes of a moment in floats, of which a search asks dozens."""
_ROUNDS, _HALVINGS = 40, 8
"""Rounds in which peaks are looked for, and edges."""
_SLACK, _NARROWEST = 3.0, 1e-3
"""Nats by which a cell may exceed what counts, and the length below which it is not halved."""
_MAX_CELLS = 400
"""Cap on the cells of what is left out."""


class Trapezoid(NamedTuple):
    """Nodes η·first … η·last, and the half-width of the strip."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction


class Rule(NamedTuple):
    """The same, and the edges of cells below and above the nodes, outwards."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction
    below: tuple[Fraction, ...] = ()
    above: tuple[Fraction, ...] = ()


def trapezoid(c: float, q: float, p: float, v: float, bits: int) -> Rule:
    """A rule for ∫ φ w^{p + iv} whose proved error is small."""
    goal = (bits + 8) * math.log(2)
    entire = q == 1
    a = math.sqrt(2 * goal)
    if not entire:
        a = min(a, (0.95 if p >= 0 else 0.6) * math.pi / c)
    growth = a * a / 2 + v * c * a
    if p < 0 and not entire:
        growth += p * math.log(math.cos(c * a / 2))
    elif not entire and v * c * a > goal:
        a, growth = _narrower(c, q, p, v, a, goal)
    strip = short(a, 20)
    eta = short(2 * math.pi * float(strip) / (goal + growth), 20)
    if p >= 0:
        return _counting(c, q, p, goal, eta, strip)
    excess = c * c * (p * p - p) / 2 + math.log(q)
    low = min(-math.sqrt(2 * goal), p * c - math.sqrt(2 * max(goal + excess, 1.0)))
    high = math.sqrt(2 * goal)
    return Rule(eta, math.floor(low / float(eta)) - 2, math.ceil(high / float(eta)) + 1, strip)


def _counting(c: float, q: float, p: float, goal: float, eta: Fraction, strip: Fraction) -> Rule:
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
    return Rule(eta, first, last, strip, tuple(map(Fraction, below)), tuple(map(Fraction, above)))


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
        for _ in range(_HALVINGS):
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


def _narrower(c: float, q: float, p: float, v: float, widest: float, goal: float) -> tuple[float, float]:
    """The strip, and the growth in it, for which the fewest nodes are needed."""
    best = (2 * math.pi * widest / (goal + widest**2 / 2 + v * c * widest), widest, v * c * widest)
    log_mass = log_moment(c, q, p)
    for a in (min(widest, 1.5 / c) / 2**j for j in range(15)):
        if 2 * math.pi * a / (goal + a * a / 2) < best[0]:  # not even without growth
            break
        tau = 1.002 * v * math.tan(c * a)
        try:
            growth = log_moment(c, q, p + tau) - log_mass - tau * math.log1p(-q)
        except NoConvergence:
            continue
        best = max(best, (2 * math.pi * a / (goal + a * a / 2 + growth), a, growth))
    return best[1], best[1] ** 2 / 2 + best[2]


def log_moment(c: float, q: float, p: float) -> float:
    """log E[w^p]."""
    nodes, eta, _ = nodes_for_moments(c, q, p)
    logs = [p * log_w(c, q, x) - x * x / 2 for x in nodes]
    peak = max(logs)
    return math.log(eta / math.sqrt(2 * math.pi) * math.fsum(math.exp(log - peak) for log in logs)) + peak


def bulk(c: float, q: float, p: float) -> tuple[Fraction, Fraction]:
    """Mean and five-sigma radius in x of the law with density ∝ φ w^p."""
    nodes, _, _ = nodes_for_moments(c, q, p)
    logs = [p * log_w(c, q, x) - x * x / 2 for x in nodes]
    peak = max(logs)
    weights = [math.exp(value - peak) for value in logs]
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, nodes, strict=True)) / total
    deviation = math.sqrt(math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, nodes, strict=True)) / total)
    return short(mean), short(5 * (max(deviation, 1.0) if p >= 0 else deviation))


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
        if deviation > 0.3:
            low = mode - 6.5
        else:  # the cumulant is large
            floor, whole = exponent.value(mode) - 18, False
            low, high = exponent.edge(mode, floor, -1), exponent.edge(mode, floor, 1)
    count = int((high - low) / eta) + 1
    if count > _MAX_NODES:
        raise NoConvergence(f"a tilted moment of order {p:.3g} at noise multiplier {1 / c:.3g} is too large")
    return [low + eta * i for i in range(count)], eta, whole
