r"""Truncated geometric noise on a count: integers x from −k to k, with probability proportional to e^{−ε|x|}.

A histogram whose keys come from the data adds it to the count of each key that there is, and shows the key
with its noisy count where that is above k (Desfontaines, Voss, Gipson, Mandayam 2022, k-TSGD). A record adds
1 to one key.

**Pair.** That of (ε, δ)-DP, :mod:`pldverify.mechanisms.approximate_dp`, with δ the probability of the noise
k,

.. math:: \delta = e^{-k\epsilon} \frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon} - 2e^{-(k+1)\epsilon}}.

A count n + 1 against n: the noisy count n + 1 + k is had by the first alone, with probability δ, n − k by the
second alone; in between the ratio is e^ε above n and e^{−ε} up to n: exactly that pair. It is attained in all
steps by a key with a count so large that it is always shown. A key that the record alone has is shown with
probability δ, for the noise k, and else nothing is: (δ, 1 − δ) against (0, 1) is (ε, δ)-DP, so it is
dominated. For every ε and δ the best selection of keys alone is (ε, δ)-DP too (their Theorem 1), and
``approximate_dp`` is what it promises.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.relations import ONE_RECORD_LESS
from pldverify.numbers.exact import Number, brief, count, positive, real, show

FARTHEST = 9000
"""Cap on ε·k: δ = e^{−9000} has 3,909 zeros, of the 4,200 digits that a rational end may have."""


@dataclass(frozen=True)
class TruncatedGeometric(ApproximateDP, rises=("epsilon", "delta")):
    """(ε, δ)-DP where a record is there or not, and nothing else: one that is replaced changes two keys."""

    bound: int

    def __init__(self, epsilon: Number, delta: Number, bound: int) -> None:
        super().__init__(epsilon, delta)
        vars(self).update(bound=bound)

    relations = ONE_RECORD_LESS

    def __str__(self) -> str:
        return f"truncated_geometric(epsilon={show(self.epsilon)}, bound={self.bound})"


def truncated_geometric(epsilon: Number, bound: Number) -> TruncatedGeometric:
    """A count with truncated geometric noise up to ``bound``, and keys shown where it is above ``bound``.

    ``epsilon`` > 0 is the rate at which probabilities fall. The relation is add-or-remove; a replaced record
    changes two keys, which are two of these. Raises InvalidInput unless bound is an integer from 1 to
    10**6, and 0 < epsilon ≤ 9000/bound.

    >>> shown = pv.truncated_geometric(epsilon="ln(3)", bound=3)
    >>> float(pv.delta(shown, epsilon=10)), 1 / (27 + 2 * (9 + 3 + 1))
    (0.0188679245283..., 0.0188679245283...)
    """
    rate, most = positive(epsilon, "epsilon", real), count(bound, "bound", cap=10**6)
    if rate > Fraction(FARTHEST, most):
        raise InvalidInput(
            f"epsilon must be at most {FARTHEST}/bound, where delta is e^-{FARTHEST}, got "
            f"epsilon={brief(epsilon)}, bound={most}"
        )
    a = f"exp(-({show(rate)}))"
    return TruncatedGeometric(rate, f"({a})^{most}*(1-{a})/(1+{a}-2*({a})^{most + 1})", most)
