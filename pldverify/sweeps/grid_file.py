"""Grid file: families of questions that a user has written down, in TOML or JSON.

``docs/sweeps.md`` describes the format. Expressions are parsed and nothing is run: a reference to Python
code (``mine.py:pair``) is refused.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from pldverify.boundary import Closed, wrong
from pldverify.errors import InvalidInput
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.user_file import data
from pldverify.questions.family import Family

MOST = 100_000
"""Cap on the questions of a file."""


_Value = Annotated[str | int, Field(union_mode="left_to_right")]
_Values = Annotated[list[_Value], Field(min_length=1)]
_Asked = Annotated[list[_Value], Field(default_factory=list)]
_Pair = Annotated[list[_Value], Field(min_length=2, max_length=2)]


class _Family(Closed):
    name: str
    expression: str
    values: Annotated[dict[str, _Values], Field(default_factory=dict)]
    rows: Annotated[list[dict[str, _Value]], Field(min_length=1, default_factory=lambda: [{}])]
    adjacency: Annotated[list[Adjacency | None], Field(min_length=1, default_factory=lambda: [None])]
    delta: _Asked
    epsilon: _Asked
    order: _Asked
    alpha: _Asked
    noise: Annotated[list[_Pair], Field(default_factory=list)]
    at_most: Annotated[int, Field(ge=1)] | None = None


class _Grid(Closed):
    schema_: Annotated[Literal["pldverify-grid/1"], Field(alias="schema")]
    family: Annotated[list[_Family], Field(min_length=1)]


def read(path: str | Path) -> list[Family]:
    """The families of a file. Raises InvalidInput, which says where the file is wrong.

    A number in quotes is that decimal or fraction, and so is one in TOML or JSON without quotes: 0.1 is 1/10.
    """
    try:
        families = _Grid.model_validate(data(Path(path), f"grid {path}")).family
    except ValidationError as error:
        got = error.errors()[0]["input"]
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise InvalidInput(f"grid {path}: {wrong(error, 'the whole')}, got {got!r:.80}{more}") from None
    found = [Family(**each.model_dump()) for each in families]
    size = sum(family.size() for family in found)
    if size > MOST:
        raise InvalidInput(f"grid {path} must ask at most {MOST} questions, got {size}")
    return found
