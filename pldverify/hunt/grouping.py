"""Grouping: findings that seem to have one cause are one group, which keeps its worst example.

A crash is known by its message without numbers, a wrong bound by the mechanisms, the relation and the
question, by accountant each. After shrinking, groups of accountants of one library are joined where the same
question brings the same out of both.
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from pldverify.accountants.ask import impossible
from pldverify.hunt.score import is_vacuous, looseness, violation
from pldverify.hunt.simplicity import cost
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.rulings.finding import Finding

Kind = Literal[
    "impossible",
    "invalid",
    "violation",
    "wrong estimate",
    "crash",
    "hang",
    "memory",
    "waits",
    "rounding",
    "underflow",
    "vacuous",
    "loose",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What is reported, in this order: what is no number of its kind needs no proof."""
LIMITED: tuple[Kind, ...] = ("hang", "memory", "waits")
"""What a limit of ours ended."""
_LIMITS: dict[str | None, Kind] = {
    "OUT OF PROCESSOR TIME": "hang",
    "OUT OF MEMORY": "memory",
    "TIMED OUT": "waits",
}

_WRONG = 0.02
"""log of the factor from which an estimate that promises nothing is reported."""
_LOOSE = 0.01
"""Share of the true ε from which a bound is called loose."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|\b(nan|inf)\b|\[[^\]]*\]", re.IGNORECASE)
_LEAST_DOUBLE = 2.0**-1074
"""The least double above 0: a true value below it has no better answer than 0."""
_LONGEST = 80
"""Characters of a message that tell causes apart."""
_MOST_GROUPS = 1000
"""Causes that are kept; later ones are dropped."""


@dataclass(frozen=True)
class Cause:
    """What findings of one group share."""

    kind: Kind
    accountant: str
    detail: str


@dataclass
class Group:
    """The worst finding of a cause.

    Attributes:
        cause: what its findings share.
        worst: the worst of them, or what it was shrunk to.
        found: the worst as it was found, before it was shrunk.
        times: how many there were.
        also: other accountants of the library that say the same to the same question.
    """

    cause: Cause
    worst: Finding
    found: Finding
    times: int = 1
    also: tuple[str, ...] = ()

    @property
    def badness(self) -> float:
        """For the order of groups of one kind."""
        return badness(self.cause.kind, self.worst)


def cause(finding: Finding) -> Cause | None:
    """Why a finding is worth a report; None if it is not.

    >>> import pldverify as pv
    >>> query = pv.Query(3 * pv.Gaussian(1), epsilon=1)
    >>> cause(pv.check(lambda query: 0.06, query, direction="upper")).detail
    'delta of gaussian, add-or-remove'
    """
    kind = kind_of(finding)
    if kind is None:
        return None
    if kind in ("loose", *LIMITED):
        return Cause(kind, finding.accountant, "")
    if kind in ("crash", "invalid"):
        return Cause(kind, finding.accountant, _message(finding))
    detail = shape(finding.query)
    if kind == "impossible" and finding.claim is not None:  # below 0 it claims privacy, above 1 it does not
        detail += ", below 0" if finding.claim.value < 0 else ", above 1"
    return Cause(kind, finding.accountant, detail)


def kind_of(finding: Finding) -> Kind | None:
    """What is wrong with a finding; None if nothing is."""
    if finding.claim is not None and impossible(finding.claim, finding.query):
        return "impossible"
    match finding.verdict:
        case "UNSOUND":
            return _unsound(finding)
        case "CRASHED":
            return _LIMITS.get(finding.cause, "crash")
        case "INVALID":
            return "invalid"
    if finding.cause == "NO PROMISE" and (violation(finding) or 0.0) > _WRONG:
        return "wrong estimate"
    if is_vacuous(finding):
        return "vacuous"
    return "loose" if (looseness(finding) or 0.0) > _LOOSE else None


def _unsound(finding: Finding) -> Kind:
    if finding.truth is not None and 0 < finding.truth.upper < _LEAST_DOUBLE:
        return "underflow"
    return "rounding" if finding.severity == "rounding-level" else "violation"


def badness(kind: Kind, finding: Finding) -> float:
    """For the order of findings of one kind: by how much they are wrong, or how simple the question is."""
    if kind == "loose":
        return looseness(finding) or 0.0
    if kind in ("violation", "rounding", "underflow", "wrong estimate"):
        return violation(finding) or 0.0
    return -cost(finding.query)


def shape(query: Query) -> str:
    """The question without its numbers."""
    kinds = sorted({_name(mechanism) for mechanism, _ in query.composition.parts})
    return f"{query.quantity} of {' and '.join(kinds)}, {query.adjacency}"


def collect(groups: dict[Cause, Group], finding: Finding) -> Group | None:
    """Put a finding into its group, which is returned if it is new there or the worst.

    >>> import pldverify as pv
    >>> groups = {}
    >>> for sigma in (1, 2, 3):
    ...     query = pv.Query(pv.Gaussian(sigma), epsilon=1)
    ...     _ = collect(groups, pv.check(lambda query: 1 / 0, query, direction="upper"))
    >>> [(group.cause.detail, group.times) for group in groups.values()]
    [('raised ZeroDivisionError: division by zero', 3)]
    """
    why = cause(finding)
    if why is None:
        return None
    group = groups.get(why)
    if group is None and len(groups) >= _MOST_GROUPS:
        return None
    if group is None:
        groups[why] = Group(why, finding, finding)
        return groups[why]
    group.times += 1
    if badness(why.kind, finding) <= group.badness:
        return None
    group.worst = group.found = finding
    return group


def in_order(groups: dict[Cause, Group]) -> list[Group]:
    """The worst first."""
    return sorted(groups.values(), key=lambda group: (KINDS.index(group.cause.kind), -group.badness))


def _name(mechanism: Mechanism) -> str:
    text = str(mechanism).partition("(")[0]
    return f"poisson {_name(mechanism.base)}" if isinstance(mechanism, PoissonSubsampled) else text


def _message(finding: Finding) -> str:
    """The reason without numbers, and without who said it."""
    said = finding.reason.removeprefix(f"{finding.accountant} {finding.version}").strip()
    return _NUMBER.sub("#", said)[:_LONGEST]
