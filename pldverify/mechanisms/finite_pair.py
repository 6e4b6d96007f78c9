r"""A pair of probability vectors: any mechanism with finitely many outcomes, on one pair of neighbours.

Pair: :math:`P = p`, :math:`Q = q`; the loss is :math:`\log(p_i/q_i)` with probability p_i, +∞ where q_i = 0.
It dominates what it is: a mechanism whose outcome laws on the two neighbours are p and q, or any
post-processing of it. The two directions differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.vector import vector
from pldverify.numbers.exact import Number, probability, show

MAX_OUTCOMES = 10_000
"""Cap on the length of the vectors."""


@dataclass(frozen=True)
class FinitePair(Mechanism, expression="finite_pair"):
    """Outcome probabilities ``p`` (with the record) and ``q`` (without it), equally long, each of sum 1.

    The sums are exact: a vector of decimals should be given as strings. Raises InvalidInput.

    δ(0) is the distance in total variation:

    >>> pair = pv.FinitePair(p=["0.5", "0.5", "0"], q=["0.25", "0.5", "0.25"])
    >>> float(pv.delta(pair, epsilon=0))
    0.25
    """

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]

    def __init__(self, p: Sequence[Number], q: Sequence[Number]) -> None:
        vars(self).update(p=_of_one(p, "p"), q=_of_one(q, "q"))
        if len(self.p) != len(self.q):
            raise InvalidInput(f"q must be as long as p, got {len(self.p)} and {len(self.q)} outcomes")


def _of_one(values: object, name: str) -> tuple[Fraction, ...]:
    found = vector(values, name, probability, MAX_OUTCOMES)
    total = sum(found, Fraction(0))
    if total != 1:
        raise InvalidInput(f"{name} must sum to exactly 1, got a sum of {show(total)[:40]}")
    return found
