"""Mutant: a faulty accountant, and the check that names what is wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Direction
from pldverify.testing.oracle import end

Asked = Callable[[Query], Query]
Answered = Callable[[float, Query], float]


@dataclass(frozen=True)
class Mutant:
    """One faulty accountant.

    Attributes:
        name: of words joined by hyphens.
        killer: the check whose cause is what is wrong here.
        fault: what is wrong, in a sentence.
        make: a new accountant; each has a state of its own.
    """

    name: str
    killer: str
    fault: str
    make: Callable[[], Accountant]


class Spoiled(Accountant):
    """The truth, of a question that is not quite the one that was put, or not quite the truth of it."""

    asks: ClassVar[tuple[type[Query], ...]] = (Query, RenyiQuery)
    library = "pldverify"

    def __init__(
        self, name: str, *, asked: Asked | None, answered: Answered | None, direction: Direction
    ) -> None:
        vars(self).update(name=name, direction=direction)
        self.asked, self.answered = asked, answered

    def claim(self, query: Query) -> float:
        """The spoiled answer."""
        value = end(query if self.asked is None else self.asked(query), self.direction)
        return value if self.answered is None else self.answered(value, query)


def spoiled(
    name: str,
    killer: str,
    fault: str,
    *,
    asked: Asked | None = None,
    answered: Answered | None = None,
    direction: Direction = "upper",
) -> Mutant:
    """A mutant of the oracle that changes the question before, or the answer after."""
    return Mutant(
        name, killer, fault, lambda: Spoiled(name, asked=asked, answered=answered, direction=direction)
    )


def counts(change: Callable[[int], int]) -> Asked:
    """Every count changed, but at least 1."""
    return parts(lambda mechanism, count: (mechanism, max(1, change(count))))


def each(change: Callable[[Mechanism], Mechanism]) -> Asked:
    """Every mechanism changed; the base of a sampled one is changed with its sampling."""
    return parts(lambda mechanism, count: (change(mechanism), count))


def parts(change: Callable[[Mechanism, int], tuple[Mechanism, int]]) -> Asked:
    """Every part changed, where ε or δ is asked; divergences are computed apart, and are right."""

    def asked(query: Query) -> Query:
        if isinstance(query, RenyiQuery):
            return query
        return replace(query, composition=Composition.of(*(change(m, k) for m, k in query.composition.parts)))

    return asked


def at_epsilon(change: Callable[[Fraction], Fraction]) -> Asked:
    """ε of δ(ε) changed."""
    return lambda query: (
        query if not isinstance(query.epsilon, Fraction) else replace(query, epsilon=change(query.epsilon))
    )


def at_delta(change: Callable[[Fraction], Fraction]) -> Asked:
    """δ of ε(δ) changed."""
    return lambda query: (
        query if not isinstance(query.delta, Fraction) else replace(query, delta=change(query.delta))
    )


def of(quantity: str, change: Callable[[float], float]) -> Answered:
    """The answers of one quantity changed."""
    return lambda value, query: change(value) if query.quantity == quantity else value
