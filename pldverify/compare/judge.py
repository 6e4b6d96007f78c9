"""Judge: does a claim hold? Pure functions from a claim and proved enclosures to a three-valued verdict.

SOUND and UNSOUND are proved; UNDECIDED means that the enclosure is too wide, or that nothing was promised.
"""

from fractions import Fraction
from typing import Literal

from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound, Enclosure

Verdict = Literal["SOUND", "UNSOUND", "UNDECIDED"]


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


def judge_promise(
    value: Bound, tolerance: Fraction, smallest: Enclosure, largest: Enclosure | None
) -> Verdict:
    """The verdict on an estimate that promises smallest − tolerance <= value <= largest + tolerance.

    ``smallest`` and ``largest`` enclose the true values at the two ends of the promised shift (for ε at δ:
    at δ + promise.delta and at δ − promise.delta); None where the shift leaves no upper end (δ < 0).
    """
    below = at_least(value, smallest, allowance=tolerance)
    above = "SOUND" if largest is None else at_most(value, largest, allowance=tolerance)
    if "UNSOUND" in (below, above):
        return "UNSOUND"
    return "SOUND" if below == above == "SOUND" else "UNDECIDED"


def at_least(value: Bound, truth: Enclosure, *, allowance: Fraction = Fraction(0)) -> Verdict:
    """Whether value >= true value − allowance."""
    if value >= truth.upper - allowance:
        return "SOUND"
    return "UNSOUND" if value < truth.lower - allowance else "UNDECIDED"


def at_most(value: Bound, truth: Enclosure, *, allowance: Fraction = Fraction(0)) -> Verdict:
    """Whether value <= true value + allowance."""
    if value <= truth.lower + allowance:
        return "SOUND"
    return "UNSOUND" if value > truth.upper + allowance else "UNDECIDED"
