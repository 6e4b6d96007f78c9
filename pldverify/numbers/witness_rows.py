"""What a witness says, to read: exact parameters and error terms by name."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import chain

from pldverify.numbers.exact import show
from pldverify.numbers.scientific import scientific
from pldverify.numbers.witness import Bound, Witness

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


def rows(witness: Witness) -> Iterator[tuple[str, str]]:
    """Names and texts: parameters, then error terms; a name that comes again is numbered."""
    seen = Counter[str]()
    sizes = ((name, _size(size)) for name, size in witness.errors)
    for name, text in chain(_rows(witness.statement, ""), sizes):
        seen[name] += 1
        yield f"{name} ({seen[name]})" if seen[name] > 1 else name, text


def _rows(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Exact numbers by name: of several statements those of the first, which leads."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.init and field.compare and field.name not in _ASKED:
                label = "" if field.name in _WRAPPERS else field.name.replace("_", " ")
                yield from _rows(
                    getattr(value, field.name), f"{name}: {label}" if name and label else name or label
                )
    elif isinstance(value, tuple) and value and is_dataclass(value[0]):
        yield from _rows(value[0], name)
    elif isinstance(value, tuple):
        few = len(value) <= _FEW and not any(isinstance(item, tuple) for item in value)
        yield name, ", ".join(map(_text, value)) if few else f"{len(value)} values"
    elif value is not None:
        yield name, _text(value)


def _text(value: object) -> str:
    return show(value) if isinstance(value, Fraction) else str(value)  # a fraction may have 4,300 digits


def _size(size: Bound) -> str:
    """An upper bound, to three digits, of any size."""
    if size == math.inf:
        return "inf"
    return scientific(Fraction(size), 3, up=True)
