"""Check: a name, a cause, and what it asks. Its breaks say which claims broke it, and by how much."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal

from pldverify.accountants.ask import UNKNOWN, Answer
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.json import text
from pldverify.numbers.presentation import number
from pldverify.rulings.check import finding
from pldverify.testing.checks.subject import Subject
from pldverify.testing.reproduction import expression

Kind = Literal["oracle", "relation"]
"""Whether claims are judged by the truth, or by each other."""

Fault = Literal["UNSOUND", "LOOSE", "INCONSISTENT", "CRASHED", "INVALID"]
"""What a break shows. UNSOUND and LOOSE are proved of a claim. INCONSISTENT claims can't all be as tight as
was said: a sound accountant that is looser may make them, and an unsound one does."""


@dataclass(frozen=True)
class Break:
    """Claims that broke a check.

    Attributes:
        fault: what it shows.
        queries: what was asked, the claim that is wrong first.
        claims: the answers; None where there was none.
        message: what does not hold, and by how much.
        size: by how much, in the unit of the claim, in ε where it is LOOSE; infinite where no number says it.
    """

    fault: Fault
    queries: tuple[Query, ...]
    claims: tuple[Claim | None, ...]
    message: str
    size: float

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``."""
        return {
            "fault": self.fault,
            "message": self.message,
            "size": None if self.size == inf else self.size,
            "queries": [expression(query) for query in self.queries],
            "claims": [None if claim is None else text(claim.value) for claim in self.claims],
        }

    def lines(self, accountant: str, version: str = UNKNOWN) -> list[str]:
        """For people: the message, each question with its answer as Python to be pasted; the finding, where
        the truth has judged. ``version`` is that of the accountant's library.
        """
        found = [f"{self.fault}: {self.message}"]
        for query, claim in zip(self.queries, self.claims, strict=True):
            says = "no claim" if claim is None else f"{claim.direction} {number(claim.value)}"
            found.append(f"  pv.check({accountant}, {expression(query)})  # {says}")
        if self.fault in ("UNSOUND", "LOOSE") and self.claims[0] is not None:
            shown = finding(accountant, self.queries[0], Answer(version, 0.0, self.claims[0]))
            found += [f"  {line}" for line in str(shown).splitlines()]
        return found


def double(value: Bound) -> float:
    """The nearest double; infinite for what is beyond all of them."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def inconsistent(subject: Subject, queries: tuple[Query, ...], message: str, size: float) -> Break:
    """Claims of which not all are as tight as was said."""
    claims = tuple(subject.answer(query).claim for query in queries)
    return Break("INCONSISTENT", queries, claims, message, size)


@dataclass(frozen=True)
class Check:
    """One check.

    Attributes:
        name: of words joined by hyphens; what ``expected_failures`` names.
        cause: what is wrong with an accountant that breaks it, in one sentence.
        kind: ``oracle`` or ``relation``.
        run: yields the breaks, the simplest question first.
    """

    name: str
    cause: str
    kind: Kind
    run: Callable[[Subject], Iterator[Break]]


@dataclass(frozen=True)
class Result:
    """What came of a check.

    Attributes:
        check: which one.
        accountant: Python that names the accountant.
        asked: queries that had a claim.
        compared: how many comparisons of a claim, with the truth or with other claims, had an outcome; a
            check without one has looked at nothing.
        breaks: what broke it.
        version: of the accountant's library.
        reason: why a question had no answer, or a claim was not decided, if there was one.
    """

    check: Check
    accountant: str
    asked: int
    compared: int
    breaks: tuple[Break, ...]
    version: str = UNKNOWN
    reason: str = ""

    @property
    def outcome(self) -> Literal["passed", "failed", "skipped"]:
        """Skipped where nothing was compared, as where every question was refused."""
        if self.breaks:
            return "failed"
        return "passed" if self.compared else "skipped"

    @property
    def why_skipped(self) -> str:
        """Why nothing was compared; empty where something was."""
        if self.outcome != "skipped":
            return ""
        if self.check.kind == "oracle" and self.asked:
            told = "no claim is decided"
        else:
            told = "no two claims can be compared" if self.asked else "no question has an answer"
        return f"{told}: {self.reason}" if self.reason else told

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``; exact numbers are strings."""
        return {
            "check": self.check.name,
            "kind": self.check.kind,
            "accountant": self.accountant,
            "outcome": self.outcome,
            "asked": self.asked,
            "compared": self.compared,
            "why_skipped": self.why_skipped,
            "cause": self.check.cause if self.breaks else "",
            "breaks": [each.to_json() for each in self.breaks],
        }

    def __str__(self) -> str:
        head = f"{self.check.name}: {self.outcome}"
        if not self.breaks:
            return f"{head}, {self.why_skipped or f'{self.asked} claims'}"
        lines = [f"{head}. {self.check.cause}", *self.breaks[0].lines(self.accountant, self.version)]
        if len(self.breaks) > 1:
            lines.append(f"and {len(self.breaks) - 1} more like it")
        return "\n".join(lines)
