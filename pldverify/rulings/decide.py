"""Decide: from a claim about a query to a verdict: by a bracket if one excludes the claim, else by as many
digits as it takes.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from pldverify.accountants.ask import flaw
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import PROBABILITIES, Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.search.neighbours import looked_at
from pldverify.rulings.severity import severity
from pldverify.rulings.soundness import Cause, Severity, Verdict, both, judge, word
from pldverify.values.truth import truth as reference_truth
from pldverify.values.value import ATTAINED, UNKNOWN, End, Value, enclosed, narrower, of_pairs, range_of
from pldverify.values.verdict import ends, holds

DIGITS = (15, 30, 60)
"""Significant digits that are asked for, in turn, until the verdict is decided."""

_LOST = Fraction(1, 2**10)
"""Part of δ that draws with replacement may have which are not looked at; any value is right."""
_SHORTFALL = 3
"""Digits by which an answer may miss what was asked for; one that misses by more can do no better."""

_SHOWN = 2
"""Digits of a bracket that is shown beside a verdict that does not rest on it."""

_UPPER_BOUND_ONLY = "the dominating pairs only bound the true value from above, and may not be attained"
_NO_ORDER = "the dominating pairs are not the mechanism's own, and dominance does not order tails"
_PRINTED_PAIR = (
    "{} of the printed pair, which does not dominate the sampling that it is printed for, "
    "and the true value may be {}"
)

Rule = Callable[[Value], Verdict]
"""The verdict that a value has."""
Truth = Callable[[Query, int], Enclosure]
"""Encloses what a query asks for, to some digits; raises NoConvergence or NotSupported."""
Bracket = Callable[[Query, Callable[[Enclosure], bool]], Enclosure]
"""What is proved soon of what a query asks for, as soon as it is enough; raises NotSupported."""


@dataclass(frozen=True)
class _Reference:
    """Whom to ask; without a ``bracket`` digits are asked for at once."""

    truth: Truth
    bracket: Bracket | None

    def known(self, query: Query) -> Enclosure | None:
        """What is shown beside a verdict that does not rest on it."""
        if self.bracket is None:
            return look_up(query, self.truth)
        try:
            return self.bracket(query, lambda found: found.digits >= _SHOWN)
        except NotSupported:
            return None


@dataclass(frozen=True)
class Decision:
    """A verdict and what it rests on.

    Attributes:
        verdict: SOUND, UNSOUND or UNDECIDED.
        truth: the enclosure of what the query asks for, of the pairs; None if the reference had none. What
            it proves of the mechanisms says ``values/value.py``.
        digits: significant digits that the reference was last asked for; 0 where a bracket decided.
        reason: why it is undecided, or how it was decided if not by ``truth``; else empty.
        cause: why it is undecided, for programs; None if it is decided.
        severity: how wrong an UNSOUND claim is; None for all else.
        of_pairs: what the claim is of the pairs' value, where that decides nothing of the mechanisms.
        value: what is proved of the mechanisms' value, of which the verdict is.
    """

    verdict: Verdict
    truth: Enclosure | None
    digits: int
    reason: str = ""
    cause: Cause | None = None
    severity: Severity | None = None
    of_pairs: Verdict | None = None
    value: Value = UNKNOWN

    @property
    def is_settled(self) -> bool:
        """Whether more digits of the pairs' value would change nothing."""
        return self.verdict != "UNDECIDED" or self.of_pairs is not None


def decide(
    claim: Claim, query: Query, truth: Truth = reference_truth, bracket: Bracket | None = None
) -> Decision:
    """Judge a claim about a query; a reference that cannot answer makes it UNDECIDED, it never raises.

    Digits are asked of ``truth`` only where the ``bracket`` does not exclude the claim.

    The truth is that of the dominating pairs. Where they are not attained it is an upper bound, which refutes
    no upper claim and supports no lower one; where they are printed ones that do not dominate it is a lower
    bound, which supports no upper claim and refutes no lower one (``Composition.standing``).

    A claim about ε that the true value leaves undecided is compared at the claimed ε: δ decreases, so ε is an
    upper bound if and only if δ(ε) <= δ. An estimate is judged by its promise; without one it is UNDECIDED,
    and the reason says what it would be as an upper bound, where that is proved. What is no number of the
    kind that was asked for has the cause INVALID. An UNSOUND claim has a severity.
    """
    wrong, reference = flaw(claim, query), _Reference(truth, bracket)
    if wrong is None:
        return _decide(claim.exact, query, reference)
    reason = f"{wrong}, which is not a claim"
    return Decision("UNDECIDED", reference.known(query), 0, reason, "INVALID")


