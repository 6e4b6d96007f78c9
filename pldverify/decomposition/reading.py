"""Reading: an answer of δ(ε) in one direction, and how its error splits into terms."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.errors import SubjectFailure
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.claim import Claim


@dataclass(frozen=True)
class Reading:
    """What an accountant answered.

    Attributes:
        claim: the answer.
        direction: the ordered pair that decided it.
        terms: the truth of that direction ↦ the signed terms of the error.
    """

    claim: Claim
    direction: Direction
    terms: Callable[[Truth], list[Term]]


def require_same(claim: Claim, again: Fraction) -> None:
    """Raise SubjectFailure where a library, asked ``again`` for its grid, gives another number."""
    if claim.value != again:
        first, second = float(claim.value), float(again)
        raise SubjectFailure(
            f"budget: {claim.source} answered {first:.17g}, and {second:.17g} when asked again"
        )
