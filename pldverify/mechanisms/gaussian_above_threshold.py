r"""AboveThreshold with Gaussian noise, for at most k queries: an upper bound by Rényi divergences, no pair.

As :mod:`pldverify.mechanisms.above_threshold`, with N(0, σ²) on the threshold and N(0, σ_q²) on each answer;
after k = ``queries`` answers below it ends. Each query moves by at most Δ = ``sensitivity`` where a record is
added or removed, by 2Δ where one is replaced.

**Divergence.** Let queries rise by at most u and fall by at most d, in units of σ_q, θ be in [0, 1] and λ = α
− 1 > 0. With neighbours that move both ways by at most h, u = (1 − θ)h/σ_q and d = (1 + θ)h/σ_q,

.. math:: \log M(\lambda) \le \lambda(\lambda + 1)\frac{\theta^2 h^2}{2\sigma^2} + \log R_k, \qquad
          R_0 = 1, \quad R_{j+1} = \max\big(G_u(R_j),\, R_j\,G_d(1/R_j)\big),

.. math:: G_a(R) = \sup_x \big(h^\alpha h'^{-\lambda} + R\,(1 - h)^\alpha (1 - h')^{-\lambda}\big),
          \quad h = \Phi(x), \quad h' = \Phi(x + a).

Proof. Until the end all outputs are "below", so with the coins of who asks fixed the queries are one
sequence. The end at n has probability :math:`P(n) = \int f(z) S_n(z) h_n(z)\,dz`, with :math:`S_n =
\prod_{i < n} (1 - h_i)` and :math:`h_i = \Pr[\nu_i \ge T + z - q_i]`; no end :math:`\int f S_{k+1}`. In the
other data set put z + θh for z: f', S' and h'. By Hölder's inequality :math:`(\int a)^\alpha (\int
b)^{1-\alpha} \le \int a^\alpha b^{1-\alpha}`, so

.. math:: \sum_n P(n)^\alpha Q(n)^{1-\alpha} \le \int f^\alpha f'^{1-\alpha} \Big( \sum_{n \le k}
    (S_n h_n)^\alpha (S_n' h_n')^{1-\alpha} + S_{k+1}^\alpha S_{k+1}'^{1-\alpha} \Big) dz,

and the integral of :math:`f^\alpha f'^{1-\alpha}` is :math:`e^{\lambda(\lambda+1)\theta^2 h^2/2\sigma^2}`.
For each z let R be the bracket from the second query on, in units of what was passed. With the first one it
is :math:`h_1^\alpha h_1'^{-\lambda} + (1 - h_1)^\alpha (1 - h_1')^{-\lambda} R`, which is convex in h_1', so
largest where that is as high or as low as it may be: :math:`h_1 = \Phi(x)` against Φ(x + u) or Φ(x − d). The
latter is the former with −x for x and R and 1 exchanged. ∎

**All queries at once.** With θ = 1 nothing rises. Let L ~ N(d²/2, d²) be the loss of Gaussian noise that is
moved by d. h_n and h_n' are the probabilities of a half-line A for normal laws p and q that are at most d
apart, lowest for h_n' at d, and by Hölder's inequality, for any s ≥ 1,

.. math:: h^\alpha h'^{-\lambda} - s h \le \int_A p \big((p/q)^\lambda - s\big) \le E(e^{\lambda L} - s)_+.

As S_n' ≥ S_n, and :math:`S_n h_n = S_n - S_{n+1}`, the bracket is at most :math:`s + k\, E(e^{\lambda L} -
s)_+`. It takes no time, and serves where λ is so large that G is not looked at. With s = 1, and the
expectation at most that of :math:`e^{\lambda L}`, that is Zhu and Wang 2020, Theorem 8, which has log(k + 1).

**G is known at points.** Let :math:`A(x) + R B(x)` be what it is the supremum of, g = φ/Φ and H = φ/(1 − Φ)
at x, U = g(x + a)/g(x) and T = H(x + a)/H(x), X = α − λT, Y = α − λU. As g falls and H rises with slopes of
at most 1 in modulus, U ≤ 1 ≤ T, and U and T fall. With r = h/h' and t = (1 − h)/(1 − h')

.. math:: A' = r^\lambda \varphi Y > 0, \qquad B' = -t^\lambda \varphi X, \qquad
          m = -\frac{B'}{A'} = \Big(\frac tr\Big)^\lambda \frac XY.

Up to where X = 0 both rise. Beyond, m rises: with :math:`p = H(T - 1)` and :math:`q = g(1 - U)`, which are in
[0, a],

.. math:: \frac{m'}{m} = \lambda(p - q) + \lambda\frac{T(a - p)}{X} - \lambda\frac{U(a - q)}{Y}
          = \frac{\alpha}{XY}\big((a - p)\,Y(1 - X) + (a - q)\,X(Y - 1)\big) \ge 0.

So the supremum is at the x where m(x) = 1/R: :math:`G_a(1/m(x)) = A + B/m` and, as R G(1/R) is the supremum
of B + RA, it is B + mA at R = m. Both are convex in R; their slopes are at most sup B and sup A ≤ 1, and
divided by R they fall. B is largest where X = 0. The second derivative of log B is at least −α, so between
two points log B is at most the larger one of both ends and α/8 times the square of their distance.

**All answers.** Where it halts is told by the k noisy answers less the threshold's noise. These are normal,
of covariance :math:`\sigma_q^2 I + \sigma^2 1 1^T`, and a move d of the queries is ρ-zCDP, by Sherman and
Morrison's formula, with

.. math:: 2\rho = \frac{1}{\sigma_q^2} \Big( |d|^2 - \frac{\sigma^2 (\sum d)^2}{\sigma_q^2 + k\sigma^2}
    \Big).

ρ is convex in d, so largest at a corner of what d may be: :math:`(\pm\Delta)^k`, and then at the least
:math:`(\sum d)^2`, 0 or Δ². The pair of N(0, 1) against :math:`N(\sqrt{2\rho}, 1)` dominates, in every step,
and so the pairs of all steps do. The least of both divergences counts at each α, and of both upper ends.

**Monotone** queries move all one way where a record is added or removed: where they rise, u = (1 − θ)h/σ_q
and d = θh/σ_q, where they fall the same exchanged, and the larger bound counts. A corner d has m queries that
move by Δ: the bracket is :math:`\Delta^2(m - m^2\sigma^2/(\sigma_q^2 + k\sigma^2))`, largest next to
:math:`m = (\sigma_q^2 + k\sigma^2)/2\sigma^2`.
Where one is replaced they move by at most Δ, both ways: as others do that move by Δ.

**From below**: where it halts, for some neighbours (:mod:`pldverify.mechanisms.halting`).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.selection import truth
from pldverify.numbers.exact import Number, count, positive

_BITS = 160
"""Binary places to which a μ is rounded up; any is right."""


@dataclass(frozen=True)
class GaussianAboveThreshold(Mechanism, expression="gaussian_above_threshold"):
    """The first of at most ``queries`` queries above a threshold, with Gaussian noise of ``sigma`` on the
    threshold and of ``query_sigma`` on each answer.

    ``sensitivity`` is how far one record's presence moves an answer; ``monotone``: every
    record moves all answers in one direction, the same one for all records, as counts do. Raises InvalidInput
    unless sigma, query_sigma and sensitivity are > 0 and rational, and queries an integer from 1 to 10**12.

    >>> asked = pv.GaussianAboveThreshold(sigma=10, query_sigma=20, queries=1000)
    >>> float(pv.bracket(asked, delta="1e-6").upper)
    0.66...
    """

    sigma: Fraction
    query_sigma: Fraction
    queries: int
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    tight_steps = 0  # there is no pair to attain

    def __init__(
        self,
        sigma: Number,
        query_sigma: Number,
        queries: Number,
        sensitivity: Number = 1,
        monotone: bool = False,
    ) -> None:
        vars(self).update(
            sigma=positive(sigma, "sigma"),
            query_sigma=positive(query_sigma, "query_sigma"),
            queries=count(queries, "queries"),
            sensitivity=positive(sensitivity, "sensitivity"),
            monotone=truth(monotone, "monotone"),
        )

    def parts(self, moves: int) -> tuple[Fraction, Fraction, bool]:
        """h/σ and h/σ_q, and whether all queries move one way, where neighbours differ in ``moves`` presences
        of a record.

        >>> print(*pv.GaussianAboveThreshold(sigma=1, query_sigma=2, queries=10).parts(2))
        2 1 False
        """
        moved = self.sensitivity * (1 if self.monotone else moves)
        return moved / self.sigma, moved / self.query_sigma, self.monotone and moves == 1

    def plain_rho(self, moves: int) -> Fraction:
        """ρ where all noisy answers are seen, less the threshold's noise.

        >>> print(pv.GaussianAboveThreshold(sigma=1, query_sigma=2, queries=1).plain_rho(1))
        1/10
        """
        moved = self.sensitivity * (1 if self.monotone else moves)
        k, less = self.queries, self.sigma**2 / (self.query_sigma**2 + self.queries * self.sigma**2)
        square = k - k % 2 * less
        if self.monotone and moves == 1:
            most = min(k, math.floor(1 / (2 * less)))
            square = max(m - m**2 * less for m in (most, min(k, most + 1)))
        return square * (moved / self.query_sigma) ** 2 / 2


def _answers(asked: GaussianAboveThreshold, moves: int) -> GDP:
    """What is seen then; μ rounded up."""
    return GDP(Fraction(math.isqrt(math.floor(2 * asked.plain_rho(moves) * 4**_BITS)) + 1, 2**_BITS))


def all_answers(whole: Composition, moves: int) -> Composition:
    """What dominates: all noisy answers of sparse vectors, less the threshold's noise.

    >>> from pldverify.mechanisms.gaussian_above_threshold import all_answers
    >>> answers = all_answers(3 * pv.GaussianAboveThreshold(sigma=4, query_sigma=3, queries=1), 1)
    >>> [(str(mechanism)[:10], times) for mechanism, times in answers.parts]
    [('gdp(mu=0.2', 3)]
    """
    rows = ((_answers(m, moves) if isinstance(m, GaussianAboveThreshold) else m, k) for m, k in whole.parts)
    return Composition.of(*rows)