def _decide(claim: Claim, query: Query, reference: _Reference) -> Decision:
    if isinstance(query, NoiseQuery):
        return _decide_noise(claim, query, reference)
    if claim.direction == "estimate":
        return _decide_estimate(claim, query, reference)
    decision = _decide_bound(claim, query, reference)
    if decision.verdict != "UNSOUND":
        return decision
    return replace(
        decision, severity=severity(claim, lambda other: _verdict_on(other, query, decision.truth, reference))
    )


def _decide_noise(claim: Claim, query: NoiseQuery, reference: _Reference) -> Decision:
    """Whether the ε at the claimed noise is at most what was asked for: then it is enough. No noise is less
    than none.

    The truth is left out, for it is of another quantity; the reason tells it.
    """
    if claim.direction != "upper" or claim.value == math.inf:
        reason = "only a finite amount of noise that is meant to be enough is judged"
        return Decision("UNDECIDED", None, 0, reason, "NO TRUTH")
    if claim.value < 0:
        return Decision("UNSOUND", None, 0, "false of every mechanism", severity="material")
    try:
        at = query.at(Fraction(claim.value))
    except InvalidInput as reason:  # of more bits than a parameter may have
        return Decision("UNDECIDED", None, 0, f"at the claimed noise {reason}", "NO TRUTH")
    goal = Claim(query.epsilon or Fraction(0), "upper", claim.source)
    decision = _decide(goal, at, reference)
    told = "" if decision.truth is None else f"ε at the claimed noise is {decision.truth}"
    return replace(
        decision, truth=None, reason="; ".join(filter(None, (told, decision.reason))), value=UNKNOWN
    )


def _verdict_on(claim: Claim, query: Query, found: Enclosure | None, reference: _Reference) -> Verdict:
    """The verdict on another bound; the reference is asked only where what is known does not decide."""
    decision = _decision(query, found, 0, partial(judge, claim))
    return (decision if decision.is_settled else _decide_bound(claim, query, reference)).verdict


def _decide_bound(claim: Claim, query: Query, reference: _Reference) -> Decision:
    """At once where 0 <= δ <= 1, of a probability, or 0 <= ε <= ∞ decides."""
    known = range_of(Fraction(1) if query.quantity in PROBABILITIES else math.inf)
    if judge(claim, known) != "UNDECIDED":
        return _decide_at_once(claim, query, reference, known)
    return _decide_one_sided(claim, query, reference)


def _decision(
    query: Query, found: Enclosure | None, digits: int, rule: Rule, known: Value = UNKNOWN
) -> Decision:
    """By what is proved of the mechanisms, by the enclosure and before; where only the pairs are decided, the
    cause says why.
    """
    if found is None:
        return Decision("UNDECIDED", None, digits)
    value = narrower(of_pairs(query, found), known)
    verdict, pairs = rule(value), rule(enclosed(found))
    if verdict == pairs or verdict != "UNDECIDED":
        return Decision(verdict, found, digits, value=value)
    reason, cause = _withheld(query, pairs)
    return Decision("UNDECIDED", found, digits, reason, cause, of_pairs=pairs, value=value)


def _withheld(query: Query, pairs: Verdict) -> tuple[str, Cause]:
    """Why what is decided of the pairs is not decided of the mechanisms."""
    dominates = query.composition.dominates
    if query.rises is None:
        return _NO_ORDER, "UPPER BOUND ONLY" if dominates else "PRINTED PAIR"
    if dominates:
        return _UPPER_BOUND_ONLY, "UPPER BOUND ONLY"
    return _PRINTED_PAIR.format(pairs, "greater" if query.rises else "smaller"), "PRINTED PAIR"


def _decide_at_once(claim: Claim, query: Query, reference: _Reference, known: Value) -> Decision:
    """By what is known of every mechanism; the reason is given where the truth does not show it."""
    verdict, shown = judge(claim, known), reference.known(query)
    found = _decision(query, shown, 0, partial(judge, claim))
    if found.verdict == verdict:
        return found
    reason = f"{'true' if verdict == 'SOUND' else 'false'} of every mechanism"
    return Decision(verdict, shown, 0, reason, value=narrower(found.value, known))


