"""Where the integral of the substituted Gaussian is cut, and panels for it."""

import math
from fractions import Fraction

from pldverify.balls import ctx
from pldverify.balls.ball import short


def ends(shift: Fraction, q: Fraction, theta: Fraction) -> tuple[Fraction, Fraction]:
    """Outcomes beyond which nothing counts: as far as the factors of ``omitted`` ask."""
    rate, tilt = float(shift), float(theta)
    reach = math.sqrt(2 * (ctx.prec + 20) * math.log(2)) + rate
    reach += rate * math.sqrt(max(0.0, tilt * (tilt + 1)))
    reach += math.sqrt(2 * max(0.0, abs(tilt + 0.5) - 0.5) * -math.log1p(-float(q)))
    return -short(max(0.0, -tilt * rate) + reach), short(max(0.0, (tilt + 1) * rate) + reach)


def width(shift: Fraction) -> Fraction:
    """Half-width of a panel."""
    return min(Fraction(7, 10), Fraction(7, 10) / shift)
