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


_HALVINGS = 12
"""Half-widths of the strip that are tried, each half as wide."""
_MOST_BITS = 20_000
"""Cap on bits that a sum may lose."""


class Trapezoid(NamedTuple):
    """Nodes η·first … η·last on Im x = ``shift``, and the half-width of the strip around them."""

    eta: Fraction
    first: int
    last: int
    strip: Fraction
    shift: Fraction


def trapezoid(c: float, q: float, p: float, v: float, bits: int) -> Trapezoid:
    """A rule for ∫ φ w^{p + iv} whose proved error is small, on the real axis or where v does not count."""
    goal = (bits + 8) * math.log(2)
    found = _strip(c, q, p, v, goal, 0.0)
    if v > 0:  # twice as many nodes as v = 0 takes
        found = max(found, _strip(c, q, p, v, goal, 1.0))
    eta, strip, shift = (short(x, 20) for x in found)
    convex = p >= 1 or p <= 0
    log_b = math.log(q) if convex else 0.0
    log_mass = 0.0 if convex else -c * c * p * (1 - p) / 2
    if p >= 1:
        log_mass = max(0.0, p * math.log(q) + c * c * (p * p - p) / 2)
    goal += _growth(c, q, p, float(shift))
    excess = log_b + c * c * (p * p - p) / 2 - log_mass
    reach_one = math.sqrt(2 * (goal - min(0.0, log_mass)))
    reach_two = math.sqrt(2 * max(goal + excess, 1.0))
    low = min(-reach_one, p * c - reach_two)
    high = max(reach_one, p * c + reach_two)
    return Trapezoid(eta, math.floor(low / float(eta)) - 2, math.ceil(high / float(eta)) + 1, strip, shift)


def _strip(c: float, q: float, p: float, v: float, goal: float, part: float) -> tuple[float, float, float]:
    """The largest step, the half-width a of its strip, and its distance b = ``part``·a from the real axis."""
    entire, far = q == 1, 1 + part
    widest = math.sqrt(2 * goal) / far
    if not entire:
        widest = min(widest, (0.95 if p >= 0 else 0.6) * math.pi / c / far)
    best = (0.0, widest, 0.0)
    for a in (widest / 2**j for j in range(_HALVINGS)):
        growth = _growth(c, q, p, far * a) + (0.0 if part else v * c * a)
        best = max(best, (2 * math.pi * a / (goal + growth), a, part * a))
    return best


def _growth(c: float, q: float, p: float, b: float) -> float:
    """log of how much φ |w|^p may exceed on Im x = b what it is on the real axis."""
    return b * b / 2 + (p * math.log(math.cos(c * b / 2)) if p < 0 and q < 1 else 0.0)


def lost_bits(shift: Fraction) -> int:
    """What the sum on Im x = ``shift`` loses by cancellation."""
    return min(_MOST_BITS, math.ceil(float(shift) ** 2 / 2 / math.log(2)))


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
        if deviation > 0.3:
            low = mode - 6.5
        else:  # the cumulant is large
            floor, whole = exponent.value(mode) - 18, False
            low, high = exponent.edge(mode, floor, -1), exponent.edge(mode, floor, 1)
    count = int((high - low) / eta) + 1
    if count > _MAX_NODES:
        raise NoConvergence(f"a tilted moment of order {p:.3g} at noise multiplier {1 / c:.3g} is too large")
    return [low + eta * i for i in range(count)], eta, whole
