r"""Rényi divergences of Gaussian AboveThreshold: upper bounds of M(λ), λ > 0, and no law.

As :mod:`pldverify.mechanisms.gaussian_above_threshold` proves, log M(λ) is at most :math:`\rho'
\lambda(\lambda + 1)`, and with any 0 ≤ θ ≤ 1 at most :math:`\lambda(\lambda + 1)\theta^2 s^2/2 + \log R_k`,
where :math:`R_0 = 1` and :math:`R_{j+1}` is the larger one of :math:`G_u(R_j)` for queries that rise by u and
:math:`R_j G_d(1/R_j)` for those that fall by d,

.. math:: G_a(R) = \sup_x \big(A(x) + R\,B(x)\big), \quad A = h^\alpha h'^{-\lambda}, \quad
          B = (1 - h)^\alpha (1 - h')^{-\lambda}, \quad h = \Phi(x), \quad h' = \Phi(x + a).

Both are convex functions of R, known at one R for each x, and so below their chords; beyond the last point
their slopes are bounded. What a query adds, G − R, is so at most linear in R between two points, and all
queries that begin there are one power, or a multiple of the most that one adds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, biggest, nearest, smallest, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.reference.laws.moment_bound import MomentBound

_FINE = 6
"""Points a unit of x; any number is right. The double lowers log R_k by 2 % of itself, mostly."""
_FAR = 3
"""Largest x for one query, more for many; any is right."""
_SHARES = tuple(Fraction(x, 20) for x in (0, 2, 4, 7, 11, 15, 18, 20))
"""θ that are tried; any are right. Four times as many lowered ε by 3 % at most."""
_LARGEST = 5
"""Binary digits of λa/2 up to which a query's answer is looked at; any is right."""
_TURNS = 10_000
"""Cap on what is done in turn, which is next to the number of points; beyond it nothing is known."""
_BITS = 128
"""Least working precision; any is right, few bits cost width where there are many queries."""


class Point(NamedTuple):
    """Where a convex function of R is known."""

    at: arb
    value: arb


class _Answer(NamedTuple):
    """At x: logs of h/h' and (1 − h)/(1 − h'), and of h and 1 − h; U and T."""

    x: arb
    above: arb
    below: arb
    log_above: arb
    log_below: arb
    u: arb
    t: arb


class _Line(NamedTuple):
    """A bound of a convex function of R, from a point up to R = ``end``."""

    start: Point
    slope: arb
    end: arb

    def through(self, at: arb) -> arb:
        """Its value."""
        return self.start.value + self.slope * (at - self.start.at)


@dataclass(frozen=True)
class HaltingBound(MomentBound):
    """``threshold`` = s and ``answer``: by how much the threshold and queries move, in standard deviations
    of their noises; ``one_way``: all queries alike; ``queries`` = k; ``plain`` = ρ'. The same in both
    directions. ``at_once``: with θ = 1 and of all queries in one sum alone, which takes no time.
    """

    threshold: Fraction
    answer: Fraction
    one_way: bool
    queries: int
    plain: Fraction
    at_once: bool = False

    def log_moment(self, lam: Fraction) -> arb:
        """Upper bound of log M(``lam``)."""
        with working(max(ctx.prec, _BITS)):
            plain = ball(self.plain * lam * (lam + 1))
            if self.at_once:
                moved = ball(lam * (lam + 1) * self.threshold**2 / 2)
                return plain.min(moved + _at_once(lam, self.answer * (2 - self.one_way), self.queries))
            if not self.one_way:
                return plain.min(self._least(lam, [(1 - x, 1 + x) for x in _SHARES]))
            rising = self._least(lam, [(1 - x, x) for x in _SHARES])
            falling = self._least(lam, [(x, 1 - x) for x in _SHARES])
            return plain.min(rising.max(falling))

    def _least(self, lam: Fraction, ways: Sequence[tuple[Fraction, Fraction]]) -> arb:
        """Over all θ, with how far queries rise and fall at most."""
        least = arb.pos_inf()
        for share, (up, down) in zip(_SHARES, ways, strict=True):
            if surely_less(least, moved := ball(lam * (lam + 1) * (share * self.threshold) ** 2 / 2)):
                break  # log R_k is not below 0
            answers = log_sum(lam, up * self.answer, down * self.answer, self.queries)
            if not up:
                answers = answers.min(_at_once(lam, down * self.answer, self.queries))
            least = least.min(moved + answers)
        return least


def log_sum(lam: Fraction, up: Fraction, down: Fraction, queries: int) -> arb:
    """Upper bound of log R_k; infinite where nothing is known."""
    far = _FAR + isqrt(2 * queries.bit_length())
    known = [_curve(lam, move, far, rising) for move, rising in ((up, True), (down, False)) if move]
    if not all(points for points, _ in known):
        return arb.pos_inf()
    found, left = arb(1), queries
    for _ in range(_TURNS):
        lines = [_line(*curve, found) for curve in known]
        best, end = biggest(line.through(found) for line in lines), smallest(line.end for line in lines)
        if not end.is_finite():
            factor = biggest([best / found, *(line.slope for line in lines)])
            return found.log() + left * factor.log()
        later = biggest(line.through(end) - end for line in lines)
        count, gained = _together(end - found, (best - found).upper(), later.upper(), left)
        found, left = ((found + gained).upper(), left - count) if count > 1 else (best.upper(), left - 1)
        if not left:
            return found.log()
    return arb.pos_inf()


