r"""Why there is no filter of privacy loss distributions: two queries, chosen by what was seen, exactly.

A PLD filter composes the privacy losses of the queries so far with that of the next one, and admits it if
δ(ε) of the composition is at most the budget's δ. At ε = log 4 let the budget be δ = 1/6, and let

* A be a coin that shows a bit with probability 2/3, and
* B one that shows it with probability 3/4, C what shows it plainly with probability 1/6, and nothing else.

**Each is admitted.** No outcome of A is 4 times as likely on one neighbour as on the other, so δ(A) = 0. Of A
and B together both have to be right: δ = 2/3 · 3/4 − 4 · 1/3 · 1/4 = 1/6. Of A and C, C has to show the bit:
δ = 1/6. Neighbours may be swapped, as all three are symmetric.

**The adaptive analyst** asks A, then B where A said 1, and C where it said 0. What is seen has

.. math:: \delta = \underbrace{\tfrac23 \cdot \tfrac34 - 4 \cdot \tfrac13 \cdot \tfrac14}_{1/6,\ A = 1}
    + \underbrace{\tfrac13 \cdot \tfrac16}_{A = 0} = \tfrac29 > \tfrac16.

∎ Whatever bounds the δ of compositions does the same: the exact δ is the least that a sound accountant can
answer, and it was used above. That such filters fail is known (arXiv 2602.06756); this example is ours, and
:func:`adaptive_delta` sums it up from the outcomes.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from pldverify.mechanisms.finite_pair import FinitePair

GAMMA = Fraction(4)
"""e^ε of the budget."""
DELTA = Fraction(1, 6)
"""δ of the budget."""
FIRST = FinitePair(("2/3", "1/3"), ("1/3", "2/3"))
"""A: the bit with probability 2/3."""
AFTER_ONE = FinitePair(("3/4", "1/4"), ("1/4", "3/4"))
"""B: the bit with probability 3/4."""
AFTER_ZERO = FinitePair(("5/6", "1/6", 0), ("5/6", 0, "1/6"))
"""C: nothing with probability 5/6, else the bit."""


def adaptive_delta(*choices: Callable[[tuple[int, ...]], FinitePair], gamma: Fraction = GAMMA) -> Fraction:
    """δ(log γ) of queries each of which is chosen by the outcomes of those before, exactly: by their number
    in the pair, the first being 0.

    >>> from pldverify.filters.pld_filter import AFTER_ONE, AFTER_ZERO, FIRST, adaptive_delta
    >>> print(adaptive_delta(lambda seen: FIRST, lambda seen: AFTER_ONE))
    1/6
    >>> print(adaptive_delta(lambda seen: FIRST, lambda seen: AFTER_ZERO))
    1/6
    >>> print(adaptive_delta(lambda seen: FIRST, lambda seen: AFTER_ZERO if seen[0] else AFTER_ONE))
    2/9
    """
    rows: list[tuple[tuple[int, ...], Fraction, Fraction]] = [((), Fraction(1), Fraction(1))]
    for choice in choices:
        rows = [
            ((*seen, outcome), p * first, q * second)
            for seen, p, q in rows
            for outcome, (first, second) in enumerate(_outcomes(choice(seen)))
        ]
    return sum((max(Fraction(0), p - gamma * q) for _, p, q in rows), Fraction(0))


def _outcomes(pair: FinitePair) -> Iterator[tuple[Fraction, Fraction]]:
    return zip(pair.p, pair.q, strict=True)
