r"""AboveThreshold with Gaussian noise, for at most k queries: an upper bound by Rényi divergences, no pair.

As :mod:`pldverify.mechanisms.above_threshold`, with N(0, σ²) on the threshold and N(0, σ_q²) on each answer;
after k = ``queries`` answers below it ends. Each query moves by at most Δ = ``sensitivity`` where a record is
added or removed, by 2Δ where one is replaced. Source: Zhu and Wang 2020, Theorem 8; the proof here is whole.

**Divergence.** With :math:`\rho = \Delta^2/2\sigma^2 + (2\Delta)^2/2\sigma_q^2`, for all α > 1

.. math:: D_\alpha \le \alpha\rho + \frac{\log(k + 1)}{\alpha - 1}.

Proof. Until the end all outputs are "below", so with the coins of who asks fixed the queries are one
sequence. The end at n has probability :math:`P(n) = \int f(z) S_n(z) h_n(z)\,dz`, with :math:`S_n =
\prod_{i < n} \Pr[\nu_i < T + z - q_i]` and :math:`h_n = \Pr[\nu_n \ge T + z - q_n]`; no end :math:`\int f
S_{k+1}`. In the other data set put z + Δ for z: f', S' and h'. As q' ≤ q + Δ, S' ≥ S; the last threshold is
higher by 0 to 2Δ.
By Hölder's inequality :math:`(\int a)^\alpha (\int b)^{1-\alpha} \le \int a^\alpha b^{1-\alpha}`, so

.. math:: \sum_n P(n)^\alpha Q(n)^{1-\alpha} \le \int f^\alpha f'^{1-\alpha} \Big( \sum_{n \le k} S_n\,
    h_n^\alpha h_n'^{1-\alpha} + S_{k+1} \Big) dz.

An event of a Gaussian that moves by at most 2Δ has :math:`h^\alpha h'^{1-\alpha} \le e^{\alpha(\alpha-1)
(2\Delta)^2/2\sigma_q^2}`, by data processing, each S is at most 1, and the integral of :math:`f^\alpha
f'^{1-\alpha}` is :math:`e^{\alpha(\alpha-1)\Delta^2/2\sigma^2}`. ∎

**Few queries.** Whoever sees the threshold's noise and all noisy answers sees Gaussian noise on k queries:
:math:`k\Delta^2/2\sigma_q^2`-zCDP, which is less where k is small. The least counts at each α.

**Monotone** queries move all one way where a record is added or removed: where they rise, the last threshold
rises by at most Δ; where they fall, take z as it is, and it rises by at most Δ. So Δ takes the place of 2Δ.
Where one is replaced they move by at most Δ, both ways: as others do that move by Δ.

**From below**: where it halts, for some neighbours (:mod:`pldverify.mechanisms.halting`).
"""

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
    0.81...
    """

    sigma: Fraction
    query_sigma: Fraction
    queries: int
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

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

    @property
    def tight_steps(self) -> int | None:
        """None at all: there is no pair to attain."""
        return 0

    def rho(self, moves: int) -> Fraction:
        """ρ of the bound with log(k + 1), where neighbours differ in ``moves`` presences of a record.

        >>> print(pv.GaussianAboveThreshold(sigma=1, query_sigma=2, queries=10).rho(1))
        1
        """
        moved = self.sensitivity * (1 if self.monotone else moves)
        last = self.sensitivity * moves if self.monotone else 2 * moved
        return (moved / self.sigma) ** 2 / 2 + (last / self.query_sigma) ** 2 / 2

    def plain_rho(self, moves: int) -> Fraction:
        """ρ where all noisy answers are seen.

        >>> print(pv.GaussianAboveThreshold(sigma=1, query_sigma=2, queries=10).plain_rho(1))
        5/4
        """
        moved = self.sensitivity * (1 if self.monotone else moves)
        return self.queries * (moved / self.query_sigma) ** 2 / 2
