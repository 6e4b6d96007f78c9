"""Nodes and cells for the two parts of a step; notation as in its law."""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import ctx
from pldverify.balls.ball import short
from pldverify.reference.laws.hints.gaussian_mixture import Trapezoid
from pldverify.reference.laws.hints.log_concave import log_w

_SAMPLES = 300
"""Points at which the range of the nodes is looked for."""
_FINE = 120
"""Cells of the decay around the cut, from 25 τ below it to 8 τ above; any number is right, few cost size."""
_COARSE = 120
"""Cells of the decay beyond these; likewise."""
_MOST_BITS = 20_000
"""Cap on bits that a sum may lose."""


@dataclass(frozen=True)
class Part:
    """c, q, x_c, τ, and whether it is what jumps."""

    c: float
    q: float
    cut: float
    tau: float
    jumps: bool

    def log_density(self, p: float, x: float) -> float:
        """log f, but for a constant."""
        t = (x - self.cut) / self.tau
        return p * log_w(self.c, self.q, x) - x * x / 2 + log_normal(t if self.jumps else -t)

    def bulk(self, p: float, nats: float) -> tuple[float, float]:
        """Where log f is within ``nats`` of its peak, and on until g ≥ 1."""
        cut, tau = self.cut, self.tau
        reach, mode, steep = math.sqrt(2 * nats) + 2, p * self.c + 1, 1 + 1 / tau**2
        low, high = min(-1.0, cut) - reach, max(0.0, cut, mode) + reach
        if self.jumps:
            first, last = min(cut, (cut / tau**2 - 1) / steep), mode + 1
        else:
            first, last = -1.0, mode if mode < cut else (mode + cut / tau**2) / steep
            high = max(0.0, cut, last) + reach
        points = [low + (high - low) * j / _SAMPLES for j in range(_SAMPLES + 1)]
        logs = [self.log_density(p, x) for x in points]
        floor, space = max(logs) - nats, (high - low) / _SAMPLES
        inside = [x for x, log in zip(points, logs, strict=True) if log > floor]
        return min(first, inside[0]) - space, max(last, inside[-1]) + space

    def trapezoid(self, theta: Fraction, reach: Fraction) -> Trapezoid:
        """A rule, from θ up to θ + i·``reach``, whose proved error is small."""
        p, v, stretch = float(theta) + 1, float(reach), 1 + 1 / self.tau**2
        goal = (ctx.prec + 8) * math.log(2)
        widest = min(math.sqrt(2 * goal / stretch), 0.95 * math.pi / self.c)
        a, turn = widest, v * self.c * widest
        eta = 2 * math.pi * a / (goal + stretch * a * a / 2 + turn)
        shifted = math.pi * widest / (goal + stretch * widest**2 / 2)
        shift = 0.0
        if shifted > eta:  # on a line where nothing grows with v
            eta, a, shift = shifted, widest / 2, widest / 2
        space, strip, line = (short(x, 20) for x in (eta, a, shift))
        low, high = self.bulk(p, goal + 10 + stretch * shift**2 / 2)
        first, last = math.floor(low / float(space)) - 1, math.ceil(high / float(space)) + 1
        return Trapezoid(space, first, last, strip, line)

    def lost_bits(self, shift: Fraction) -> int:
        """What the sum on Im x = ``shift`` loses by cancellation."""
        return min(_MOST_BITS, math.ceil((1 + 1 / self.tau**2) * float(shift) ** 2 / 2 / math.log(2)))

    def cells(self, theta: Fraction) -> list[Fraction]:
        """Edges of cells for the decay of what jumps."""
        _, high = self.bulk(float(theta) + 1, 100.0)
        low, middle = short(self.cut - 25 * self.tau), short(self.cut + 8 * self.tau)
        end = short(max(high, float(middle) + 1))
        fine = [low + (middle - low) * Fraction(j, _FINE) for j in range(_FINE)]
        return fine + [middle + (end - middle) * Fraction(j, _COARSE) for j in range(_COARSE + 1)]


def log_normal(t: float) -> float:
    """log Φ(t)."""
    if t > -30:
        return math.log(math.erfc(-t / math.sqrt(2)) / 2)
    return -t * t / 2 - math.log(-t * math.sqrt(2 * math.pi))
