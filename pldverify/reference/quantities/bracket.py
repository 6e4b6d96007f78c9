"""Bracket: whatever is asked has a proved enclosure soon: rough bounds first, then engines at rising effort.

Counted work decides the path; time only ends it.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from time import thread_time
from typing import Any, Union

from pldverify.balls import arb, ctx
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.balls.clock import allowance, clock, late, spend
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.attained import Chosen, attained
from pldverify.mechanisms.exponential import Exponential
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold, all_answers
from pldverify.mechanisms.hidden_batch import drawn
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, Direction, relation, reverse
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import Number, count, positive
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.between import between
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.ends import Ends
from pldverify.reference.engines.derived.inverse import Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.rough import Markov
from pldverify.reference.engines.derived.selected import repeated
from pldverify.reference.engines.derived.zcdp import AtMost
from pldverify.reference.laws.composed_loss import ComposedLoss, product, rests_on_divergences, with_gaussians
from pldverify.reference.laws.halting_bound import HALTING_BITS, GaussianHaltingBound, at_once
from pldverify.reference.laws.moment_bound import MomentBound
from pldverify.reference.quantities.both_sides import NarrowingPairs, NarrowingSides, both_sides
from pldverify.reference.quantities.delta import delta_one_way, rough_ones
from pldverify.reference.quantities.directions import Found, carried, distinct
from pldverify.reference.quantities.epsilon import epsilon_one_way, never_finite
from pldverify.reference.quantities.looks import LOOK, MOST, SOME
from pldverify.reference.quantities.root import Sides
from pldverify.reference.quantities.rough import at_orders, chernoff, markov, rough_points
from pldverify.reference.quantities.selected import NarrowingSelected
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.neighbours import looked_at

_LOST = Fraction(1, 2**10)
"""Part of δ that draws may have which count as lost; any value is right, a large one costs tightness."""
_LONGEST = Fraction(10**9)
"""Seconds, more than anybody waits."""
_RARE = Fraction(1, 2**80)
"""The least δ that is taken where an ε is given; any value is right."""
_TRIED = tuple(1 + Fraction(5, 4) ** j for j in range(-12, 60))
"""Orders at which a bound with kinks is looked at; any are right."""
_FIRST = Fraction(8)
"""λ where these tell nothing; any is right."""
_WORSE = 2
"""Orders that are worse than the best one, in turn, after which no other is tried."""
_NEAR = tuple(Fraction(6, 5) ** j for j in range(-7, 8))
"""Parts of the best one that are tried next; any are right."""
_BELOW = tuple(Fraction(14, 15) ** j for j in range(24))
"""Parts of a saddle point that are tried; any are right."""
_LOOKING = 3
"""How many times as long neighbours are looked for and at as ends are narrowed. Tuned on random sparse
vectors: of 30 steps as much time again left out the best.
"""
ONLY_ABOVE = "the pair that dominates is not attained, and nothing is known from below"
NO_PAIR = "zCDP and Rényi DP have upper bounds alone"
_GOALS = (2, SOME, MOST)
"""Significant digits that the engines are asked for in turn."""
_WORK = (1.0, 5.0, math.inf)
"""Counted seconds that each goal in each direction may take, in turn; any are right."""


def bracket(
    question: Query | Composed,
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    adjacency: Adjacency | None = None,
    seconds: Number = 1,
    digits: int = 6,
) -> Enclosure:
    """A proved enclosure of the true δ(ε) or ε(δ), as narrow as it gets within ``seconds``.

    Args:
        question: a query; or a composition, a mechanism or an expression of them in a string, with
            ``epsilon`` or ``delta`` and ``adjacency``.
        seconds: processor time, > 0, of what is proved, and up to three times as much for neighbours to be
            looked for and at; what has begun is ended, so it may take a little more.
        digits: significant digits that are enough, 1 to 15.

    At worst it is [0, 1] for δ and [0, ∞] for ε; what the engines miss stands in its provenance. Raises
    InvalidInput, NotSupported where the reference has no law for a mechanism; never NoConvergence.

    >>> print(pv.bracket("1000 * poisson(gaussian(2), q=0.02)", delta="1e-6", digits=3))
    1.52... ± ...

    Where the dominating pair is not attained the lower end is that of what some neighbours have
    (``two_sided``), or 0 where none are known. zCDP fixes no pair: the worst mechanism has at least what
    Gaussian noise has, and at most what a theorem gives. Where a printed pair does not dominate
    (``Composition.standing``) it encloses what the pairs have, which is no bound of the mechanism from above.

    >>> found = pv.bracket(pv.ZCDP(rho="2.63"), delta="1e-10")
    >>> f"{float(found.lower):.1f} {float(found.upper):.2f}"
    '16.7 17.43'
    """
    if isinstance(question, Query):
        if not (epsilon is None and delta is None and adjacency is None):
            raise InvalidInput("epsilon, delta and adjacency must be left out, as the query has them")
        query = question
    else:
        query = Query(question, epsilon, delta, adjacency)
    limit = min(positive(seconds, "seconds"), _LONGEST)
    wanted = count(digits, "digits", cap=MOST)
    looking = _LOOKING * float(limit)
    narrow = partial(_of_mechanism, seconds=looking if query.is_exact else looking / 2)
    found = narrow(query) if query.is_exact else NarrowingEnds(query, narrow)
    return found.until(lambda found: found.digits >= wanted, float(limit))


def narrowing(query: Query) -> "AnyNarrowing | NarrowingEnds":
    """An object that proves ever narrower enclosures of ``query``. Raises NotSupported."""
    return _narrowing(query) if query.is_exact else NarrowingEnds(query)


def of_run(query: Query) -> "AnyNarrowing":
    """The same of one of several runs, of which δ(ε) is asked at many ε: sparse vectors by their pair."""
    return _narrowing(query, often=query.epsilon is not None)


def _narrowing(query: Query, often: bool = False, seconds: float = math.inf) -> "AnyNarrowing":
    """The same for a query in rational numbers; neighbours are looked for and at for some ``seconds``."""
    end = thread_time() + seconds
    whole = query.composition
    if drawn(whole, relation(query.adjacency))[0]:
        return NarrowingSides(query, _from_above)
    if whole.standing != "upper bound":
        return Narrowing(query)
    lost = _lost(query)
    below = _attained(query, lost, seconds)
    if not below:
        return _from_above(query)
    known = None if repeated(whole) else _known(query, Exponential if often else Exponential | AboveThreshold)
    return NarrowingPairs(query, below, _from_above, lost, known, end - thread_time())


def _known(query: Query, choosing: Any) -> Enclosure | None:
    """An upper end by divergences, where the pair above is not of them, or by all answers, where it is."""
    whole = query.composition
    if any(isinstance(mechanism, GaussianAboveThreshold) for mechanism, _ in whole.parts):
        answers = all_answers(whole, 2 if relation(query.adjacency) == "replace-one" else 1)
        if not any(rests_on_divergences(mechanism) for mechanism, _ in answers.parts):
            return Narrowing(replace(query, composition=answers)).until(lambda x: x.digits >= SOME, LOOK)
    elif any(isinstance(mechanism, choosing) for mechanism, _ in whole.parts):
        return look(_by_divergences(query))
    return None


def _of_mechanism(query: Query, seconds: float) -> "AnyNarrowing | NarrowingAbove":
    """The same, and nothing is said from below by a pair that is not attained."""
    found = _narrowing(query, seconds=seconds)
    if query.composition.standing == "upper bound" and isinstance(found, Narrowing | NarrowingSelected):
        return NarrowingAbove(query, found)
    return found


def _from_above(query: Query) -> "Narrowing | NarrowingSelected":
    """An object that narrows the upper end."""
    return NarrowingSelected(query, of_run) if repeated(query.composition) else Narrowing(query)


def _lost(query: Query) -> Fraction:
    """The probability of draws with replacement that count as lost: a small part of δ, or of what some
    neighbours have of it, even if nobody looks at more than one draw.
    """
    if not any(isinstance(mechanism, SampledWithReplacement) for mechanism, _ in query.composition.parts):
        return Fraction(0)
    if query.delta is not None:
        return query.delta * _LOST
    known = _RARE
    for below in _attained(query, Fraction(1)).values():
        known = max(known, Fraction(Narrowing(below).until(lambda found: found.digits > 0, LOOK).lower))
    return known * _LOST


def _attained(query: Query, lost: Fraction, seconds: float = math.inf) -> dict[Chosen, Query]:
    """The query of what some neighbours have, by which these are."""
    whole, adjacency = query.composition, query.adjacency
    others = {seen: attained(whole, adjacency, seen, lost) for seen in looked_at(query, seconds)}
    return {seen: _below(query, *other) for seen, other in others.items() if other is not None}


def _below(query: Query, composition: Composition, adjacency: Adjacency) -> Query:
    """The query of what is attained, at ε ≥ 0."""
    epsilon = None if query.epsilon is None else abs(query.epsilon)
    if query.adjacency in ("add", "remove") and epsilon != query.epsilon:  # what counts is the other one
        adjacency = "add" if query.adjacency == "remove" else "remove"
    return replace(query, composition=composition, adjacency=adjacency, epsilon=epsilon)


AnyNarrowing = Union["Narrowing", NarrowingPairs, NarrowingSides, NarrowingSelected]
"""What narrows a query in rational numbers."""


class NarrowingAbove:
    """Enclosures of a query of which nothing is known from below, as narrow as those of its pair above."""

    def __init__(self, query: Query, above: "Narrowing | NarrowingSelected") -> None:
        self.query, self._above = query, above

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """As :meth:`Narrowing.until`, where the pair is ``enough``."""
        found = self._above.until(enough, seconds)
        return look(both_sides(self.query, found, ()), {"why not narrower": ONLY_ABOVE})


class NarrowingEnds:
    """Enclosures of a query with irrational numbers, by those at both ends of their enclosures."""

    def __init__(self, query: Query, narrow: Callable[[Query], Any] | None = None) -> None:
        """``narrow`` narrows at an end."""
        self.query = query
        self._ends = tuple((narrow or _narrowing)(end) for end in query.ends())

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """As :meth:`Narrowing.until`: at one end first, then at the other one."""
        least, greatest = self._ends
        low = least.until(enough, seconds / 2)
        return self._look(low, greatest.until(lambda high: enough(self._look(low, high)), seconds / 2))

    def _look(self, least: Enclosure, greatest: Enclosure) -> Enclosure:
        query = self.query
        at = query.epsilon if query.delta is None else query.delta
        parts = (found.witness.statement for found in (least, greatest) if found.witness is not None)
        statement = Ends(query.composition, query.adjacency, query.quantity, at, *parts)  # type: ignore[arg-type]
        return look(statement, dict(greatest.provenance))


class Narrowing:
    """Enclosures of a query, narrower at each demand."""

    def __init__(self, query: Query) -> None:
        """Nothing is proved yet. Raises NotSupported."""
        self.query, whole = query, query.composition
        self._proved: list[Enclosure] = []
        self._reason, self._cut_short = "", True
        if any(rests_on_divergences(mechanism) for mechanism, _ in whole.parts):
            self._ways: list[_Way] = []
            self._proved.append(look(_by_divergences(query), {"why not narrower": NO_PAIR}))
        else:
            self._ways = [_Way(query, way) for way in distinct(whole, whole.directions(query.adjacency))]
        self._stages = self._passes()

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """The first of the ever narrower enclosures that is ``enough``.

        The last one if none is: nothing narrows it further, or ``seconds`` of processor time are up.
        Enclosures of earlier demands are tried first, in order, so an answer does not depend on them.
        """
        for known in self._proved:
            if enough(known):
                return known
        try:
            with clock(seconds):
                for narrower in self._stages:
                    spend()
                    if narrower and enough(found := self._look()):
                        return found
        except NoConvergence as reason:
            self._reason = self._reason or str(reason)
        return self._look()

    def _passes(self) -> Iterator[bool]:
        """All steps, and all again where the time cut one short: whether something may be narrower now.

        Whether the time is up is asked outside, or no later demand could go on from here.
        """
        while self._cut_short:
            self._cut_short = False
            yield from self._steps()

    def _steps(self) -> Iterator[bool]:
        """Improve one direction after the other."""
        for way in self._ways:
            for narrower in self._each(way.rough):
                yield narrower
                if way.high <= self._least(way):  # the maximum is not here
                    break
        for work in _WORK:
            ways = self._ways
            for goal in _GOALS:
                ways = sorted(ways, key=lambda way: way.high, reverse=True)
                for way in ways:
                    if way.high > self._least(way) and way.digits < goal:
                        yield from self._each(partial(self._engines, way, goal, work))
                ways = [way for way in ways if way.digits >= goal]  # more digits take more work

    def _least(self, way: "_Way") -> Bound:
        """Lower bound on the maximum, from the other directions."""
        return max((other.low for other in self._ways if other is not way), default=Fraction(0))

    def _each(self, begin: Callable[[], Iterator[None]]) -> Iterator[bool]:
        """All improvements, until one fails."""
        yield False
        improvements = begin()
        try:
            while True:
                with float_range("bracket"):
                    next(improvements)
                yield True
        except StopIteration:
            return
        except (NoConvergence, NotSupported) as reason:
            self._reason, self._cut_short = str(reason), self._cut_short or late()
        yield True

    def _engines(self, way: "_Way", goal: int, work: float) -> Iterator[None]:
        """``goal`` digits of one direction, within ``work`` counted seconds."""
        try:
            with allowance(work):
                way.engines(goal)
        except (NoConvergence, NotSupported) as reason:
            raise NoConvergence(f"{way.direction}: {reason}") from None
        yield

    def _look(self) -> Enclosure:
        """The enclosure that is proved so far. Raises NoConvergence where the time is up."""
        if not self._ways:
            return self._proved[-1]
        ways = sorted(self._ways, key=lambda way: way.high, reverse=True)
        parts = tuple(way.statement for way in ways)
        notes = {"why not narrower": self._reason} if self._reason else {}
        found = look(Directions(self.query.composition, self.query.adjacency, "largest", parts), notes)
        if found not in self._proved[-1:]:  # undecided demands would lengthen the list for ever
            self._proved.append(found)
        return found


def _by_divergences(query: Query) -> AtMost:
    """Upper bound for a composition of which some mechanisms have Rényi divergences alone.

    Where these are known at some orders, or have kinks, some orders are tried.
    """
    whole, ways = query.composition, query.composition.directions(query.adjacency)
    halts = any(isinstance(m, GaussianAboveThreshold) for m, _ in whole.parts)
    parts: list[Markov] = []
    with suppress(NoConvergence), clock(LOOK), float_range("bracket"):
        for way in ways:
            loss = with_gaussians(whole, way)
            stated = {x for m, _ in whole.parts if isinstance(m, RenyiDP) for x in m.orders}
            if halts:
                parts += parts if parts and parts[0].loss == loss else _climbed(loss, query, stated)
            elif stated:
                parts += at_orders(loss, query.epsilon, query.delta, stated)
            elif query.delta is not None:
                parts += chernoff(loss, query.delta)
            elif query.epsilon is not None:
                parts.append(markov(loss, query.epsilon))
    at = query.epsilon if query.epsilon is not None else query.delta or Fraction(0)
    if halts or query.epsilon is not None:
        parts = [_better(part, query, _NEAR if halts else _BELOW) for part in parts]
    known = tuple(parts) if len(parts) == len(ways) else ()
    return AtMost(whole, query.adjacency, "epsilon" if query.epsilon is None else "delta", at, known)


def _better(part: Markov, query: Query, shares: tuple[Fraction, ...]) -> Markov:
    """At some ``shares`` of λ. Smaller ones than the saddle point are better where δ is large."""
    better: list[Markov] = []
    if part.above is not None:
        with suppress(NoConvergence), clock(LOOK):
            orders = [1 + part.above * x for x in shares]
            better = at_orders(part.loss, query.epsilon, query.delta, orders)
    return better[0] if better else part


def _climbed(loss: ComposedLoss, query: Query, stated: set[Fraction]) -> list[Markov]:
    """At the best of the ``stated`` orders and of others: from that where sums of all queries at once are
    least upwards, then downwards, each way until it gets worse twice.
    """
    soon = ((_AtOnce(law) if isinstance(law, GaussianHaltingBound) else law, k) for law, k in loss.factors)
    parts = at_orders(ComposedLoss(tuple(soon)), query.epsilon, query.delta, stated | set(_TRIED))
    first = parts[0].above if parts and parts[0].above is not None else _FIRST
    best: list[Markov] = []
    least: Bound = math.inf
    with suppress(NoConvergence):  # the time may be up
        for factor in (Fraction(2), Fraction(1, 2)):
            climb: Bound = math.inf
            worse, lam = 0, first
            while worse < _WORSE:
                parts = at_orders(loss, query.epsilon, query.delta, [1 + lam])
                size = _size(parts, query)
                worse, climb = (0, size) if size < climb else (worse + 1, climb)
                best, least = (parts, size) if size < least else (best, least)
                lam *= factor
        for order in stated:
            parts = at_orders(loss, query.epsilon, query.delta, [order])
            size = _size(parts, query)
            best, least = (parts, size) if size < least else (best, least)
    return best


@dataclass(frozen=True)
class _AtOnce(MomentBound):
    """A bound by θ = 1 and of all queries in one sum alone, which takes no time."""

    law: GaussianHaltingBound

    def log_moment(self, lam: Fraction) -> arb:
        law = self.law
        with working(max(ctx.prec, HALTING_BITS)):
            most = at_once(lam, law.answer * (2 - law.one_way), law.queries)
            return ball(law.plain * lam * (lam + 1)).min(law.moved(lam, law.threshold) + most)


def _size(parts: list[Markov], query: Query) -> Bound:
    """The ε or δ that is proved."""
    return min((part.at if query.epsilon is None else part.prove()[1] for part in parts), default=math.inf)


def _nothing(query: Query, direction: Direction) -> Proved:
    """The bound that holds for every loss: δ in [0, 1], ε in [0, ∞]."""
    whole, epsilon = query.composition, query.epsilon
    if epsilon is None:
        return Inverse(product(whole, direction), query.delta or Fraction(0), None, None)
    if epsilon >= 0:
        return Markov(product(whole, direction), epsilon, None, None)
    other = Markov(product(whole, reverse(direction)), -epsilon, None, None)
    return Backwards(whole, direction, epsilon, other, BOUND_BITS)


class _Way:
    """One direction, with the statements of the largest lower and the smallest upper end proved so far."""

    def __init__(self, query: Query, direction: Direction) -> None:
        self._query, self.direction = query, direction
        self._lowest = self._highest = _nothing(query, direction)
        self.low, self.high = self._lowest.prove()
        self.digits: int | float = 0

    @property
    def statement(self) -> Proved:
        return between(self._highest, self._lowest)

    def _learn(self, found: Enclosure, part: Proved) -> None:
        if found.lower > self.low:
            self.low, self._lowest = found.lower, part
        if found.upper < self.high:
            self.high, self._highest = found.upper, part
        self.digits = max(self.digits, found.digits)

    @property
    def _loss(self) -> ComposedLoss:
        return product(self._query.composition, self.direction)

    def rough(self) -> Iterator[None]:
        """Bounds that take milliseconds, one by one."""
        query = self._query
        if query.epsilon is not None:
            for part in rough_ones(query.composition, self.direction, query.epsilon):
                self._learn(look(part), part)
                yield
            return
        assert query.delta is not None  # a query has exactly one of the two
        if (infinite := never_finite(self._loss, query.delta)) is not None:
            self._learn(look(infinite), infinite)
            yield
            return
        for found in rough_points(self._loss, query.delta):
            self._learn_of(found)
            yield

    def _learn_of(self, part: Proved) -> None:
        """Keep what δ at one point proves of ε."""
        sides = Sides(self._loss, self._query.delta or Fraction(0))
        if sides.learn(part) is not None:
            self._learn(look(sides.inverse), sides.inverse)

    def _delta(self, way: Direction, epsilon: Fraction, digits: int) -> Found:
        found = settle(product(self._query.composition, way), "delta", epsilon, digits)
        return found.enclosure, found.statement

    def engines(self, digits: int) -> None:
        """Ask the engines. Raises NoConvergence after keeping what they have proved."""
        query = self._query
        try:
            if query.epsilon is not None:
                found = delta_one_way(query.composition, self.direction, query.epsilon, digits, self._delta)
            else:
                assert query.delta is not None  # a query has exactly one of the two
                found = epsilon_one_way(self._loss, query.delta, digits)
            self._learn(*found)
        except NoConvergence as failure:
            for part in carried(failure):
                self._learn(*part)
            raise
