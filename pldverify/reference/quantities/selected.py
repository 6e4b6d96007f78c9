"""An upper end for the best of several runs: a search for ε̂, then the bases' own brackets."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from pldverify.balls.ball import BOUND_BITS, upper, working
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.scientific import scientific
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.selected import (
    Selected,
    Shift,
    factor,
    log_ratio,
    of_bases,
    repeated,
)
from pldverify.reference.quantities.both_sides import Above
from pldverify.reference.quantities.looks import COARSE, LOOK, SOME

_ROUNDS = 12
"""Halvings in the search for ε̂: a thousandth of it is left; any number is right."""
_GRID = 2**40
"""Shifts are rounded up to a fraction with this denominator; any is right."""
NO_PAIR = "the best of several runs has no pair: its upper end rests on that of one run"


class NarrowingSelected:
    """Enclosures, as ``Narrowing`` has them, whose upper end follows from the bases; the lower one is 0."""

    def __init__(self, query: Query, narrow: Callable[[Query], Above]) -> None:
        """``narrow`` narrows what is asked of the bases. Raises NotSupported."""
        self.query = query
        self._above: Above | None = None
        whole, times = query.composition, factor(query.composition)
        self._shifts = tuple(_shift(m, relation(query.adjacency), narrow) for m, _ in repeated(whole))
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
        if self._above is None:
            return self._look(None)
        part = self._above.until(lambda found: found.digits >= SOME or enough(self._look(found)), seconds)
        return self._look(part)

    def _look(self, part: Enclosure | None) -> Enclosure:
        """The enclosure that follows from one of the bases."""
        query = self.query
        at = query.delta if query.delta is not None else query.epsilon
        above = None if part is None or part.witness is None else part.witness.statement
        known = (self._shifts, above) if above is not None else ((), None)
        statement = Selected(query.composition, query.adjacency, query.quantity, at, *known)  # type: ignore[arg-type]
        return look(statement, {"why not narrower": NO_PAIR})


@lru_cache(maxsize=64)
def _shift(mechanism: RepeatAndSelect, adjacency: Adjacency, narrow: Callable[[Query], Above]) -> Shift:
    """ε̂ next to where both terms of r are equal, by halving; 0 of Poisson runs."""

    def at(epsilon: Fraction) -> Shift:
        query = Query(mechanism.base, epsilon=epsilon, adjacency=adjacency)
        found = narrow(query).until(lambda found: found.digits >= COARSE, LOOK)
        assert found.witness is not None  # a narrowing keeps its statements
        with working(BOUND_BITS):
            least = Fraction(upper(log_ratio(mechanism, epsilon, Fraction(found.upper))))
        size = Fraction(math.floor(least * _GRID) + 1, _GRID)
        return Shift(mechanism, epsilon, size, found.witness.statement)  # type: ignore[arg-type]

    best = at(Fraction(0))
    if mechanism.poisson or mechanism.mean == 1:
        return best
    exponent = 1 + Fraction(mechanism.shape)
    low, high = Fraction(0), _short(best.size / exponent)
    for _ in range(_ROUNDS):
        middle = _short((low + high) / 2)
        if not low < middle < high:
            break
        found = at(middle)
        best = min(best, found, key=lambda shift: shift.size)
        low, high = (middle, high) if found.size > exponent * middle + Fraction(2, _GRID) else (low, middle)
    return best


def _short(value: Fraction) -> Fraction:
    """Of few digits."""
    return Fraction(scientific(value, COARSE)) if value else value
