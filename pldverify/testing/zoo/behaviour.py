"""Faulty behaviour: states that are left behind, failures, and what is no number."""

import itertools
import math
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Cage, Mutant


class _Stateful(Accountant):
    direction = "upper"
    library: ClassVar[str] = "pldverify"


class PopsItsHistory(_Stateful):
    """A getter that empties what it reads."""

    def __init__(self) -> None:
        self._history: set[Query] = set()

    def claim(self, query: Query) -> float:
        """The truth, and 0 the second time."""
        if query in self._history:
            return 0.0
        self._history.add(query)
        return end(query, "upper")


class KeepsTheMechanism(_Stateful):
    """A cache whose key is the first mechanism, without its count."""

    def __init__(self) -> None:
        self._known: dict[object, float] = {}

    def claim(self, query: Query) -> float:
        """What was answered first of that mechanism."""
        key = (query.composition.parts[0][0], query.epsilon, query.delta)
        return self._known.setdefault(key, end(query, "upper"))


class Samples(_Stateful):
    """A Monte Carlo estimate, a little above the truth."""

    def __init__(self) -> None:
        self._draws = itertools.count()

    def claim(self, query: Query) -> float:
        """Another number each time, by less than a thousandth."""
        return end(query, "upper") * (1 + 1e-4 * (next(self._draws) % 7))


class AnswersByVectors(_Stateful):
    """One number is guarded; of several of a composition, which are computed at once, all but the first are
    no numbers.
    """

    def __init__(self) -> None:
        self._asked: dict[Composition, list[Query]] = {}

    def claim(self, query: Query) -> float:
        """The vector of all that was asked of the composition, at the place of this question."""
        together = self._asked.setdefault(query.composition, [])
        if query not in together:
            together.append(query)
        return end(query, "upper") if query == together[0] else math.nan


MUTANTS = Cage(
    (
        Mutant(
            "history-popped", "stateless", "The second answer is that of an empty history.", PopsItsHistory
        ),
        Mutant(
            "cache-without-count",
            "stateless",
            "A cached answer is that of another count.",
            KeepsTheMechanism,
        ),
        Mutant(
            "nan-in-vectors", "answers", "Numbers that are computed at once are no numbers.", AnswersByVectors
        ),
        Mutant("not-repeatable", "stateless", "Samples are drawn anew for each answer.", Samples),
    )
)


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
