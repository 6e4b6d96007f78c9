"""The verdict: one function of a relation, a claimed number, and what is proved of the true one."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from pldverify.numbers.enclosure import Bound
from pldverify.numbers.irrational import Irrational
from pldverify.values.value import Value

Relation = Literal["<=", ">=", "="]
"""How the true number stands to the claimed one."""
Statement = tuple[Relation, Fraction | Irrational]
"""A relation, and what is claimed."""
Certification = Literal["CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED"]
SIGNS: dict[Relation, str] = {"<=": "≤", ">=": "≥", "=": "="}


def holds(relation: Relation, claimed: Bound | Irrational, value: Value) -> bool | None:
    """Whether the true number stands so to the claimed one: proved, disproved, or None.

    An irrational number that is claimed lies between its ends: what is said holds for all of them.

    >>> from fractions import Fraction
    >>> from pldverify.values.value import known
    >>> half = known(Fraction(1, 2), Fraction(1, 2), "mathematics")
    >>> holds("<=", Fraction(1), half), holds("=", Fraction(1), half), holds("<=", Fraction(1), Value())
    (True, False, None)
    """
    if relation == "=":
        return all_hold(holds(half, claimed, value) for half in ("<=", ">="))
    low, high = ends(claimed)
    lower, upper = value.lower, value.upper
    if relation == "<=":
        if upper is not None and upper.at <= low:
            return True
        refuted = lower is not None and (lower.at > high or (lower.strict and lower.at >= high))
    else:
        if lower is not None and lower.at >= high:
            return True
        refuted = upper is not None and (upper.at < low or (upper.strict and upper.at <= low))
    return False if refuted else None


def all_hold(answers: Iterable[bool | None]) -> bool | None:
    """Of several statements together: one that is disproved is enough, all must be proved.

    >>> all_hold([True, None]), all_hold([None, False]), all_hold([True, True])
    (None, False, True)
    """
    found = list(answers)
    if any(answer is False for answer in found):
        return False
    return True if all(answer is True for answer in found) else None


def ends(value: Bound | Irrational) -> tuple[Bound, Bound]:
    """What the number is between."""
    return (value.lower, value.upper) if isinstance(value, Irrational) else (value, value)


def certification(answer: bool | None) -> Certification:
    """The word for a budget."""
    return "UNDECIDED" if answer is None else "CERTIFIED" if answer else "REFUTED"
