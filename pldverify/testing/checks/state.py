"""Metamorphic relation of an accountant with itself: what it was asked before changes nothing."""

import copy
import math
from collections.abc import Iterator

from pldverify.testing.checks.check import Break, Check
from pldverify.testing.checks.seeds import seeds
from pldverify.testing.checks.subject import Subject


def stateless(subject: Subject) -> Iterator[Break]:
    """An accountant that has answered much, and one that has answered nothing, say the same; so does a copy
    that was stored.
    """
    for seed in seeds(subject.level):
        first = subject.answer(seed)
        again, new = subject.ask_again(seed), subject.ask_again(seed, copy.deepcopy(subject.untouched))
        subject.asked += first.claim is not None
        for other, who in ((again, "asked again"), (new, "asked of a copy that was made before")):
            said = [None if answer.claim is None else answer.claim.value for answer in (first, other)]
            if said[0] != said[1]:
                known = [float(value) for value in said if value is not None]
                size = abs(known[0] - known[1]) if len(known) == 2 else math.inf
                message = f"the same question, {who}, has another answer"
                yield Break("INCONSISTENT", (seed, seed), (first.claim, other.claim), message, size)


CHECKS = (Check("stateless", "A state that was left behind is used again.", "relation", stateless),)
