"""What is wrong with a claim, in the words of its file."""

from typing import TYPE_CHECKING

from pydantic import ValidationError

from pldverify.foreign import brief as short
from pldverify.numbers.arithmetic import suggestion
from pldverify.numbers.exact import brief
from pldverify.rulings.model import MECHANISMS

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LONGEST = 200
"""Characters of a field's name, which a file makes up."""


def wrong(error: ValidationError, *, table: bool = False) -> str:
    """The first thing that is wrong: field, what is allowed, and what was got.

    In a ``table`` the one phase of a row has no name: its fields are columns.
    """
    first = error.errors()[0]
    place = [part for part in first["loc"] if part not in _BRANCHES]
    if table and place[:2] == ["phase", 0]:
        place = place[2:]
    where = short(".".join(map(str, place)), _LONGEST)
    got = "" if isinstance(first["input"], dict) else f", got {brief(first['input'])}"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{where + ': ' if where else ''}{_said(first)}{got}{more}"


def in_words(reason: str, *, table: bool) -> str:
    """What a ruling says of a number: the one phase of a row of a ``table`` has no name."""
    return reason.removeprefix("phase.0: ") if table else reason


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
_BRANCHES = {
    "gaussian",
    "discrete_gaussian",
    "laplace",
    "pure_dp",
    "approximate_dp",
    "zcdp",
    "gdp",
    "int",
    "constrained-str",
}
"""Names that pydantic gives to branches of a union; no field of the user's."""
