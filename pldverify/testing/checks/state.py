"""Metamorphic relation of an accountant with itself: what it was asked before changes nothing."""

import copy
import math
from collections.abc import Iterator
from fractions import Fraction

from pldverify.numbers.enclosure import Bound
from pldverify.testing.checks.check import Break, Check, double
from pldverify.testing.checks.inequality import exceeds
from pldverify.testing.checks.subject import Subject


def stateless(subject: Subject) -> Iterator[Break]:
    """An accountant that has answered much, and one that has answered nothing, say the same; so does a copy
    that was stored, where it can be copied.
    """
    for seed in subject.seeds:
        subject.claim(seed)
        first = subject.answer(seed)
        others = [(subject.ask_again(seed), "asked again")]
        if subject.untouched is not None:
            new = subject.ask_again(seed, copy.deepcopy(subject.untouched))
            others.append((new, "asked of a copy that was made before"))
        for other, who in others:
            said = [None if answer.claim is None else answer.claim.value for answer in (first, other)]
            subject.compared += said != [None, None]
            if _differ(said[0], said[1], seed.quantity):
                known = [Fraction(value) for value in said if value is not None and value != math.inf]
                size = double(abs(known[0] - known[1])) if len(known) == 2 else math.inf
                message = f"the same question, {who}, has another answer"
                message += "".join(f"; {each.failure}" for each in (first, other) if each.failure is not None)
                yield Break("INCONSISTENT", (seed, seed), (first.claim, other.claim), message, size)


def _differ(one: Bound | None, other: Bound | None, quantity: str) -> bool:
    """By more than rounding."""
    if one is None or other is None:
        return one != other
    return exceeds(one, other, quantity) or exceeds(other, one, quantity)


CHECKS = (Check("stateless", "A state that was left behind is used again.", "relation", stateless),)
