r"""Report noisy max: independent Laplace noise of scale b on each score, and only the winner's name.

Each score moves by at most Δ = ``sensitivity`` where a record is added or removed, by 2Δ where one is
replaced. (With exponential noise of scale b it is ``permute_and_flip``, with Gumbel noise ``exponential``,
each with epsilon = 2Δ/b: see their files.)

**Pair.** That of blunted Laplace noise moved by c = 2Δ/b, for monotone scores Δ/b; where a record is replaced
by 4Δ/b, for monotone scores by 2Δ/b.

**It dominates** (:mod:`pldverify.mechanisms.selection`), with
:math:`\psi(y) = \min(y, \lambda y + V(\lambda))` over λ = 0, 1/4, 1/2, 3/4, V = 0.3205, 0.2077, 0.1193,
0.0552, and 1 − y in the place of y. Let b be 1, F and f of Lap(0, 1), A a set of candidates, B the others, n
and m of them, y the probability that one of A wins. By G the product of all :math:`F(z - u_i)`, and by
:math:`h_A`, :math:`h_B` the sums of f/F over A and B,

.. math:: y = \int G h_A\,dz, \qquad |y'| \le \int G h_A h_B\,dz =: D,

as :math:`\partial y/\partial u_i` for i in A is the sum of :math:`\int f_i f_j \prod_{k \ne i,j} F_k` over j
in B, pairs within A cancel, and of u_i and u_j the difference moves by at most 2Δ: as far as x does.

*First line*: scores that move by at most h make it 2h/b-DP. Of a candidate r, given the noise of all others,
its noise has to exceed a threshold that moves by at most 2h, and
:math:`\Pr[\nu \ge x + d] \ge e^{-d/b} \Pr[\nu \ge x]` for d ≥ 0; sum over the candidates of a set (Dwork,
Roth 2014, Claim 3.9, for one candidate).

*Others*: :math:`D \le \lambda y + V(\lambda)`. Let t = −z, :math:`a = -\log \prod_A F_i`, b the same of B, so
:math:`G = e^{-a-b}`, :math:`a' = h_A`, :math:`b' = h_B`, and :math:`c = 4/e`.

(1) *How fast a rises*: :math:`a(t + x) \le r(x)\,a(t)` for x ≥ 0, :math:`r(x) = 1 + c(e^x - 1)`, and so for
b. That is so of each candidate's s = −log F, and adds up. With τ the tail of its noise, which grows as
:math:`e^t`, beyond 1/2 too, s = S(τ) = −log(1 − τ) up to 1/2, then log 4τ: convex, then concave, and smooth.
What is claimed is that no chord of S that begins at τ has a slope above cS/τ. From τ ≥ 1/2 on none is above
1/τ, and :math:`cS \ge c \log 2 > 1`. For τ < 1/2 the steepest is the tangent at some τ/r > 1/2, of the slope
r/τ, where :math:`\log 4\tau - \log r - 1 + r = S`. The left side falls in r < 1, so r ≤ cS, unless cS ≥ 1 >
r, if at r = cS it is at most S, which is :math:`\log(S/\tau) \ge (c - 1)S`. As :math:`\tau = 1 - e^{-S}`, its
left side is :math:`S/2 - \log(\sinh(S/2)/(S/2)) \ge S/2 - S^2/24`: so it holds up to S = 0.683, and cS ≥ 1
from 0.680 on.

(2) *One change of sign*: :math:`g = e^{-b}(h_B - \lambda)` rises up to some :math:`t_0`, then it falls. Let
:math:`h_i` be f/F of B's candidates with τ < 1/2, of which :math:`h_i' = h_i + h_i^2`, p_j the sum of all
:math:`h_i^j`, and k the number of those beyond, with f/F = 1:
:math:`g' = e^{-b}(p_1 + p_2 - (k + p_1)(k + p_1 - \lambda))`. With k = 0 the sign is that of
:math:`1 + \lambda - w`, :math:`w = p_1 - p_2/p_1`, and w rises:
:math:`p_1 w' = p_1^2 - p_2 + p_1 p_2 - p_3 - (p_3 - p_2^2/p_1) \ge 0`, as the last bracket is
:math:`\tfrac{1}{2p_1} \sum_{i \ne j} h_i h_j (h_i - h_j)^2`, at most
:math:`\tfrac12 \sum_{i \ne j} h_i h_j (h_i + h_j) = p_1 p_2 - p_3`.
With k ≥ 1 it is negative, as :math:`p_2 \le p_1^2`: at most :math:`-(1 + p_1)(1 - \lambda)`. So at t_0 k = 0
or some τ is 1/2, and :math:`\beta := b(t_0)` is log 2 at least: at t_0 some τ is 1/2, or w = 1 + λ and
:math:`b = \sum \log(1 + h_i) \ge p_1 \log 2`, p_1 ≥ w. And :math:`\beta \le 2 + \lambda`: log(1 + h) ≤ h, and
:math:`p_1 \le 1 + \lambda + p_2/p_1`, p_2 ≤ p_1. For λ = 0 it is at most 2 log 2, as
:math:`\log(1 + h) \le h - (1 - \log 2)h^2` and p_2 ≥ p_1(p_1 − 1).

(3) *A is replaced*. With :math:`\alpha = a(t_0)`, :math:`t_0 = 0`, and :math:`\hat F = e^{-\alpha/r(-t)}` for
t < 0, :math:`e^{-\alpha r(t)}` for t > 0,
:math:`D - \lambda y = -\int g\,de^{-a} = -\lambda + \int e^{-a} dg \le -\lambda + \int \hat F dg`, as by (1)
:math:`e^{-a}` is at most :math:`\hat F` where g rises, at least where it falls. With
:math:`\hat f = -\hat F'`, this is :math:`\int \hat f e^{-b}(h_B - \lambda)\,dt = \int e^{-b} L\,dt`,
:math:`L = \hat f' - \lambda \hat f`.

(4) *B is replaced*. For t < 0 let v = 1/r, else v = r: there :math:`\hat f dt = \alpha e^{-\alpha v} dv`, and
:math:`\hat f'/\hat f` is :math:`\Lambda(v) = 1 + (2(c-1) - \alpha)v - \alpha(c-1)v^2`, concave and 1 at v =
0, then :math:`1 - \alpha(c - 1 + v)`, which falls and begins lower. So L changes its sign once, from + to −.
If that is at 0, :math:`e^{-b}` is at most, then at least :math:`e^{-\beta v}`, and with σ = α + β, p = α/σ

.. math:: \int e^{-b} L\,dt \le p(1 - p)\big(1 + (c - 1)K\big) - \lambda p =: V_0, \qquad
          K = \frac{2}{\sigma}\big(1 - (1 + \sigma)e^{-\sigma}\big) < 0.5969,

as dv/dt is :math:`v + (c - 1)v^2`, then v + c − 1. That is at most :math:`(\kappa - \lambda)^2/4\kappa < V`,
κ = 1 + 0.5969(c − 1) < 1.2815. For αc < 1 − λ it is later, at :math:`\alpha(c - 1 + v) = 1 - \lambda`; up to
there :math:`e^{-b} \le e^{-\beta}`, which adds at most
:math:`\int (e^{-\beta} - e^{-\beta v}) \alpha e^{-\alpha v} (1 - \lambda - \alpha(c - 1 + v))\,dv` from 1 on.
For αc > 2c − 1 − λ it is sooner, where Λ = λ; from there to v = 1 :math:`e^{-b} \ge e^{-\beta}`, which adds
at most :math:`\int (e^{-\beta v} - e^{-\beta}) \alpha e^{-\alpha v} (\lambda - \Lambda)_+\,dv`, up to 1. With
these V_0 is below V for all β that are left, α < (1 − λ)/c and (2c − 1 − λ)/c < α ≤ 8: that is proved in
balls (``tests/unit/reference/laws/test_blunted_laplace.py``). For α ≥ 8, as :math:`e^{-b}` is at most 1
before the change, and at least :math:`e^{-\beta}` from there to 0, :math:`\int e^{-b} L\,dt` is at most
:math:`M - e^{-\beta}(M + \lambda - (\alpha c + \lambda)e^{-\alpha})`, M that of L where it is positive,
:math:`M \le e^{\lambda - 1} - \lambda + 4e^{-2}(c - 1)/\alpha`: at most 0.301, 0.202, 0.087, 0.010.

*The noise*: the lines meet at y = 0.4512, 0.3536, 0.2564 and 0.2208. ∎

**It is not attained.** From below: whether one of some candidates wins
(:mod:`pldverify.mechanisms.winning`). For small c one step has 7/8 of δ(0), and in many steps the ends
of ε are about a factor of 1.27 apart: the variance of the composed losses is :math:`c^2 \int \psi'^2 = 0.55
c^2`, and of two candidates against two, which no other choice of up to six was found to exceed, it is
:math:`(49/144) c^2`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.selection import Noise, Selection, truth
from pldverify.numbers.exact import Number, positive, real

_NOISE = Noise(
    Fraction(19, 125), tuple((Fraction(k, 4), Fraction(x, 500)) for k, x in ((1, 158), (2, 179), (3, 76)))
)
"""Whose κ is above 0.3205, and whose other lines are above λy + V, each by less than 1/500."""


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
