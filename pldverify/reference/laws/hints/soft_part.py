"""Nodes and cells for the two parts of a step; notation as in its law."""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb, ctx
from pldverify.balls.ball import Real, ball, biggest, near, nearest, rounded, working
from pldverify.balls.compare import surely_less
from pldverify.reference.laws.hints.gaussian_mixture import MOST_BITS, NATS_TO_BITS, Trapezoid
from pldverify.reference.laws.hints.log_concave import BITS
from pldverify.reference.lemmas.mixture_loss import mixture_loss

_SAMPLES = 100
"""Points at which the range of the nodes is looked for."""
_FINE = 120
"""Cells of the decay around the cut, from 25 τ below it to 8 τ above; any number is right, few cost size."""
_COARSE = 120
"""Cells of the decay beyond these; likewise."""


@dataclass(frozen=True)
class Part:
    """c, q, x_c, τ, and whether it is what jumps."""

    c: Fraction
    q: Fraction
    cut: Fraction
    tau: Fraction
    jumps: bool

    @property
    def stretch(self) -> Fraction:
        """1 + 1/τ²."""
        return 1 + 1 / self.tau**2

    def log_density(self, p: Real, x: Real) -> arb:
        """log f, but for a constant."""
        x = ball(x)
        t = (x - ball(self.cut)) / ball(self.tau)
        weight = _log_normal(t if self.jumps else -t)
        return ball(p) * mixture_loss(ball(self.c), ball(self.q), x) - x * x / 2 + weight

    def bulk(self, p: Fraction, nats: arb) -> tuple[arb, arb]:
        """Where log f is within ``nats`` of its peak, and on until g ≥ 1."""
        cut, zero, steep = ball(self.cut), arb(0), ball(self.stretch)
        reach, mode, pull = (2 * nats).sqrt() + 2, ball(p * self.c + 1), ball(self.cut / self.tau**2)
        low, high = cut.min(arb(-1)) - reach, biggest((zero, cut, mode)) + reach
        if self.jumps:
            first, last = cut.min((pull - 1) / steep), mode
        else:
            first, last = arb(-1), mode - 1 if surely_less(mode - 1, cut) else (mode - 1 + pull) / steep
            high = biggest((zero, cut, last)) + reach
        space = (high - low) / _SAMPLES
        points = [low + space * j for j in range(_SAMPLES + 1)]
        logs = [self.log_density(p, x) for x in points]
        floor = biggest(logs) - nats
        inside = [x for x, log in zip(points, logs, strict=True) if surely_less(floor, log)]
        return first.min(inside[0]) - space, last.max(inside[-1]) + space

    def trapezoid(self, theta: Fraction, reach: Fraction) -> Trapezoid:
        """A rule, from θ up to θ + i·``reach``, whose proved error is small."""
        bits = ctx.prec + 8
        with working(BITS):
            goal, stretch, c = bits * arb(2).log(), ball(self.stretch), ball(self.c)
            widest = (2 * goal / stretch).sqrt().min(arb(95) / 100 * arb.pi() / c)
            size = goal + stretch * widest * widest / 2
            found = 2 * arb.pi() * widest / (size + ball(reach) * c * widest), widest, arb(0)
            shifted = arb.pi() * widest / size
            if surely_less(found[0], shifted):  # on a line where nothing grows with v
                found = shifted, widest / 2, widest / 2
            space, strip, line = (near(x, 20) for x in found)
            low, high = self.bulk(theta + 1, goal + 10 + stretch * found[2] * found[2] / 2)
            first, last = nearest(low / ball(space)) - 2, nearest(high / ball(space)) + 2
        return Trapezoid(space, first, last, strip, line)

    def lost_bits(self, shift: Fraction) -> int:
        """What the sum on Im x = ``shift`` loses by cancellation."""
        return min(MOST_BITS, math.ceil(self.stretch * shift**2 / 2 * NATS_TO_BITS))

    def cells(self, theta: Fraction) -> list[Fraction]:
        """Edges of cells for the decay of what jumps."""
        with working(BITS):
            _, high = self.bulk(theta + 1, arb(100))
            end = near(high)
        low, middle = rounded(self.cut - 25 * self.tau), rounded(self.cut + 8 * self.tau)
        end = max(end, middle + 1)
        fine = [low + (middle - low) * Fraction(j, _FINE) for j in range(_FINE)]
        return fine + [middle + (end - middle) * Fraction(j, _COARSE) for j in range(_COARSE + 1)]


def _log_normal(t: arb) -> arb:
    """log Φ(t), about: far out Φ itself has no digits."""
    if surely_less(-30, t):
        return ((-t / arb(2).sqrt()).erfc() / 2).log()
    return -t * t / 2 - (-t * (2 * arb.pi()).sqrt()).log()
