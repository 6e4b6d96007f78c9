"""Verdict: does an accountant's claim hold? The words for what ``values/verdict.py`` decides.

SOUND and UNSOUND are proved; UNDECIDED means that the enclosure is too wide, or that nothing was promised.
"""

from typing import Literal

from pldverify.errors import FailureKind
from pldverify.numbers.claim import Claim, Direction
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.irrational import Irrational
from pldverify.values.value import Value, enclosed
from pldverify.values.verdict import Relation, all_hold, holds

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
CAUSES: dict[str, str] = {
    "NO PROMISE": "an estimate that promises nothing",
    "NO TRUTH": "the reference has no answer",
    "TOO WIDE": "the claim lies within what is proved",
    "UPPER BOUND ONLY": "only an upper bound is known",
    "PRINTED PAIR": "decided of a printed pair alone",
}
"""Why a verdict is UNDECIDED, in a few words beside it."""
RELATIONS: dict[Direction, Relation] = {"upper": "<=", "lower": ">="}
"""What a claim says of the true value; an estimate says nothing."""
_ANSWERS: dict[Verdict, bool | None] = {"SOUND": True, "UNSOUND": False, "UNDECIDED": None}


def judge(claim: Claim, value: Value) -> Verdict:
    """The verdict on an upper or lower claim; an estimate alone promises nothing and stays UNDECIDED.

    An upper claim is SOUND if value >= true value, a lower claim if value <= true value.
    """
    relation = RELATIONS.get(claim.direction)
    return "UNDECIDED" if relation is None else word(holds(relation, claim.value, value))


def at_least(value: Bound | Irrational, truth: Enclosure) -> Verdict:
    """Whether value >= the number that is enclosed, as the notebooks ask of printed numbers."""
    return word(holds("<=", value, enclosed(truth)))


def at_most(value: Bound | Irrational, truth: Enclosure) -> Verdict:
    """Whether value <= the number that is enclosed."""
    return word(holds(">=", value, enclosed(truth)))


def word(answer: bool | None) -> Verdict:
    """The word for an accountant's claim."""
    return "UNDECIDED" if answer is None else "SOUND" if answer else "UNSOUND"


def both(first: Verdict, second: Verdict) -> Verdict:
    """The verdict on two claims together: one that fails is enough, both must hold."""
    return word(all_hold(_ANSWERS[verdict] for verdict in (first, second)))
