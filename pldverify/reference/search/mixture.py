"""The odds of a Poisson-subsampled Gaussian, and nodes for its moments, in floats; notation as in its law."""

import math

from pldverify.balls.ball import working
from pldverify.reference.fast.hints.gaussian_mixture import HALF_LINE, MAX_NODES, moment_nodes
from pldverify.reference.fast.hints.log_concave import BITS, Exponent


def log_w(c: float, q: float, x: float) -> float:
    """log w(x)."""
    exponent = c * x - c * c / 2
    if exponent > 30:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))


def slope(c: float, q: float, x: float) -> float:
    """(log w)'(x)."""
    exponent = c * x - c * c / 2
    if exponent > 700:
        return c
    y = q * math.exp(exponent)
    return c * y / (1 - q + y)


def log_normal(t: float) -> float:
    """log Φ(t)."""
    if t > -30:
        return math.log(math.erfc(-t / math.sqrt(2)) / 2)
    return -t * t / 2 - math.log(-t * math.sqrt(2 * math.pi))


def nodes_for_moments(c: float, q: float, p: float) -> tuple[list[float], float, bool]:
    """Equally spaced nodes over the bulk of φw^p, their distance, and whether they cover that of φw as well.

    Raises NoConvergence where these are too many.
    """
    step, half = min(0.9, 1.2 / c), float(HALF_LINE)
    low, high, narrow = -half, c * max(1.0, p) + half, False
    if p < 0:
        mode = _mode(c, q, p)
        tilt = slope(c, q, mode)
        deviation = (1 - p * tilt * (c - tilt)) ** -0.5
        while 0.4 * deviation < step:
            step /= 2
        low, narrow = mode - half, deviation <= 0.3
    first, last, whole = math.floor(low / step), math.ceil(high / step), True
    if narrow or last - first >= MAX_NODES:
        with working(BITS):
            eta, first, last, whole = moment_nodes(Exponent.of(c, q, p))
        step = float(eta)
    return [step * i for i in range(first, last + 1)], step, whole


def _mode(c: float, q: float, p: float) -> float:
    """Where φw^p is largest, p < 0."""
    low, high = -1.0, 0.0
    while p * slope(c, q, low) < low:
        low *= 2
    for _ in range(30):
        x = (low + high) / 2
        low, high = (low, x) if p * slope(c, q, x) < x else (x, high)
    return high
