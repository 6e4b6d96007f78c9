"""Faulty filters: accountants that are asked whether a budget is kept, and answer as if nobody looked."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.testing.adaptive import Taken
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Cage

Counted = Callable[[Taken, Composition], Composition]
"""What is composed where a query is asked after others."""


class ComposesLosses(Accountant):
    """The true δ of a composition, whose every answer is right; as a filter it admits while that is small."""

    direction = "upper"
    library: ClassVar[str] = "pldverify"

    def __init__(self, counted: Counted) -> None:
        self._counted = counted

    def claim(self, query: Query) -> float:
        """The truth."""
        return end(query, "upper")

    def admits(self, taken: Taken, asked: Composition, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether the privacy losses that are composed have at most the δ of the budget."""
        return end(Query(self._counted(taken, asked), epsilon=epsilon), "upper") <= delta


MUTANTS = Cage()
_composes = partial(MUTANTS.made, "adaptive", lambda name, counted: ComposesLosses(counted))


@_composes()
def losses_composed_adaptively(taken: Taken, asked: Composition) -> Composition:
    """A filter composes privacy loss distributions, though the next query depends on what was seen."""
    return sum(taken, asked)


@_composes()
def each_query_alone(taken: Taken, asked: Composition) -> Composition:
    """A filter looks at the query that is asked, and not at those before."""
    return asked


@_composes()
def asked_too_late(taken: Taken, asked: Composition) -> Composition:
    """A filter looks whether the budget is spent, and not whether the next query exceeds it."""
    return sum(taken[1:], taken[0]) if taken else asked
