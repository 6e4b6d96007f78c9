"""Pieces of a step up to a cut, and where its tilted density is large."""

import math
from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import ctx
from pldverify.balls.ball import short
from pldverify.reference.laws.hints.log_concave import log_w, slope

_LONGEST = Fraction(4)
"""Length of a piece at most."""
_DENSE, _SAMPLES = 14.0, 200
"""Nats below its peak down to which the tilted density bounds the decay, looked for at so many points."""


def low_end() -> Fraction:
    """An outcome below which nothing counts at the working precision."""
    return -short(math.sqrt(2 * (ctx.prec + 20) * math.log(2)) + 1)


def count(low: Fraction, cut: Fraction, noise_multiplier: Fraction) -> int:
    """Pieces from ``low`` to ``cut``."""
    return math.ceil((cut - low) / min(_LONGEST, short(float(noise_multiplier))))


def tame(noise_multiplier: Fraction, q: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Half-width of a panel, and |ℓ'| where it is largest on the ellipse around the last one."""
    width = min(Fraction(1, 2), noise_multiplier / 2)
    return width, short(slope(1 / float(noise_multiplier), float(q), float(high + Fraction(6, 5) * width)))


def dense(
    low: Fraction, high: Fraction, noise_multiplier: Fraction, q: Fraction, theta: Fraction
) -> tuple[Fraction, Fraction]:
    """The first and the last point where the tilted density is within e^{−_DENSE} of its peak."""
    c, p = 1 / float(noise_multiplier), float(theta) + 1
    return bulk(low, high, lambda x: p * log_w(c, float(q), x) - x * x / 2)


def bulk(low: Fraction, high: Fraction, log_density: Callable[[float], float]) -> tuple[Fraction, Fraction]:
    """The first and the last point within e^{−_DENSE} of the peak."""
    step = (high - low) / _SAMPLES
    points = [low + step * j for j in range(_SAMPLES + 1)]
    logs = [log_density(float(x)) for x in points]
    inside = [x for x, log in zip(points, logs, strict=True) if log > max(logs) - _DENSE]
    return max(low, inside[0] - step), min(high, inside[-1] + step)
