r"""A pair of finitely many outcomes whose probabilities are balls, rounded so that it is dominated.

Outcomes in falling order of p/q: sums of the first p are rounded down, of the first q up, and the differences
are the pair, outcomes pooled whose own p/q don't fall in that order. The corners of its power function are
then under that of the true pair, and as this is concave all of the function is: the pair is dominated
(Blackwell).
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.numbers.functions import Term, add, ends

_BITS = 320
"""To which sums of probabilities are rounded."""


def inward(p: Sequence[Term], q: Sequence[Term]) -> FinitePair | None:
    """A rational pair that the pair ``p``, ``q`` dominates, next to it; None where nothing is left of it.

    >>> from pldverify.mechanisms.inward import inward
    >>> print(inward([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]))
    finite_pair(p=[0.5, 0.5], q=[0.25, 0.75])
    """
    roughly = [(_on_grid(x, 0), _on_grid(y, 1)) for x, y in zip(p, q, strict=True)]
    order = sorted(range(len(p)), key=lambda i: roughly[i][0] / (roughly[i][0] + roughly[i][1] or 1))[::-1]
    first, second = (_masses([x[i] for i in order], side) for side, x in enumerate((p, q)))
    rows: list[tuple[Fraction, Fraction]] = []
    for x, y in zip(first, second, strict=True):
        while rows and rows[-1][0] * y <= x * rows[-1][1]:  # (0, 0) joins any
            before = rows.pop()
            x, y = before[0] + x, before[1] + y
        rows.append((x, y))
    return FinitePair(*zip(*rows, strict=True)) if len(rows) > 1 else None


def _masses(outcomes: Sequence[Term], side: int) -> list[Fraction]:
    """Whose sums of the first are those of the outcomes, rounded down or up; all of them are 1.

    Sums rise: what is below one is below all later ones, and what is above one above all earlier ones.
    """
    sums = [_on_grid(x, side) for x in accumulate(outcomes[:-1], add)]
    sums = list(accumulate(sums[::-1], min))[::-1] if side else list(accumulate(sums, max))
    return [y - x for x, y in pairwise([Fraction(0), *sums, Fraction(1)])]


def _on_grid(value: Term, side: int) -> Fraction:
    """Rounded down or up, between 0 and 1."""
    scaled = Fraction(ends(value)[side]) * 2**_BITS
    return min(Fraction(1), max(Fraction(0), Fraction((math.floor, math.ceil)[side](scaled), 2**_BITS)))
