r"""Rényi divergences of AboveThreshold: upper bounds of M(λ), λ > 0, and no law.

The threshold's noise is moved by a part θ of what the queries move by, any 0 ≤ θ ≤ 1, and log M(λ) is at most
what that costs and log R, the worst sum over where it halts.

**Laplace noise** (:mod:`pldverify.mechanisms.above_threshold`): R is any number ≥ 1 with :math:`h^\alpha
h'^{-\lambda} + R\,(1 - h)^\alpha (1 - h')^{-\lambda} \le R` at the corners of a polygon, with q =
:math:`e^{-a/n}`,

.. math:: 1 - h = \frac{q^{i+1}}{1 + q}, \quad h' = \frac{q^{n-i}}{1 + q}, \quad 0 \le i < n,

where queries fall by a, and with h and h' exchanged where they rise by a.

**Gaussian noise** (:mod:`pldverify.mechanisms.gaussian_above_threshold`): log M(λ) is at most :math:`\rho'
\lambda(\lambda + 1)`, too. :math:`R_0 = 1` and :math:`R_{j+1}` is the larger one of :math:`G_u(R_j)` for
queries that rise by u and :math:`R_j G_d(1/R_j)` for those that fall by d,

.. math:: G_a(R) = \sup_x \big(A(x) + R\,B(x)\big), \quad A = h^\alpha h'^{-\lambda}, \quad
          B = (1 - h)^\alpha (1 - h')^{-\lambda}, \quad h = \Phi(x), \quad h' = \Phi(x + a).

Both are convex functions of R, known at one R for each x, and so below their chords; beyond the last point
their slopes are bounded. What a query adds, G − R, is so at most linear in R between two points, and all
queries that begin there are one power, or a multiple of the most that one adds.
"""

from abc import abstractmethod
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
from pldverify.reference.laws.blunted_laplace import BluntedLaplaceLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.moment_bound import MomentBound

_TANGENTS = 4
"""n, tangents to what Laplace noise has, less one; any number is right."""
_FINE = 6
"""Points a unit of x; any number is right. The double lowers log R_k by 2 % of itself, mostly."""
_FAR = 3
"""Largest x for one query, more for many; any is right."""
_SHARES = tuple(Fraction(x, 20) for x in (0, 2, 4, 7, 11, 15, 18, 20))
"""θ that are tried; any are right. Four times as many lowered ε by 3 % at most."""
_FINER = tuple(Fraction(x, 40) for x in range(41))
"""Those of Laplace noise."""
_LARGEST = 5
"""Binary digits of λa/2 up to which a query's answer is looked at; any is right."""
_TURNS = 10_000
"""Cap on what is done in turn, which is next to the number of points; beyond it nothing is known."""
HALTING_BITS = 128
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


@dataclass(frozen=True)
class HaltingBound(MomentBound):
    """``threshold`` and ``answer``: by how much the threshold and queries move, in units of their noises;
    ``one_way``: all queries alike. The same in both directions.
    """

    threshold: Fraction
    answer: Fraction
    one_way: bool

    @abstractmethod
    def moved(self, lam: Fraction, by: Fraction) -> arb:
        """log M(``lam``) of the threshold's noise, moved ``by`` so many units."""

    @abstractmethod
    def ends(self, lam: Fraction, up: Fraction, down: Fraction) -> arb:
        """Upper bound of log R where queries rise and fall by so much; infinite where nothing is known."""

    def shared(self, lam: Fraction, shares: Sequence[Fraction]) -> arb:
        """Upper bound of log M(``lam``) by the best of ``shares`` θ."""
        if not self.one_way:
            return self._least(lam, [(x, 1 - x, 1 + x) for x in shares])
        rising = self._least(lam, [(x, 1 - x, x) for x in shares])
        return rising.max(self._least(lam, [(x, x, 1 - x) for x in shares]))

    def _least(self, lam: Fraction, ways: Sequence[tuple[Fraction, Fraction, Fraction]]) -> arb:
        """Over all θ, with how far queries rise and fall at most."""
        least = arb.pos_inf()
        for share, up, down in ways:
            if surely_less(least, moved := self.moved(lam, share * self.threshold)):
                break  # log R is not below 0
            least = least.min(moved + self.ends(lam, up * self.answer, down * self.answer))
        return least


