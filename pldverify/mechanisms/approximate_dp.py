r"""Any (ε, δ)-DP mechanism.

Pair on four outcomes: :math:`P = (\delta, (1-\delta) e^\epsilon/(1+e^\epsilon), (1-\delta)/(1+e^\epsilon),
0)` and Q its reverse: the loss is +∞ with probability δ, else ±ε. It dominates every (ε, δ)-DP mechanism,
whatever the adjacency, and is one itself (Kairouz, Oh, Viswanath 2015, Theorem 3.1 and its proof).
Symmetric.

Ordered in ε and δ: an (ε', δ')-DP mechanism with ε' ≤ ε and δ' ≤ δ is (ε, δ)-DP, so the pair of (ε, δ)
dominates it, and a pair that dominates another one has it as a post-processing (Blackwell).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, nonnegative, probability, real


@dataclass(frozen=True)
class ApproximateDP(Mechanism, expression="approximate_dp", rises=("epsilon", "delta")):
    """Some mechanism of which (ε, δ)-differential privacy is known. ``epsilon`` ≥ 0 in nats.

    Raises InvalidInput for a negative or infinite epsilon, and for delta outside [0, 1].

    Ten of them at the same (ε, δ), by the optimal composition of Kairouz, Oh and Viswanath:

    >>> float(pv.delta(pv.ApproximateDP(epsilon=1, delta="1e-5"), epsilon=1))
    1e-05
    >>> float(pv.epsilon(10 * pv.ApproximateDP(epsilon="0.1", delta="1e-6"), delta="1e-4"))
    0.94173374153...
    """

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Number, delta: Number) -> None:
        vars(self).update(
            epsilon=nonnegative(epsilon, "epsilon", real),
            delta=probability(delta, "delta", real),
        )