def _decide_one_sided(claim: Claim, query: Query, reference: _Reference) -> Decision:
    decision = _asked(query, reference, partial(judge, claim))
    if not decision.is_settled and query.delta is not None and claim.value < math.inf:
        return _decide_at_claimed_epsilon(claim, query, decision, reference)
    return decision


def _asked(query: Query, reference: _Reference, rule: Rule) -> Decision:
    """By a bracket if one decides, else by as many digits as it takes."""
    decision = _by_bracket(query, reference, rule)
    if not decision.is_settled:
        decision = _rising(query, reference.truth, rule, decision)
    return _from_below(query, reference.truth, rule, decision)


def _from_below(query: Query, truth: Truth, rule: Rule, before: Decision) -> Decision:
    """What the pairs alone leave undecided: by what some neighbours have, as long as digits may help."""
    if before.cause != "UPPER BOUND ONLY" or not query.rises:
        return before
    decision = before
    for seen in looked_at(query):
        other = attained(query.composition, query.adjacency, seen, (query.delta or 0) * _LOST)
        if other is not None and decision.verdict == "UNDECIDED":
            decision = _from_attained(query, *other, truth, rule, decision)
    return decision


def _from_attained(
    query: Query, composition: Composition, adjacency: Adjacency, truth: Truth, rule: Rule, before: Decision
) -> Decision:
    decision = before
    for digits in DIGITS:
        try:
            found = truth(replace(query, composition=composition, adjacency=adjacency), digits)
        except (NoConvergence, NotSupported):
            break
        value = narrower(decision.value, Value(lower=End(found.lower, f"{ATTAINED}, engine {found.engine}")))
        verdict, most = rule(value), rule(Value(lower=End(found.upper, "")))
        decision = replace(decision, value=value)
        if verdict != "UNDECIDED":
            return replace(decision, verdict=verdict, reason="", cause=None)
        if most == "UNDECIDED":
            break
    return decision


def _by_bracket(query: Query, reference: _Reference, rule: Rule) -> Decision:
    """The bracket is narrowed until it decides, or the time for it is up."""
    if reference.bracket is None:
        return Decision("UNDECIDED", None, 0)
    try:
        found = reference.bracket(query, lambda found: _decision(query, found, 0, rule).is_settled)
    except NotSupported as failure:
        return Decision("UNDECIDED", None, 0, str(failure), "NO TRUTH")
    return _decision(query, found, 0, rule)


def look_up(query: Query, truth: Truth = reference_truth) -> Enclosure | None:
    """The enclosure of what the query asks for to the first number of digits, if the reference has one."""
    try:
        return truth(query, DIGITS[0])
    except (NoConvergence, NotSupported):
        return None


def _rising(query: Query, truth: Truth, rule: Rule, before: Decision) -> Decision:
    """Ask for more digits until they decide or it reaches no more; what was known ``before`` is kept where
    there are none.
    """
    decision = before
    for digits in DIGITS:
        try:
            enclosure = truth(query, digits)
        except (NoConvergence, NotSupported) as failure:
            return _given_up(query, decision, failure, rule)
        decision = _decision(query, enclosure, digits, rule, before.value)
        if decision.is_settled:
            return decision
        if enclosure.digits < digits - _SHORTFALL:
            reason = f"the reference reached {enclosure.digits} digits: {enclosure}"
            return replace(decision, reason=reason, cause="TOO WIDE")
    return replace(decision, reason=f"not decided to {decision.digits} digits", cause="TOO WIDE")


def _given_up(query: Query, before: Decision, failure: NoConvergence | NotSupported, rule: Rule) -> Decision:
    """By what is proved nevertheless, if that decides."""
    brackets = [before.truth, failure.bracket if isinstance(failure, NoConvergence) else None]
    best = min((each for each in brackets if each is not None), key=lambda each: each.width, default=None)
    if best is None:
        return replace(before, reason=str(failure), cause="NO TRUTH")
    decision = _decision(query, best, before.digits, rule, before.value)
    if decision.is_settled:
        return decision
    return replace(decision, reason=f"proved: {best}; {failure}", cause="TOO WIDE")


