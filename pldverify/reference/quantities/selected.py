"""An upper end for the best of several runs: a search for ε̂, then the bases' own brackets, or moments."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, short, upper, working
from pldverify.balls.clock import clock
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.scientific import scientific
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.selected import (
    Selected,
    SelectedMoments,
    Shift,
    divergence,
    factor,
    log_moment,
    log_ratio,
    of_bases,
    repeated,
)
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.quantities.both_sides import Above
from pldverify.reference.quantities.looks import COARSE, LOOK, SOME
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.golden import golden_section

_ROUNDS = 12
"""Halvings in the search for ε̂: a thousandth of it is left; any number is right."""
_FEW = 3
"""Those at one order; any number is right."""
_ORDERS = ((-4.0, 2.0), (2.0, 9.0))
"""Ranges searched for log λ, as there may be two lows; any are right."""
_LEAST = Fraction(1, 2**10)
"""The λ for orders that are not above 1, whose divergence is no larger; any is right."""
_CLOSE = 0.02
"""Width in log λ at which that search ends; any is right."""
_SEARCH = 3.0
"""Processor seconds of that search."""
_BITS = 24
"""Of the ε̂ of an order; any is right."""
_GRID = 2**40
"""Shifts are rounded up to a fraction with this denominator; any is right."""
NO_PAIR = "the best of several runs has no pair: its upper end rests on that of one run"


class NarrowingSelected:
    """Enclosures, as ``Narrowing`` has them, whose upper end follows from the bases; the lower one is 0."""

    def __init__(self, query: Query, narrow: Callable[[Query], Above]) -> None:
        """``narrow`` narrows what is asked of the bases. Raises NotSupported."""
        self.query, self._narrow = query, narrow
        self._above: Above | None = None
        whole, times = query.composition, factor(query.composition)
        self._shifts = tuple(_shift(m, relation(query.adjacency), narrow, None) for m, _ in repeated(whole))
        rows = zip(self._shifts, repeated(whole), strict=True)
        moved = sum((k * shift.size for shift, (_, k) in rows), Fraction(0))
        if times is None:
            return
        try:
            bases = replace(query, composition=of_bases(whole))
        except InvalidInput:  # more steps than there may be
            return
        if query.delta is not None:
            self._above = narrow(replace(bases, delta=query.delta / times))
        elif query.epsilon is not None and query.epsilon >= moved:
            self._above = narrow(replace(bases, epsilon=query.epsilon - moved))

    def until(self, enough: Callable[[Enclosure], bool], seconds: float) -> Enclosure:
        """The first that is ``enough``, or the last within some seconds: or until the bases' has ``SOME``
        digits, more of which would tell little, as F and log r are no exact values.
        """
        found = self._look(None)
        if self._above is not None:
            part = self._above.until(lambda x: x.digits >= SOME or enough(self._look(x)), seconds)
            found = self._look(part)
        if enough(found):
            return found
        other = _by_moments(self.query, self._narrow)
        return found if other is None or other.upper >= found.upper else other

    def _look(self, part: Enclosure | None) -> Enclosure:
        """The enclosure that follows from one of the bases."""
        query = self.query
        at = query.delta if query.delta is not None else query.epsilon
        above = None if part is None or part.witness is None else part.witness.statement
        known = (self._shifts, above) if above is not None else ((), None)
        statement = Selected(query.composition, query.adjacency, query.quantity, at, *known)  # type: ignore[arg-type]
        return look(statement, {"why not narrower": NO_PAIR})


@lru_cache(maxsize=64)
def _by_moments(query: Query, narrow: Callable[[Query], Above]) -> Enclosure | None:
    """What Markov's inequality proves, at the best order; None where there is none."""
    whole = query.composition

    def shifts(lam: Fraction, of: Callable[..., Shift]) -> tuple[Shift, ...]:
        rows = [(m, max(lam, _flattest(m, query.adjacency, narrow))) for m, _ in repeated(whole)]
        return tuple(of(m, relation(query.adjacency), narrow, own) for m, own in rows)

    def log_delta(lam: Fraction, of: Callable[..., Shift] = _near) -> arb:
        """Without the part of ε."""
        log = log_moment(whole, query.adjacency, lam, shifts(lam, of))
        return log + Kernel("delta", "upper").chernoff(lam).log()

    def least(lam: Fraction) -> float:
        """The ε for δ, or log δ."""
        try:
            found = log_delta(lam)
        except NoConvergence:
            return math.inf
        if query.epsilon is not None:
            return float(found - ball(lam * query.epsilon))
        return float((found - ball(query.delta or Fraction(0)).log()) / ball(lam))

    nested = any(repeated(m.base) for m, _ in repeated(whole))  # whose bases have no moments here
    if nested or query.delta == 0 or (query.epsilon is not None and query.epsilon < 0):
        return None
    with suppress(NoConvergence, NotSupported), float_range("selected"), working(BOUND_BITS), clock(_SEARCH):
        lam = _best(least)
        epsilon = query.epsilon
        if epsilon is None:
            size = upper((log_delta(lam, _shift) - ball(query.delta or Fraction(0)).log()) / ball(lam))
            epsilon = Fraction(math.floor(max(Fraction(0), Fraction(size)) * _GRID) + 1, _GRID)
        proved = shifts(lam, _shift), lam, epsilon
        if query.delta is None:
            statement = SelectedMoments(whole, query.adjacency, "delta", epsilon, *proved)
        else:
            statement = SelectedMoments(whole, query.adjacency, "epsilon", query.delta, *proved)
        return look(statement, {"why not narrower": NO_PAIR})
    return None


