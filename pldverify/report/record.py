"""Record: a finding as JSON tells it, validated. What a subject said in it is text, and never trusted."""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Protocol, get_args

from pydantic import Field, StringConstraints, ValidationError, ValidationInfo
from pydantic import field_validator as validator

from pldverify.boundary import Exact, Open
from pldverify.errors import InvalidInput
from pldverify.foreign import brief
from pldverify.numbers.json import size

Verdict = Literal["UNSOUND", "CRASHED", "INVALID", "UNDECIDED", "SOUND", "REFUSED"]
"""In the order in which a report names them."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

SCHEMA: Literal["pldverify-finding/2"] = "pldverify-finding/2"
UNITS = {"epsilon": "ε", "delta": "δ", "rdp": "D", "noise": "σ", "tail": "P", "trade-off": "β"}
"""What an answer is called, by quantity; any other by its own name."""
SAYS = {"upper": "≤", "lower": "≥", "estimate": "≈", None: ""}

Printed = Annotated[str, StringConstraints(pattern=r"^[0-9einf .,…<>≤≥±+/\[\]-]*$")]
"""Numbers with their signs."""
Double = Annotated[float, Field(allow_inf_nan=False)]
Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z -]{0,39}$")]


class Interval(Open):
    """Both ends in double precision; None where an end is infinite."""

    lower_float: Double | None = None
    upper_float: Double | None = None

    @property
    def size(self) -> float:
        """The greatest size of a number in it; ∞ where an end is."""
        if self.lower_float is None or self.upper_float is None:
            return math.inf
        return max(abs(self.lower_float), abs(self.upper_float))


class Term(Open):
    """One term of a decomposition, and the ends of what its theorem promises."""

    name: str
    observed: Interval
    promised_low_float: Double | Literal["inf", "-inf"] | None = None
    promised_high_float: Double | Literal["inf", "-inf"] | None = None
    verdict: Word
    theorem: str = ""

    @property
    def promised(self) -> float:
        """The greatest size that is promised; ∞ where nothing is."""
        ends = (self.promised_low_float, self.promised_high_float)
        return max(math.inf if end is None else abs(float(end)) for end in ends)


class Decomposition(Open):
    """The error of an FFT accountant, term by term: ``ErrorBudget.to_json()``."""

    direction: Word
    terms: Annotated[tuple[Term, ...], Field(max_length=50, strict=False)]
    total: Interval
    dominant: str = ""


class Shown(Open):
    """What the finding prints: the claim and the truth beside it, its ends as decimals, rounded outward."""

    claim: Printed = ""
    truth: Printed = ""
    lower: Printed = ""
    upper: Printed = ""


class AskedAs(Open):
    """What makes the accountant again where its name does not: ``mine.py:half``, and a direction."""

    name: str
    direction: Literal["upper", "lower", "estimate"] | None = None


class Record(Open):
    """A finding, as ``Finding.to_json()`` writes it; keys that are not named here are left alone.

    Attributes:
        error_budget: ``ErrorBudget.to_json()`` of the same question, if somebody added it.
        asked_as: what makes the accountant again, if it is not its name.
        others: as in ``Finding.to_json()``.
    """

    schema_: Annotated[Literal["pldverify-finding/2"], Field(alias="schema")] = SCHEMA
    verdict: Verdict
    accountant: str
    asked_as: AskedAs | None = None
    version: str = ""
    query: str
    composition: str
    adjacency: Word
    quantity: Word
    severity: Literal["material", "rounding-level", "undecided"] | None = None
    delta: str | None = None
    epsilon: str | None = None
    order: str | None = None
    alpha: str | None = None
    loss: str | None = None
    direction: Literal["upper", "lower", "estimate"] | None = None
    claim: Exact | None = None
    claim_float: Double | None = None
    lower: Exact | None = None
    lower_float: Double | None = None
    upper: Exact | None = None
    upper_float: Double | None = None
    slack: Exact | None = None
    slack_float: Double | None = None
    excess: Exact | None = None
    excess_float: Double | None = None
    tightness: Exact | None = None
    tightness_float: Double | None = None
    error_float: Double | None = None
    promise: Mapping[str, str] | None = None
    parameters: Mapping[str, Any] = {}
    lower_by: str | None = None
    upper_by: str | None = None
    shown: Shown = Shown()
    engine: str | None = None
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    reason: str = ""
    cause: Word | None = None
    error_budget: Decomposition | None = None

    @validator("accountant", "composition", "query")
    @classmethod
    def _says_something(cls, value: str, info: ValidationInfo) -> str:
        if not value.strip():
            raise ValueError(f"{info.field_name} must not be empty")
        return value

    @cached_property
    def unit(self) -> str:
        """What the answer is called."""
        return UNITS.get(self.quantity, self.quantity)

    @cached_property
    def question(self) -> str:
        """The query, without the adjacency that goes without saying."""
        return self.query.removesuffix(" [add-or-remove]")

    @property
    def in_epsilon(self) -> float | None:
        """What a SOUND bound gives away, or an UNSOUND one is wrong by, in ε or ∞, where that is known."""
        if self.verdict == "UNSOUND":
            return size(self.excess, self.excess_float) if self.quantity == "epsilon" else None
        return size(self.tightness, self.tightness_float)

    @property
    def margin(self) -> float | None:
        """The same in the unit of the answer."""
        if self.verdict == "UNSOUND":
            return size(self.excess, self.excess_float)
        return size(self.slack, self.slack_float)

    @property
    def relative(self) -> float | None:
        """That over the true value, so without a unit; None where one of them is not known, or 0."""
        near = self.lower_float if self.verdict == "UNSOUND" else self.upper_float
        if self.margin is None or self.margin == math.inf:
            return self.margin
        return self.margin / abs(near) if near else None


class Told(Protocol):
    """What tells itself as JSON: a :class:`pldverify.Finding`."""

    def to_json(self) -> dict[str, object]: ...


Findings = Iterable[Mapping[str, Any] | Told | Record]
"""Findings in JSON form, or what has it."""


def records(findings: Findings) -> list[Record]:
    """The findings, validated. Raises InvalidInput, which says which finding and what is wrong with it.

    >>> from pldverify.report import records
    >>> records([pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))])[0].verdict
    'SOUND'
    >>> records([{"verdict": "FINE"}])
    Traceback (most recent call last):
    pldverify.errors.InvalidInput: finding 1: accountant: Field required (and 5 more)
    """
    return [
        each if isinstance(each, Record) else _record(number, each) for number, each in enumerate(findings, 1)
    ]


def _record(number: int, finding: Mapping[str, Any] | Told) -> Record:
    document = finding if isinstance(finding, Mapping) else _told(number, finding)
    if "truth_is" in document:  # an end of those might be one of the true value, or of a bound on it
        raise InvalidInput(
            f"finding {number} must have the schema {SCHEMA}, got an earlier one: check the accountant again"
        )
    try:
        return Record.model_validate(document)
    except ValidationError as wrong:
        errors = sorted(wrong.errors(include_url=False), key=lambda error: error["type"] != "missing")
        first, more = errors[0], len(errors) - 1
        where = ".".join(map(str, first["loc"]))
        others = f" (and {more} more)" if more else ""
        raise InvalidInput(f"finding {number}: {brief(where, 80)}: {first['msg']}{others}") from None


def _told(number: int, finding: object) -> dict[str, Any]:
    if not callable(getattr(finding, "to_json", None)):
        raise InvalidInput(f"finding {number} must be a finding or its JSON, got {type(finding).__name__}")
    return finding.to_json()  # type: ignore[attr-defined,no-any-return]
