"""Witness: how an Enclosure was proved, exactly and typed: enough to prove it again without any search."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from itertools import chain
from typing import Protocol

from pldverify.numbers.scientific import scientific

Bound = Fraction | float
"""An exact rational, or ``math.inf`` where the bound is +∞."""
_FEW = 6
"""Items of a tuple that are shown one by one."""
_ASKED = {
    "loss",
    "composition",
    "adjacency",
    "which",
    "quantity",
    "epsilon",
    "engine",
    "target",
    "alpha",
    "order",
}
"""Fields that say again what was asked."""
_WRAPPERS = {"parts", "work", "parameters", "other"}
"""Fields whose names say nothing of the numbers in them."""


class Statement(Protocol):
    """A frozen dataclass of exact parameters, and of other statements, whose proof is a computation in
    balls.
    """

    @property
    def engine(self) -> str:
        """What proves it, as the choice names it."""

    def prove(self) -> tuple[Bound, Bound]:
        """Both ends, from these parameters alone. Raises NoConvergence where they prove nothing."""


@dataclass(frozen=True)
class Witness:
    """What was proved, and how far each error term reached.

    Attributes:
        statement: the engine's exact parameters; :func:`pldverify.prove_again` needs nothing else.
        errors: proved bounds of the error terms, dyadic numbers by name.
    """

    statement: Statement
    errors: tuple[tuple[str, Bound], ...] = ()

    def rows(self) -> Iterator[tuple[str, str]]:
        """Names and texts, to read: parameters, then error terms; a name that comes again is numbered."""
        seen = Counter[str]()
        sizes = ((name, _size(size)) for name, size in self.errors)
        for name, text in chain(_rows(self.statement, ""), sizes):
            seen[name] += 1
            yield f"{name} ({seen[name]})" if seen[name] > 1 else name, text


def _rows(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Exact numbers by name: of several statements those of the first, which leads."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.init and field.name not in _ASKED:
                label = "" if field.name in _WRAPPERS else field.name.replace("_", " ")
                yield from _rows(
                    getattr(value, field.name), f"{name}: {label}" if name and label else name or label
                )
    elif isinstance(value, tuple) and value and is_dataclass(value[0]):
        yield from _rows(value[0], name)
    elif isinstance(value, tuple):
        yield name, f"{len(value)} values" if len(value) > _FEW else ", ".join(map(str, value))
    elif value is not None:
        yield name, str(value)


def _size(size: Bound) -> str:
    """An upper bound, to three digits, of any size."""
    if size == math.inf:
        return "inf"
    return scientific(Fraction(size), 3, up=True)
