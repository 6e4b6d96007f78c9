r"""What mechanisms share that put a record into one of T batches of an epoch, which one is hidden.

The truth of such a mechanism is known from two sides. Above: the batch revealed, an epoch is the base on the
one batch that holds the record. Below: a *gap*, one pair of neighbours whose T batch sums are

.. math:: P_a = \frac1T \sum_{t=1}^T N(a e_t, \sigma^2 I_T) \quad\text{against}\quad P_b

in units of the sensitivity, (a, b) by relation. Each mechanism's file proves both.

A k-subset of the steps of :mod:`pldverify.mechanisms.balls_and_bins` is attacked likewise: k of the T sums,
drawn at random, have mean a. Above it has a pair of its own.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Relation

Gap = tuple[int, int]
"""(a, b): how far the record, and the one in its place, move the sum of their batch."""
Part = tuple[Mechanism, int]
"""A mechanism, and how often it occurs."""


@dataclass(frozen=True)
class Drawn:
    """The T = ``batches`` sums of a gap, each of variance ``variance``: with probability ``kept`` some of
    them, ``participations`` in number, drawn at random, have mean a = ``first``, or b = ``second``.
    """

    first: int
    second: int
    batches: int
    variance: Fraction
    participations: int = 1
    kept: Fraction = Fraction(1)

    def reversed(self) -> "Drawn":
        """Of the other direction."""
        return replace(self, first=self.second, second=self.first)


class HiddenBatch(Mechanism):
    """One epoch of ``base`` on each of ``batches`` batches. Only a bracket of its δ(ε) and ε(δ) is known."""

    base: Gaussian
    batches: int

    @property
    @abstractmethod
    def gaps(self) -> dict[Relation, Gap]:
        """(a, b) under each relation that the mechanism has."""

    @property
    def kept(self) -> Fraction:
        """The probability that a record is in any batch."""
        return Fraction(1)

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(self.gaps)

    def epochs(self, times: int) -> tuple[Fraction, int]:
        """σ² in units of the sensitivity, and how many draws of the batch ``times`` epochs have.

        >>> import pldverify as pv
        >>> pv.ShuffledBatches(pv.Gaussian(2), batches=10).epochs(3)
        (Fraction(4, 1), 3)
        """
        return Fraction(self.base.noise_multiplier) ** 2, times


def hides(composition: Composition) -> bool:
    """Whether only a bracket of the composition's δ(ε) is known, as a mechanism hides the batch of a record.

    >>> import pldverify as pv
    >>> hides(5 * pv.ShuffledBatches(pv.Gaussian(1), batches=10)), hides(5 * pv.Gaussian(1))
    (True, False)
    """
    return any(isinstance(mechanism, HiddenBatch) for mechanism, _ in composition.parts)


def revealed(composition: Composition) -> Composition:
    """The composition with every batch revealed, which dominates it: each epoch is the base.

    >>> import pldverify as pv
    >>> print(revealed(5 * pv.ShuffledBatches(pv.Gaussian(1), batches=10) + pv.Laplace(2)))
    5 * gaussian(sigma=1) + laplace(b=2)
    """
    parts = ((m.base if isinstance(m, HiddenBatch) else m, k) for m, k in composition.parts)
    return Composition.of(*parts)


def drawn(composition: Composition, relation: Relation) -> tuple[list[tuple[Drawn, int]], list[Part]]:
    """What is drawn at random and only bracketed, with how often, and all other parts.

    The shares of a k-subset make up so many whole draws of it; what is left over is no part of either.

    >>> import pldverify as pv
    >>> ten = 10 * pv.random_allocation(pv.Gaussian(1), steps=7, participations=3) + pv.Laplace(2)
    >>> found, rest = drawn(ten, "add-or-remove")
    >>> [(sums.batches, sums.participations, k) for sums, k in found], len(rest)
    ([(7, 3, 10)], 1)
    """
    found, rest = [], []
    shares: dict[tuple[Gaussian, int, int], dict[int, int]] = {}
    for mechanism, times in composition.parts:
        if isinstance(mechanism, HiddenBatch):
            variance, k = mechanism.epochs(times)
            gap = mechanism.gaps[relation]
            found.append((Drawn(*gap, mechanism.batches, variance, kept=mechanism.kept), k))
        elif isinstance(mechanism, BallsAndBins) and mechanism.steps is not None:
            whose = mechanism.base, mechanism.participations, mechanism.steps
            shares.setdefault(whose, {})[mechanism.batches] = times
        else:
            rest.append((mechanism, times))
    for (base, k, steps), counts in shares.items():
        size, longer = divmod(steps, k)
        needed = {size: k - longer, size + 1: longer}
        if epochs := min(counts.get(n, 0) // times for n, times in needed.items() if times):
            variance = Fraction(base.noise_multiplier) ** 2
            found.append((Drawn(1, 0, steps, variance, participations=k), epochs))
    return found, rest
