r"""Looseness: whether a claim gives away more than was said, z in ε.

An upper bound c of δ(ε) is that tight iff :math:`c \le \delta(\varepsilon - z)`, and of ε(δ) iff c − z is a
lower bound; mirrored for lower bounds. An estimate is that tight iff both hold. These are claims again, and
are judged as any other.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction
from pldverify.rulings.severity import ABSOLUTE, RELATIVE
from pldverify.rulings.soundness import Verdict
from pldverify.testing.judged import judged

_SIDES: dict[Direction, tuple[Direction, ...]] = {
    "upper": ("lower",),
    "lower": ("upper",),
    "estimate": ("upper", "lower"),
}
"""On which sides of the truth a claim may be too far away: those of the bounds that say that it is not."""


def looseness(claim: Claim, query: Query, allowed: Fraction) -> Verdict:
    """UNSOUND where the claim about δ(ε) or ε(δ) is proved to give away more than ``allowed``; SOUND where it
    is proved to give away no more, but for rounding. Of noise: what the ε that was asked for gives away.
    """
    if isinstance(query, NoiseQuery):
        if not 0 < claim.value < inf:
            return "UNDECIDED"
        goal = Claim(query.epsilon or Fraction(0), "upper", claim.source)
        return looseness(goal, query.at(Fraction(claim.value)), allowed)
    verdicts = [judged(*opposite).verdict for opposite in _opposites(claim, query, allowed)]
    if "UNSOUND" in verdicts:
        return "UNSOUND"
    return "UNDECIDED" if "UNDECIDED" in verdicts else "SOUND"


def _opposites(claim: Claim, query: Query, allowed: Fraction) -> Iterator[tuple[Claim, Query]]:
    """Bounds that hold iff the claim is tight; none where every claim is tight enough."""
    for side in _SIDES[claim.direction]:
        other, sign = replace(claim, direction=side, promise=None), 1 if side == "lower" else -1
        if query.epsilon is not None:
            value = Fraction(claim.value) * (1 - sign * RELATIVE)
            if sign == -1 or query.epsilon >= allowed:
                yield replace(other, value=value), replace(query, epsilon=query.epsilon - sign * allowed)
        elif claim.value == inf:
            if side == "lower":
                yield other, query
        else:
            value = Fraction(claim.value) * (1 - sign * RELATIVE) - sign * (allowed + ABSOLUTE)
            if sign == -1 or value > 0:
                yield replace(other, value=value), query
