r"""What mechanisms share that put a record into one of T batches of an epoch, which one is hidden.

The truth of such a mechanism is known from two sides. Above: the batch revealed, an epoch is the base on the
one batch that holds the record. Below: a *gap*, one pair of neighbours whose T batch sums are

.. math:: P_a = \frac1T \sum_{t=1}^T N(a e_t, \sigma^2 I_T) \quad\text{against}\quad P_b

in units of the sensitivity, (a, b) by relation. Each mechanism's file proves both.
"""

from abc import abstractmethod
from fractions import Fraction

from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Relation

Gap = tuple[int, int]
"""(a, b): how far the record, and the one in its place, move the sum of their batch."""


class HiddenBatch(Mechanism):
    """One epoch of ``base`` on each of ``batches`` batches. Only a bracket of its δ(ε) and ε(δ) is known."""

    base: Gaussian
    batches: int

    @property
    @abstractmethod
    def gaps(self) -> dict[Relation, Gap]:
        """(a, b) under each relation that the mechanism has."""

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
