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

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import NormalDist

from flint import arb

from pldverify.balls.ball import LOG2_10, SMALLEST, ball, dyadic, lower, rounded, short, upper, working
from pldverify.balls.clock import budget, spend
from pldverify.errors import NoConvergence
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Mechanism, reverse
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, probability
from pldverify.reference.choice import ENGINES
from pldverify.reference.laws.composed_loss import Product, product
from pldverify.reference.quantities.delta import MAX_DIGITS, distinct, settle
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.offer import Profile

_COARSE = 3
_KEPT = 4
"""Points kept on each side of the highest one."""
_EXACT = tuple(name for name, engine in ENGINES.items() if engine.limit == math.inf)
_FEW = 5
"""Digits of δ asked of the other engines, where none of those applies."""
_LOOKS = 150
"""Points of one climb."""
_FAILURES = 6
"""Values of ε in one climb at which no engine may succeed."""


def trade_off(
    composition: Composition | Mechanism,
    *,
    alpha: object,
    adjacency: Adjacency | None = None,
    digits: int = 10,
) -> Enclosure:
    r"""The true f(α): no test of level α between two neighbours has a smaller type II error.

    Where the adjacency has two directions, this is their minimum, the infimum of T(M(S), M(S'))(α) over all
    ordered neighbours, because the adversary of a pair of data sets can't choose another pair. It need not be
    convex in α: Dong, Roth and Su's f-DP asks for a convex function, and the best one is the double conjugate
    of this minimum, the dual of max δ(ε), which is smaller in places.

    Args:
        composition: a mechanism or a composition of mechanisms.
        alpha: the level of the test, 0 ≤ alpha ≤ 1: its type I error.
        adjacency: as in :func:`pldverify.reference.quantities.delta`.
        digits: significant digits of f(α), 1 to 1000; 4 where only the grid engine applies.

    f(0) = 1 − δ_∞, f(1) = 0; a value below 2^−19999 is enclosed by [0, 2^−19999].
    Raises InvalidInput, NotSupported, NoConvergence.
    """
    level = probability(alpha, "alpha")
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    ways = distinct(whole, whole.directions(adjacency))
    pairs = {way: (product(whole, way), product(whole, reverse(way))) for way in ways}
    with budget(), float_range("trade_off"):
        if len(pairs) > 1 and wanted > _COARSE:
            coarse = {way: _least_error(*pair, level, _COARSE) for way, pair in pairs.items()}
            roof = min(value.upper for value in coarse.values())
            pairs = {way: pair for way, pair in pairs.items() if coarse[way].lower <= roof}
        values = {way: _least_error(*pair, level, wanted) for way, pair in pairs.items()}
    way, least = min(values.items(), key=lambda item: item[1].lower)
    note = {"direction": way, **least.witness}
    return Enclosure(least.lower, min(value.upper for value in values.values()), least.engine, note)


def _least_error(law: Product, back: Product, alpha: Fraction, digits: int) -> Enclosure:
    """f(α) of one direction; ``back`` is the law of the other one."""
    known = _known(law, back, alpha, digits)
    if known is not None:
        return known
    return _searched(law, back, alpha, digits)


