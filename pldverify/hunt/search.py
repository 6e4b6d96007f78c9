"""Search: random questions, then questions next to those on which an accountant was worst."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from pldverify.hunt import draws
from pldverify.hunt.grouping import LIMITED, Cause, Group, collect
from pldverify.hunt.moves import moved
from pldverify.hunt.panel import Panel
from pldverify.hunt.score import violation
from pldverify.mechanisms.query import Query
from pldverify.rulings.finding import Finding

_FIRST = 8
"""Questions to an accountant that are drawn before any is moved."""
_NEAR = 3
"""Findings that are kept because a bound was nearly wrong."""
_TRIES = 100
"""Draws for an accountant that refuses them."""
_REFUSED = 25
"""Refusals in a row after which a mechanism is drawn no more for an accountant."""
_CLIMBS = 12
"""Moves from the worst of a group; then it is known well enough."""


@dataclass
class _Known:
    """What is known of an accountant."""

    asked: int = 0
    near: list[Finding] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


class Search:
    """Asks the accountants of a panel in turn, and goes on from what is not known.

    Attributes:
        groups: what was found, by cause.
        questions: how many were asked.
    """

    def __init__(
        self,
        panel: Panel,
        random: Random,
        on_question: Callable[[str, Query], None] | None = None,
        is_known: Callable[[Group], bool] = lambda group: False,
    ) -> None:
        self.groups: dict[Cause, Group] = {}
        self.questions = 0
        self._panel, self._random, self._on_question = panel, random, on_question
        self._is_known = is_known
        self._draws = draws.Draws(random)
        self._known = {name: _Known() for name in panel.subjects}
        self._climbed: Counter[Cause] = Counter()

    def step(self) -> None:
        """One question to the accountant that was asked least, and to another one that takes it."""
        name = min(self._known, key=lambda each: self._known[each].asked)
        query = self._next(name)
        self._known[name].asked += 1
        if query is None:
            return
        self._ask(name, query)
        others = [each for each in self._known if each != name and self._panel.takes(each, query)]
        if others:
            other = self._random.choice(others)
            self._known[other].asked += 1
            self._ask(other, query)

    def _ask(self, name: str, query: Query) -> None:
        if self._on_question is not None:
            self._on_question(name, query)
        found = self._panel.ask(name, query)
        self.questions += 1
        collect(self.groups, found)
        wrong = violation(found)
        if found.verdict != "UNSOUND" and wrong is not None:
            near = self._known[name].near
            near.append(found)
            near.sort(key=lambda each: -(violation(each) or 0.0))
            del near[_NEAR:]

    def _next(self, name: str) -> Query | None:
        known = self._known[name]
        if known.asked < _FIRST or self._random.random() < 0.4:
            return self._drawn(name)
        start = self._start(name)
        if start is None:
            return self._drawn(name)
        query = moved(start, self._random)
        return query if self._panel.takes(name, query) else self._drawn(name)

    def _start(self, name: str) -> Query | None:
        """The question of a finding from which to go on."""
        mine = [
            group
            for why, group in self.groups.items()
            if why.accountant == name and why.kind not in LIMITED and self._climbed[why] < _CLIMBS
            if not self._is_known(group)
        ]
        near = self._known[name].near
        if mine and (not near or self._random.random() < 0.6):
            group = self._random.choice(mine)
            self._climbed[group.cause] += group.cause.kind != "loose"
            return group.worst.query
        return self._random.choice(near).query if near else None

    def _drawn(self, name: str) -> Query | None:
        asks = getattr(self._panel.subjects[name], "asks", (Query,))
        refused = self._known[name].refused
        for _ in range(_TRIES):
            kinds = [kind for kind in draws.FIRST if refused[kind] < _REFUSED] or list(draws.FIRST)
            kind = self._random.choice(kinds)
            query = self._draws.query(kind, self._random.choice(asks))
            if self._panel.takes(name, query):
                refused[kind] = 0
                return query
            refused[kind] += 1
        return None
