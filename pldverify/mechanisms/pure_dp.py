r"""Any ε-DP mechanism.

Pair: :math:`P = (e^\epsilon, 1)/(1 + e^\epsilon)` and Q its reverse: binary randomised response with loss ±ε.
It dominates every ε-DP mechanism, whatever the adjacency (Kairouz, Oh, Viswanath 2015, Theorem 3.1 and its
proof), and is one itself, so the answers are the best that hold for all of them. Symmetric.

Ordered in ε: an ε'-DP mechanism with ε' < ε is ε-DP, so the pair of ε dominates it, and a pair that dominates
another one has it as a post-processing (Blackwell).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, nonnegative, real


@dataclass(frozen=True)
class PureDP(Mechanism, expression="pure_dp", rises=("epsilon",)):
    """Some mechanism of which ε-differential privacy is known. ``epsilon`` ≥ 0 in nats.

    Raises InvalidInput for a negative or infinite epsilon.

    δ(0) = (e^ε − 1)/(e^ε + 1):

    >>> float(pv.delta(pv.PureDP(epsilon=1), epsilon=0))
    0.46211715726000...
    """

    epsilon: Fraction

    def __init__(self, epsilon: Number) -> None:
        vars(self).update(epsilon=nonnegative(epsilon, "epsilon", real))
