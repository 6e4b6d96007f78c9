"""Baseline: a file of findings that are known, schema ``pldverify-baseline/1``, which are not reported again.

A finding is known by its cause; it is told all the same where it is worse than it was.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from pldverify import boundary
from pldverify.boundary import Closed
from pldverify.hunt.grouping import Cause, Group, Kind, badness, cause

SCHEMA: Literal["pldverify-baseline/1"] = "pldverify-baseline/1"
_WORSE = 1.1
"""Factor on how bad a finding was from which on it is worse: a search finds the worst only about."""
_SIZED: tuple[Kind, ...] = ("violation", "rounding", "wrong estimate", "loose")
"""Kinds that are more or less bad; the others are there, or not."""

Text = Annotated[str, StringConstraints(max_length=10_000)]


class Known(Closed):
    """One cause.

    Attributes:
        kind, accountant, detail: the cause, as :class:`~pldverify.hunt.grouping.Cause` has it.
        badness: how bad it was, a logarithm of a factor or a share of ε; None where nothing measures it.
        question: on which it was seen, for people.
    """

    kind: Kind
    accountant: Text
    detail: Text
    badness: float | None
    question: Text


class Document(Closed):
    """The file."""

    # The field is called schema in the file, which is a name that pydantic keeps for itself.
    schema_: Literal["pldverify-baseline/1"] = Field(SCHEMA, alias="schema")
    known: list[Known]


@dataclass(frozen=True)
class Baseline:
    """What is known, by cause.

    >>> from pldverify.accountants.registry import accountant
    >>> from pldverify.hunt.grouping import collect
    >>> groups = {}
    >>> group = collect(groups, pv.check("gdp/upper", pv.Query("poisson(gaussian(1), q=0.01)", delta="1e-6")))
    >>> Baseline().holds(group), Baseline().with_groups([group]).holds(group)
    (False, True)
    """

    known: Mapping[Cause, Known] = field(default_factory=dict)

    def holds(self, group: Group) -> bool:
        """Whether the group is known, and no worse than it was."""
        known = self.known.get(group.cause)
        if known is None:
            return False
        now = _badness(group)
        return known.badness is None or now is None or now <= _WORSE * known.badness

    def with_groups(self, groups: Iterable[Group]) -> "Baseline":
        """These are known, too: by the cause that they were found with, and by that of what it was shrunk to;
        of those who say the same as well.
        """
        known = dict(self.known)
        for group in groups:
            sizes = [_badness(group)]
            if group.cause in known:
                sizes.append(known[group.cause].badness)
            size = max((each for each in sizes if each is not None), default=None)
            for why in {group.cause, cause(group.found) or group.cause}:
                for name in (why.accountant, *group.also):
                    known[replace(why, accountant=name)] = Known(
                        kind=why.kind,
                        accountant=name,
                        detail=why.detail,
                        badness=size,
                        question=str(group.worst.query),
                    )
        return Baseline(known)


def read(file: Path) -> Baseline:
    """Raises InvalidInput for what is no baseline of this schema."""
    document = boundary.read(Document, file, "--baseline", SCHEMA)
    return Baseline({Cause(each.kind, each.accountant, each.detail): each for each in document.known})


def written(baseline: Baseline) -> str:
    """The file's text."""
    document = Document(schema=SCHEMA, known=list(baseline.known.values()))
    return document.model_dump_json(indent=1, by_alias=True) + "\n"


def _badness(group: Group) -> float | None:
    """That of the worst, as it was found or after it was shrunk."""
    kind = group.cause.kind
    return max(badness(kind, each) for each in (group.found, group.worst)) if kind in _SIZED else None
