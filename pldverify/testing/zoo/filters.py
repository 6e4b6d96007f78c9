"""Faulty filters: accountants that are asked whether a budget is kept, and answer as if nobody looked."""

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.testing.adaptive import Taken
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Cage, Mutant

Counted = Callable[[Taken, Composition], Composition]
"""What is composed where a query is asked after others."""


class ComposesLosses(Accountant):
    """The true δ of a composition, whose every answer is right; as a filter it admits while that is small."""

    direction = "upper"
    library: ClassVar[str] = "pldverify"

    def __init__(self, counted: Counted = lambda taken, asked: sum(taken, asked)) -> None:
        self._counted = counted

    def claim(self, query: Query) -> float:
        """The truth."""
        return end(query, "upper")

    def admits(self, taken: Taken, asked: Composition, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether the privacy losses that are composed have at most the δ of the budget."""
        return end(Query(self._counted(taken, asked), epsilon=epsilon), "upper") <= delta


MUTANTS = Cage(
    (
        Mutant(
            "losses-composed-adaptively",
            "adaptive",
            "A filter composes privacy loss distributions, though the next query depends on what was seen.",
            ComposesLosses,
        ),
        Mutant(
            "each-query-alone",
            "adaptive",
            "A filter looks at the query that is asked, and not at those before.",
            lambda: ComposesLosses(lambda taken, asked: asked),
        ),
        Mutant(
            "asked-too-late",
            "adaptive",
            "A filter looks whether the budget is spent, and not whether the next query exceeds it.",
            lambda: ComposesLosses(lambda taken, asked: sum(taken[1:], taken[0]) if taken else asked),
        ),
    )
)
