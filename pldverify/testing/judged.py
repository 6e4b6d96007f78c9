"""Judged: verdicts on claims, the last ones remembered, as faulty accountants share good answers."""

from fractions import Fraction
from functools import lru_cache

from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.enclosure import Bound
from pldverify.rulings.decide import Decision, decide
from pldverify.values.truth import bracket, truth


def judged(claim: Claim, query: Query) -> Decision:
    """The verdict on a claim."""
    promise = claim.promise
    return _judged(claim.value, claim.direction, promise and (promise.epsilon, promise.delta), query)


@lru_cache(maxsize=20_000)
def _judged(
    value: Bound, direction: str, promise: tuple[Fraction, Fraction] | None, query: Query
) -> Decision:
    kept = None if promise is None else Promise(*promise)
    return decide(Claim(value, direction, "checked", {}, kept), query, truth, bracket)  # type: ignore[arg-type]
