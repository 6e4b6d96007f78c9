r"""The binomial mechanism (Agarwal et al. 2018; KH21 section 5.3).

Pair: :math:`P = s + \mathrm{Bin}(n, p)` and :math:`Q = \mathrm{Bin}(n, p)` with integer sensitivity s (2s
under replace-one). The supports differ, so :math:`\delta_\infty = \Pr[\mathrm{Bin} > n - s]` for P‖Q and
:math:`\Pr[\mathrm{Bin} < s]` for Q‖P. Dominance: the binomial law is log-concave, so for a query that a
record moves up by 0 ≤ d ≤ s the best test is a threshold whose power grows with d. For p = 1/2 the
reflection x → n + s − x swaps P and Q, so moves down are covered too. For p ≠ 1/2 the pair is that of queries
which a record can only move up, such as counts, and replace-one, where a record moves the query both ways, is
not defined.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import ONE_RECORD_LESS, RELATIONS, Relation
from pldverify.numbers.exact import Number, count, probability


@dataclass(frozen=True)
class Binomial(Mechanism, expression="binomial"):
    """Noise Bin(n, p) on an integer query of sensitivity ``sensitivity``.

    Raises InvalidInput unless n is an integer from 1 to 10**5, 0 < p < 1, and sensitivity an integer from 1
    to n.

    One coin: the sum is 2 with probability 1/2 with the record and never without it, so δ_∞ = 1/2.

    >>> float(pv.delta(pv.Binomial(n=1, p="0.5"), epsilon=100))
    0.5
    """

    n: int
    p: Fraction
    sensitivity: int = 1

    def __init__(self, n: Number, p: Number, sensitivity: Number = 1) -> None:
        vars(self).update(
            n=count(n, "n", cap=10**5),
            p=probability(p, "p", zero=False, one=False),
            sensitivity=count(sensitivity, "sensitivity"),
        )
        if self.sensitivity > self.n:
            raise InvalidInput(f"sensitivity must be at most n={self.n}, got sensitivity={self.sensitivity}")

    @property
    def relations(self) -> tuple[Relation, ...]:
        return RELATIONS if self.p == Fraction(1, 2) else ONE_RECORD_LESS
