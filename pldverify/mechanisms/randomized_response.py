r"""Randomised response over k categories.

The true category is reported with probability p, each of the others with probability (1 − p)/(k − 1). Pair:
the output laws of two different true categories,
:math:`P = (p, r, r, \dots, r)`, :math:`Q = (r, p, r, \dots, r)`, r = (1 − p)/(k − 1). All pairs of
categories are alike, so it dominates, and is attained, when a record's value is replaced (Kairouz, Oh,
Viswanath 2016). The loss is log(p/r) with probability p, −log(p/r) with probability r, else 0; for p = 1 it
is +∞ with probability 1. Symmetric.

Ordered in p from p = 1/k on: a uniform category in place of the answer, with some probability, turns the pair
of p into that of any p' between 1/k and p.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, count, probability, real, show
from pldverify.numbers.irrational import Irrational


@dataclass(frozen=True)
class RandomizedResponse(Mechanism, expression="randomized_response", rises=("p",)):
    """Reports the true one of ``categories`` categories with probability ``p``, the others equally likely.

    Raises InvalidInput unless 0 ≤ p ≤ 1 and categories is an integer from 2 to 10**9.

    The loss is at most log(p/(1 − p)), here log 3:

    >>> float(pv.epsilon(pv.RandomizedResponse(p="0.75"), delta=0))
    1.09861228866810...
    """

    p: Fraction
    categories: int = 2

    def __init__(self, p: Number, categories: Number = 2) -> None:
        vars(self).update(p=probability(p, "p", real), categories=count(categories, "categories", cap=10**9))
        if self.categories == 1:
            raise InvalidInput("categories must be an integer from 2 to 1000000000, got categories=1")
        if isinstance(self.p, Irrational) and not self.p > Fraction(1, self.categories):
            raise InvalidInput(
                f"p must be rational, or above 1/{self.categories} where δ rises, got p={show(self.p)}"
            )

    @property
    def other(self) -> Fraction:
        """Probability of each wrong category."""
        return (1 - self.p) / (self.categories - 1)