def _searched(law: Product, back: Product, alpha: Fraction, digits: int) -> Enclosure:
    """A coarse climb, then one to all digits; higher precision where that is too coarse."""
    goal, wanted = _COARSE, _COARSE
    start, step = _guess(law, back, alpha)
    while True:
        curve = _Curve(law, back, alpha, goal + 2)
        found, start, step = _climb(curve, start, step, wanted)
        reached = min(digits, curve.limit - 2)
        if found.digits >= reached or found.upper < SMALLEST:
            return found
        if found.digits >= wanted:
            goal = wanted = digits
        elif goal > min(20 * digits + 400, curve.limit):
            raise NoConvergence(
                f"trade_off: wanted {reached} digits, reached {found.digits}: "
                f"[{float(found.lower):.6g}, {float(found.upper):.6g}], engine {found.engine}"
            )
        else:
            goal += max(wanted - int(found.digits) + 2, goal // 2)


def _known(law: Product, back: Product, alpha: Fraction, digits: int) -> Enclosure | None:
    """f(α) where no search is needed: losses that are all 0 or all infinite, and the ends of α."""
    with working(int(digits * LOG2_10) + 64):
        mass = law.finite_mass()
        if alpha == 1 or mass.is_zero() or _covers(alpha, back):
            return Enclosure(Fraction(0), Fraction(0), "support")
        if not law.factors:
            return Enclosure(1 - alpha, 1 - alpha, "support")
        if alpha == 0:
            return Enclosure(max(Fraction(0), lower(mass)), min(Fraction(1), upper(mass)), "support")
    return None


def _covers(alpha: Fraction, back: Product) -> bool:
    """Whether α ≥ Q(p > 0), so that the test that rejects where p > 0 has that level: f(α) = 0."""
    lossy = [(1 - factor.infinite_mass, k) for factor, k in back.factors if factor.infinite_mass]
    if sum(k for _, k in lossy) <= 1000:
        return alpha >= math.prod((kept**k for kept, k in lossy), start=Fraction(1))
    return bool(ball(alpha) >= back.finite_mass())


def _guess(law: Product, back: Product, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """The α-quantile of S under Q, as if it were normal, and a first step; search only."""
    _, mean, variance = cumulant(back, 0.0)
    spread = math.sqrt(variance) if 0 < variance < math.inf else abs(mean) or 1.0
    near = min(max(float(alpha), 1e-12), 1 - 1e-12)
    return short(-mean - spread * NormalDist().inv_cdf(near)), short(spread / 4)


@dataclass(frozen=True)
class _Point:
    """g at x = e^ε."""

    epsilon: Fraction
    x: arb
    g: arb


class _Line:
    """Through (x, y)."""

    def __init__(self, x: arb, y: arb, slope: arb) -> None:
        self.x, self.y, self.slope = x, y, slope

    def at(self, x: arb) -> arb:
        return self.y + self.slope * (x - self.x)


class _Curve:
    """g to within 10^−digits of the largest value seen; an engine once set up answers for its neighbours."""

    def __init__(self, law: Product, back: Product, alpha: Fraction, digits: int) -> None:
        self.laws = {True: law, False: back}
        self.alpha, self.digits = alpha, digits
        self.bits = 2 * int(digits * LOG2_10) + 96
        self.top = arb(0)
        self.engines: dict[bool, Profile] = {}
        self.notes: dict[bool, Mapping[str, str]] = {}

    @property
    def limit(self) -> float:
        """Digits of δ that the engines in use can give at most."""
        return min((engine.limit for engine in self.engines.values()), default=math.inf)

    def at(self, epsilon: Fraction) -> _Point:
        """Raises NoConvergence."""
        forward, size, x = epsilon >= 0, abs(epsilon), ball(epsilon).exp()

        def point(delta: arb) -> _Point:
            rest = 1 - delta - x * ball(self.alpha) if forward else x * (ball(1 - self.alpha) - delta)
            return _Point(epsilon, x, rest)

        law, engine = self.laws[forward], self.engines.get(forward)
        if engine is not None:
            found = point(law.infinite_mass() + engine.truth(size))
            if self.missing(found.g, engine.limit - 1) <= 0:
                return self.seen(found)
        goal, cap, names = self.digits, 20 * self.digits + 400, _EXACT
        while True:
            try:
                delta, engine = settle(law, "delta", size, goal, names=names)
            except NoConvergence:
                if names is not _EXACT:
                    raise
                goal, cap, names = _FEW, _FEW, tuple(ENGINES)
                continue
            found = point(ball(Fraction(delta.lower)).union(ball(Fraction(delta.upper))))
            if engine is None:
                return self.seen(found)
            self.engines[forward], self.notes[forward] = engine, delta.witness
            missing = self.missing(found.g, engine.limit - 1)
            if missing <= 0 or goal >= cap:
                return self.seen(found)
            goal = min(goal + missing + 1, cap)

    def missing(self, g: arb, limit: float) -> int:
        """Digits that a value of g lacks, where no more than ``limit`` can be had."""
        scale = self.top.max(abs(g).mid())
        if g.is_exact() or not scale > 0:
            return 0
        return math.ceil(min(self.digits, limit) + float((g.rad() / scale).log().mid()) / math.log(10))

    def seen(self, point: _Point) -> _Point:
        self.top = self.top.max(point.g.lower()).mid()
        return point

    def witness(self, top: _Point) -> dict[str, str]:
        """Where the supremum is, and how the engine got δ there."""
        forward, place = top.epsilon >= 0, f"near ε = {float(top.epsilon):.15g}"
        if forward not in self.engines:
            return {"supremum": place}
        details = self.engines[forward].witness(abs(top.epsilon))
        return {"supremum": place, **self.notes[forward], **details}

    def roof(self, points: list[_Point]) -> tuple[arb, int, arb]:
        """Upper bound of g, the interval that has it, and where the lines meet there.

        Interval i lies between points[i − 1] and points[i]; the first starts at 0, the last has no end.
        """
        alpha, last = ball(self.alpha), points[-1].x
        near = _Line(arb(0), arb(0), self.laws[False].finite_mass() - alpha)
        far = _Line(arb(0), self.laws[True].finite_mass(), -alpha)
        known = [(arb(0), arb(0)), *((point.x, point.g) for point in points)]
        bound, place, where = far.at(last).upper(), len(points), last
        for line in _chords(known[-3:]):
            rise = line.slope.upper().max(arb(0))
            share = (alpha / (alpha + rise)).mid() * (1 - arb(2) ** -20) if rise > 0 else arb(1)
            if share * line.slope - (1 - share) * alpha <= 0:
                bound = bound.min((share * line.at(last) + (1 - share) * far.at(last)).upper())
        for i in range(len(points)):
            (b, _), (c, height) = known[i], known[i + 1]
            lines = [near, *_chords(known[max(0, i - 2) : i + 1])]
            others = [far, _Line(c, height, -alpha), *_chords(known[i + 1 : i + 4])]
            ceiling, meet = min((_ceiling(a, z, b, c) for a in lines for z in others), key=lambda f: f[0])
            if ceiling > bound:
                bound, place, where = ceiling, i, meet
        return bound, place, where


def _chords(points: list[tuple[arb, arb]]) -> list[_Line]:
    """The lines through every two of the points that can be told apart."""
    pairs = ((a, b) for j, b in enumerate(points) for a in points[:j])
    lines = (_Line(*b, (b[1] - a[1]) / (b[0] - a[0])) for a, b in pairs)
    return [line for line in lines if line.slope.is_finite()]


def _ceiling(first: _Line, second: _Line, b: arb, c: arb) -> tuple[arb, arb]:
    """Upper bound of the lower one of two lines on [b, c], and about where they meet."""
    up, down = first.slope.mid(), second.slope.mid()
    if up <= 0:
        share, meet = arb(1), b
    elif down >= 0:
        share, meet = arb(0), c
    else:
        share = (-down / (up - down)).mid().min(arb(1))
        meet = ((second.y - down * second.x - first.y + up * first.x) / (up - down)).mid()
    ends = [share * first.at(x) + (1 - share) * second.at(x) for x in (b, c)]
    top = ends[0].upper().max(ends[1].upper()).upper()
    return top if top.is_finite() else arb.pos_inf(), meet


def _climb(
    curve: _Curve, start: Fraction, step: Fraction, digits: int
) -> tuple[Enclosure, Fraction, Fraction]:
    """Look at g until its supremum has ``digits`` digits, or until the values are too coarse to tell.

    Returns the enclosure, the best ε and the distance of its neighbours. Raises NoConvergence.
    """
    with working(curve.bits):
        points = [curve.at(start)]
        gap, failures = arb.pos_inf(), 0
        for _ in range(_LOOKS):
            spend()
            best = max(range(len(points)), key=lambda i: points[i].g.mid())
            top, around = points[best], points[max(0, best - 1) : best + 2]
            bound, place, where = curve.roof(points)
            found = _enclosure(curve, top, bound)
            before, gap = gap, (bound - top.g.mid()).mid()
            if found.digits >= digits or found.upper < SMALLEST or gap <= 8 * top.g.rad():
                break
            outside = place in (0, len(points))
            if outside:
                target = points[0].epsilon - step if place == 0 else points[-1].epsilon + step
            else:
                meets = where if 2 * gap < before else None
                target = _inside(points[place - 1], points[place], meets, curve.bits // 2 - 32)
            try:
                new = curve.at(target)
            except NoConvergence:  # an engine may fail at one ε, close to an atom say, and not at another
                failures += 1
                if failures > _FAILURES:
                    raise
                step, gap = step / 7, arb(0)
                continue
            step *= 2 if outside else 1
            kept = points[max(0, min(best, place) - _KEPT) : max(best, place) + _KEPT]
            points = sorted([*kept, new], key=lambda point: point.epsilon)  # exact, unlike the balls around x
        return replace(found, witness=curve.witness(top)), top.epsilon, _radius(around) or step


def _radius(points: list[_Point]) -> Fraction:
    return (points[-1].epsilon - points[0].epsilon) / 2


def _inside(left: _Point, right: _Point, where: arb | None, bits: int) -> Fraction:
    """ε between two points, to ``bits`` bits of their distance: log ``where``, but not close to either.

    Without ``where``, somewhere in the middle.
    """
    span = rounded(right.epsilon - left.epsilon, 1)
    inner = span / 64
    at = (left.epsilon + right.epsilon) / 2
    if where is not None and where > 0:
        at = min(max(dyadic(where.log().mid()), left.epsilon + inner), right.epsilon - inner)
    return left.epsilon + rounded((at - left.epsilon) / span, bits) * span


def _enclosure(curve: _Curve, best: _Point, bound: arb) -> Enclosure:
    engine = curve.engines.get(best.epsilon >= 0)
    low, high = (max(Fraction(0), min(1 - curve.alpha, end)) for end in (lower(best.g), upper(bound)))
    return Enclosure(low, high, engine.engine if engine else "support")
