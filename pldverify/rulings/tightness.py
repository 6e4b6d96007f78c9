"""Tightness: what a SOUND bound on δ gives away in ε."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from pldverify.errors import NotSupported
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.ends import width
from pldverify.values.verdict import ends

_DIGITS = 2
"""Significant digits of the slack; more are not worth their time."""


def slack_in_epsilon(
    claim: Claim, query: Query, bracket: Callable[[Query, Callable[[Enclosure], bool]], Enclosure]
) -> Bound | None:
    """How far at least the query's ε lies from the true ε at the claimed δ; None for what is no bound on δ,
    for ε < 0, which no ε(δ) is, and for what the pairs do not bound on that side.

    δ decreases: where the claimed δ is an upper bound, the true ε at it is at most the query's ε, and where
    it is a lower bound at least that. ``bracket`` encloses the true ε. The claim must be SOUND.
    """
    asked = query.epsilon if query.quantity == "delta" else None
    if asked is None or claim.direction == "estimate" or not 0 <= claim.value <= 1:
        return None
    composition = query.composition
    if ends(asked)[0] < 0 or not (composition.dominates if claim.direction == "upper" else composition.tight):
        return None

    def least(found: Enclosure) -> Bound:
        low, high = ends(asked)
        gap = (found.upper, low) if claim.direction == "upper" else (high, found.lower)
        return width(gap) if gap[0] < gap[1] else Fraction(0)

    try:
        at = replace(query, epsilon=None, delta=Fraction(claim.value))
        return least(bracket(at, lambda found: found.width * 10**_DIGITS <= least(found)))
    except NotSupported:
        return None