def _at_once(lam: Fraction, down: Fraction, queries: int) -> arb:
    """Upper bound of log R_k where nothing rises, of all queries in one sum; infinite if it is no number."""
    a, k = ball(down), queries
    t = (ball(2).sqrt() * (2 / ball(max(k, 2))).erfcinv()).mid()  # Φ(−t) is next to 1/k
    s = (ball(lam) * a * (a / 2 + t)).exp()
    above = (ball(lam * (lam + 1)) * a**2 / 2).exp() * normal_tail(t - ball(lam) * a) - s * normal_tail(t)
    found = (s + k * above).log()
    return found if found.is_finite() else arb.pos_inf()


def _together(room: arb, first: arb, last: arb, left: int) -> tuple[int, arb]:
    """How many steps begin within ``room``, and what they gain, if one gains at most what lies on the line
    from ``first`` to ``last``.
    """
    slope = (last - first) / room
    if surely_less(slope, 0):
        count = min(left, nearest(((last / first).log() / slope.log1p()).lower() - 1))
        return count, first * (count * slope.log1p()).expm1() / slope
    most = first.max(last)
    count = min(left, nearest((room / most).lower() - 1))
    return count, count * most


def _line(points: list[Point], steepest: arb, at: arb) -> _Line:
    """That of a convex function of R, from the last point before ``at`` to the next one beyond it, or, for
    all R to come, as steep as it gets. Points that ``at`` has passed are dropped.
    """
    while len(points) > 1 and not surely_less(at, points[-2].at):
        del points[-1 if surely_at_most(points[-2].at, at) else -2]
    start = points[-1]
    if len(points) == 1:
        return _Line(start, steepest, arb.pos_inf())
    end = points[-2]
    return _Line(start, (end.value - start.value) / (end.at - start.at), end.at.lower())


def _curve(lam: Fraction, move: Fraction, far: int, rising: bool) -> tuple[list[Point], arb]:
    """G_a(R), or R G_a(1/R): the last points first, down to a bound at R = 0, and its greatest slope. No
    points where λa is too large.
    """
    power, one = ball(lam), arb(1)
    size = max(1, nearest(power * ball(move) / 2)).bit_length()
    rows = _answers(move, far, size, ctx.prec) if size <= _LARGEST else []
    left = [power + 1 - power * row.t for row in rows]
    first = next((i for i, x in enumerate(left) if surely_less(0, x)), len(rows))
    if first == len(rows):
        return [], one
    points = []
    for row, rest in zip(rows[first:], left[first:], strict=True):
        above = (row.log_above + power * row.above).exp()
        below = (row.log_below + power * row.below).exp()
        place = (power * (row.below - row.above)).exp() * rest / (power + 1 - power * row.u)
        points.append(
            Point(1 / place, above + below / place) if rising else Point(place, below + place * above)
        )
    before = next((rows[i] for i in range(first - 1, -1, -1) if surely_less(left[i], 0)), None)
    most = _most(power, before, rows[first])
    if rising:
        return [*points, Point(arb(0), one)], most.min(points[0].value / points[0].at)
    return [*points[::-1], Point(arb(0), most)], one


def _most(power: arb, before: _Answer | None, after: _Answer) -> arb:
    """Upper bound of B, which is largest between two x, or before one."""
    if before is None:
        return (power * (after.below - after.log_below)).exp()
    ends = [row.log_below + power * row.below for row in (before, after)]
    return (biggest(ends) + (power + 1) * (after.x - before.x) ** 2 / 8).exp()


@remembered(128)
def _answers(move: Fraction, far: int, size: int, prec: int) -> list[_Answer]:
    """At all x that are tried, upwards, at the working precision ``prec``."""
    fine = _FINE * max(1, 2 ** (size - 3))
    return [
        _answer(Fraction(j, fine), move, prec) for j in range(-far * fine, (far + 2 ** (size + 1)) * fine + 1)
    ]


def _answer(x: Fraction, move: Fraction, prec: int) -> _Answer:
    h, rest, log_h, log_rest = _normal(x, prec)
    moved = ball(x + move)
    tail = normal_tail(abs(moved))
    other, others = (1 - tail, tail) if x + move > 0 else (tail, 1 - tail)
    slope = (-ball(move * (x + move / 2))).exp()
    return _Answer(
        ball(x),
        log_h - other.log(),
        log_rest - others.log(),
        log_h,
        log_rest,
        h / other * slope,
        rest / others * slope,
    )


@remembered(4096)
def _normal(x: Fraction, prec: int) -> tuple[arb, arb, arb, arb]:
    """Φ(x) and Φ(−x), and their logarithms."""
    h, rest = normal_tail(-ball(x)), normal_tail(ball(x))
    return h, rest, h.log(), rest.log()
