"""Verdict: does a claim hold? Pure functions from a claim and proved enclosures to a three-valued verdict.

SOUND and UNSOUND are proved; UNDECIDED means that the enclosure is too wide, or that nothing was promised.
"""

from typing import Literal

from pldverify.errors import FailureKind
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.irrational import Irrational

Verdict = Literal["SOUND", "UNSOUND", "UNDECIDED"]
Outcome = Verdict | Literal["REFUSED", "CRASHED", "INVALID"]
"""What came of asking: a verdict, or why there is no claim to judge: the accountant does not take the query;
it raised, ended its process or was stopped; it returned what is no number of the kind that was asked for."""
Severity = Literal["material", "rounding-level", "undecided"]
"""How wrong an UNSOUND claim is; the first two are proved."""
Cause = FailureKind | Literal["NO PROMISE", "NO TRUTH", "TOO WIDE", "UPPER BOUND ONLY", "PRINTED PAIR"]
"""Why a verdict is UNDECIDED: the accountant gave no claim, or an estimate without a promise; the reference
has no enclosure, or none that is narrow enough; the dominating pairs only bound the truth from above, which
does not decide it; the pairs are printed ones that do not dominate, and it is decided of them alone."""


def judge(claim: Claim, truth: Enclosure) -> Verdict:
    """The verdict on an upper or lower claim; an estimate alone promises nothing and stays UNDECIDED.

    An upper claim is SOUND if value >= true value, a lower claim if value <= true value.
    """
    match claim.direction:
        case "upper":
            return at_least(claim.value, truth)
        case "lower":
            return at_most(claim.value, truth)
        case "estimate":
            return "UNDECIDED"


def at_least(value: Bound | Irrational, truth: Enclosure) -> Verdict:
    """Whether value >= true value."""
    if ends(value)[0] >= truth.upper:
        return "SOUND"
    return "UNSOUND" if ends(value)[1] < truth.lower else "UNDECIDED"


def at_most(value: Bound | Irrational, truth: Enclosure) -> Verdict:
    """Whether value <= true value."""
    if ends(value)[1] <= truth.lower:
        return "SOUND"
    return "UNSOUND" if ends(value)[0] > truth.upper else "UNDECIDED"


def ends(value: Bound | Irrational) -> tuple[Bound, Bound]:
    """What the number is between."""
    return (value.lower, value.upper) if isinstance(value, Irrational) else (value, value)


def both(first: Verdict, second: Verdict) -> Verdict:
    """The verdict on two claims together: one that fails is enough, both must hold."""
    if "UNSOUND" in (first, second):
        return "UNSOUND"
    return "SOUND" if first == second == "SOUND" else "UNDECIDED"
