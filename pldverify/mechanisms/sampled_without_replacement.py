r"""Fixed-size sampling without replacement, under replace-one.

A batch of m out of n records is drawn, q = m/n; the mechanism adds Gaussian noise to the sum of the batch's
contributions, each of norm at most C. The data sets differ in one record, x or x'. Other bases: below.

**Pair.** With :math:`M = (1-q) N(0, \sigma^2) + q N(2C, \sigma^2)` and :math:`N = N(0, \sigma^2)`, the
privacy profile :math:`H_\alpha = \int (p - \alpha q)_+` of every two neighbours is at most :math:`g(\alpha)
= H_\alpha(M\|N)` for α ≥ 1 and :math:`H_\alpha(N\|M)` for α ≤ 1; the pair is the one with profile g.

**Proof.** Replace the sampled x by a record y outside the batch: given the other m − 1 records of the batch
and y, the outputs are :math:`(1-q) N(a+y) + q N(a+x)` and :math:`(1-q) N(a+y) + q N(a+x')`, so by joint
convexity it is enough to bound this pair. For α ≥ 1 and β = 1 + (α − 1)/q, H_α of it is q times
:math:`\int (n_x - \alpha n_{x'} - (\beta - \alpha) n_y)_+ \le \tfrac{\alpha}{\beta} H_\beta(N(x)\|N(x')) +
(1 - \tfrac{\alpha}{\beta}) H_\beta(N(x)\|N(y)) \le H_\beta(N(2C)\|N(0))` (Balle, Barthe, Gaboardi 2018,
Theorems 2 and 9), and :math:`q H_\beta(N(2C)\|N) = H_\alpha(M\|N)`. For α < 1 use :math:`H_\alpha(P\|Q) = 1
- \alpha + \alpha H_{1/\alpha}(Q\|P)`. Zhu, Dong, Wang 2022, Theorem 11 (2).

**Other bases.** The proof uses one thing of the three outputs on the batches with x, x' and y: they differ in
one record, so H_β of any two, β ≥ 1, is at most that of the base's symmetric pair (P, Q) under replace-one,
in the place of N(2C), N(0). So M = (1 − q)Q + qP and N = Q for Laplace noise, and for what is promised to be
ε- or (ε, δ)-DP. That g is convex at α = 1, where its slopes are −N(M > N) on the right and g(1) − 1 + N(M >
N) on the left, needs :math:`2 Q(P > Q) \le 1 - q(P(P > Q) - Q(P > Q))`; symmetry gives P(P > Q) + Q(P > Q)
≤ 1, which is that for q = 1. Both parts are attained, by a base that sees whether the batch has the record.
What is promised to be ρ-zCDP has no pair, but two ends (:mod:`pldverify.reference.laws.sampled_zcdp`).

Both parts are attained, with all other records at −C, x = C and x' = −C, and the other way round. As a
changed record may stand on either side from step to step, a composition of M‖N alone, or of N‖M alone, is
beaten by an adaptive choice (tests/oracle/test_dominance.py); the composition of the pair above is not. It is
exact for one step, and for q = 1, the Gaussian pair, for any number. So is the trade-off function T of one
step. 1 − T(a) is the least δ(ε) + e^ε a, a convex function of e^ε; where it is least at an ε ≠ 0, it is so of
M‖N alone, or of N‖M alone. At ε = 0 a is between B and (1 − q) A + qB, for A and B the probabilities of
"greater than C" under N(2C) and N(0). All other records at c, −C ≤ c ≤ C, give (1 − q) N(c) + q N(C) against
(1 − q) N(c) + q N(−C), up to a shift: "greater than 0" has the advantage δ(0) = q(A − B) there, and for one c
the false positive rate a. (Of a base that is promised: with λP + (1 − λ)Q in the place of N(c).) Symmetric.
The pair N(±1) of KJH20s B.3 is beaten at one step: see ``KJH19Substitute``.

Ordered in q and in the base's parameters: M and N are, as those of Poisson sampling, so g rises with them for
every α, and the pair with the greater profile has the other one as a post-processing (Blackwell).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.fixed_batch import Base, FixedBatch, a_base
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import Number, probability, real


@dataclass(frozen=True)
class SampledWithoutReplacement(FixedBatch, expression="sampled_without_replacement", rises=("q",)):
    """``base`` run on a batch of a fixed size, the fraction ``q`` of the records.

    ``base.sensitivity`` is C, the bound on one record's contribution: a replaced record moves the sum by up
    to 2C. ``base`` is a Gaussian or Laplace mechanism, or a promise, PureDP, ApproximateDP or ZCDP, about any
    two batches that differ in one record. Raises InvalidInput for others, and unless 0 < q ≤ 1.

    Pure ε becomes log(1 + q(e^ε − 1)), as under Poisson sampling:

    >>> batches = pv.SampledWithoutReplacement(pv.PureDP(epsilon="ln(3)"), q="0.5")
    >>> float(pv.epsilon(batches, delta=0))
    0.69314718055994...

    With q = 1 it is Gaussian noise on a sum that moves by 2C; smaller batches only bound many steps:

    >>> whole = pv.SampledWithoutReplacement(pv.Gaussian(sigma=2), q=1)
    >>> pv.delta(whole, epsilon=1).overlaps(pv.delta(pv.Gaussian(sigma=1), epsilon=1))
    True
    >>> (100 * pv.SampledWithoutReplacement(pv.Gaussian(sigma=2), q="0.01")).standing
    'upper bound'
    """

    base: Base | ZCDP
    q: Fraction

    def __init__(self, base: Base | ZCDP, q: Number) -> None:
        promised = base if isinstance(base, ZCDP) else a_base(base)
        vars(self).update(base=promised, q=probability(q, "q", real, zero=False))
        if isinstance(base, ZCDP) and self.q == 1:
            raise InvalidInput(f"q must be < 1 for a promise of zCDP, got q=1 for {base}")

    @property
    def tight_steps(self) -> int | None:
        """One, of zCDP none: a composition is bounded, not attained. Any for q = 1: nothing is sampled."""
        if isinstance(self.base, ZCDP):
            return 0
        return 1 if self.q < 1 else None


def rests_on_zcdp(mechanism: Mechanism) -> bool:
    """Whether only zCDP is known of it, or of what runs on its sample."""
    if isinstance(mechanism, PoissonSubsampled | SampledWithoutReplacement):
        return isinstance(mechanism.base, ZCDP)
    return isinstance(mechanism, ZCDP)