@dataclass(frozen=True)
class LaplaceHaltingBound(HaltingBound):
    """With Laplace noise and any number of queries; ``pair`` dominates, so the least of both counts."""

    pair: LaplaceLaw | BluntedLaplaceLaw

    @property
    def largest_finite_loss(self) -> Fraction:
        return self.pair.largest_finite_loss

    def log_moment(self, lam: Fraction) -> arb:
        (known,) = self.pair.on_line(lam, Fraction(0), 0)
        with working(max(ctx.prec, HALTING_BITS)):
            return known.real.log().min(self.shared(lam, _FINER))

    def moved(self, lam: Fraction, by: Fraction) -> arb:
        rest = (ball(lam + 1) + ball(lam) * ball(-(2 * lam + 1) * by).exp()) / ball(2 * lam + 1)
        return ball(lam * by) + rest.log()

    def ends(self, lam: Fraction, up: Fraction, down: Fraction) -> arb:
        found = arb(1)
        for corner in _corners(down, ctx.prec) + _corners(up, ctx.prec, rising=True):
            above, below = (x * (ball(lam) * log).exp() for x, log in corner)
            if not surely_less(below, 1):
                return arb.pos_inf()
            found = found.max(above / (1 - below))
        return found.log()


@dataclass(frozen=True)
class GaussianHaltingBound(HaltingBound):
    """With Gaussian noise; ``queries`` = k; ``plain`` = ρ'."""

    queries: int
    plain: Fraction

    def log_moment(self, lam: Fraction) -> arb:
        with working(max(ctx.prec, HALTING_BITS)):
            return ball(self.plain * lam * (lam + 1)).min(self.shared(lam, _SHARES))

    def moved(self, lam: Fraction, by: Fraction) -> arb:
        return ball(lam * (lam + 1) * by**2 / 2)

    def ends(self, lam: Fraction, up: Fraction, down: Fraction) -> arb:
        answers = log_sum(lam, up, down, self.queries)
        return answers if up else answers.min(at_once(lam, down, self.queries))


@remembered(128)
def _corners(move: Fraction, prec: int, rising: bool = False) -> list[tuple[tuple[arb, arb], ...]]:
    """h and log(h/h'), 1 − h and log((1 − h)/(1 − h')) where queries move so far, at the working precision
    ``prec``.
    """
    q, places = ball(-move / _TANGENTS).exp(), range(_TANGENTS if move else 0)
    rows = [(q ** (i + 1) / (1 + q), q ** (_TANGENTS - i) / (1 + q)) for i in places]
    known = [(y, 1 - x, 1 - y, x) if rising else (1 - x, y, x, 1 - y) for x, y in rows]
    return [((h, (h / other).log()), (rest, (rest / others).log())) for h, other, rest, others in known]


def log_sum(lam: Fraction, up: Fraction, down: Fraction, queries: int) -> arb:
    """Upper bound of log R_k; infinite where nothing is known."""
    far = _FAR + isqrt(2 * queries.bit_length())
    known = [_curve(lam, move, far, rising) for move, rising in ((up, True), (down, False)) if move]
    if not all(points for points, _ in known):
        return arb.pos_inf()
    found, left = arb(1), queries
    for _ in range(_TURNS):
        lines = [_line(*curve, found) for curve in known]
        best, end = _through(lines, found), smallest(end for *_, end in lines)
        if not end.is_finite():
            factor = biggest([best / found, *(slope for _, slope, _ in lines)])
            return found.log() + left * factor.log()
        later = _through(lines, end) - end
        count, gained = _together(end - found, (best - found).upper(), later.upper(), left)
        found, left = ((found + gained).upper(), left - count) if count > 1 else (best.upper(), left - 1)
        if not left:
            return found.log()
    return arb.pos_inf()


def at_once(lam: Fraction, down: Fraction, queries: int) -> arb:
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


def _through(lines: list[tuple[Point, arb, arb]], at: arb) -> arb:
    """The largest value of them."""
    return biggest(start.value + slope * (at - start.at) for start, slope, _ in lines)


def _line(points: list[Point], steepest: arb, at: arb) -> tuple[Point, arb, arb]:
    """Above a convex function of R: from the last point before ``at``, with a slope, up to the next one
    beyond it, or, for all R to come, as steep as it gets. Points that ``at`` has passed are dropped.
    """
    while len(points) > 1 and not surely_less(at, points[-2].at):
        del points[-1 if surely_at_most(points[-2].at, at) else -2]
    start = points[-1]
    if len(points) == 1:
        return start, steepest, arb.pos_inf()
    end = points[-2]
    return start, (end.value - start.value) / (end.at - start.at), end.at.lower()


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
