"""The trade-off function f(α) of Dong, Roth and Su (2019): the least type II error of a test of level α.

Definitions and proof: ``engines/derived/trade_off.py``. Here is the search for the points at which δ is
asked.
"""

import math
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

from pldverify.balls import arb
from pldverify.balls.ball import LOG2_10, SMALLEST, ball, dyadic, hull, lower, rounded, short, working
from pldverify.balls.clock import allowance, limit, spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, Direction, reverse
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.presentation import digits as shared
from pldverify.reference.choice import ENGINES, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.trade_off import (
    Point,
    TradeOff,
    TradeOffSupport,
    highest,
    point,
    roof,
    within,
)
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.directions import Found, extreme
from pldverify.reference.quantities.looks import COARSE
from pldverify.reference.search.cumulant import cumulant

_KEPT = 4
"""Points kept on each side of the highest one."""
_EXACT = tuple(name for name, engine in ENGINES.items() if engine.limit == math.inf)
_FEW = 5
"""Decimal digits of δ asked of engines with a limit of digits, where no engine without one applies."""
_PATIENCE = 0.25
"""Share of the clock that engines without a limit may take at one point: a climb asks at some ten, and the
others answer sooner near the end of the losses.
"""
_LOOKS = 150
"""Cap on the points at which one climb asks for δ."""
_FAILURES = 6
"""Cap on the points of one climb at which no engine answers."""
Works = dict[Direction, Work]
"""By direction, an evaluator of its δ(ε) at ε ≥ 0; what one direction asks at −ε is δ(ε) of its reverse."""


def least_error(
    whole: Composition, adjacency: Adjacency, level: Fraction, wanted: int, works: Works
) -> Enclosure:
    """f(α) of a composition in rational numbers; ``works`` holds the evaluators of earlier levels, and gets
    those of this one. Errors as of :func:`pldverify.reference.quantities.questions.trade_off`.
    """

    def evaluate(way: Direction, bound: Bound | None) -> Found:
        found, statement = _least_error(whole, way, level, wanted, works, bound)
        return replace(found, provenance=_place(statement)), statement

    return extreme("smallest", whole, adjacency, ("trade-off", level), evaluate)


def _place(part: Proved) -> tuple[tuple[str, str], ...]:
    """Where the supremum is."""
    if not isinstance(part, TradeOff):
        return ()
    return (("supremum", f"near ε = {float(part.best[0]):.15g}"),)


