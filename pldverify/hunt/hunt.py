"""Hunt: search, shrink, confirm, and join what has one cause."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.worker import GIB
from pldverify.errors import InvalidInput
from pldverify.hunt.baseline import Baseline
from pldverify.hunt.bug_report import bug_report
from pldverify.hunt.grouping import LIMITED, Cause, Group, Kind, badness, cause, collect, in_order, kind_of
from pldverify.hunt.panel import Panel
from pldverify.hunt.search import Search
from pldverify.hunt.shrink import shrunk
from pldverify.mechanisms.query import Query
from pldverify.rulings.finding import Finding

_SEARCH = 0.6
"""Part of the time that is for the search; the rest is for shrinking."""
_KEPT: dict[Kind, float] = {"loose": 0.5, "violation": 0.1, "rounding": 0.1, "wrong estimate": 0.1}
"""Part of its badness that a finding keeps while it is shrunk."""
_FACTOR = math.log(2)
"""Log of the factor that is kept anyway: of a claim of 0, one of half the true value remains."""
_UNCONFIRMED = ("loose", "vacuous")
"""Kinds that are not asked again: they accuse nobody."""
_WEIGHTS: dict[Kind, int] = {"violation": 3, "wrong estimate": 2, "crash": 2, "invalid": 2}
"""Shares of the time for shrinking."""
_EQUAL = Fraction(1, 10**6)
"""Relative difference of claims that two accountants make from one cause."""
_TIMEOUT = 20.0
"""Seconds for one answer, at most, where none are asked for."""
_SHRINKS = 150
"""Questions for one group, at most."""


@dataclass(frozen=True)
class Progress:
    """How far a hunt is: seconds since the start, and what is asked now."""

    seconds: float
    now: str


class Hunt:
    """A hunt; :meth:`run` it. What was found stays there when it is interrupted.

    Args:
        accountants: with different names.
        minutes: wall time, > 0.
        questions: how many are drawn at most, whatever the time.
        seed: of the draws.
        timeout, memory: seconds and bytes for one answer; left out, a thirtieth of the time, 10 to 20 s.
        baseline: what is known, and is neither shrunk nor told again.
        on_progress: called before each question.

    Raises InvalidInput for numbers out of range.

    >>> from pldverify.accountants.registry import variants
    >>> found = Hunt(variants("gdp/upper"), minutes=1, questions=5, seed=1)
    >>> found.run()
    >>> found.questions >= 5
    True
    """

    def __init__(
        self,
        accountants: Sequence[Accountant],
        *,
        minutes: float = 10,
        questions: int | None = None,
        seed: int = 0,
        timeout: float | None = None,
        memory: int = 4 * GIB,
        baseline: Baseline | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        if not minutes > 0:
            raise InvalidInput(f"minutes must be > 0, got minutes={minutes}")
        self.seed, self.total = seed, 60 * minutes
        self._most, self._on_progress = questions, on_progress
        limit = min(_TIMEOUT, max(_TIMEOUT / 2, self.total / 30)) if timeout is None else timeout
        self._panel = Panel(accountants, timeout=limit, memory=memory)
        self.baseline = Baseline() if baseline is None else baseline
        self._search = Search(self._panel, Random(seed), self._tell, self.baseline.holds)
        self._start = 0.0

    @property
    def questions(self) -> int:
        """How many were asked so far."""
        return sum(self._panel.asked.values())

    @property
    def broken(self) -> dict[str, Query]:
        """What pldverify itself raised, each with a question on which it did: bugs in pldverify."""
        return self._panel.broken

    @property
    def groups(self) -> list[Group]:
        """What was found and is not known, the worst first."""
        return [group for group in in_order(self._search.groups) if not self.baseline.holds(group)]

    @property
    def known(self) -> list[Group]:
        """What was found again, no worse than it is known."""
        return [group for group in in_order(self._search.groups) if self.baseline.holds(group)]

    def report(self, group: Group) -> str:
        """The bug report on one of the groups, in Markdown; what it tells to run is run for it."""
        subject = self._panel.subjects[group.worst.accountant]
        return bug_report(group, subject, self.seed, self._panel.limits(subject.name))

    @property
    def seconds(self) -> float:
        """Wall time since the start."""
        return time.monotonic() - self._start

    def run(self) -> None:
        """Until the time is up. Ctrl-C raises KeyboardInterrupt, and what was found so far is there."""
        self._start = time.monotonic()
        with self._panel:
            while self.seconds < _SEARCH * self.total and not self._is_enough():
                self._search.step()
            groups = self.groups
            for i, group in enumerate(groups):
                if group.cause in self._search.groups:  # else it was joined to a worse one
                    weights = [_WEIGHTS.get(each.cause.kind, 1) for each in groups[i:]]
                    share = (self.total - self.seconds) * weights[0] / sum(weights)
                    self._finish(group, self.seconds + max(share, 0.0))

    def _is_enough(self) -> bool:
        return self._most is not None and self._search.questions >= self._most

    def _finish(self, group: Group, deadline: float) -> None:
        """Shrink, confirm, and join others to it."""
        name, kind, left = group.cause.accountant, group.cause.kind, [_SHRINKS]

        def ask(query: Query) -> Finding:
            left[0] -= 1
            self._tell(name, query)
            return self._panel.ask(name, query)

        def same(other: Finding) -> bool:
            if kind_of(other) != kind:
                return False
            if kind in _KEPT:
                least = _KEPT[kind] * badness(kind, group.found)
                if badness(kind, other) < (least if kind == "loose" else min(least, _FACTOR)):
                    return False
            return kind not in ("crash", "invalid") or cause(other) == group.cause

        def goes_on() -> bool:
            return left[0] > 0 and self.seconds < deadline

        if kind not in LIMITED:  # each question would take as long, or as much
            group.worst = shrunk(group.found, ask, same, goes_on)
        is_there = self._regroup(group)
        if is_there and kind not in _UNCONFIRMED:
            is_there = self._confirm(group)
        if is_there:
            self._join(group, deadline)

    def _confirm(self, group: Group) -> bool:
        """As ``pv.check`` decides, alone and with larger limits; what does not come again is no finding, and
        what comes instead may be another one. Whether it is one.
        """
        name = group.cause.accountant
        for known in dict.fromkeys((group.worst.query, group.found.query)):
            self._tell(name, known)
            confirmed = self._panel.confirm(name, known)
            kind = kind_of(confirmed)
            if kind == group.cause.kind or (kind, group.cause.kind) == ("rounding", "violation"):
                group.worst = confirmed
                return self._regroup(group)
        del self._search.groups[group.cause]
        collect(self._search.groups, confirmed)
        return False

    def _regroup(self, group: Group) -> bool:
        """Its cause as it is now; whether it stays, and is not counted to another group of that cause."""
        groups = self._search.groups
        del groups[group.cause]
        group.cause = cause(group.worst) or group.cause
        known = groups.setdefault(group.cause, group)
        if known is not group:
            known.times += group.times
            if group.badness > known.badness:
                known.worst, known.found = group.worst, group.found
        return known is group

    def _join(self, group: Group, deadline: float) -> None:
        """What other accountants of the library say to the same question, if it is the same."""
        mine = self._panel.subjects[group.cause.accountant]
        for why, other in list(self._search.groups.items()):
            theirs = self._panel.subjects[why.accountant]
            is_other = theirs.library == mine.library and theirs.name != mine.name
            alike = replace(why, accountant=mine.name) == replace(group.cause, accountant=mine.name)
            if not (is_other and alike and self.seconds < deadline):
                continue
            if why.kind in ("loose", *LIMITED) or not self._panel.takes(theirs.name, group.worst.query):
                continue
            self._tell(theirs.name, group.worst.query)
            if _says_the_same(self._panel.ask(theirs.name, group.worst.query), group.worst):
                del self._search.groups[why]
                group.times += other.times
                group.also = (*group.also, theirs.name)

    def _tell(self, name: str, query: Query) -> None:
        if self._on_progress is not None:
            groups = self.groups
            found = f"{len(groups)} findings" + "".join(f", {group.cause.kind}" for group in groups[:1])
            self._on_progress(Progress(self.seconds, f"{self.questions} questions, {found}; {name}: {query}"))


def _says_the_same(one: Finding, other: Finding) -> bool:
    if kind_of(one) != kind_of(other):
        return False
    if one.claim is None or other.claim is None:
        return _without_name(one) == _without_name(other)
    values = one.claim.value, other.claim.value
    if math.inf in values:
        return values[0] == values[1]
    mine, theirs = Fraction(values[0]), Fraction(values[1])
    return abs(mine - theirs) <= _EQUAL * abs(theirs)


def _without_name(finding: Finding) -> Cause | None:
    found = cause(finding)
    return found and replace(found, accountant="")
