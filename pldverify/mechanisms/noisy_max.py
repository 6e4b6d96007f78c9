r"""Report noisy max: independent Laplace noise of scale b on each score, and only the winner's name.

Each score moves by at most Δ = ``sensitivity`` where a record is added or removed, by 2Δ where one is
replaced. (With exponential noise of scale b it is ``permute_and_flip``, with Gumbel noise ``exponential``,
each with epsilon = 2Δ/b: see their files.)

**Pair.** That of blunted Laplace noise moved by c = 2Δ/b, for monotone scores Δ/b; where a record is replaced
by 4Δ/b, for monotone scores by 2Δ/b.

**It dominates** (:mod:`pldverify.mechanisms.selection`), with :math:`\psi(y) = \min(y, y/2 + 2/15, 1/3)` and
1 − y in the place of y. Let b be 1, F and f of Lap(0, 1), A a set of candidates, B the others, y the
probability that one of A wins. By G the product of all :math:`F(z - u_i)`, and by :math:`h_A`, :math:`h_B`
the sums of f/F over A and B,

.. math:: y = \int G h_A\,dz, \qquad |y'| \le \int G h_A h_B\,dz =: D,

as :math:`\partial y/\partial u_i` for i in A is the sum of :math:`\int f_i f_j \prod_{k \ne i,j} F_k` over j
in B, pairs within A cancel, and of u_i and u_j the difference moves by at most 2Δ: as far as x does.

*First line*: scores that move by at most h make it 2h/b-DP. Of a candidate r, given the noise of all others,
its noise has to exceed a threshold that moves by at most 2h, and :math:`\Pr[\nu \ge x + d] \ge e^{-d/b}
\Pr[\nu \ge x]` for d ≥ 0; sum over the candidates of a set (Dwork, Roth 2014, Claim 3.9, for one candidate).

*Others*: :math:`D \le \lambda y + V(\lambda)` with V(0) = 1/3 and V(1/2) = 2/15. Let :math:`a = -\log \prod_A
F_i`, b the same of B, so :math:`G = e^{-a-b}`, :math:`da = -h_A dz`, :math:`db = -h_B dz`. Of one candidate
with s = −log F, f/F is :math:`\min(e^s - 1, 1)`, as f = min(F, 1 − F). So :math:`h_A \le k(a)`, where k(0) =
0, k(s) = e^s − 1 up to log 2 and k(s + log 2) = k(s) + 1: that is so for one, and k(a + s) ≥ k(a) + min(e^s −
1, 1), since for a = r and s both below log 2 the difference is :math:`(e^r - 1)(e^s - 1)` where r + s ≤ log
2, else :math:`(2 - e^r)(2 - e^s)/2`, and for s ≥ log 2 k rises by 1 at least. Take θ = (1 + λ)/2 of
:math:`h_A \le k(a)` and 1 − θ of :math:`h_B \le k(b)`:

.. math:: D - \lambda y \le \int e^{-a-b}\big[\theta k(a)\,db + \big((1 - \theta)k(b) - \lambda\big)\,da\big],

on a path from (0, 0) to (∞, ∞) along which a and b rise. With a = 0 first and then b = ∞ it is 0. By Green's
theorem any other path has more by the integral, over what is between, of

.. math:: e^{-a-b}\big[\theta(k' - k)(a) - (1 - \theta)(k' - k)(b) - \lambda\big]
          = e^{-a-b}\big[(1 - \theta)j - \theta i\big],

i and j the whole parts of a/log 2 and b/log 2, as k' − k = 1 − i. A square (i, j) has :math:`e^{-a-b}` of
:math:`2^{-i-j-2}`, so at most the sum of :math:`2^{-i-j-2}((1 - \theta)j - \theta i)_+` is had: for λ = 0
:math:`\tfrac12 \sum_i 2^{-i-1} 2^{-i} = 1/3`, for λ = 1/2 :math:`\tfrac14 \sum_i 2^{-i-1} 2^{-3i} = 2/15`.

*The noise*: the lines meet at y = 4/15 and 2/5, so w = 3/10, and :math:`\ell = 4/9 \le 2 \log(5/4)`. ∎

**It is not attained.** From below: whether one of some candidates wins
(:mod:`pldverify.mechanisms.winning`). For small c one step has 7/8 of δ(0), and in many steps the ends
of ε are about a factor of 1.33 apart: the variance of the composed losses is :math:`c^2 \int \psi'^2 = 0.6
c^2`, and of two candidates against two, which no other choice of up to six was found to exceed, it is
:math:`(49/144) c^2`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.selection import Noise, Selection, truth
from pldverify.numbers.exact import Number, positive, real

_NOISE = Noise(Fraction(3, 10), ((Fraction(1, 2), Fraction(4, 9)),))
"""Whose κ is above 1/3, and whose second line is above y/2 + 2/15, each by less than 1/500."""


@dataclass(frozen=True)
class NoisyMax(Selection, expression="noisy_max", rises=("sensitivity",), falls=("b",)):
    """The name of the largest of some scores with Laplace noise of scale ``b`` on each.

    ``sensitivity`` is how far one record's presence moves a score; ``monotone``: it moves all scores in one
    direction. Raises InvalidInput unless b and sensitivity are > 0.

    (2/b)-DP, for counts (1/b)-DP, whatever the number of candidates:

    >>> float(pv.epsilon(pv.NoisyMax(b=4), delta=0))
    0.5
    >>> float(pv.epsilon(pv.NoisyMax(b=4, monotone=True), delta=0))
    0.25
    >>> pv.Composition.of((pv.NoisyMax(b=4), 1)).standing
    'upper bound'
    """

    b: Fraction
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    tight_steps = 0  # the pair bounds, and is attained by no steps

    def __init__(self, b: Number, sensitivity: Number = 1, monotone: bool = False) -> None:
        vars(self).update(
            b=positive(b, "b", real),
            sensitivity=positive(sensitivity, "sensitivity", real),
            monotone=truth(monotone, "monotone"),
        )

    def loss(self, moves: int) -> Fraction:
        return moves * self.sensitivity / self.b * (1 if self.monotone else 2)

    def noise(self, moves: int) -> Noise:
        return _NOISE
