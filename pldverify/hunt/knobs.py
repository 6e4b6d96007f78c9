"""Knobs: the numbers of a question, each of which can be changed alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism, parameters
from pldverify.mechanisms.query import Query

Path = tuple[str, ...]
_COUNT = "count"
_ASKED = ("epsilon", "delta", "order")


@dataclass(frozen=True)
class Knob:
    """A number and where it stands.

    Attributes:
        part: which of the composition's parts, None for what is asked at.
        path: names of fields, from the part's mechanism, or ``count``; of what is asked at, its field.
        value: the number.
        whole: whether only integers are allowed.
    """

    part: int | None
    path: Path
    value: Fraction
    whole: bool = False


def knobs(query: Query) -> list[Knob]:
    """All of them, those of what is asked at last.

    >>> import pldverify as pv
    >>> [(".".join(k.path), str(k.value)) for k in knobs(pv.Query(9 * pv.Gaussian(2), delta="1/8"))]
    [('count', '9'), ('sigma', '2'), ('sensitivity', '1'), ('delta', '1/8')]
    """
    found = []
    for i, (mechanism, count) in enumerate(query.composition.parts):
        found.append(Knob(i, (_COUNT,), Fraction(count), whole=True))
        found += [Knob(i, path, value, whole) for path, value, whole in _numbers(mechanism)]
    for name in _ASKED:
        value = getattr(query, name, None)
        if isinstance(value, Fraction):
            found.append(Knob(None, (name,), value))
    return found


def turned(query: Query, knob: Knob, value: Fraction) -> Query | None:
    """The question with another number there; None where that is no question.

    >>> import pldverify as pv
    >>> query = pv.Query(9 * pv.Gaussian(2), delta="1/8")
    >>> print(turned(query, knobs(query)[0], Fraction(1)))
    ε at δ=0.125 of gaussian(sigma=2) [add-or-remove]
    >>> turned(query, knobs(query)[1], Fraction(-1)) is None
    True
    """
    if knob.whole and value.denominator != 1:
        return None
    number: Any = int(value) if knob.whole else value
    try:
        if knob.part is None:
            return replace(query, **{knob.path[0]: number})
        parts = list(query.composition.parts)
        mechanism, count = parts[knob.part]
        changed = (
            (mechanism, number) if knob.path == (_COUNT,) else (_changed(mechanism, knob.path, number), count)
        )
        parts[knob.part] = changed
        return replace(query, composition=Composition.of(*parts))
    except InvalidInput:
        return None


def composed(query: Query, parts: Sequence[tuple[Mechanism, int]]) -> Query | None:
    """The question about other parts; None where there is none: no adjacency is theirs, or no pair."""
    try:
        return replace(query, composition=Composition.of(*parts))
    except InvalidInput:
        return None


def _numbers(mechanism: Mechanism) -> Iterator[tuple[Path, Fraction, bool]]:
    for field in parameters(mechanism):
        value = getattr(mechanism, field.name)
        if isinstance(value, Mechanism):
            yield from (((field.name, *path), number, whole) for path, number, whole in _numbers(value))
        elif isinstance(value, int | Fraction) and not isinstance(value, bool):
            yield (field.name,), Fraction(value), isinstance(value, int)


def _changed(mechanism: Any, path: Path, number: object) -> Any:
    name, *rest = path
    inner = _changed(getattr(mechanism, name), tuple(rest), number) if rest else number
    return replace(mechanism, **{name: inner})
