"""Where the integrals of one component are cut, and the path and panels for them."""

import math
from fractions import Fraction

from pldverify.balls import ctx
from pldverify.balls.ball import short

_TURN, _HIGHEST = Fraction(3, 2), Fraction(5, 2)
"""cb and b of the path that the transform takes: the integrand grows by e^{b²/2} there."""


def ends(level: Fraction, theta: Fraction) -> tuple[Fraction, Fraction]:
    """Outcomes beyond which nothing counts of the upper and the lower losses."""
    rate, reach = float(level), math.sqrt(2 * (ctx.prec + 20) * math.log(2))
    up, down = (
        level / 2 + short(max(0.0, p * rate - rate / 2) + reach) for p in (float(theta) + 1, -float(theta))
    )
    return up, down


def width(level: Fraction) -> Fraction:
    """Half-width of a panel."""
    return min(Fraction(7, 10), Fraction(7, 10) / level)


def height(level: Fraction) -> Fraction:
    """b of the path."""
    return short(float(min(_HIGHEST, _TURN / level)))
