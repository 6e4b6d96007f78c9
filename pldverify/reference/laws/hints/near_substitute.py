"""The path of a step up to a cut under replace-one, panels for it, and where its tilted density is large."""

import math
from fractions import Fraction

from pldverify.balls import ctx
from pldverify.balls.ball import short
from pldverify.reference.laws.hints.log_concave import log_w, slope
from pldverify.reference.laws.hints.near_mixture import bulk

_TURN, _HIGHEST = Fraction(17, 20), Fraction(5, 2)
"""cb and b of the path: nowhere on an ellipse around a panel is Re w < 0."""
_WIDTH, _WIDEST = Fraction(7, 20), Fraction(1, 2)
_HALVINGS = 20


def low_end(shift: Fraction, q: float, theta: Fraction) -> Fraction:
    """An outcome below which nothing counts at the working precision."""
    nats, c, turn = (ctx.prec + 20) * math.log(2), float(shift), math.cos(float(_TURN))
    near, far = 0.0, math.sqrt(2 * nats) + 1
    for _ in range(_HALVINGS if theta > 0 else 0):
        middle = (near + far) / 2
        least = math.log1p(q * (math.exp(min(600.0, c * middle)) * turn - 1))
        enough = middle * middle / 2 + float(theta) * least > nats
        near, far = (near, middle) if enough else (middle, far)
    return -short(far) - shift


def height(shift: Fraction) -> Fraction:
    """b of the path."""
    return short(float(min(_HIGHEST, _TURN / shift)))


def tame(shift: Fraction, q: float, high: Fraction) -> tuple[Fraction, Fraction]:
    """Half-width of a panel, and |ℓ'| at the end of the ellipse around the last one."""
    width, c = min(_WIDEST, _WIDTH / shift), float(shift)
    end = float(high + Fraction(6, 5) * width)
    return width, short(slope(c, q, end) + slope(c, q, -end))


def dense(
    low: Fraction, high: Fraction, shift: Fraction, q: Fraction, theta: Fraction
) -> tuple[Fraction, Fraction]:
    """The first and the last point where the tilted density is near its peak."""
    c, p, rate = float(shift), float(theta) + 1, float(q)
    return bulk(low, high, lambda x: p * log_w(c, rate, x) - (p - 1) * log_w(-c, rate, x) - x * x / 2)
