r"""Any ε-DP mechanism.

Pair: :math:`P = (e^\epsilon, 1)/(1 + e^\epsilon)` and Q its reverse: binary randomised response with loss ±ε.
It dominates every ε-DP mechanism, whatever the adjacency (Kairouz, Oh, Viswanath 2015, Theorem 3.1 and its
proof), and is one itself, so the answers are the best that hold for all of them. Symmetric.

**Groups** (``group.py``): an ε-DP mechanism is mε-DP for m records. That bounds all of them and is attained
by none: two records apart, a 1-DP mechanism has total variation at most 1 − 1/e, the pair of 2-DP tanh 1.

Ordered in ε: an ε'-DP mechanism with ε' < ε is ε-DP, so the pair of ε dominates it, and a pair that dominates
another one has it as a post-processing (Blackwell).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import MAX_GROUP, Mechanism
from pldverify.numbers.exact import Number, count, nonnegative, real, show


@dataclass(frozen=True)
class PureDP(Mechanism, expression="pure_dp", rises=("epsilon",)):
    """Some mechanism of which ε-differential privacy is known. ``epsilon`` ≥ 0 in nats. If that follows from
    what is known for one record, for groups of ``group`` records, the pair is only a bound.

    Raises InvalidInput for a negative or infinite epsilon, and for a group that is no integer from 1 to
    10**6.

    δ(0) = (e^ε − 1)/(e^ε + 1):

    >>> float(pv.delta(pv.PureDP(epsilon=1), epsilon=0))
    0.46211715726000...
    """

    epsilon: Fraction
    group: int = 1

    def __init__(self, epsilon: Number, group: Number = 1) -> None:
        vars(self).update(
            epsilon=nonnegative(epsilon, "epsilon", real), group=count(group, "group", cap=MAX_GROUP)
        )

    @property
    def tight_steps(self) -> int | None:
        """Any number for one record; none for a group."""
        return None if self.group == 1 else 0

    def __str__(self) -> str:
        tail = "" if self.group == 1 else f", group={self.group}"
        return f"pure_dp(epsilon={show(self.epsilon)}{tail})"
