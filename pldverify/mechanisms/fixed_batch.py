"""What mechanisms on batches of a fixed size share: their bases, how a record is drawn, and that records are
replaced only."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.numbers.exact import brief, count

MAX_BATCH = 10**5
"""Cap on the batch size of draws with replacement, for Gaussian noise as the base."""
MAX_DRAWS = 1000
"""The same for other bases: each possible number of draws of the record has a law of its own there."""
_LOST = Fraction(1, 2**200)
"""Probability up to which the largest numbers of draws count as lost, for other bases than Gaussian noise."""
Base = Gaussian | Laplace | PureDP | ApproximateDP


class FixedBatch(Mechanism):
    """``base`` run on a batch whose size all neighbours share."""

    base: Mechanism

    relations = ("replace-one",)


@dataclass(frozen=True)
class Draws:
    """How often the changed record is in a batch, given that it is.

    Attributes:
        q: the probability that it is.
        levels: (times ℓ, probability); they and ``lost`` sum to 1.
        lost: of more times.
    """

    q: Fraction
    levels: tuple[tuple[int, Fraction], ...]
    lost: Fraction = Fraction(0)


@lru_cache(maxsize=16)
def draws(m: int, n: int) -> Draws:
    """Of ``m`` draws from ``n`` records with replacement."""
    whole = Fraction(n) ** m
    q = 1 - (n - 1) ** m / whole
    levels, left = [], Fraction(1)
    for k in range(1, m + 1):
        levels.append((k, comb(m, k) * (n - 1) ** (m - k) / whole / q))
        left -= levels[-1][1]
        if left < _LOST:
            break
    return Draws(q, tuple(levels), left)


def a_base(base: object) -> Base:
    """``base``, where it is one whose batches have a pair. Raises InvalidInput."""
    if not isinstance(base, Base) or "replace-one" not in base.relations:
        raise InvalidInput(
            "base must be a Gaussian mechanism, a Laplace one, PureDP or ApproximateDP, got "
            f"base={brief(base)}"
        )
    return base


def records(n: object) -> int:
    """The number of records to draw from, an integer from 2 to 10**12. Raises InvalidInput."""
    if (exact := count(n, "n")) == 1:
        raise InvalidInput("n must be an integer from 2 to 1000000000000, got n=1")
    return exact
