r"""What some neighbours of AboveThreshold have: whether it halts at a query that falls, among some that rise.

The queries come in blocks, in turn of n that rise and of one that falls, with the values v under P and
:math:`v + d_1` or :math:`v - d_2` under Q; all others are so low that nothing is above. Seen is whether it
halts at one that falls. :math:`d_1` and :math:`d_2` are the largest moves there are: Δ each, of a replaced
record 2Δ, of monotone ones Δ each; monotone queries of a record that is there or not move one way, d_2 = 0.

**Probability.** With F the distribution function of Lap(1), and :math:`b_q = 1` as the unit, it is
:math:`\int f_b(z) y(z) dz`, where y is had from the last block to the first: 0 at the end, :math:`F(z - v)^n
y` before a block that rises, :math:`1 - F(z - v)(1 - y)` before one that falls. Between the corners 0 and all
v each is a sum of exponentials of z, by the binomial theorem: the integrals are sums of exponentials at the
corners, in balls.

**Rounding.** Outcomes in falling order of p/q: sums of the first p are rounded down, of the first q up, and
the differences are the pair. The corners of its power function are then under that of the true pair, and as
this is concave all of the function is: the pair is dominated (Blackwell), if its own p/q fall in that order.

**Which blocks** is a choice: any prove. It was made on graphs of δ(ε), by the ``share``. Up to 3/4 there are
8 to 24, whose values rise from below the threshold to above it as far as its noise goes: whatever that is,
one of them is next to it, where an answer tells most. A larger share tells of rarer outcomes with larger
losses, and has more queries that rise. Beyond 3/4 it is many that rise and one that falls: who survived the
first stands at a high threshold. Where v is low the ratio tends to the largest loss c
(:mod:`pldverify.mechanisms.above_threshold`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.numbers.functions import Term, add, convolve, ends, exp, exponentials, multiply


@dataclass(frozen=True)
class Sum:
    """The sum of all ``terms[j]`` :math:`e^{(top - j)z}`."""

    top: int
    terms: list[Term]

    def __add__(self, constant: Fraction) -> "Sum":
        terms = self.terms + [Fraction(0)] * (self.top + 1 - len(self.terms))
        terms[self.top] = add(terms[self.top], constant)
        return Sum(self.top, terms)

    def __mul__(self, other: "Sum") -> "Sum":
        return Sum(self.top + other.top, convolve(self.terms, other.terms))


class Block(NamedTuple):
    """So many ``queries`` that are ``value`` above the threshold, in units of query_b; whether they fall."""

    value: Fraction
    queries: int
    falls: bool


_LESS = Fraction(-1)
"""For differences."""
_BITS = 320
"""To which sums of probabilities are rounded."""
_FEWEST = 4
"""Least number of queries that rise before a rare end; any is right."""
_MOST = 32
"""Their greatest number, a power of two times the least; any is right."""
_LOG_2 = Fraction(69, 100)
"""Next to log 2; any value is right."""
_LOWEST = Fraction(-9, 4)
"""Where the values before a rare end would stand at the share 1/2, in units of b_q; any value is right."""
_STEEP = Fraction(12)
"""How far they rise with the share, in units of b_q; any value is right."""
_LATE = Fraction(1, 4)
"""How far above the threshold the query at a rare end is, in units of b_q; any value is right."""
_TURNS = 8
"""Least number of blocks in turn, with four more for every half unit of b_q that b has; any is right."""
_MANY = 24
"""Their greatest number; any is right."""
_IN_TURN = (
    (1, Fraction(2), Fraction(3, 10)),
    (2, Fraction(3, 2), Fraction(3, 10)),
    (4, Fraction(3, 2), Fraction(3, 10)),
    (4, Fraction(1), Fraction(7, 10)),
    (8, Fraction(1), Fraction(7, 10)),
)
"""n, the farthest value in units of b, and by how much all are raised in units of b_q, by sixteenths of the
share."""


@lru_cache(maxsize=256)
def halting_pair(asked: AboveThreshold, moves: int, share: Fraction) -> FinitePair | None:
    """Whether it halts at a query that falls, rounded inward; None where nothing would be left of the loss.

    ``moves`` presences of a record make the difference: 1, or 2 where it is replaced; ``share`` is from 1/2
    to 1.

    >>> from pldverify.mechanisms.halting_pair import halting_pair
    >>> pair = halting_pair(pv.AboveThreshold(b=2, query_b=4), 1, Fraction(3, 4))
    >>> float(pv.delta(pair, epsilon="0.3"))
    0.03465...
    """
    b = asked.b / asked.query_b
    try:
        halts = [halting(b, blocks) for blocks in neighbours(asked, moves, share)]
    except InvalidInput:  # an exponent is too large
        return None
    return inward(*([y, add(Fraction(1), multiply(_LESS, y))] for y in halts))


def neighbours(asked: AboveThreshold, moves: int, share: Fraction) -> tuple[list[Block], list[Block]]:
    """The blocks under P and under Q."""
    b, unit = asked.b / asked.query_b, asked.sensitivity / asked.query_b
    rise, fall = (unit, (moves - 1) * unit) if asked.monotone else (moves * unit, moves * unit)
    first, second = [], []
    for value, count, falls in blocks(b, share):
        move = -fall if falls else rise
        first.append(Block(value - (1 - share) * move, count, falls))
        second.append(Block(value + share * move, count, falls))
    return first, second


def blocks(b: Fraction, share: Fraction) -> list[Block]:
    """Between P and Q; ``b`` in units of query_b."""
    turn = int(16 * (share - Fraction(1, 2)))
    if turn < len(_IN_TURN):
        (n, far, raised), last = _IN_TURN[turn], min(_MANY, _TURNS + 4 * int(2 * b)) - 1
        rising = n if b < 1 else min(2 * n, 8)
        values = [far * b * Fraction(2 * j - last, last) + raised for j in range(last + 1)]
        return [
            Block(v, 1, True) if j % 2 else Block(v - _lower(rising) / 2, rising, False)
            for j, v in enumerate(values)
        ]
    n = _FEWEST
    while n * b < 3 and n < _MOST:
        n *= 2
    value = _LOWEST + _STEEP * (share - Fraction(1, 2)) - _lower(n)
    return [Block(value, n, False), Block(_LATE, 1, True)]


def _lower(count: int) -> Fraction:
    """About by how much a power of two so many are lower, to be above as often as one."""
    return (count.bit_length() - 1) * _LOG_2


def halting(b: Fraction, blocks: Sequence[Block]) -> Term:
    """The probability that it halts at a query that falls. ``b`` in units of query_b.

    That one query is above is as likely as not:

    >>> from pldverify.mechanisms.halting_pair import Block, halting
    >>> print(float(halting(Fraction(1, 3), [Block(Fraction(0), 1, True)])))
    0.5
    """

    def chance(left: Fraction | None) -> Sum:
        y = Sum(0, [Fraction(0)])
        for value, count, falls in reversed(blocks):
            stays = below(value, count, left)
            y = stays * (y + _LESS) + Fraction(1) if falls else stays * y
        return y

    return integral(b, [block.value for block in blocks], chance)


def inward(p: Sequence[Term], q: Sequence[Term]) -> FinitePair | None:
    """A rational pair that the pair ``p``, ``q`` dominates, next to it; None where none is found, or both
    are the same.

    >>> from pldverify.mechanisms.halting_pair import inward
    >>> print(inward([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]))
    finite_pair(p=[0.5, 0.5], q=[0.25, 0.75])
    """
    roughly = [(_on_grid(x, 0), _on_grid(y, 1)) for x, y in zip(p, q, strict=True)]
    order = sorted(range(len(p)), key=lambda i: roughly[i][0] / (roughly[i][0] + roughly[i][1] or 1))[::-1]
    first, second = (_masses([x[i] for i in order], side) for side, x in enumerate((p, q)))
    real = [row for row in zip(first, second, strict=True) if any(row)]  # nothing compares with (0, 0)
    falls = all(a * d >= b * c for (a, b), (c, d) in pairwise(real))
    return FinitePair(first, second) if falls and first != second else None


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


def integral(b: Fraction, corners: Iterable[Fraction], factor: Callable[[Fraction | None], Sum]) -> Term:
    """∫ f_b(z) g(z) dz, g being ``factor(left)`` from each corner, or None for −∞, to the next one."""
    total: Term = Fraction(0)
    for left, right in pairwise([None, *sorted({Fraction(0), *corners}), None]):
        density = -1 / b if left is not None and left >= 0 else 1 / b
        here = factor(left)
        rates = [here.top - j + density for j in range(len(here.terms))]
        total = add(total, _piece(here.terms, rates, left, right))
    return multiply(1 / (2 * b), total)


def below(v: Fraction, n: int, left: Fraction | None) -> Sum:
    """F(z − v)^n from ``left`` to the next corner."""
    return _power(v, n, left is not None and left >= v)


@lru_cache(maxsize=512)
def _power(v: Fraction, n: int, beyond: bool) -> Sum:
    """F(z − v)^n on one side of v."""
    if not beyond:
        return Sum(n, [multiply(Fraction(1, 2**n), exp(-n * v))])
    return Sum(0, [multiply(math.comb(n, j) * Fraction(-1, 2) ** j, exp(j * v)) for j in range(n + 1)])


def _piece(terms: list[Term], rates: list[Fraction], left: Fraction | None, right: Fraction | None) -> Term:
    """∫ Σ c e^{rz} dz; None is an infinite end, at which all are 0."""
    moving = [multiply(c, 1 / r) for c, r in zip(terms, rates, strict=True) if r]
    still = [c for c, r in zip(terms, rates, strict=True) if not r]
    found: Term = Fraction(0)
    for sign, z in ((1, right), (-1, left)):
        if z is not None:
            found = add(found, multiply(Fraction(sign), exponentials(moving, [r for r in rates if r], z)))
    for c in still:
        assert left is not None and right is not None  # f_b alone falls at infinity
        found = add(found, multiply(c, right - left))
    return found
