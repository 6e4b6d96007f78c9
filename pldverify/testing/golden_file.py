"""Golden files: an accountant's answers beside proved enclosures, schema ``pldverify-golden/1``.

Numbers are exact and stand in strings. Reading one loads nothing and runs nothing; comparing runs the
accountant that it names.
"""

from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from pldverify import boundary
from pldverify.boundary import Closed, Exact, Expression
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.claim import Direction
from pldverify.numbers.enclosure import Bound

SCHEMA: Literal["pldverify-golden/1"] = "pldverify-golden/1"
ASKED: dict[str, tuple[type[Query], str]] = {
    "delta": (Query, "epsilon"),
    "epsilon": (Query, "delta"),
    "rdp": (RenyiQuery, "order"),
    "trade-off": (TradeOffQuery, "alpha"),
}
"""By quantity, the class of the question, and its argument."""


class Pinned(Closed):
    """One question and its answer.

    Attributes:
        quantity, at: what was asked of the composition: δ at this ε, ε at this δ, D at this order, or the
            type II error at this type I error.
        claim: the answer.
        promise: of an estimate, the error in ε and in δ that it promises; None for none. Older files don't
            say, and then what is promised now counts.
        lower, upper: what was proved of the true value, rounded outward; None where nothing was.
    """

    composition: Expression
    quantity: Literal["delta", "epsilon", "rdp", "trade-off"]
    at: Exact
    adjacency: Adjacency
    claim: Exact
    promise: tuple[Exact, Exact] | None = None
    lower: Exact | None
    upper: Exact | None

    def query(self) -> Query:
        """The question. Raises InvalidInput for a text that asks nothing."""
        kind, name = ASKED[self.quantity]
        given: dict[str, Any] = {name: number(self.at)}
        return kind(as_composition(self.composition), adjacency=self.adjacency, **given)


class Golden(Closed):
    """What an accountant answered once.

    Attributes:
        accountant: by which ``pldverify check`` finds it.
        version: of its library, then.
        pldverify: the version that proved the enclosures.
    """

    # The field is called schema in the file, which is a name that pydantic keeps for itself.
    schema_: Literal["pldverify-golden/1"] = Field(SCHEMA, alias="schema")
    pldverify: str
    accountant: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    direction: Direction
    version: str
    answers: Annotated[list[Pinned], Field(min_length=1)]


def number(text: str) -> Bound:
    """The number that a text means."""
    return inf if text == "inf" else Fraction(text)


def written(golden: Golden) -> str:
    """The file's text."""
    return golden.model_dump_json(indent=1, by_alias=True) + "\n"


def write(golden: Golden, file: Path) -> None:
    """Raises InvalidInput for a file that can't be written."""
    try:
        file.write_text(written(golden), "utf-8")
    except OSError as error:
        raise InvalidInput(f"golden file must be a file that can be written, got {file}: {error}") from None


def read(file: Path) -> Golden:
    """Raises InvalidInput for what is no golden file of this schema."""
    return boundary.read(Golden, file, "golden file", SCHEMA)
