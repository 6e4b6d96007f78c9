"""Draw: mechanisms, compositions and queries from a source of numbers and choices.

The simplest stands first in whatever is chosen from, so that a source that prefers the first, as Hypothesis
does when it shrinks, comes to one Gaussian of σ = 1.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.questions.atoms import atoms
from pldverify.questions.kinds import KINDS, Parameter, Vector, of_kind
from pldverify.questions.numbers import DELTA, EPSILON, LEVEL, ORDER, OUTCOMES, STEPS, Numbers

T = TypeVar("T")

ADJACENCIES: tuple[Adjacency, ...] = ("add-or-remove", "remove", "add", "replace-one", "zero-out")
_MORE = (False, False, False, True)
"""Whether there is another mechanism in a composition."""


class Source(Protocol):
    """Where numbers and choices come from: all that a sampler is."""

    def number(self, numbers: Numbers) -> Fraction:
        """One of these numbers; an integer where they are whole."""

    def choice(self, options: Sequence[T]) -> T:
        """One of these."""


def mechanism(source: Source, kind: str) -> Mechanism:
    """A mechanism of that kind. Raises InvalidInput where the source's numbers make none."""
    found: dict[str, Any] = {}
    for name, parameter in KINDS[kind].items():
        found[name] = _value(source, parameter, found)
    return of_kind(kind)(**found)


def _value(source: Source, parameter: Parameter, before: dict[str, Any]) -> object:
    """A parameter; vectors are as long as the one ``before``."""
    if isinstance(parameter, Numbers):
        return _number(source, parameter)
    if isinstance(parameter, str):
        return mechanism(source, parameter)
    if isinstance(parameter, Vector):
        lengths = [len(value) for value in before.values() if isinstance(value, list)]
        length = lengths[0] if lengths else int(source.number(OUTCOMES))
        values = [source.number(parameter.numbers) for _ in range(length)]
        if not parameter.of_one:
            return values
        return [value / sum(values) for value in values] if any(values) else [Fraction(1, length)] * length
    return source.choice(parameter)


def _number(source: Source, numbers: Numbers) -> Fraction | int:
    value = source.number(numbers)
    return int(value) if numbers.nature == "whole" else value


def composition(
    source: Source, first: Sequence[str], others: Sequence[str], *, most: int = 3, steps: Numbers = STEPS
) -> Composition:
    """At most ``most`` mechanisms, each in some steps; the first of a kind of ``first``, further ones of
    ``others``. One that has no common relation with those before is left out.
    """
    parts = [_part(source, first, steps)]
    common = set(parts[0][0].relations)
    while len(parts) < most and source.choice(_MORE):
        part = _part(source, others, steps)
        if not common & set(part[0].relations):
            break
        common &= set(part[0].relations)
        parts.append(part)
    return Composition.of(*parts)


def _part(source: Source, kinds: Sequence[str], steps: Numbers) -> tuple[Mechanism, int]:
    return mechanism(source, source.choice(kinds)), int(source.number(steps))


def adjacency(source: Source, whole: Composition) -> Adjacency:
    """One that the composition has, its own every second time or more."""
    rules = [rule for rule in ADJACENCIES if whole.has(relation(rule))]
    return source.choice([whole.adjacency] * len(rules) + rules)


def query(source: Source, whole: Composition, asks: type[Query] = Query) -> Query:
    """A question about the composition: δ(ε), ε(δ), a Rényi divergence or a type II error.

    Some ε are losses that have a mass.
    """
    near = adjacency(source, whole)
    if asks is RenyiQuery:
        return RenyiQuery(whole, order=source.number(ORDER), adjacency=near)
    if asks is TradeOffQuery:
        return TradeOffQuery(whole, alpha=source.number(LEVEL), adjacency=near)
    asked = source.choice(("epsilon", "delta", "atom"))
    if asked == "delta":
        return Query(whole, delta=source.number(DELTA), adjacency=near)
    at = source.number(EPSILON)  # before an atom too: what takes fewer draws is simpler to Hypothesis
    if asked == "atom" and (known := atoms(whole)):
        at = source.choice(known)
    return Query(whole, epsilon=at, adjacency=near)
