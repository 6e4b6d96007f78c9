"""What is wrong with a claim, in the words of its file."""

from pydantic import ValidationError

from pldverify.foreign import brief as short
from pldverify.numbers.exact import brief

_LONGEST = 200
"""Characters of a field's name, which a file makes up."""


def wrong(error: ValidationError) -> str:
    """The first thing that is wrong: field, what is allowed, and what was got."""
    first = error.errors()[0]
    where = short(".".join(str(part) for part in first["loc"] if part not in _BRANCHES), _LONGEST)
    said = first["msg"].removeprefix("Value error, ")
    got = "" if isinstance(first["input"], dict) else f", got {brief(first['input'])}"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{where + ': ' if where else ''}{said}{got}{more}"


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
