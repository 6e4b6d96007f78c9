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

**Which blocks** is a choice: any prove. It was made on graphs of δ(ε), by the ``share``. Up to 3/4 they are
eight, their values rise from below the threshold to above it as far as its noise goes: whatever that is, one
of them is next to it, where an answer tells most. A larger share tells of rarer outcomes with larger losses,
and has more queries that rise. Beyond 3/4 it is many that rise and one that falls: who survived the first
stands at a high threshold. Where v is low the ratio tends to the largest loss c
(:mod:`pldverify.mechanisms.above_threshold`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.numbers.functions import Term, add, ends, exp, multiply

Sum = dict[int, Term]
"""c by r of the sum of all :math:`c e^{rz}`."""


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
_EIGHT = tuple(Fraction(x, 10) for x in (-25, -12, -6, -2, 2, 6, 12, 25))
"""Values of eight blocks, in units of b; any are right."""
_IN_TURN = (
    (1, Fraction(7, 10), Fraction(0)),
    (2, Fraction(1, 2), Fraction(1, 10)),
    (4, Fraction(3, 10), Fraction(1, 5)),
    (4, Fraction(3, 10), Fraction(1, 2)),
    (8, Fraction(3, 10), Fraction(7, 10)),
)
"""n, a factor of the values and by how much they are raised in units of b_q, by sixteenths of the share."""


@lru_cache(maxsize=256)
def halting_pair(asked: AboveThreshold, moves: int, share: Fraction) -> FinitePair | None:
    """Whether it halts at a query that falls, rounded inward; None where nothing would be left of the loss.

    ``moves`` presences of a record make the difference: 1, or 2 where it is replaced; ``share`` is from 1/2
    to 1.

    >>> from pldverify.mechanisms.halting_pair import halting_pair
    >>> pair = halting_pair(pv.AboveThreshold(b=2, query_b=4), 1, Fraction(3, 4))
    >>> float(pv.delta(pair, epsilon="0.3"))
    0.03158...
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
        n, factor, raised = _IN_TURN[turn]
        counts = [4 * n if b >= 1 else n, 1, *(n, 1) * 3]
        return [
            Block(factor * b * x + raised - _lower(count) / 2, count, j % 2 == 1)
            for j, (x, count) in enumerate(zip(_EIGHT, counts, strict=True))
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
        y: Sum = {}
        for value, count, falls in reversed(blocks):
            stays = below(value, count, left)
            y = times(stays, _plus(y, {0: _LESS}) if falls else y)
            y = _plus(y, {0: Fraction(1)}) if falls else y
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
        for rate, coefficient in factor(left).items():
            total = add(total, multiply(coefficient, _piece(rate + density, left, right)))
    return multiply(1 / (2 * b), total)


def below(v: Fraction, n: int, left: Fraction | None) -> Sum:
    """F(z − v)^n from ``left`` to the next corner."""
    if left is None or left < v:
        return {n: multiply(Fraction(1, 2**n), exp(-n * v))}
    return {-j: multiply(math.comb(n, j) * Fraction(-1, 2) ** j, exp(j * v)) for j in range(n + 1)}


def _plus(first: Sum, second: Sum) -> Sum:
    found = dict(first)
    for rate, x in second.items():
        found[rate] = add(found[rate], x) if rate in found else x
    return found


def times(first: Sum, second: Sum) -> Sum:
    """The product of two sums."""
    found: Sum = {}
    for rate, x in first.items():
        found = _plus(found, {rate + other: multiply(x, y) for other, y in second.items()})
    return found


def _piece(rate: Fraction, left: Fraction | None, right: Fraction | None) -> Term:
    """∫ e^{rz} dz; None is an infinite end, at which it is 0."""
    if rate == 0:
        assert left is not None and right is not None  # f_b alone falls at infinity
        return right - left
    high, low = (Fraction(0) if z is None else exp(rate * z) for z in (right, left))
    return multiply(1 / rate, add(high, multiply(_LESS, low)))
