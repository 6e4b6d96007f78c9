r"""AboveThreshold, the sparse vector technique: queries in turn until one is above a noisy threshold.

The threshold gets noise ρ ~ Lap(b), once, and each answer noise ν_i ~ Lap(b_q), b_q = ``query_b``. The output
is the index of the first answer with :math:`q_i + \nu_i \ge T + \rho`, or that there was none; never an
answer. Queries may be chosen as the outputs come, and be infinitely many. Each moves by at most Δ =
``sensitivity`` where a record is added or removed, by 2Δ where one is replaced. Of Dwork and Roth 2014,
Algorithm 1, b = 2Δ/ε and b_q = 4Δ/ε.

**Pair.** That of blunted Laplace noise moved by c = Δ/b + 2Δ/b_q, twice that where a record is replaced.
Monotone queries, which a record moves all in one direction: c = Δ/b + Δ/b_q; where one is replaced c = Δ/b +
2Δ/b_q, as they move both ways, by at most Δ.

**It dominates** (:mod:`pldverify.mechanisms.selection`), with :math:`\psi(y) = \min_k(my, ky + V2^{-k})/m`, k
= 0, 1, 2, 3, and 1 − y in the place of y, where m = 2 + b_q/b and V = 2/3, for monotone queries of a record
that is there or not m = 1 + b_q/b and V = 1/2. Before the end all outputs were "below", so with the coins of
who asks fixed the queries are one sequence; a set of ends of an infinite one is the limit of finite ones.

*First line*: let the queries move by at most h. The end at n has probability

.. math:: \int f_\rho(z) \prod_{i < n} \Pr[\nu_i < T + z - q_i]\; \Pr[\nu_n \ge T + z - q_n]\, dz.

Put z + h for z in the other data set: f_ρ falls by at most :math:`e^{-h/b}`, no factor of the product falls,
and the last threshold rises by at most 2h, so the last factor falls by at most :math:`e^{-2h/b_q}`. Without
an end there is no last factor. If all move one way: where they rise, z + h again, and the last threshold
rises by at most h; where they fall, z as it is: no factor of the product falls, and the last threshold rises
by at most h. Sum over n (Dwork, Roth 2014, Theorem 3.23; Lyu, Su, Li 2017, Theorems 2 and 3).

*Others*: they hold for each z alone, and for its mean, as ψ is concave. Let b_q be 1 and the queries move at
the rates r, \|r\| ≤ 1, for a time Δ/b_q = c/m. A query that is above with probability p changes it at the
rate rf, f = min(p, 1 − p) = min(p, q). Let y be the probability of S from a query on, and y' from the next
one on, D and D' the moduli of their rates of change. For a query whose end is in S

.. math:: 1 - y = q(1 - y'), \qquad D \le qD' + f(1 - y'),

and for any other one y = qy', D ≤ qD' + fy'. At the end D = 0, y = 0 or 1. So D ≤ Ψ(y) for every concave Ψ ≥
0 on [0, 1] with Ψ(y) = Ψ(1 − y) and :math:`\Psi(y/2) \ge (\Psi(y) + y)/2`: for q ≥ 1/2, Ψ(qy) ≥ qΨ(y) + (1 −
q)y holds at 1/2 and 1 and the left side is concave in q; for q ≤ 1/2 it is at least 2qΨ(y/2) ≥ q(Ψ(y) + y).
:math:`\min_{k \ge 0}(ky + V 2^{-k})`, with V = 2/3 and both y and 1 − y, is one: at y/2 those in y are less,
and the lines k ≥ 1 are half the sum of y and the lines k − 1 at y; the line 0 has :math:`(V + y)/2 \le V` up
to y = V, and beyond :math:`(1 - y + V/2 + y)/2 = V`.

Monotone queries: where they rise, only one whose end is in S adds to the rate of y itself, D. With t = 1 − y
it has t = qt' and D ≤ qD' + ft', and any other one t = p + qt' and D ≤ qD'. So D ≤ Φ(t) for every concave Φ ≥
0 with :math:`\Phi(t/2) \ge (\Phi(t) + t)/2`, as :math:`\Phi(p + qt') \ge q\Phi(t')`. :math:`\min_{k \ge 0}(1
- t, kt + 2^{-k-1})` is one: again the lines k ≥ 1 are half the sum of t and the lines k − 1, and 1/2 is that
of t and 1 − t. Where they fall, Φ(y) takes its place. Both are at most every :math:`ky + 2^{-k-1}`, and so
with 1 − y: Φ(y) by what it is, Φ(1 − y) as it is at most 1/2 and at most y.

*The noise*: the lines k − 1 and k meet at :math:`y = V2^{-k}`, the last one, K, meets my at
:math:`V2^{-K}/(m - K)`, K + 1 ≤ m ≤ K + 2 or K = 3. So w = m(1 − V)/2V, σ = k/m, and with log x ≥ 2(x − 1)/(x
+ 1)

.. math:: \ell_k = \frac{2m}{3k + 4} \le \frac mk \log\frac{2(k + 1)}{k + 2}, \qquad
          \ell_K = \frac{2m(m - K - 1)}{(K + 2)m - K(K + 1)} \le \frac mK \log\frac{(K + 1)(m - K)}{m}.

For m ≤ 2, of monotone queries alone, there is only κ = V/m: w = m − 1.

*Ordered* in b and b_q: at a rate of Δ the lines are y(1/b + 2/b_q), or y(1/b + 1/b_q), and :math:`(ky +
mv_k)/b_q`. With x = (K + 1)(m − K)/m, :math:`v_K/\kappa = (1 - K/m)e^{-2(x-1)/(x+1)}` rises with m at the
rate :math:`R = (x'/x)((x-1)/(x+1))^2` of itself, all :math:`v_k/\kappa` at R at most, and so :math:`mv_k` at
2R at most, as :math:`1/2m\kappa = (1 - V)/2V + 1 - v_1/\kappa`, which is more than :math:`v_1/\kappa`. b_q
rises at 1/(m − 2) or 1/(m − 1), which is more: x'/x = K/m(m − K), so R ≤ 1/15 up to m = 4, and beyond, with K
= 3 and (x − 1)/(x + 1) = 3(m − 4)/(5m − 12), 2R ≤ 1/4(m − 1). ∎

What neighbours really have is ordered, too: for b' > b, Lap(b') is Lap(b) and independent noise, which is 0
with probability :math:`(b/b')^2`, else Lap(b'), by their characteristic functions. Given that noise it is the
mechanism of b, with the threshold or an answer shifted alike for both.

**Divergence.** In many steps less is lost by Rényi divergences. Let queries rise by at most u and fall by at
most d, in units of b_q, θ be in [0, 1] and λ = α − 1 > 0. With neighbours that move both ways by at most h,
u = (1 − θ)h/b_q and d = (1 + θ)h/b_q; where all rise d = θh/b_q, where all fall it is u that is θh/b_q, and
d = (1 − θ)h/b_q.

.. math:: \log M(\lambda) \le \log\Big( \frac{\alpha}{2\lambda + 1} e^{\lambda\theta h/b} +
          \frac{\lambda}{2\lambda + 1} e^{-\alpha\theta h/b} \Big) + \log R,

if R ≥ 1 and :math:`g = h_1^\alpha h_1'^{-\lambda} + R\,(1 - h_1)^\alpha (1 - h_1')^{-\lambda} \le R` at the
corners :math:`(h_1, h_1')` that follow.

Proof. As for Gaussian noise (:mod:`pldverify.mechanisms.gaussian_above_threshold`) put z + θh for z in the
other data set. By Hölder's inequality M is at most that of the threshold's noise moved by θh, which is the
first term, times the largest sum over the ends for one z, :math:`\sum_n (S_n h_n)^\alpha (S_n'
h_n')^{-\lambda}`, where a query is above with the probability h = F(x) against h' = F(x'), and x' is in
[x − d, x + u].
If that sum from the second query on is at most R, in units of what was passed, then with the first one it is
at most g. No query left: 1 ≤ R. Infinitely many are a limit. So it remains that g ≤ R for all (h, h').

:math:`a^\alpha b^{-\lambda}` is convex in (a, b) and of degree 1, so for a mixture of points g is at most the
mixture of its values: of R at (0, 0), as on a ray towards it, of 1 at (1, 1), and elsewhere. All (h, h') with
h' ≤ h lie on or above the curve of x' = x − d. That is :math:`h' = e^{-d}h` up to x = 0, :math:`1 - h =
e^{-d}(1 - h')` from x = d on, and between :math:`h'(1 - h) = e^{-d}/4`, which is convex and meets both lines
as their tangent. Its tangents at x = id/n, 0 ≤ i ≤ n, meet next ones in n corners: with :math:`q = e^{-d/n}`,
:math:`1 - h = q^{i+1}/(1 + q)` and :math:`h' = q^{n-i}/(1 + q)`, 0 ≤ i < n. The curve lies above the polygon
of (0, 0), these, and (1, 1), so all (h, h') between it and the diagonal are mixtures of these. Where h' ≥ h
the same is so with u for d and h and h' exchanged. ∎

**From below.** c is the least ε(0), as the ratio comes near e^c where many queries that fall were below, and
one that rises is above, of a high threshold; at a probability that tends to 0. What some neighbours have at
moderate probabilities are integrals (:mod:`pldverify.mechanisms.halting`). Several
answers: a composition, with new noise on the threshold each time.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.selection import Noise, Selection, truth
from pldverify.numbers.exact import Number, positive, real

_MOST = 3
"""Cap on the lines; any is right, and more cost time."""


@dataclass(frozen=True)
class AboveThreshold(Selection, expression="above_threshold", rises=("sensitivity",), falls=("b", "query_b")):
    """The first query above a threshold, with Laplace noise of scale ``b`` on the threshold and of scale
    ``query_b`` on each answer.

    ``sensitivity`` is how far one record's presence moves an answer; ``monotone``: every
    record moves all answers in one direction, the same one for all records, as counts do. Raises InvalidInput
    unless b, query_b and sensitivity are > 0.

    1-DP, and with less δ than that implies:

    >>> asked = pv.AboveThreshold(b=2, query_b=4)
    >>> float(pv.epsilon(asked, delta=0))
    1.0
    >>> float(pv.delta(asked, epsilon=0).upper), float(pv.delta(pv.PureDP(epsilon=1), epsilon=0))
    (0.16703..., 0.46211715726000...)
    """

    b: Fraction
    query_b: Fraction
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    tight_steps = 0  # the pair bounds, and is attained by no steps

    def __init__(self, b: Number, query_b: Number, sensitivity: Number = 1, monotone: bool = False) -> None:
        vars(self).update(
            b=positive(b, "b", real),
            query_b=positive(query_b, "query_b", real),
            sensitivity=positive(sensitivity, "sensitivity", real),
            monotone=truth(monotone, "monotone"),
        )

    def parts(self, moves: int) -> tuple[Fraction, Fraction, bool]:
        """h/b and h/b_q, and whether all queries move one way, where neighbours differ in ``moves`` presences
        of a record.

        >>> print(*pv.AboveThreshold(b=1, query_b=2).parts(2))
        2 1 False
        """
        moved = self.sensitivity * (1 if self.monotone else moves)
        return moved / self.b, moved / self.query_b, self.monotone and moves == 1

    def loss(self, moves: int) -> Fraction:
        threshold, answer, one_way = self.parts(moves)
        return threshold + (1 if one_way else 2) * answer

    def noise(self, moves: int) -> Noise:
        both_ways = moves == 2 or not self.monotone
        m = (2 if both_ways else 1) + self.query_b / self.b
        if m <= 2:
            return Noise(flat=m - 1)
        last = min(math.ceil(m) - 2, _MOST)
        bends = [(k / m, 2 * m / (3 * k + 4)) for k in range(1, last)]
        bends.append((last / m, 2 * m * (m - last - 1) / ((last + 2) * m - last * (last + 1))))
        return Noise(m / 4 if both_ways else m / 2, tuple(bends))
