r"""Any (ε, δ)-DP mechanism, on neighbours that differ in m records instead of one.

**It dominates.** Along data sets D_0, …, D_m, neighbours one after the other, the promise says of every set S
of outputs, there and back, :math:`P_{j+1}(S) \le e^\epsilon P_j(S) + \delta` and :math:`1 - P_j(S) \le
e^\epsilon (1 - P_{j+1}(S)) + \delta`, so :math:`P_{j+1}(S) \le g(P_j(S))` with

.. math:: g(x) = \min(\delta + e^\epsilon x,\; 1 - e^{-\epsilon}(1 - \delta - x),\; 1)

and, as g rises, :math:`P_m(S) \le g^{\circ m}(P_0(S))` (Dong, Roth, Su 2022, Theorem 2.14). That is concave
and rises, as g does, so it is the largest power at each level of the tests of one pair, which dominates
(Blackwell). Fewer records are covered, as g(x) ≥ x, and mixes of additions and removals. A step that depends
on earlier outputs is promised whatever they were, so products of the pairs dominate compositions (Zhu, Dong,
Wang 2022, Theorem 10).

**It is attained**, by one mechanism and neighbours in all steps. Let P_j be the law on [0, 1] with the
distribution function :math:`g^{\circ j}`: uniform for j = 0, else with a mass of :math:`g^{\circ j}(0)` at
0. The mechanism draws from P_j, j the number of the records that have some property, at most m: every
relation between neighbours moves j by at most one, there and back, and takes it from 0 to m. It is (ε,
δ)-DP: :math:`P_{j+1}[0, x] = g(P_j[0, x])`, and as g is concave, :math:`dP_{j+1}/dP_j` falls, so the best
tests are the sets [0, x], and at 0, where P_j has a mass, random ones, whose power is linear in the level
between points of the graph of g or below it: :math:`P_{j+1}(S) \le g(P_j(S))` for all S, which is the
promise in both directions. And the best tests of P_m against P_0 are the sets [0, x], with the power
:math:`g^{\circ m}(x)` at level x. ∎

**The pair.** Symmetric, as 1 − g is its own inverse. With :math:`r = e^\epsilon`, x_0 = (1 − δ)/(1 + r) and
:math:`x_j = (x_{j-1} - \delta)/r`, let :math:`x_0 > \dots > x_{n-1}` be those of the first m that are > 0:
:math:`g^{\circ m}` has the slope :math:`r^{2j-m}` between x_j and x_{j−1}. So losses are (2j − m)ε for m − n
≤ j ≤ n; from the greatest on, their masses under Q are the distances between 0, x_{n−1}, …, x_{m−n} and 1 −
L, with :math:`L = g^{\circ m}(0)`; under P the same in reverse; and L is lost. For 2n = m there is at most
the loss 0, for 2n < m none, and L = 1. For δ = 0 it is the pair of :class:`DiscreteLaplace` noise of scale
1/ε and sensitivity m, which is ε-DP for one record. For ε = 0, g(x) = min(x + δ, 1), and L = min(mδ, 1).

Ordered in ε and δ: what is promised for smaller ones is for greater ones, as of one record.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, count, nonnegative, probability, real


@dataclass(frozen=True)
class GroupDP(Mechanism, expression="group_dp", rises=("epsilon", "delta")):
    """Some mechanism of which (ε, δ)-differential privacy is known for one record, where ``m`` records are
    added, removed or replaced. ``epsilon`` ≥ 0 in nats.

    Raises InvalidInput for a negative or infinite epsilon, for delta outside [0, 1], and for an m that is no
    integer from 1 to 10**4.

    Two records apart, the total variation of every 1-DP mechanism is at most 1 − 1/e; 2-DP allows for tanh 1:

    >>> float(pv.delta(pv.GroupDP(epsilon=1, delta=0, m=2), epsilon=0))
    0.63212055882855...
    >>> float(pv.delta(pv.PureDP(epsilon=2), epsilon=0))
    0.76159415595576...
    """

    epsilon: Fraction
    delta: Fraction
    m: int

    def __init__(self, epsilon: Number, delta: Number, m: Number) -> None:
        vars(self).update(
            epsilon=nonnegative(epsilon, "epsilon", real),
            delta=probability(delta, "delta", real),
            m=count(m, "m", cap=10**4),
        )
