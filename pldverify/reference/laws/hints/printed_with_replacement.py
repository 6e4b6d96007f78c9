"""Where the integral of the printed pair is cut, and panels for it."""

import math
from fractions import Fraction

from pldverify.balls import ctx
from pldverify.balls.ball import short


def ends(shift: Fraction, m: int, n: int, theta: Fraction) -> tuple[Fraction, Fraction]:
    """Outcomes beyond which nothing counts."""
    rate, tilt = float(shift), float(theta)
    reach = math.sqrt(2 * (ctx.prec + 20) * math.log(2)) + rate * m
    reach += math.sqrt(2 * max(0.0, abs(tilt + 0.5) - 0.5) * -m * math.log1p(-1 / n))
    low, high = (max(0.0, p * rate * m) + reach for p in (-tilt, tilt + 1))
    return -short(low), short(high)


def width(shift: Fraction, m: int) -> Fraction:
    """Half-width of a panel."""
    return min(Fraction(1, 2), 1 / (2 * shift * min(m, 4)))
