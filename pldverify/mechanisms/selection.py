r"""What mechanisms that choose by noisy scores share: a path from one neighbour's scores to the other's.

A mechanism sees the data through scores u (of candidates, or of queries asked in turn), each of which moves
by at most Δ between neighbours, and is 2κh-DP for all scores that move by at most h, for every h: each
mechanism's file proves that, with its own κ. It is **dominated by the Laplace pair** Lap(0) against Lap(c) of
scale 1, c = 2κΔ (:mod:`pldverify.mechanisms.laplace`), which is better than c-DP, whose pair is randomised
response.

**Proof.** Go from the scores u to u' on a straight line, θ from 0 to c in proportion. For a set S of outputs
let y(θ) be its probability. Along a piece of length h the mechanism is h-DP, so

.. math:: e^{-h} \le y(\theta + h)/y(\theta) \le e^h, \qquad
          e^{-h} \le (1 - y(\theta + h))/(1 - y(\theta)) \le e^h :

y is Lipschitz, and :math:`y' \le \min(y, 1 - y)` almost everywhere. The distribution function F of Lap(0)
solves :math:`F' = \min(F, 1 - F)`, whose right side is Lipschitz in F. So with :math:`y(0) = F(x)`,
:math:`y(c) \le F(x + c)` by comparison. That is the power of the best test of Lap(0) against Lap(c) at level
F(x): no set of outputs, and as the bound is concave no random test, has more. The same holds from u' to u. A
step whose scores depend on earlier outputs is bounded whatever they were, so pairs multiply (Zhu, Dong, Wang
2022, Theorem 10). ∎

**Monotone** scores move all in one direction between neighbours, as counts do where a record is added. What
depends on differences of scores alone is the same for the scores minus Δ/2, which move by Δ/2: c is halved.
A replaced record moves some up and others down, by at most Δ.

Ordered in c, as the Laplace pair is.
"""

from abc import abstractmethod
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import brief


class Selection(Mechanism):
    """A mechanism that the Laplace pair of loss c dominates."""

    monotone: bool

    @abstractmethod
    def loss(self, moves: int) -> Fraction:
        """c, where neighbours differ in ``moves`` presences of a record: 1, or 2 for one that is replaced.

        >>> print(pv.NoisyMax(b=4).loss(1), pv.NoisyMax(b=4).loss(2))
        1/2 1
        """


def truth(value: object, name: str) -> bool:
    """Raises InvalidInput for what is neither True nor False.

    >>> truth(True, "monotone")
    True
    """
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be True or False, got {name}={brief(value)}")
    return value
