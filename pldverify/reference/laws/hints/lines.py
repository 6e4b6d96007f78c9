"""Heights of lines parallel to the real axis that bound a decay."""

from fractions import Fraction

from pldverify.balls.ball import short

_HIGHEST = 10.0


def heights(turn: float, angle: float, count: int) -> list[Fraction]:
    """``count`` heights b, each half of the one before; b·``turn`` is at most ``angle``."""
    highest = short(min(_HIGHEST, angle / turn))
    return [highest / 2**j for j in range(count)]
