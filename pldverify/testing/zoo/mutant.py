"""Mutant: a faulty accountant, and the check that names what is wrong with it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Direction
from pldverify.testing.oracle import end

Asked = Callable[[Query], Query]
Answered = Callable[[float, Query], float]
Spoils = TypeVar("Spoils", bound=Callable[..., object])
_WORDS = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
"""Between the words of a name."""


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
        self,
        name: str,
        asked: Asked = lambda query: query,
        answered: Answered = lambda value, query: value,
        direction: Direction = "upper",
    ) -> None:
        vars(self).update(name=name, direction=direction)
        self.asked, self.answered = asked, answered

    def claim(self, query: Query) -> float:
        """The spoiled answer."""
        return self.answered(end(self.asked(query), self.direction), query)


def _as_it_is(change: Any) -> Any:
    return change


class Cage(list[Mutant]):
    """Mutants in their order. A function that spoils, or a spoilt class, is put in by a decorator, which
    names the check that kills it: its name is the mutant's, its docstring the fault.
    """

    def made(self, killer: str, make: Callable[[str, Any], Accountant]) -> Callable[[Spoils], Spoils]:
        """Made of the name and the function or class."""

        def put(spoils: Spoils) -> Spoils:
            name = _WORDS.sub("-", spoils.__name__).lower()
            self.append(Mutant(name, killer, str(spoils.__doc__), lambda: make(name, spoils)))
            return spoils

        return put

    def stands(self, killer: str, *arguments: object) -> Callable[[Spoils], Spoils]:
        """A class of accountants, made of these arguments."""
        return self.made(killer, lambda name, kind: kind(*arguments))

    def asked(self, killer: str, by: Callable[[Any], Asked] = _as_it_is) -> Callable[[Spoils], Spoils]:
        """Changes the question before; ``by`` makes that of what changes less."""
        return self.made(killer, lambda name, change: Spoiled(name, asked=by(change)))

    def answered(
        self, killer: str, by: Callable[[Any], Answered] = _as_it_is, direction: Direction = "upper"
    ) -> Callable[[Spoils], Spoils]:
        """Changes the answer after, likewise."""
        return self.made(killer, lambda name, change: Spoiled(name, answered=by(change), direction=direction))


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
        replace(query, epsilon=change(query.epsilon)) if isinstance(query.epsilon, Fraction) else query
    )


def at_delta(change: Callable[[Fraction], Fraction]) -> Asked:
    """δ of ε(δ) changed."""
    return lambda query: (
        replace(query, delta=change(query.delta)) if isinstance(query.delta, Fraction) else query
    )


def of_epsilon(change: Callable[[float], float]) -> Answered:
    """The answers of ε(δ) changed."""
    return lambda value, query: change(value) if query.quantity == "epsilon" else value


def of_delta(change: Callable[[float], float]) -> Answered:
    """The answers of δ(ε) changed."""
    return lambda value, query: change(value) if query.quantity == "delta" else value
