"""What is wrong with a claim, in the words of its file."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pldverify.foreign import brief as short
from pldverify.numbers.arithmetic import suggestion
from pldverify.numbers.exact import brief
from pldverify.rulings.model import MECHANISMS

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LONGEST = 200
"""Characters of a field's name, which a file makes up."""


@dataclass(frozen=True)
class Place:
    """Where a claim stands in its file.

    Attributes:
        line: of a table, in which the one phase of a row has no name: its fields are columns.
        words: a field and the word that its file has for it, where that is another.
    """

    line: int | None = None
    words: tuple[tuple[str, str], ...] = ()

    def said(self, reason: str) -> str:
        """The reason in the words of the file.

        >>> from pldverify.claims.wrong import Place
        >>> Place(2, (("q", "sample_rate"),)).said("phase.0: q must be in [0, 1], got q=2")
        'sample_rate must be in [0, 1], got sample_rate=2'
        """
        text = reason if self.line is None else reason.removeprefix("phase.0: ")
        for field, word in self.words:
            text = re.sub(rf"(?<![\w.]){field}(?= must |=|: must )", word.replace("\\", r"\\"), text)
        return text


def sigma_said(phases: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    """The words of a claim that says ``sigma`` where Gaussian noise has another field."""
    others, said = ("noise_multiplier", "standard_deviation"), list(phases)
    gaussian = any(phase.get("mechanism") == "gaussian" and "sigma" in phase for phase in said)
    if gaussian and not any(phase.keys() & set(others) for phase in said):
        return tuple((field, "sigma") for field in others)
    return ()


def wrong(error: ValidationError, place: Place) -> str:
    """The first thing that is wrong: field, what is allowed, and what was got."""
    first = error.errors()[0]
    path = [part for part in first["loc"] if part not in _BRANCHES]
    if place.line is not None and path[:2] == ["phase", 0]:
        path = path[2:]
    where = short(".".join(map(str, path)), _LONGEST)
    got = "" if isinstance(first["input"], dict) else f", got {brief(first['input'])}"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return place.said(f"{where + ': ' if where else ''}{_said(first)}{got}{more}")


def _said(first: "ErrorDetails") -> str:
    """What pydantic says, in words that do not speak of it."""
    kind, context = first["type"], first.get("ctx", {})
    if kind == "union_tag_not_found":
        return f"mechanism must be given, one of {', '.join(MECHANISMS)}"
    if kind == "union_tag_invalid":
        tag, known = str(context["tag"]), [*MECHANISMS]
        return f"mechanism must be one of {', '.join(known)}, got {brief(tag)}{suggestion(tag, known)}"
    if kind == "literal_error":
        return f"must be {context['expected']}"
    return _WORDS.get(kind, first["msg"].removeprefix("Value error, "))


_WORDS = {
    "missing": "must be given",
    "extra_forbidden": "is no field here",
    "string_type": "must be a string, in quotes",
}
"""By pydantic's kind of error."""
_BRANCHES = {*MECHANISMS, "int", "constrained-str"} - {"expression"}
"""Names that pydantic gives to branches of a union; no field of the user's."""
