r"""What some neighbours of AboveThreshold have: where it halts, among n queries that rise and m that fall.

The first n queries have one value v below the threshold under P, and :math:`v + d_1` under Q; the next m
have w under P and :math:`w - d_2` under Q; all others are so low that nothing is above. Seen are three
outcomes: it halts among the first n, among the next m, or never. As all is moved by the threshold's noise z ~
Lap(b), P has survived the first n more often, at a high threshold, and is above it afterwards more often
still. Where the moves are the largest there are, in opposite directions, and v is low, the second outcome's
ratio tends to the largest loss c (:mod:`pldverify.mechanisms.above_threshold`). Monotone queries of a record
that is there or not move one way: :math:`d_2 = 0`.

**Probabilities.** With F the distribution function of Lap(1), and :math:`b_q = 1` as the unit,

.. math:: \Pr[\text{the first n stay below}] = \int f_b(z) F(z - v)^n dz, \qquad
          \Pr[\text{the next m halt}] = \int f_b(z) F(z - v)^n \big(1 - F(z - w)^m\big) dz.

Between the corners 0, v and w each factor is a sum of exponentials of z, by the binomial theorem, and so are
their products: the integrals are sums of exponentials at the corners, in balls.

**Rounding.** Outcomes in falling order of p/q: sums of the first p are rounded down, of the first q up, and
the differences are the pair. The corners of its power function are then under that of the true pair, and as
this is concave all of the function is: the pair is dominated (Blackwell), if its own p/q fall in that order.

**Which n, m, v and w** is a choice: any prove. It was made on graphs of δ(ε), where it has 50 to 100 % of the
best of all such neighbours if b and b_q are within a factor of 5: n grows as b_q/b, and a larger ``share``
tells of rarer outcomes with larger losses.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, product

from pldverify.errors import InvalidInput
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.numbers.functions import Term, add, ends, exp, multiply

Part = tuple[Fraction, Fraction, Fraction]
"""c, r and s of :math:`c e^{rz + s}`."""

Queries = tuple[tuple[Fraction, int], tuple[Fraction, int]]
"""Two values above the threshold, in units of query_b, and how many queries have each."""

_LESS = Fraction(-1)
"""For differences."""
_BITS = 320
"""To which sums of probabilities are rounded."""
_FEWEST = 4
"""Least number of queries below; any is right."""
_MOST = 32
"""Their greatest number, a power of two times the least; any is right."""
_FEW = Fraction(11, 16)
"""Share up to which two queries follow, and one beyond; any is right."""
_LOG_2 = Fraction(69, 100)
"""Next to log 2; any value is right."""
_LOWEST = Fraction(-1, 2)
"""Where v stands at the share 1/2, in units of b_q; any value is right."""
_STEEP = Fraction(8)
"""How far v rises with the share, in units of b_q; any value is right."""
_LATE = Fraction(1, 4)
"""How far w is above the threshold where one query follows, in units of b_q; any value is right."""


@lru_cache(maxsize=256)
def halting_pair(asked: AboveThreshold, moves: int, share: Fraction) -> FinitePair | None:
    """The outcomes' probabilities, rounded inward; None where nothing would be left of the loss.

    ``moves`` presences of a record make the difference: 1, or 2 where it is replaced; ``share`` is in (0, 1).

    >>> from pldverify.mechanisms.halting_pair import halting_pair
    >>> pair = halting_pair(pv.AboveThreshold(b=2, query_b=4), 1, Fraction(3, 4))
    >>> float(pv.delta(pair, epsilon="0.3"))
    0.02077556...
    """
    b = asked.b / asked.query_b
    try:
        return inward(*(outcomes(b, queries) for queries in neighbours(asked, moves, share)))
    except InvalidInput:  # an exponent is too large
        return None


def neighbours(asked: AboveThreshold, moves: int, share: Fraction) -> tuple[Queries, Queries]:
    """((v, n), (w, m)) under P and under Q: values above the threshold, in units of query_b."""
    b, unit = asked.b / asked.query_b, asked.sensitivity / asked.query_b
    rise, fall = (unit, (moves - 1) * unit) if asked.monotone else (moves * unit, moves * unit)
    n, power = _FEWEST, 2
    while n * b < 3 and n < _MOST:
        n, power = 2 * n, power + 1
    m, w = (2, Fraction(0)) if share <= _FEW else (1, _LATE)
    v = _LOWEST + _STEEP * (share - Fraction(1, 2)) - power * _LOG_2 - (1 - share) * rise
    w += (1 - share) * fall
    return ((v, n), (w, m)), ((v + rise, n), (w - fall, m))


def outcomes(b: Fraction, queries: Queries) -> list[Term]:
    """Probabilities: it halts among the first queries, among the next, never. ``b`` in units of query_b."""
    first, both = integral(b, queries[:1]), integral(b, queries)
    return [add(Fraction(1), multiply(_LESS, first)), add(first, multiply(_LESS, both)), both]


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


def integral(b: Fraction, factors: Sequence[tuple[Fraction, int]]) -> Term:
    """∫ f_b(z) Π F(z − v)^n dz over the ``factors`` (v, n).

    That the threshold's noise exceeds a query's is as likely as not:

    >>> from pldverify.mechanisms.halting_pair import integral
    >>> print(float(integral(Fraction(1, 3), ((Fraction(0), 1),))))
    0.5
    """
    corners = sorted({Fraction(0), *(v for v, _ in factors)})
    total: Term = Fraction(0)
    for left, right in pairwise([None, *corners, None]):
        beyond = left is not None and left >= 0
        density = [(1 / (2 * b), -1 / b if beyond else 1 / b, Fraction(0))]
        powers = [_power(v, n, left is not None and left >= v) for v, n in factors]
        for term in product(density, *powers):
            total = add(total, _piece(_times(term), left, right))
    return total


def _power(v: Fraction, n: int, beyond: bool) -> list[Part]:
    """F(z − v)^n on one side of v."""
    if not beyond:
        return [(Fraction(1, 2**n), Fraction(n), -n * v)]
    return [(math.comb(n, j) * Fraction(-1, 2) ** j, Fraction(-j), j * v) for j in range(n + 1)]


def _times(parts: Iterable[Part]) -> Part:
    factors, rates, shifts = zip(*parts, strict=True)
    return math.prod(factors, start=Fraction(1)), sum(rates, Fraction(0)), sum(shifts, Fraction(0))


def _piece(part: Part, left: Fraction | None, right: Fraction | None) -> Term:
    """The integral of one term; None is an infinite end, at which the term is 0."""
    factor, rate, shift = part
    if rate == 0:
        assert left is not None and right is not None  # f_b alone falls at infinity
        return multiply(factor * (right - left), exp(shift))
    high, low = (Fraction(0) if z is None else exp(rate * z + shift) for z in (right, left))
    return multiply(factor / rate, add(high, multiply(_LESS, low)))