def selected_divergence(
    mechanism: RepeatAndSelect, adjacency: Adjacency, order: Fraction, narrow: Callable[[Query], Above]
) -> Fraction:
    """Upper bound on the Rényi divergence of an ``order`` > 0, in nats. Raises NoConvergence, NotSupported.

    That of randomised response with 3ε = 0.3:

    >>> from pldverify.reference.quantities.bracket import narrowing
    >>> from pldverify.reference.quantities.selected import selected_divergence
    >>> tuned = pv.RepeatAndSelect(pv.PureDP("0.1"), mean=10, shape=1)
    >>> float(selected_divergence(tuned, "add-or-remove", Fraction(2), narrowing))
    0.0867...
    """
    if not mechanism.is_exact:
        raise NotSupported("moments of the best of several runs are those of rational parameters")
    ways, between = Composition.of((mechanism, 1)).directions(adjacency), relation(adjacency)
    lam = max(order - 1, _LEAST)
    with working(BOUND_BITS), clock(_SEARCH):
        flattest = _flattest(mechanism, adjacency, narrow)
        shifts = [_shift(mechanism, between, narrow, own) for own in {max(lam, flattest), lam}]
        for shift in shifts:
            shift.prove(between)
        most = min(upper(divergence(shift, ways, lam)) for shift in shifts)
    if most == math.inf:
        raise NoConvergence("selected: no finite bound of the divergence")
    return Fraction(most)


def _best(value: Callable[[Fraction], float]) -> Fraction:
    """The λ next to which a value is least."""

    def at(log: float) -> float:
        return value(short(math.exp(log)))

    return short(math.exp(min((golden_section(at, *ends, _CLOSE) for ends in _ORDERS), key=at)))


@lru_cache(maxsize=64)
def _flattest(mechanism: RepeatAndSelect, adjacency: Adjacency, narrow: Callable[[Query], Above]) -> Fraction:
    """The λ next to which log M(λ)/λ is least, as far as it is bounded; of smaller ones it is no larger."""
    ways = Composition.of((mechanism, 1)).directions(adjacency)

    def size(lam: Fraction) -> float:
        try:
            return float(divergence(_near(mechanism, relation(adjacency), narrow, lam), ways, lam))
        except NoConvergence:
            return math.inf

    return _best(size)


@lru_cache(maxsize=256)
def _shift(
    mechanism: RepeatAndSelect, adjacency: Adjacency, narrow: Callable[[Query], Above], lam: Fraction | None
) -> Shift:
    """ε̂ next to where both terms of r, or of r_λ with λ = ``lam``, are equal, by halving."""
    spare = Fraction(0) if lam is None else short(math.log1p(1 / lam), _BITS)
    if mechanism.poisson or mechanism.mean == 1:
        return _at(mechanism, adjacency, narrow, spare, lam)
    exponent = 1 + Fraction(mechanism.shape)
    if lam is None:
        best = _at(mechanism, adjacency, narrow, spare, lam)
        low, high = Fraction(0), _short(best.size / exponent)
    else:
        best = _near(mechanism, adjacency, narrow, lam)
        low, high = best.at, _short(best.at + spare)
    for _ in range(_ROUNDS if lam is None else _FEW):
        middle = _short((low + high) / 2)
        if not low < middle < high:
            break
        found = _at(mechanism, adjacency, narrow, middle, lam)
        best = min(best, found, key=lambda shift: shift.size)
        rises = found.size > exponent * (middle - spare) + Fraction(2, _GRID)
        low, high = (middle, high) if rises else (low, middle)
    return best


def _near(
    mechanism: RepeatAndSelect, adjacency: Adjacency, narrow: Callable[[Query], Above], lam: Fraction
) -> Shift:
    """A shift with λ = ``lam``, with no look at a base but for Poisson runs: by the ε̂ of all λ."""
    if mechanism.poisson:
        return _shift(mechanism, adjacency, narrow, lam)
    return _sized(replace(_shift(mechanism, adjacency, narrow, None), lam=lam))


def _at(
    mechanism: RepeatAndSelect,
    adjacency: Adjacency,
    narrow: Callable[[Query], Above],
    epsilon: Fraction,
    lam: Fraction | None,
) -> Shift:
    """By what is proved of the base's δ at ε̂ = ``epsilon``."""
    query = Query(mechanism.base, epsilon=epsilon, adjacency=adjacency)
    found = narrow(query).until(lambda found: found.digits >= COARSE, LOOK)
    assert found.witness is not None  # a narrowing keeps its statements
    return _sized(Shift(mechanism, epsilon, Fraction(0), found.witness.statement, lam))  # type: ignore[arg-type]


def _sized(shift: Shift) -> Shift:
    """With the least size on the grid that is proved."""
    with working(BOUND_BITS):
        least = Fraction(upper(log_ratio(shift)))
    return replace(shift, size=Fraction(math.floor(least * _GRID) + 1, _GRID))


def _short(value: Fraction) -> Fraction:
    """Of few digits."""
    return Fraction(scientific(value, COARSE)) if value else value
