r"""What mechanisms that choose by noisy scores share: a path from one neighbour's scores to the other's.

A mechanism sees the data through scores u (of candidates, or of queries asked in turn), each of which moves
by at most Δ between neighbours; its loss is at most c. Go from u to u' on a straight line, x from 0 to c in
proportion, and let y(x) be the probability of a set S of outputs. Each mechanism's file proves that along the
way, for every set, :math:`|y'| \le \psi(y)` with

.. math:: \psi(y) = \min\big(y,\; \sigma_k y + v_k,\; \kappa\big) \text{ up to } y = 1/2,
          \qquad \psi(1 - y) = \psi(y).

It is **dominated by blunted Laplace noise** moved by c: the density is :math:`f = \kappa e^{g}`, g even, flat
up to w, then falling with rising slopes :math:`\sigma_k < 1` along lengths :math:`\ell_k`, then with the
slope 1 (:mod:`pldverify.reference.laws.blunted_laplace`); with the slope 1 alone it is Laplace noise of scale
1.

**Proof.** The distribution function F of f solves :math:`F' = \psi(F)`: in the tail f = F, then f − σF keeps
what it is at each corner, :math:`v_k`, and then f = κ. ψ is Lipschitz, so with :math:`y(0) = F(x)`,
:math:`y(c) \le F(x + c)` by comparison. That is the power of the best test of f against f moved by c at the
level F(x), as f is log-concave: no set of outputs, and as the bound is concave no random test, has more. The
same holds from u' to u. A step whose scores depend on earlier outputs is bounded whatever they were, so pairs
multiply (Zhu, Dong, Wang 2022, Theorem 10). ∎

**Lengths may be shorter** than those of lines that are proved, and all lines are higher then. From the tail
inward, at a corner where f = rκ: :math:`v_k/\kappa = (1 - \sigma_k)r` for the last k, and :math:`v_{k-1} =
(\sigma_{k-1}/\sigma_k)v_k + (1 - \sigma_{k-1}/\sigma_k)r\kappa`, so all :math:`v_k/\kappa` rise as r does,
which shorter lengths raise; and :math:`1/2\kappa = w + (1 - v_1/\kappa)/\sigma_1` falls.

**The first line**, :math:`|y'| \le \min(y, 1 - y)`, is had where the mechanism is (ch/Δ)-DP for all scores
that move by at most h, for every h: along a piece of x of length h :math:`e^{-h} \le y(x + h)/y(x) \le e^h`
and so for 1 − y. That is better than c-DP alone, whose pair is randomised response.

**Monotone** scores move all in one direction between neighbours, as counts do where a record is added. What
depends on differences of scores alone is the same for the scores minus Δ/2, which move by Δ/2: c is halved.
A replaced record moves some up and others down, by at most Δ.

Ordered in c, as a greater move of the same noise tells more, and in ψ, by comparison.
"""

from abc import abstractmethod
from fractions import Fraction
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import brief


class Noise(NamedTuple):
    """The shape of blunted Laplace noise: w and all (σ, ℓ), by default of Laplace noise."""

    flat: Fraction = Fraction(0)
    bends: tuple[tuple[Fraction, Fraction], ...] = ()


class Selection(Mechanism):
    """A mechanism that blunted Laplace noise dominates, moved by c."""

    monotone: bool

    @abstractmethod
    def loss(self, moves: int) -> Fraction:
        """c, where neighbours differ in ``moves`` presences of a record: 1, or 2 for one that is replaced;
        of exact parameters.

        >>> print(pv.NoisyMax(b=4).loss(1), pv.NoisyMax(b=4).loss(2))
        1/2 1
        """

    def noise(self, moves: int) -> Noise:
        """The noise that is moved by c, if it is not Laplace noise; of exact parameters.

        >>> flat, ((slope, length), *others) = pv.NoisyMax(b=4).noise(1)
        >>> print(flat, slope, length, len(others))
        19/125 1/4 79/250 2
        """
        return Noise()


def truth(value: object, name: str) -> bool:
    """Raises InvalidInput for what is neither True nor False.

    >>> truth(True, "monotone")
    True
    """
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be True or False, got {name}={brief(value)}")
    return value
