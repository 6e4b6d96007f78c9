r"""Interpolation of an analytic function of a parameter, from values at a few nodes and a bound on a disc.

Let f be analytic in the disc |s| < R, |f| ≤ B there, and let p be the polynomial of degree < 2n through f at
2n distinct nodes, in pairs :math:`-y_i < 0 < x_i`. For real t, |t| < R, Hermite's formula on a circle of
radius r < R (Walsh, Interpolation and Approximation, §3.1), r → R,

.. math:: f(t) - p(t) = \frac{1}{2\pi i} \oint_{|s|=r} \frac{f(s)}{s-t}
          \prod_i \frac{(t-x_i)(t+y_i)}{(s-x_i)(s+y_i)} \, ds

and :math:`|(s-x)(s+y)| = |s^2 - xy - s(x-y)| \ge r^2 - xy - r|x-y|`, :math:`|s-t| \ge r - |t|` on it give

.. math:: |f(t) - p(t)| \le B\, \frac{R}{R-|t|} \prod_i \frac{|(t-x_i)(t+y_i)|}{R^2 - x_i y_i - R|x_i-y_i|} ,

all factors of the denominator positive. Pairs that are nearly symmetric lose nothing. Poor nodes cost width,
never truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.errors import NoConvergence

_MORE = 64
"""Bits added for the small distances t − x; any value is right: a poor one costs width."""


@dataclass(frozen=True)
class Nodes:
    """Pairs (x, y) of nodes x and −y in the disc of ``radius`` R.

    Raises NoConvergence unless all are distinct, and every factor of the denominator is positive.
    """

    pairs: tuple[tuple[Fraction, Fraction], ...]
    radius: Fraction

    def __post_init__(self) -> None:
        ups, downs = {x for x, _ in self.pairs}, {y for _, y in self.pairs}
        distinct = len(ups) == len(downs) == len(self.pairs) > 0
        if not distinct or any(min(x, y, self._room(x, y)) <= 0 for x, y in self.pairs):
            raise NoConvergence("interpolation: nodes must lie apart, inside of the disc")

    def _room(self, x: Fraction, y: Fraction) -> Fraction:
        return self.radius**2 - x * y - self.radius * abs(x - y)

    def points(self) -> list[Fraction]:
        """The nodes: x, −y, x, −y, …"""
        return [s for x, y in self.pairs for s in (x, -y)]

    def at(self, ts: Sequence[Fraction]) -> list[tuple[list[arb], arb]]:
        """For each t: the weights of the values at :meth:`points` in p(t), and what B is multiplied by in the
        error; +∞ for a t outside of the disc. A distance of t from a node keeps its bits down to 2^−64.
        """
        with working(ctx.prec + _MORE):
            points, room = [ball(s) for s in self.points()], arb(1)
            for x, y in self.pairs:
                room *= ball(self._room(x, y))
            scales = []
            for i, s in enumerate(points):
                scale = arb(1)
                for other in points[:i] + points[i + 1 :]:
                    scale *= s - other
                scales.append(1 / scale)
            rows = [[place - s for s in points] for place in map(ball, ts)]
        return [self._row(t, row, scales, room) for t, row in zip(ts, rows, strict=True)]

    def _row(
        self, t: Fraction, factors: Sequence[arb], scales: Sequence[arb], room: arb
    ) -> tuple[list[arb], arb]:
        """Products of all ``factors`` but one, of those before it and those after it: nothing is divided by
        the distance of t from a node.
        """
        before, after = [arb(1)], [arb(1)]
        for factor, last in zip(factors, reversed(factors), strict=True):
            before.append(before[-1] * factor)
            after.append(after[-1] * last)
        weights = [a * b * scale for a, b, scale in zip(before, after[-2::-1], scales, strict=False)]
        if abs(t) >= self.radius:
            return weights, arb.pos_inf()
        return weights, ball(self.radius / (self.radius - abs(t))) * abs(before[-1]) / room
