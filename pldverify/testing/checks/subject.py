"""Subject: an accountant under test, whose answers are remembered, and judged once."""

import copy
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Literal

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer, ask_here
from pldverify.judge.decide import Decision, decide
from pldverify.judge.truth import bracket, truth
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound
from pldverify.testing.checks.seeds import seeds as seeds_of

Level = Literal["quick", "standard"]


class Subject:
    """What checks ask; the same question is put once, but by :meth:`ask_again`.

    Attributes:
        accountant: who answers.
        level: how many questions a check asks.
        tightness: what its claims may give away, in ε; None: nothing was said of it.
        seeds: the questions that relations start from; left out, those of the level.
        claimed: queries that had a claim, in order, each as often as it was put.
        untouched: a copy of the accountant from before it was asked anything; None for what can't be copied.
    """

    def __init__(
        self,
        accountant: Accountant,
        level: Level = "quick",
        tightness: Fraction | None = None,
        seeds: Sequence[Query] | None = None,
    ) -> None:
        self.accountant, self.level, self.tightness = accountant, level, tightness
        self.seeds = seeds_of(level) if seeds is None else seeds
        self.claimed: list[Query] = []
        self.untouched = _copy(accountant)
        self._answers: dict[Query, Answer] = {}

    @property
    def allowance(self) -> Fraction:
        """By how much, in ε, two claims that are both as tight as was said may miss a relation of the truth.

        An estimate may be wrong by that on either side.
        """
        return (self.tightness or Fraction(0)) * (2 if self.accountant.direction == "estimate" else 1)

    def answer(self, query: Query) -> Answer:
        """What came back when the query was first put."""
        if query not in self._answers:
            self._answers[query] = ask_here(self.accountant, query)
        return self._answers[query]

    def claim(self, query: Query) -> Claim | None:
        """The claim; None where there is none, which the check ``answers`` looks at."""
        claim = self.answer(query).claim
        if claim is not None:
            self.claimed.append(query)
        return claim

    def value(self, query: Query) -> Bound | None:
        """The number that was claimed, exactly."""
        claim = self.claim(query)
        if claim is None:
            return None
        return claim.value if claim.value == float("inf") else Fraction(claim.value)

    def error(self, *queries: Query) -> Bound:
        """By how much the claims may be wrong as estimates promise, summed, in their own unit; infinite for a
        promise in the other unit.
        """
        total: Bound = Fraction(0)
        for query in queries:
            claim = self.answer(query).claim
            if claim is not None and claim.promise is not None:
                own, other = claim.promise.epsilon, claim.promise.delta
                if query.quantity == "delta":
                    own, other = other, own
                total += own if other == 0 else inf
        return total

    def ask_again(self, query: Query, accountant: Accountant | None = None) -> Answer:
        """Put the query now, whatever was answered before; to a copy, if one is given."""
        return ask_here(accountant or self.accountant, query)


def _copy(accountant: Accountant) -> Accountant | None:
    try:
        return copy.deepcopy(accountant)
    except Exception:  # whatever a user's object raises: a lock, a handle of a C library
        return None


def judged(claim: Claim, query: Query) -> Decision:
    """The verdict on a claim; the last ones are remembered, as faulty accountants share good answers."""
    promise = claim.promise
    return _judged(claim.value, claim.direction, promise and (promise.epsilon, promise.delta), query)


@lru_cache(maxsize=20_000)
def _judged(
    value: Bound, direction: str, promise: tuple[Fraction, Fraction] | None, query: Query
) -> Decision:
    from pldverify.numbers.claim import Promise

    kept = None if promise is None else Promise(*promise)
    return decide(Claim(value, direction, "checked", {}, kept), query, truth, bracket)  # type: ignore[arg-type]
