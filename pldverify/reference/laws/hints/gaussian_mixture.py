"""Nodes, strips and cells for the Poisson-subsampled Gaussian; notation as in its law."""

import math
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls.ball import short
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.log_concave import Exponent, log_w

_MAX_NODES = 20_000
"""Cap on the nodes of a moment in floats, of which a search asks dozens."""
_SAMPLES = 200
"""Points at which the last node that counts is looked for."""


class Trapezoid(NamedTuple):
    """Nodes η·first … η·last, and the half-width of the strip."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction


def trapezoid(c: float, q: float, p: float, v: float, bits: int) -> Trapezoid:
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
    convex = p >= 1 or p <= 0
    log_b = math.log(q) if convex else 0.0
    log_mass = 0.0 if convex else -c * c * p * (1 - p) / 2
    if p >= 1:
        log_mass = max(0.0, p * math.log(q) + c * c * (p * p - p) / 2)
    excess = log_b + c * c * (p * p - p) / 2 - log_mass
    reach_one = math.sqrt(2 * (goal - min(0.0, log_mass)))
    reach_two = math.sqrt(2 * max(goal + excess, 1.0))
    low = min(-reach_one, p * c - reach_two)
    high = max(reach_one, p * c + reach_two)
    return Trapezoid(eta, math.floor(low / float(eta)) - 2, math.ceil(high / float(eta)) + 1, strip)


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


def last_that_counts(c: float, q: float, p: float, eta: Fraction, last: int, bits: int) -> int:
    """The node from which on φ w^p, p ≥ 1, is too small to count: well before pc if no mass is there."""
    floor = -(bits + 12) * math.log(2) + max(0.0, p * math.log(q) + c * c * (p * p - p) / 2)
    end = float(eta) * last
    points = [end * i / _SAMPLES for i in range(_SAMPLES + 1)]
    beyond = [x for x in points if p * log_w(c, q, x) - x * x / 2 > floor]
    stop = math.ceil((max(beyond, default=0.0) + end / _SAMPLES) / float(eta))
    return stop if 2 * stop < last else last  # a proof of what is left out costs some milliseconds


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