def _decide_at_claimed_epsilon(
    claim: Claim, query: Query, undecided: Decision, reference: _Reference
) -> Decision:
    """Compare δ(claimed ε) with δ. The claimed ε must be finite, ≥ 0, and > 0 for a lower claim: what is not
    is decided at once.
    """
    delta = query.delta
    assert delta is not None  # the caller asks about ε

    def rule(profile: Value) -> Verdict:
        if claim.direction == "upper":
            return word(holds("<=", delta, profile))
        # A lower claim needs strict inequalities: δ may be flat where it has reached its limit.
        (low, high), (lower, upper) = ends(delta), profile.ends
        if lower is not None and lower > high:
            return "SOUND"
        return "UNSOUND" if upper is not None and upper < low else "UNDECIDED"

    try:
        at_claim = replace(query, epsilon=Fraction(claim.value), delta=None)
    except InvalidInput:  # of more bits than ε may have
        return undecided
    decision = _asked(at_claim, reference, rule)
    if not decision.is_settled:
        return undecided
    told = f"δ = {decision.truth} at the claimed ε"
    value = undecided.value
    if decision.verdict != "UNDECIDED":
        above = (claim.direction == "upper") == (decision.verdict == "SOUND")
        end = End(claim.value, told, strict=claim.direction == "lower" or not above)
        value = narrower(value, Value(upper=end) if above else Value(lower=end))
    reason = decision.reason or f"decided by {told}"
    return replace(decision, truth=undecided.truth, reason=reason, value=value)


def _decide_estimate(claim: Claim, query: Query, reference: _Reference) -> Decision:
    r"""Judge an estimate by its promise, which is two claims: an upper and a lower one about shifted queries.

    For ε at δ, with the promise (e, d): value + e is an upper bound at δ + d, and value − e a lower one at
    δ − d (none if δ < d, where ε = ∞ is allowed). For δ at ε: value + d at ε + e, and value − d at ε − e. For
    a Rényi divergence: value ± e; for a tail or a trade-off: value ± d.
    """
    known, promise = reference.known(query), claim.promise
    if promise is None:
        reason = "an estimate without a promised error is neither sound nor unsound"
        reported = _decide(replace(claim, direction="upper"), query, reference)
        if reported.verdict != "UNDECIDED":
            reason += f"; reported as an upper bound it is {reported.verdict}"
        return Decision("UNDECIDED", known, reported.digits, reason, "NO PROMISE")
    tolerance = promise.delta if query.quantity in PROBABILITIES else promise.epsilon
    try:
        smallest_at, largest_at = _shifted(query, promise)
    except InvalidInput as reason:  # an irrational δ that the promise is not told from
        return Decision("UNDECIDED", known, 0, str(reason), "TOO WIDE")
    if claim.value == math.inf:
        tolerance = Fraction(0)  # a large fraction plus ∞ would overflow
    upper = replace(claim, value=claim.value + tolerance, direction="upper")
    decision = _decide(upper, smallest_at, reference)
    if largest_at is not None:
        lower = replace(claim, value=claim.value - tolerance, direction="lower")
        other = _decide(lower, largest_at, reference)
        decision = _both(decision, other)
    return replace(decision, truth=known, value=UNKNOWN)  # it is of the shifted queries


def _both(first: Decision, second: Decision) -> Decision:
    """Of two claims together, an upper and a lower one that is not above it: not both are UNSOUND. A reason
    and a cause for the verdict that they have.
    """
    verdict = both(first.verdict, second.verdict)
    why = next((d for d in (first, second) if d.verdict == verdict and d.reason), None)
    return Decision(
        verdict,
        first.truth,
        max(first.digits, second.digits),
        "" if why is None else why.reason,
        None if why is None else why.cause,
        first.severity or second.severity,
    )


def _shifted(query: Query, promise: Promise) -> tuple[Query, Query | None]:
    """The queries with the smallest and the largest true value that the promise allows for."""
    if query.delta is not None:
        smallest = replace(query, delta=min(query.delta + promise.delta, Fraction(1)))
        below = query.delta - promise.delta
        return smallest, None if below < 0 else replace(query, delta=below)
    if query.epsilon is None:  # a point of another curve
        return query, query
    return (
        replace(query, epsilon=query.epsilon + promise.epsilon),
        replace(query, epsilon=query.epsilon - promise.epsilon),
    )
