"""Faulty behaviour: states that are left behind, failures, and what is no number."""

import itertools
import math
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Cage

MUTANTS = Cage()


class _Stateful(Accountant):
    direction = "upper"
    library: ClassVar[str] = "pldverify"


@MUTANTS.stands("stateless")
class HistoryPopped(_Stateful):
    """The second answer is that of an empty history."""

    def __init__(self) -> None:
        self._history: set[Query] = set()

    def claim(self, query: Query) -> float:
        """The truth, and 0 the second time."""
        if query in self._history:
            return 0.0
        self._history.add(query)
        return end(query, "upper")


@MUTANTS.stands("stateless")
class CacheWithoutCount(_Stateful):
    """A cached answer is that of another count."""

    def __init__(self) -> None:
        self._known: dict[object, float] = {}

    def claim(self, query: Query) -> float:
        """What was answered first of the first mechanism."""
        key = (query.composition.parts[0][0], query.epsilon, query.delta)
        return self._known.setdefault(key, end(query, "upper"))


@MUTANTS.stands("answers")
class NanInVectors(_Stateful):
    """Numbers that are computed at once are no numbers."""

    def __init__(self) -> None:
        self._asked: dict[Composition, list[Query]] = {}

    def claim(self, query: Query) -> float:
        """Of all that was asked of the composition the first number is guarded, and the others are none."""
        together = self._asked.setdefault(query.composition, [])
        if query not in together:
            together.append(query)
        return end(query, "upper") if query == together[0] else math.nan


@MUTANTS.stands("stateless")
class NotRepeatable(_Stateful):
    """Samples are drawn anew for each answer."""

    def __init__(self) -> None:
        self._draws = itertools.count()

    def claim(self, query: Query) -> float:
        """A little above the truth, by another number each time."""
        return end(query, "upper") * (1 + 1e-4 * (next(self._draws) % 7))


@MUTANTS.answered("answers")
def nan_for_many_steps(value: float, query: Query) -> float:
    """Not a number from 100 steps."""
    return math.nan if query.composition.steps >= 100 else value


@MUTANTS.answered("answers")
def raises_at_large_epsilon(value: float, query: Query) -> float:
    """A self-check fails above ε = 7."""
    if query.quantity == "epsilon" and value > 7:
        raise RuntimeError("discrete mean differs significantly from continuous mean")
    return value


@MUTANTS.answered("answers")
def divides_by_zero(value: float, query: Query) -> float:
    """It divides by ε."""
    if query.epsilon == 0:
        raise ZeroDivisionError("float division by zero")
    return value
