r"""Bells at the integers: :math:`B(a, y) = \sum_m e^{-2\pi i m a - r(m - y)^2}`, m over all integers, r > 0.

**Far terms**: those at unit distances from D > 0 on, on both sides, sum to at most
:math:`2 e^{-rD^2}/(1 - e^{-2rD})`, as :math:`(D + n)^2 \ge D^2 + 2nD`.

**Bound**: for every y at a distance ≥ d, 0 ≤ d ≤ 1/2, from the integers

.. math:: |B(a, y)| \le B(0, y) \le B(0, d) \le e^{-rd^2} + e^{-r(1 - d)^2} + 2 e^{-r}/(1 - e^{-2r}).

Proof: the triangle inequality; B(0, ·) is even, of period 1, and falls on [0, 1/2], as by Poisson summation
and Jacobi's triple product it is :math:`\sqrt{\pi/r} \prod_{n \ge 1} (1 - w^{2n})(1 + 2 w^{2n-1} \cos 2\pi y
+ w^{4n-2})`, :math:`w = e^{-\pi^2/r} < 1`, with factors > 0 that grow with :math:`\cos 2\pi y`; the terms of
B(0, d) other than m = 0 and 1 lie at distances ≥ 1.
Assumes: a rate > 0. Rounds: up; not finite otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less

_NEAR = Fraction(51, 100)
"""Distance of y from its centre up to which one bound of the far terms serves all y; any value is right."""


@dataclass(frozen=True)
class Bells:
    """``rate`` is r > 0, ``turn`` is a."""

    rate: arb
    turn: Fraction

    def values(self, places: Sequence[arb], reach: int) -> list[acb]:
        """B(a, y) at each y, from ``reach`` terms on each side of the nearest integer."""
        phases: dict[int, acb] = {}
        whole, far = self.turn.denominator == 1, both_sides(self.rate, ball(reach + 1 - _NEAR)).upper()
        values, half = [], arb(1) / 2
        for i, y in enumerate(places):
            if i % 16 == 0:
                spend()
            found, total = (y.mid() + half).floor().unique_fmpz(), acb(0)
            centre = int(found) if found is not None else 0
            close = surely_less(abs(y - centre), ball(_NEAR))
            rest = far if close else both_sides(self.rate, reach + 1 - abs(y - centre)).upper()
            wobble = arb(0, rest)
            for m in range(centre - reach, centre + reach + 1):
                gap = y - m
                size = (-self.rate * gap * gap).exp()
                if whole:
                    total += size
                    continue
                if m not in phases:
                    phases[m] = acb(0, -2 * arb.pi() * ball(self.turn * m % 1)).exp()
                total += phases[m] * size
            values.append(total + acb(wobble, arb(0) if whole else wobble))
        return values

    def bound(self, distance: arb) -> arb:
        """Upper bound of |B(a, y)| over all y at least ``distance`` ≤ 1/2 away from the integers."""
        d = distance.lower().max(arb(0))
        near = (-self.rate * d * d).exp() + (-self.rate * (1 - d) * (1 - d)).exp()
        return (near + self._rest).upper()

    @cached_property
    def _rest(self) -> arb:
        """Terms at distances ≥ 1, at most."""
        return both_sides(self.rate, arb(1)).upper()


def both_sides(rate: arb, distance: arb) -> arb:
    """Σ e^{−rate x²} over unit-spaced |x| ≥ ``distance``, at most; +∞ unless distance > 0."""
    if not surely_less(0, distance):
        return arb.pos_inf()
    return 2 * (-rate * distance * distance).exp() / -(-2 * rate * distance).expm1()
