"""What is wrong with a claim, in the words of its file."""

from pydantic import ValidationError

from pldverify.numbers.exact import brief


def wrong(error: ValidationError) -> str:
    """The first thing that is wrong: field, what is allowed, and what was got."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in _BRANCHES)
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
