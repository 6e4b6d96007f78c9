r"""AboveThreshold with Gaussian noise, for at most k queries: an upper bound by Rényi divergences, no pair.

As :mod:`pldverify.mechanisms.above_threshold`, with N(0, σ²) on the threshold and N(0, σ_q²) on each answer;
after k = ``queries`` answers below it ends. Each query moves by at most Δ = ``sensitivity`` where a record is
added or removed, by 2Δ where one is replaced.

**Divergence.** With a = 2Δ/σ_q, L ~ N(a²/2, a²) the loss of Gaussian noise that is moved by a, and any s ≥ 1,
for all λ = α − 1 > 0

.. math:: \log M(\lambda) \le \lambda(\lambda + 1)\frac{\Delta^2}{2\sigma^2}
    + \log\big(s + k\, E(e^{\lambda L} - s)_+\big).

Proof. Until the end all outputs are "below", so with the coins of who asks fixed the queries are one
sequence. The end at n has probability :math:`P(n) = \int f(z) S_n(z) h_n(z)\,dz`, with :math:`S_n =
\prod_{i < n} \Pr[\nu_i < T + z - q_i]` and :math:`h_n = \Pr[\nu_n \ge T + z - q_n]`; no end :math:`\int f
S_{k+1}`. In the other data set put z + Δ for z: f', S' and h'. As q' ≤ q + Δ, S' ≥ S; the last threshold is
higher by 0 to 2Δ.
By Hölder's inequality :math:`(\int a)^\alpha (\int b)^{1-\alpha} \le \int a^\alpha b^{1-\alpha}`, so

.. math:: \sum_n P(n)^\alpha Q(n)^{1-\alpha} \le \int f^\alpha f'^{1-\alpha} \Big( \sum_{n \le k} S_n\,
    h_n^\alpha h_n'^{1-\alpha} + S_{k+1} \Big) dz.

h and h' are the probabilities of a half-line A for normal laws p and q that are at most a apart. They are
lowest for h' at a, and by Hölder's inequality again

.. math:: h^\alpha h'^{1-\alpha} - s h \le \int_A p \big((p/q)^\lambda - s\big) \le E(e^{\lambda L} - s)_+.

So the sum is at most :math:`s \sum_{n \le k} S_n h_n + S_{k+1} + k E(e^{\lambda L} - s)_+`, of which the
first two are at most s, as :math:`S_n h_n = S_n - S_{n+1}`, and the integral of :math:`f^\alpha
f'^{1-\alpha}` is :math:`e^{\alpha(\alpha-1)\Delta^2/2\sigma^2}`. ∎ With s = 1, and the expectation at most
that of :math:`e^{\lambda L}`, that is Zhu and Wang 2020, Theorem 8, which has log(k + 1). The best s has
Pr[λL > log s] = 1/k: for small λ what counts is :math:`\lambda a \sqrt{2 \log k}`, which is less than log k.

**All answers.** Where it halts is told by the k noisy answers less the threshold's noise. These are normal,
of covariance :math:`\sigma_q^2 I + \sigma^2 1 1^T`, and a move d of the queries is ρ-zCDP, by Sherman and
Morrison's formula, with

.. math:: 2\rho = \frac{1}{\sigma_q^2} \Big( |d|^2 - \frac{\sigma^2 (\sum d)^2}{\sigma_q^2 + k\sigma^2}
    \Big).

That is convex in d, so largest at a corner of what d may be: :math:`(\pm\Delta)^k`, and then at the least
:math:`(\sum d)^2`, 0 or Δ². The least of both bounds counts at each α.

**Monotone** queries move all one way where a record is added or removed: where they rise, the last threshold
rises by at most Δ; where they fall, take z as it is, and it rises by at most Δ. So Δ takes the place of 2Δ.
A corner d has m queries that move by Δ: the bracket is :math:`\Delta^2(m - m^2\sigma^2/(\sigma_q^2 +
k\sigma^2))`, largest next to :math:`m = (\sigma_q^2 + k\sigma^2)/2\sigma^2`.
Where one is replaced they move by at most Δ, both ways: as others do that move by Δ.

**From below**: where it halts, for some neighbours (:mod:`pldverify.mechanisms.halting`).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.selection import truth
from pldverify.numbers.exact import Number, count, positive


@dataclass(frozen=True)
class GaussianAboveThreshold(Mechanism, expression="gaussian_above_threshold"):
    """The first of at most ``queries`` queries above a threshold, with Gaussian noise of ``sigma`` on the
    threshold and of ``query_sigma`` on each answer.

    ``sensitivity`` is how far one record's presence moves an answer; ``monotone``: every
    record moves all answers in one direction, the same one for all records, as counts do. Raises InvalidInput
    unless sigma, query_sigma and sensitivity are > 0 and rational, and queries an integer from 1 to 10**12.

    >>> asked = pv.GaussianAboveThreshold(sigma=10, query_sigma=20, queries=1000)
    >>> float(pv.bracket(asked, delta="1e-6").upper)
    0.80...
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

    def parts(self, moves: int) -> tuple[Fraction, Fraction]:
        """Δ²/2σ² and a of the bound for many queries, where neighbours differ in ``moves`` presences of a
        record.

        >>> print(*pv.GaussianAboveThreshold(sigma=1, query_sigma=2, queries=10).parts(1))
        1/2 1
        """
        moved = self.sensitivity * (1 if self.monotone else moves)
        last = self.sensitivity * moves if self.monotone else 2 * moved
        return (moved / self.sigma) ** 2 / 2, last / self.query_sigma

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
