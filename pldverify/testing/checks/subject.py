"""Subject: an accountant under test, whose answers are remembered, and judged once."""

import copy
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Literal

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import UNKNOWN, Answer, ask_here
from pldverify.mechanisms.query import PROBABILITIES, Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound
from pldverify.rulings.decide import Decision
from pldverify.rulings.soundness import Verdict
from pldverify.testing.checks.questions import SEEDS
from pldverify.testing.judged import judged
from pldverify.testing.looseness import looseness

Level = Literal["quick", "standard"]


class Subject:
    """What checks ask; the same question is put once, but by :meth:`ask_again`.

    Attributes:
        accountant: who answers.
        level: how many questions a check asks.
        tightness: what its claims may give away, in ε; None: nothing was said of it.
        seeds: the questions that relations start from; left out, those of the level.
        claimed: queries that had a claim, in order, each as often as it was put.
        compared: how many comparisons of a claim, with the truth or with other claims, had an outcome.
        reason: why the last question without an answer has none, or the last claim that the truth did not
            decide is undecided.
        version: of the accountant's library.
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
        self.seeds = SEEDS.queries(level) if seeds is None else seeds
        self.claimed: list[Query] = []
        self.compared = 0
        self.reason = ""
        self.version = UNKNOWN
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
            self.version = self._answers[query].version
        return self._answers[query]

    def claim(self, query: Query) -> Claim | None:
        """The claim; None where there is none, which the check ``answers`` looks at."""
        claim = self.answer(query).claim
        if claim is None:
            self.reason = str(self.answer(query).failure)
        else:
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
                if query.quantity in PROBABILITIES:
                    own, other = other, own
                total += own if other == 0 else inf
        return total

    def judge(self, claim: Claim, query: Query) -> Decision:
        """The verdict on a claim."""
        decision = judged(claim, query)
        self._note(decision.verdict, decision.reason)
        return decision

    def looseness(self, claim: Claim, query: Query) -> Verdict:
        """Whether a claim is as tight as was said: UNSOUND where it is proved to give away more."""
        verdict = looseness(claim, query, self.tightness or Fraction(0))
        self._note(verdict, "how tight they are is not proved")
        return verdict

    def _note(self, verdict: Verdict, reason: str) -> None:
        if verdict == "UNDECIDED":
            self.reason = reason
        else:
            self.compared += 1

    def ask_again(self, query: Query, accountant: Accountant | None = None) -> Answer:
        """Put the query now, whatever was answered before; to a copy, if one is given."""
        return ask_here(accountant or self.accountant, query)


def _copy(accountant: Accountant) -> Accountant | None:
    try:
        return copy.deepcopy(accountant)
    except Exception:  # whatever a user's object raises: a lock, a handle of a C library
        return None
