"""The certificate as a document: its schema ``pldverify-certificate/1``, and its digest.

Numbers are exact and stand in strings: decimals or fractions as in the claim, ``m*2^e`` for the dyadic ends
of the enclosure. The digest is the SHA-256 of the canonical form (RFC 8785) of everything but itself. The
JSON Schema is ``schema()``; a copy is ``pldverify/certificate/certificate-1.schema.json``.
"""

import hashlib
import json
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Field, StringConstraints, ValidationError, model_validator
from typing_extensions import TypeAliasType

from pldverify.boundary import Closed, Expression, wrong
from pldverify.errors import InvalidInput

SCHEMA = "pldverify-certificate/1"
_MOST = 2**53 - 1  # what every JSON reader takes for an integer

End = Annotated[str, StringConstraints(pattern=r"^(inf|(0|[1-9][0-9]*)(\*2\^-?[1-9][0-9]*|/[1-9][0-9]*)?)$")]
"""``m*2^e``; ``n/d`` where an exact answer is not dyadic; ``inf``."""
if TYPE_CHECKING:
    Value = Any
else:
    Value = TypeAliasType(
        "Value", Union[str, Annotated[int, Field(ge=-_MOST, le=_MOST)], bool, list["Value"], "Typed", None]
    )


class Typed(Closed):
    """An object of the proof: its class, and what it holds by name."""

    type: str
    fields: dict[str, "Value"]


class Claim(Closed):
    """The true ε(δ) of the composition stands to ``epsilon`` (nats) as ``relation`` says."""

    quantity: Literal["epsilon"]
    relation: Literal["<=", ">=", "="]
    epsilon: Expression
    delta: Expression


class Mechanism(Closed):
    """A mechanism by the name that expressions have for it."""

    name: str
    parameters: dict[str, Expression | list[Expression]]
    base: "Mechanism | None"


class Step(Closed):
    """``count`` independent runs of a mechanism."""

    count: Annotated[int, Field(ge=1, le=10**12)]
    mechanism: Mechanism


class Assumption(Closed):
    """What the verdict takes for granted."""

    id: str
    text: str


class DominatingPair(Closed):
    """The ordered pairs of a mechanism, and the theorem by which they dominate all neighbours."""

    mechanism: str
    directions: list[Literal["add", "remove", "replace", "replace-back"]]
    theorem: str


class Ends(Closed):
    """The true ε, or a bound on it (``standing``), lies between."""

    lower: End
    upper: End


class ErrorTerm(Closed):
    """A proved bound of one thing that the engine left out."""

    name: str
    bound: End


class Witness(Closed):
    """The statement behind the enclosure, enough to prove it again, and its error terms."""

    engine: str
    statement: Typed
    errors: list[ErrorTerm]


class Document(Closed):
    """A certificate: a claim about a composition, the ruling on it, and what that rests on."""

    schema_: Annotated[Literal["pldverify-certificate/1"], Field(alias="schema")]
    claim: Claim
    adjacency: Literal["add", "remove", "add-or-remove", "replace-one", "zero-out"]
    composition: Annotated[list[Step], Field(min_length=1)]
    assumptions: list[Assumption]
    dominating_pairs: list[DominatingPair]
    standing: Literal["exact", "upper bound", "lower bound", "neither"]
    verdict: Literal["CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED"]
    reason: str
    cause: str | None
    enclosure: Ends | None
    witness: Witness | None
    versions: dict[str, str]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _unchanged(self) -> "Document":
        if self.sha256 != digest(self.to_json()):
            raise ValueError("the digest is not that of the content")
        return self

    def to_json(self) -> dict[str, Any]:
        """A dictionary for ``json.dumps``."""
        return self.model_dump(mode="json", by_alias=True)

    def text(self) -> str:
        """The file's content; the witness, thousands of numbers that nobody reads, in one line."""
        content = self.to_json()
        witness = json.dumps(content.pop("witness"), ensure_ascii=False)
        head = json.dumps(content, ensure_ascii=False, indent=2).removesuffix("\n}")
        return f'{head},\n  "witness": {witness}\n}}\n'


def canonical(document: dict[str, Any]) -> bytes:
    """The canonical form (RFC 8785) of everything but the digest.

    There are no floats in it, so it is JSON without spaces, keys in the order of their UTF-16 units.

    >>> canonical({"b": [1, "é"], "a": None, "sha256": "…"}).decode()
    '{"a":null,"b":[1,"é"]}'
    """
    content = {key: value for key, value in document.items() if key != "sha256"}
    return json.dumps(_ordered(content), ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def digest(document: dict[str, Any]) -> str:
    """The SHA-256 of the canonical form."""
    return hashlib.sha256(canonical(document)).hexdigest()


def load(text: str | bytes) -> Document:
    """The document in a certificate file. Raises InvalidInput for what is none, or was changed.

    A checker that trusts nobody is ``pldverify/recheck.py``.
    """
    try:
        return Document.model_validate_json(text)
    except ValidationError as error:
        raise InvalidInput(f"certificate must follow {SCHEMA}, got {wrong(error, 'the document')}") from None


def schema() -> dict[str, Any]:
    """The JSON Schema of a certificate."""
    made = Document.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, **made}
