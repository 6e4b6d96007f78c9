r"""The trade-off function f(α) of Dong, Roth and Su (2019): the least type II error of a test of level α.

For one ordered pair (P, Q), in the direction whose profile is :math:`\delta(\epsilon) = \int (p - e^\epsilon
q)_+`, an adversary sees one outcome and tests the null hypothesis Q against the alternative P. A test φ has
type I error :math:`E_Q[\varphi]` and type II error :math:`1 - E_P[\varphi]`, and

.. math:: f(\alpha) = T(Q, P)(\alpha) = \inf\{1 - E_P[\varphi] : E_Q[\varphi] \le \alpha\}
          = \sup_{\epsilon \in \mathbb{R}} 1 - \delta(\epsilon) - e^\epsilon \alpha.

(``remove``: the null hypothesis is that the record is not there. T is Definition 2.1 and the duality
Proposition 2.12 of Dong, Roth and Su, whose δ is that of the alternative against the null.) The other
direction has the inverse function, with the two errors exchanged.

With :math:`x = e^\epsilon`, :math:`g(x) = 1 - \delta(\log x) - x\alpha` is concave on x ≥ 0, g(0) = 0, and
for x < 1 :math:`g(x) = x\,(1 - \alpha - \delta_{Q\|P}(-\epsilon))` loses nothing to cancellation. Every g(x)
is a lower bound. For an upper bound, on an interval [b, c] between two points g lies below each chord through
points ≤ b, each chord through points ≥ c, and the lines :math:`x\,(1 - \alpha - Q(p = 0))` and
:math:`1 - P(q = 0) - x\alpha`; as its slope is at least −α, also below the line of that slope through
(c, g(c)). For lines L, R and any 0 ≤ w ≤ 1

.. math:: \sup_{[b,c]} \min(L, R) \le \max_{x \in \{b, c\}} w L(x) + (1 - w) R(x).

The next point goes where the chords meet: at an atom of the loss, where g has a kink, they meet in its tip.
The points come from a search: poor ones cost width, never truth.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

from pldverify.balls import arb
from pldverify.balls.ball import ball, biggest, hull, lower, upper, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfDirection, Proved

_FEW = 1000
"""Losses up to which the mass of their support is exact; any value is right: it bounds time."""


@dataclass(frozen=True)
class Point:
    """g at x = e^ε, a ball at the working precision."""

    epsilon: Fraction
    x: arb
    g: arb


def point(epsilon: Fraction, alpha: Fraction, delta: arb) -> Point:
    """g at e^ε, from ``delta``: δ(ε) of the pair, or for ε < 0 δ(−ε) of the reverse."""
    x = ball(epsilon).exp()
    return Point(epsilon, x, 1 - delta - x * ball(alpha) if epsilon >= 0 else x * (ball(1 - alpha) - delta))


class Line:
    """Through (x, y)."""

    def __init__(self, x: arb, y: arb, slope: arb) -> None:
        self.x, self.y, self.slope = x, y, slope

    def at(self, x: arb) -> arb:
        return self.y + self.slope * (x - self.x)


def roof(points: list[Point], alpha: arb, mass: arb, back_mass: arb) -> tuple[arb, int, arb]:
    """Upper bound of g, the interval that has it, and where the lines meet there.

    Interval i lies between points[i − 1] and points[i]; the first starts at 0, the last has no end. The
    masses are those of the finite losses of the pair and of the reverse.
    """
    last = points[-1].x
    near, far = Line(arb(0), arb(0), back_mass - alpha), Line(arb(0), mass, -alpha)
    known = [(arb(0), arb(0)), *((each.x, each.g) for each in points)]
    bound, place, where = far.at(last).upper(), len(points), last
    for line in _chords(known[-3:]):
        rise = line.slope.upper().max(arb(0))
        share = (alpha / (alpha + rise)).mid() * (1 - arb(2) ** -20) if surely_less(0, rise) else arb(1)
        if surely_at_most(share * line.slope - (1 - share) * alpha, 0):
            bound = bound.min((share * line.at(last) + (1 - share) * far.at(last)).upper())
    best = highest(points)
    for i in sorted(range(len(points)), key=lambda i: abs(i - best)):  # next to the best, g may be largest
        (b, _), (c, height) = known[i], known[i + 1]
        lines = [*reversed(_chords(known[max(0, i - 2) : i + 1])), near]  # next to it first: mostly enough
        others = [*_chords(known[i + 1 : i + 4]), Line(c, height, -alpha), far]
        ceiling, meet = _lowest((_ceiling(a, z, b, c) for a in lines for z in others), bound)
        if not surely_at_most(ceiling, bound):
            bound, place, where = bound.max(ceiling), i, meet
    return bound, place, where


def within(points: list[Point], bound: arb, alpha: Fraction) -> tuple[Bound, Bound]:
    """Ends of f(α), from g at the points and an upper ``bound`` of it everywhere; 0 ≤ f(α) ≤ 1 − α."""
    least = biggest(each.g.lower() for each in points)
    low, high = (max(Fraction(0), min(1 - alpha, end)) for end in (lower(least), upper(bound)))
    return low, high


def highest(points: list[Point]) -> int:
    """The index of a point of about the largest g."""
    best = 0
    for i, each in enumerate(points):  # no fractions: an exponent may be as large as ε
        best = i if surely_less(points[best].g.mid(), each.g.mid()) else best
    return best


def _lowest(ceilings: Iterable[tuple[arb, arb]], enough: arb) -> tuple[arb, arb]:
    """The pair with the smallest bound, or a first one of at most ``enough``; every one of them is right."""
    best, place = arb.pos_inf(), arb(0)
    for ceiling, meet in ceilings:
        if surely_less(ceiling, best):
            best, place = ceiling, meet
        if surely_at_most(best, enough):
            break
    return best, place


def _chords(points: list[tuple[arb, arb]]) -> list[Line]:
    """The lines through every two of the points that can be told apart."""
    pairs = ((a, b) for j, b in enumerate(points) for a in points[:j])
    lines = (Line(*b, (b[1] - a[1]) / (b[0] - a[0])) for a, b in pairs)
    return [line for line in lines if line.slope.is_finite()]


def _ceiling(first: Line, second: Line, b: arb, c: arb) -> tuple[arb, arb]:
    """Upper bound of the lower one of two lines on [b, c], and about where they meet."""
    up, down = first.slope.mid(), second.slope.mid()
    if surely_at_most(up, 0):
        share, meet = arb(1), b
    elif surely_at_most(0, down):
        share, meet = arb(0), c
    else:
        share = (-down / (up - down)).mid().min(arb(1))
        meet = ((second.y - down * second.x - first.y + up * first.x) / (up - down)).mid()
    ends = [share * first.at(x) + (1 - share) * second.at(x) for x in (b, c)]
    top = ends[0].upper().max(ends[1].upper()).upper()
    return top if top.is_finite() else arb.pos_inf(), meet


@dataclass(frozen=True)
class TradeOff(OfDirection):
    """f(``at``) of one direction, from δ at the ``points``, in order: at ε ≥ 0 of it, at −ε of the
    reverse.
    """

    points: tuple[tuple[Fraction, Proved], ...]
    bits: int

    asks = "trade-off"

    @property
    def engine(self) -> str:
        return self.best[1].engine

    def _rows(self) -> list[Point]:
        rows: list[Point] = []
        if not self.points:
            raise NoConvergence("trade-off: no points")
        for epsilon, part in self.points:
            asked = self.about if epsilon >= 0 else self.back, ("delta", abs(epsilon))
            if (part.about, part.question) != asked or (rows and rows[-1].epsilon >= epsilon):
                raise NoConvergence("trade-off: not the δ of both directions at increasing ε")
            rows.append(point(epsilon, self.at, hull(*part.prove())))
        return rows

    @cached_property
    def best(self) -> tuple[Fraction, Proved]:
        """A point of the largest g. Remembered: it names an engine, and no end rests on it."""
        with working(self.bits):
            return self.points[highest(self._rows())]

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            rows, masses = self._rows(), (self.about.finite_mass(), self.back.finite_mass())
            return within(rows, roof(rows, ball(self.at), *masses)[0], self.at)

    def errors(self) -> dict[str, arb]:
        with working(self.bits):
            return self.best[1].errors()


@dataclass(frozen=True)
class TradeOffSupport(OfDirection):
    """f(``at``) where losses are all 0 or all infinite, and at the ends of α."""

    bits: int

    asks = "trade-off"
    engine = "support"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            found = self.known()
        if found is None:
            raise NoConvergence("support: f(α) is not known without a search")
        return found

    def known(self) -> tuple[Bound, Bound] | None:
        """The ends at the working precision; None where a search is needed."""
        loss, alpha = self.about, self.at
        mass = loss.finite_mass()
        if alpha == 1 or mass.is_zero() or self._covered():
            return Fraction(0), Fraction(0)
        if not loss.factors:
            return 1 - alpha, 1 - alpha
        if alpha == 0:
            return max(Fraction(0), lower(mass)), min(Fraction(1), upper(mass))
        return None

    def _covered(self) -> bool:
        """Whether α ≥ Q(p > 0), so that the test that rejects where p > 0 has that level: f(α) = 0."""
        back = self.back
        lossy = [(1 - factor.infinite_mass, k) for factor, k in back.factors if factor.infinite_mass]
        exact = [(kept, k) for kept, k in lossy if isinstance(kept, Fraction)]
        if len(exact) == len(lossy) and sum(k for _, k in exact) <= _FEW:
            return self.at >= prod((kept**k for kept, k in exact), start=Fraction(1))
        return bool(surely_at_most(back.finite_mass(), ball(self.at)))
