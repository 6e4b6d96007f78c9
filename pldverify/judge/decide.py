"""Decide: from a claim about a query to a verdict, asking the reference for as many digits as it takes."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.errors import NoConvergence, NotSupported
from pldverify.judge.truth import truth as reference_truth
from pldverify.judge.verdict import Verdict, at_least, both, judge
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.enclosure import Enclosure

DIGITS = (15, 30, 60)
"""Significant digits that are asked for, in turn, until the verdict is decided."""

_SHORTFALL = 3  # digits by which an answer may miss what was asked for; more means that it can do no better

_ONLY_BOUNDED = "the dominating pairs only bound the true value from above, and may be beaten"

Truth = Callable[[Query, int], Enclosure]
"""Encloses what a query asks for, to some digits; raises NoConvergence or NotSupported."""


@dataclass(frozen=True)
class Decision:
    """A verdict and what it rests on.

    Attributes:
        verdict: SOUND, UNSOUND or UNDECIDED.
        truth: the enclosure of what the query asks for, None if the reference had none.
        digits: significant digits that the reference was last asked for.
        reason: why it is undecided, or how it was decided if not by ``truth``; else empty.
    """

    verdict: Verdict
    truth: Enclosure | None
    digits: int
    reason: str = ""


def decide(claim: Claim, query: Query, truth: Truth = reference_truth) -> Decision:
    """Judge a claim about a query; a reference that cannot answer makes it UNDECIDED, it never raises.

    Where the dominating pairs only bound the truth (``Composition.tight``), they refute no upper claim and
    support no lower one. A claim about ε that the true value leaves undecided is compared at the claimed ε: δ
    decreases, so ε is an upper bound if and only if δ(ε) <= δ. An estimate is judged by its promise; without
    one it is UNDECIDED, and the reason says what it would be as an upper bound, where that is proved.
    """
    if claim.direction == "estimate":
        return _decide_estimate(claim, query, truth)
    decision = _decide_one_sided(claim, query, truth)
    beyond: Verdict = "UNSOUND" if claim.direction == "upper" else "SOUND"
    if decision.verdict == beyond and not query.composition.tight and not _is_trivial(claim, query):
        return replace(decision, verdict="UNDECIDED", reason=_ONLY_BOUNDED)
    return decision


def _decide_one_sided(claim: Claim, query: Query, truth: Truth) -> Decision:
    decision = _rising(query, truth, lambda enclosure: judge(claim, enclosure))
    if decision.verdict == "UNDECIDED" and _is_trivial(claim, query):
        return replace(decision, verdict="SOUND", reason="true of every mechanism")
    if decision.verdict == "UNDECIDED" and query.delta is not None and 0 <= claim.value < math.inf:
        return _decide_at_claimed_epsilon(claim, query, decision, truth)
    return decision


def look_up(query: Query, truth: Truth = reference_truth) -> Enclosure | None:
    """The enclosure of what the query asks for to the first number of digits, if the reference has one."""
    try:
        return truth(query, DIGITS[0])
    except (NoConvergence, NotSupported):
        return None


def _rising(query: Query, truth: Truth, verdict_of: Callable[[Enclosure], Verdict]) -> Decision:
    """Ask for more digits until ``verdict_of(enclosure)`` decides or it reaches no more."""
    decision = Decision("UNDECIDED", None, 0)
    for digits in DIGITS:
        try:
            enclosure = truth(query, digits)
        except (NoConvergence, NotSupported) as failure:
            return replace(decision, reason=str(failure))
        verdict = verdict_of(enclosure)
        decision = Decision(verdict, enclosure, digits)
        if verdict != "UNDECIDED":
            return decision
        if enclosure.digits < digits - _SHORTFALL:
            return replace(decision, reason=f"the reference reached {enclosure.digits} digits: {enclosure}")
    return replace(decision, reason=f"not decided to {decision.digits} digits")


def _decide_at_claimed_epsilon(claim: Claim, query: Query, undecided: Decision, truth: Truth) -> Decision:
    """Compare δ(claimed ε) with δ. The claimed ε must be finite and >= 0."""
    delta = query.delta
    assert delta is not None  # the caller asks about ε

    def verdict_of(profile: Enclosure) -> Verdict:
        if claim.direction == "upper":
            return at_least(delta, profile)
        # A lower claim needs strict inequalities: δ may be flat where it has reached its limit.
        if profile.lower > delta:
            return "SOUND"
        return "UNSOUND" if profile.upper < delta and claim.value > 0 else "UNDECIDED"

    at_claim = replace(query, epsilon=Fraction(claim.value), delta=None)
    decision = _rising(at_claim, truth, verdict_of)
    if decision.truth is None or decision.verdict == "UNDECIDED":
        return undecided
    reason = f"decided by δ = {decision.truth} at the claimed ε"
    return Decision(decision.verdict, undecided.truth, decision.digits, reason)


def _decide_estimate(claim: Claim, query: Query, truth: Truth) -> Decision:
    r"""Judge an estimate by its promise, which is two claims: an upper and a lower one about shifted queries.

    For ε at δ, with the promise (e, d): value + e is an upper bound at δ + d, and value − e a lower one at
    δ − d (none if δ < d, where ε = ∞ is allowed). For δ at ε: value + d at ε + e, and value − d at ε − e.
    """
    known, promise = look_up(query, truth), claim.promise
    if promise is None:
        reason = "an estimate without a promised error is neither sound nor unsound"
        reported = decide(replace(claim, direction="upper"), query, truth)
        if reported.verdict != "UNDECIDED":
            reason += f"; reported as an upper bound it is {reported.verdict}"
        return Decision("UNDECIDED", known, max(DIGITS[0], reported.digits), reason)
    tolerance = promise.epsilon if query.quantity == "epsilon" else promise.delta
    smallest_at, largest_at = _shifted(query, promise)
    upper = replace(claim, value=claim.value + tolerance, direction="upper")
    decision = decide(upper, smallest_at, truth)
    if largest_at is not None:
        lower = replace(claim, value=claim.value - tolerance, direction="lower")
        other = decide(lower, largest_at, truth)
        decision = Decision(
            both(decision.verdict, other.verdict),
            known,
            max(decision.digits, other.digits),
            decision.reason or other.reason,
        )
    return replace(decision, truth=known)


def _shifted(query: Query, promise: Promise) -> tuple[Query, Query | None]:
    """The queries with the smallest and the largest true value that the promise allows for."""
    if query.delta is not None:
        smallest = replace(query, delta=min(query.delta + promise.delta, Fraction(1)))
        below = query.delta - promise.delta
        return smallest, None if below < 0 else replace(query, delta=below)
    assert query.epsilon is not None  # a query has exactly one of the two
    return (
        replace(query, epsilon=query.epsilon + promise.epsilon),
        replace(query, epsilon=query.epsilon - promise.epsilon),
    )


def _is_trivial(claim: Claim, query: Query) -> bool:
    """Whether the claim follows from 0 <= δ <= 1, or from 0 <= ε <= ∞."""
    if claim.direction == "upper":
        return claim.value >= (math.inf if query.quantity == "epsilon" else 1)
    return claim.value <= 0