def _least_error(
    composition: Composition,
    direction: Direction,
    alpha: Fraction,
    digits: int,
    works: Works,
    floor: Bound | None = None,
) -> Found:
    """f(α) of one direction: a coarse climb, then one to all digits; higher precision where that is too
    coarse. From ``floor`` on, which another direction has, no digits are asked for.
    """
    support = TradeOffSupport(composition, direction, alpha, int(digits * LOG2_10) + 64)
    with working(support.bits):
        if support.known() is not None:
            return look(support), support
    goal, wanted = COARSE, COARSE
    curve = _Curve(composition, direction, alpha, goal + 2, works)
    start, step = _guess(curve.loss, curve.back, alpha)
    while True:
        curve = _Curve(composition, direction, alpha, goal + 2, works)
        statement, start, step = _climb(curve, start, step, wanted, floor)
        found, reached = look(statement), min(digits, curve.limit - 2)
        enough = found.digits >= reached or found.upper < SMALLEST
        if enough or (floor is not None and found.lower >= floor):
            return found, statement
        if found.digits >= wanted:
            goal = wanted = digits
        elif goal > min(20 * digits + 400, curve.limit):
            raise NoConvergence(
                f"trade_off: wanted {reached} digits, reached {found.digits}: "
                f"[{float(found.lower):.6g}, {float(found.upper):.6g}], engine {found.engine}"
            )
        else:
            goal += max(wanted - int(found.digits) + 2, goal // 2)


def _guess(law: ComposedLoss, back: ComposedLoss, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """The α-quantile of S under Q, as if it were normal, and a first step; search only."""
    _, mean, variance = cumulant(back, 0.0)
    spread = math.sqrt(variance) if 0 < variance < math.inf else abs(mean) or 1.0
    near = min(max(float(alpha), 1e-12), 1 - 1e-12)
    return short(-mean - spread * NormalDist().inv_cdf(near)), short(spread / 4)


class _Curve:
    """g to within 10^−digits of the largest value seen; an engine once set up answers for its neighbours."""

    def __init__(
        self, composition: Composition, direction: Direction, alpha: Fraction, digits: int, shared: Works
    ) -> None:
        self.composition, self.direction = composition, direction
        self.loss, self.back = product(composition, direction), product(composition, reverse(direction))
        self.alpha, self.digits = alpha, digits
        self.bits = 2 * int(digits * LOG2_10) + 96
        self.top = arb(0)
        self.works = shared
        self.proofs: dict[Fraction, Proved] = {}

    @property
    def limit(self) -> float:
        """Digits of δ that the engines in use can give at most."""
        return min((ENGINES[work.name].limit for work in self.works.values()), default=math.inf)

    def at(self, epsilon: Fraction) -> Point:
        """Raises NoConvergence."""
        forward, size = epsilon >= 0, abs(epsilon)
        way = self.direction if forward else reverse(self.direction)
        work = self.works.get(way)
        if work is not None:
            with suppress(NoConvergence):  # it was set up for another ε
                found = self._seen(epsilon, Evaluated(work, size, self.bits))
                if self.missing(found.g, ENGINES[work.name].limit - 1) <= 0:
                    return found
        goal, cap, names = self.digits, 20 * self.digits + 400, _EXACT
        while True:
            share = limit() * _PATIENCE if names is _EXACT else math.inf
            try:
                with allowance(share):
                    settled = settle(self.loss if forward else self.back, "delta", size, goal, names=names)
            except NoConvergence:
                if names is not _EXACT:
                    raise
                goal, cap, names = _FEW, _FEW, tuple(ENGINES)
                continue
            found = self._seen(epsilon, settled.statement)
            if settled.work is None:
                return found
            self.works[way] = settled.work
            missing = self.missing(found.g, ENGINES[settled.work.name].limit - 1)
            if missing <= 0 or goal >= cap:
                return found
            goal = min(goal + missing + 1, cap)

    def missing(self, g: arb, limit: float) -> int:
        """Digits that a value of g lacks, where no more than ``limit`` can be had."""
        wanted, scale = min(self.digits, limit), self.top.max(abs(g).mid())
        if g.is_exact():
            return 0
        if not surely_less(0, scale):  # a ball around 0, as of a δ of which nothing is known
            return math.ceil(wanted)
        return math.ceil(wanted + float((g.rad() / scale).log().mid()) / math.log(10))

    def _seen(self, epsilon: Fraction, proof: Proved) -> Point:
        self.proofs[epsilon] = proof
        found = point(epsilon, self.alpha, hull(*proof.prove()))
        self.top = self.top.max(found.g.lower()).mid()
        return found

    def roof(self, points: list[Point]) -> tuple[arb, int, arb]:
        """Upper bound of g, its interval and where the lines meet: see ``engines/derived/trade_off.py``."""
        return roof(points, ball(self.alpha), self.loss.finite_mass(), self.back.finite_mass())

    def statement(self, points: list[Point]) -> TradeOff:
        """The statement about f(α) that the points prove."""
        rows = tuple((each.epsilon, self.proofs[each.epsilon]) for each in points)
        return TradeOff(self.composition, self.direction, self.alpha, rows, self.bits)


def _climb(
    curve: _Curve, start: Fraction, step: Fraction, digits: int, floor: Bound | None
) -> tuple[TradeOff, Fraction, Fraction]:
    """Add points of g until its supremum has ``digits`` digits or is at least the ``floor``, or the values
    are too coarse to go on.

    Returns the statement, the best ε and the distance of its neighbours. Raises NoConvergence.
    """
    with working(curve.bits):
        points = [curve.at(start)]
        gap, failures = arb.pos_inf(), 0
        for _ in range(_LOOKS):
            spend()
            best = highest(points)
            top, around = points[best], points[max(0, best - 1) : best + 2]
            if floor is not None and lower(top.g) >= floor:
                break
            bound, place, where = curve.roof(points)
            ends = within(points, bound, curve.alpha)
            before, gap = gap, (bound - top.g.mid()).mid()
            if ends[0] >= ends[1] or shared(ends) >= digits or ends[1] < SMALLEST:
                break  # an empty interval is told by the statement
            if surely_at_most(gap, 8 * top.g.rad()):
                break
            outside = place in (0, len(points))
            if outside:
                target = points[0].epsilon - step if place == 0 else points[-1].epsilon + step
            else:
                meets = where if surely_less(2 * gap, before) else None
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
            points = sorted([*kept, new], key=lambda each: each.epsilon)  # exact, unlike the balls around x
        return curve.statement(points), top.epsilon, (around[-1].epsilon - around[0].epsilon) / 2 or step


def _inside(left: Point, right: Point, where: arb | None, bits: int) -> Fraction:
    """ε between two points, to ``bits`` bits of their distance: log ``where``, but not close to either.

    Without ``where``, somewhere in the middle.
    """
    span = rounded(right.epsilon - left.epsilon, 1)
    inner = span / 64
    at = (left.epsilon + right.epsilon) / 2
    if where is not None and surely_less(0, where):
        at = min(max(dyadic(where.log().mid()), left.epsilon + inner), right.epsilon - inner)
    return left.epsilon + rounded((at - left.epsilon) / span, bits) * span
