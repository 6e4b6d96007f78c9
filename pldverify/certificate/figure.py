"""The profile as a drawing: ε across, δ up on a logarithmic axis, places in BOX."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.witness import Bound
from pldverify.values.verdict import ends
from pldverify.web_page import Box, Tick

BOX = Box(640, 400, left=62, right=18, top=16, bottom=48)
_MOST_TICKS = 9
"""Cap on the ticks of an axis."""
_BELOW = 3
"""Decades that are shown below the claimed δ."""
_LEAST = -12
"""The lowest decade where the claimed δ is 0."""


@dataclass(frozen=True)
class Curve:
    """What is proved of a falling curve: boxes between the points, and at each one a line from end to end."""

    boxes: str
    ends: str


@dataclass(frozen=True)
class Frame:
    """The axes: ε from 0 to ``top``, δ from 10^lowest to 1. Numbers beyond them stand on the edge."""

    top: Fraction
    lowest: int

    @property
    def floor(self) -> Fraction:
        """The least δ shown."""
        return Fraction(1, 10**-self.lowest)

    def across(self, epsilon: Bound) -> float:
        """Where an ε stands."""
        inside = max(min(epsilon, self.top), Fraction(0))
        return BOX.across(float(inside / self.top))

    def up(self, delta: Bound) -> float:
        """Where a δ stands."""
        exact = Fraction(delta)
        power = _log10(exact) if exact > 0 else -math.inf
        return BOX.up(1 - min(max(power, self.lowest), 0) / self.lowest)

    def xs(self) -> list[Tick]:
        """Round numbers.

        >>> from pldverify.certificate.figure import Frame
        >>> [tick.label for tick in Frame(Fraction(7), -9).xs()]
        ['0', '1', '2', '3', '4', '5', '6', '7']
        """
        least = self.top / (_MOST_TICKS - 1)
        power = Fraction(10) ** math.floor(_log10(least))
        step = next(power * by for by in (1, 2, 5, 10, 20) if power * by >= least)
        return [Tick(self.across(step * i), f"{float(step * i):g}") for i in range(int(self.top / step) + 1)]

    def ys(self) -> list[Tick]:
        """Powers of ten."""
        step = -(self.lowest // (_MOST_TICKS - 1))
        return [
            Tick(self.up(Fraction(1, 10**power)), f"1e-{power}" if power else "1")
            for power in range(0, 1 - self.lowest, step)
        ]


def frame(top: Fraction, delta: Fraction | Irrational) -> Frame:
    """Axes for a claim at this δ."""
    below = Fraction(ends(delta)[0])
    if below <= 0:
        return Frame(top, _LEAST)
    return Frame(top, min(math.floor(_log10(below)), -1) - _BELOW)


def _log10(x: Fraction) -> float:
    return math.log10(x.numerator) - math.log10(x.denominator)


def curve(found: Sequence[tuple[Fraction, Enclosure]], axes: Frame) -> Curve:
    """Paths of what is proved of a falling curve at the points and between them."""
    xs = [axes.across(at) for at, _ in found]
    highs = [axes.up(value.upper) for _, value in found]
    lows = [axes.up(value.lower) for _, value in found]
    above = "".join(f"V{high}H{x}" for high, x in zip(highs, xs[1:], strict=False))
    below = "".join(f"V{low}H{x}" for low, x in zip(lows[:0:-1], xs[-2::-1], strict=True))
    rows = zip(xs, highs, lows, strict=True)
    lines = "".join(f"M{x} {high}V{low}" for x, high, low in rows if high < BOX.floor)
    return Curve(f"M{xs[0]} {highs[0]}{above}{below}Z", lines)


def span(found: Enclosure, axes: Frame) -> tuple[float, float]:
    """Where both ends of an ε stand."""
    return axes.across(found.lower), axes.across(found.upper)
