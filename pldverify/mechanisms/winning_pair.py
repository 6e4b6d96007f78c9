r"""What some neighbours of report noisy max with Laplace noise have: whether one of n wins against m others.

The n have the score 0 and the m have v under Q, and v − c under P, in units of b: that is as far as scores
move apart. With f and F of Lap(0, 1)

.. math:: \Pr[\text{one of the n wins}] = n \int f(z)\, F(z)^{n-1} F(z - v)^m\, dz,

a sum of exponentials (:mod:`pldverify.mechanisms.halting_pair`), rounded inward. More than one against one
tell more: the winner of m is above 0 most of the time, where f falls at its full rate.

**Which n, m and v** is a choice: any prove. It was made on graphs of δ(ε), where it has 92 % or more of the
best of ten pairs (n, m) up to (1, 16) and all v, for c from 0.05 to 6: by the ``share``, from 2 against 2 at
a tie, which loses most in many steps, to 1 against 8, whose answer is rarer and has a larger loss.
"""

from fractions import Fraction
from functools import lru_cache

from pldverify.errors import InvalidInput
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.halting_pair import below, integral, inward
from pldverify.mechanisms.noisy_max import NoisyMax
from pldverify.numbers.functions import Term, add, multiply

_TRIED = (
    (2, 2, Fraction(0)),
    (2, 3, Fraction(0)),
    (2, 3, Fraction(1, 10)),
    (1, 3, Fraction(-1, 16)),
    (1, 5, Fraction(-1, 5)),
    (1, 5, Fraction(-1, 16)),
    (1, 5, Fraction(1, 8)),
    (1, 8, Fraction(0)),
)
"""n, m and the lead of the m halfway between P and Q at small c, by sixteenths of the share from 1/2 on."""
_DRIFT = Fraction(5, 6)
"""How far that lead grows with the share, in units of c; any is right."""


@lru_cache(maxsize=256)
def winning_pair(asked: NoisyMax, moves: int, share: Fraction) -> FinitePair | None:
    """Whether one of the n wins, rounded inward; None where nothing would be left of the loss.

    ``moves`` presences of a record make the difference: 1, or 2 where it is replaced; ``share`` is from 1/2
    to 15/16.

    >>> from pldverify.mechanisms.winning_pair import winning_pair
    >>> float(pv.delta(winning_pair(pv.NoisyMax(b=20), 1, Fraction(1, 2)), epsilon=0))
    0.02915...
    """
    c, past = asked.loss(moves), share - Fraction(1, 2)
    n, m, lead = _TRIED[int(16 * past)]
    middle = lead + _DRIFT * past * c
    try:
        wins = [_wins(n, m, middle + side * c / 2) for side in (-1, 1)]
    except InvalidInput:  # an exponent is too large
        return None
    first, second = ([x, add(Fraction(1), multiply(Fraction(-1), x))] for x in wins)
    return inward(first, second)


def _wins(n: int, m: int, v: Fraction) -> Term:
    """The probability that one of n is above all of m, which lead by ``v``."""
    zero = Fraction(0)
    found = integral(Fraction(1), [v], lambda left: below(zero, n - 1, left) * below(v, m, left))
    return multiply(Fraction(n), found)
