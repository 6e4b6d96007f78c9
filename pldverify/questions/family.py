"""Family: compositions as an expression with places, what may stand in each, and what is asked of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import prod
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.exact import show
from pldverify.questions.draw import Source
from pldverify.questions.numbers import Numbers

Value = str | int | float
"""A number; a string is that decimal or fraction, a float that double."""

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Family:
    """Questions on one kind of composition.

    A grid asks all combinations: rows x values x adjacency x (deltas, epsilons, orders, alphas, and noise for
    each pair of ``noise``), or ``at_most`` of them, chosen by a digest of their text: the choice is the same
    on every machine, has no pattern, and grows without losing what was chosen before. A source draws single
    ones.

    Attributes:
        name: what it is called in messages.
        expression: a mechanism expression with places ``{sigma}`` for values.
        values: for each place several values, all combined; of numbers among them a grid takes the edges.
        rows: values of several places that belong together.
        adjacency: None is the composition's own.
        delta, epsilon, order, alpha: where ε(δ), δ(ε), Rényi divergences and type II errors are asked for.
        noise: (ε, δ) for which the least noise is asked for.
        at_most: how many are asked; None: all.
    """

    name: str
    expression: str
    values: Mapping[str, Sequence[Value | Numbers]] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Value]] = ({},)
    adjacency: Sequence[Adjacency | None] = (None,)
    delta: Sequence[Value] = ()
    epsilon: Sequence[Value] = ()
    order: Sequence[Value] = ()
    alpha: Sequence[Value] = ()
    noise: Sequence[tuple[Value, Value]] = ()
    at_most: int | None = None

    def questions(self) -> Iterator[Query]:
        """Its questions. Raises InvalidInput, which names the family, for what is no question."""
        asked = list(self._cells())
        if not asked:
            raise InvalidInput(
                f"family {self.name} must ask for something: delta, epsilon, order, alpha or noise"
            )
        chosen = asked if self.at_most is None else _chosen(asked, self.at_most)
        compositions: dict[str, Composition] = {}
        for text, adjacency, kind, value in chosen:
            try:
                if text not in compositions:
                    compositions[text] = parse(text)
                yield _query(compositions[text], adjacency, kind, value)
            except InvalidInput as wrong:
                raise InvalidInput(f"family {self.name}: {wrong}") from None

    def size(self) -> int:
        """How many questions there are, without asking for any.

        >>> Family("two", "gaussian({sigma})", {"sigma": [1, 2]}, delta=["1e-5"]).size()
        2
        """
        whole = prod(map(len, self._listed())) * len(self.rows) * len(self.adjacency)
        whole *= len(self._asked())
        return whole if self.at_most is None else min(whole, self.at_most)

    def compositions(self) -> Iterator[str]:
        """The expression, filled in every way; the last place changes fastest."""
        for row in self.rows:
            for values in product(*self._listed()):
                yield self._filled({**row, **dict(zip(self.values, values, strict=True))})

    def drawn(self, source: Source) -> Composition:
        """One composition; its places are drawn in their order, a row of several is chosen first."""
        found: dict[str, Value] = dict(source.choice(self.rows)) if len(self.rows) > 1 else dict(self.rows[0])
        for name, several in self.values.items():
            value = source.choice(several) if len(several) > 1 else several[0]
            found[name] = show(source.number(value)) if isinstance(value, Numbers) else value
        return parse(self._filled(found))

    def _listed(self) -> list[list[Value]]:
        return [[value for each in several for value in _values(each)] for several in self.values.values()]

    def _cells(self) -> Iterator["_Cell"]:
        for text in self.compositions():
            for adjacency, (kind, value) in product(self.adjacency, self._asked()):
                yield text, adjacency, kind, value

    def _asked(self) -> list[tuple[str, Any]]:
        singles = ("delta", "epsilon", "order", "alpha")
        asked: list[tuple[str, Any]] = [(kind, value) for kind in singles for value in getattr(self, kind)]
        return [*asked, *(("noise", pair) for pair in self.noise)]

    def _filled(self, values: Mapping[str, Value]) -> str:
        """The expression with its places filled. Raises InvalidInput for a place or a value too many."""
        places = set(_PLACE.findall(self.expression))
        if places != set(values):
            raise InvalidInput(
                f"family {self.name} must have a value for each place, got values for "
                f"{', '.join(sorted(values)) or 'none'} and places {', '.join(sorted(places)) or 'none'}"
            )
        return _PLACE.sub(lambda place: _shown(values[place[1]]), self.expression)


_CLASSES: dict[str, type[Query]] = {"order": RenyiQuery, "alpha": TradeOffQuery, "noise": NoiseQuery}
"""Of questions that are not about ε or δ, by what is given."""
_Cell = tuple[str, Adjacency | None, str, Any]


def _values(value: Value | Numbers) -> Sequence[Value]:
    return [show(edge) for edge in value.edges] if isinstance(value, Numbers) else [value]


def _shown(value: Value) -> str:
    return str(Fraction(value)) if isinstance(value, float) else str(value)


def _chosen(cells: list[_Cell], number: int) -> list[_Cell]:
    """So many of them, in their order."""
    ranked = sorted(range(len(cells)), key=lambda i: sha256(repr(cells[i]).encode()).digest())
    return [cells[i] for i in sorted(ranked[:number])]


def _query(composition: Composition, adjacency: Adjacency | None, kind: str, value: Any) -> Query:
    given = dict(zip(("epsilon", "delta"), value, strict=True)) if kind == "noise" else {kind: value}
    return _CLASSES.get(kind, Query)(composition, adjacency=adjacency, **given)
