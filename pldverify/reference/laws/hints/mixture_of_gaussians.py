"""Where the integral of a mixture of Gaussians is cut, and panels for it."""

import math
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import ctx
from pldverify.balls.ball import short

Levels = tuple[tuple[int, Fraction], ...]


def ends(shift: Fraction, levels: Levels, power: Fraction) -> tuple[Fraction, Fraction]:
    """Outcomes beyond which nothing counts of ∫ φ f^``power``."""
    p, first, last = float(power), float(shift * levels[0][0]), float(shift * levels[-1][0])
    least = min(_log(weight) for _, weight in levels)
    extra = max(0.0, abs(p - 0.5) - 0.5) * -least + (last**2 / 8 if 0 < p < 1 else 0.0)
    reach = math.sqrt(2 * ((ctx.prec + 20) * math.log(2) + extra))
    low, high = reach + max(0.0, -p) * first, reach + (max(p, 1.0) * last if p > 0 else 0.0)
    return -short(low), short(high)


def width(shift: Fraction, levels: Levels) -> Fraction:
    """Half-width of a panel: f has no zero within π/(the largest jump along the terms that count)."""
    c = float(shift)
    points = [(c * level, _log(weight) - (c * level) ** 2 / 2) for level, weight in levels]
    hull: list[tuple[float, float]] = []
    for point in points:
        while len(hull) > 1 and _below(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    jump = max((b[0] - a[0] for a, b in pairwise(hull)), default=c)
    return short(min(0.5, 1 / (2 * min(points[-1][0], 4 * jump))))


def _below(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether b lies below the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])


def _log(weight: Fraction) -> float:
    return math.log(weight.numerator) - math.log(weight.denominator)
