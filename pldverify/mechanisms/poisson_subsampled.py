r"""Poisson subsampling: every record takes part independently with the sampling probability q.

**Add or remove.** Pair in direction ``remove``: :math:`(1-q) Q + q P` against :math:`Q`; in direction
``add`` the reverse. Dominance under add/remove, each direction composed with itself: Zhu, Dong, Wang 2022
(arXiv 2106.08567), Theorem 11; that the two directions differ and neither bounds the other in general:
Lebeda, Regehr, Kamath, Steinke 2024.

A promise as the base, ε- or (ε, δ)-DP, is one about every data set that a sample can be; its pair dominates
there, and the theorem is the same. At log(1 + q(e^ε − 1)) the sampled pair has δ(·) = qδ in direction
``remove`` (Balle, Barthe, Gaboardi 2018, Theorem 8).

**Replace one** (Gaussian base only). Pair :math:`(1-q) N(0) + q N(C)` against :math:`(1-q) N(0) + q N(-C)`
(KJH19 section 5.3; C is the sensitivity). Proof: given the sample of the other records, the outputs are
:math:`(1-q) N(0) + q N(x)` and :math:`(1-q) N(0) + q N(x')` up to a shift, with x, x' in the ball of radius
C of any dimension, and joint convexity leaves :math:`F = \sup_S q N_x(S) - \alpha q N_{x'}(S) - (1-q)(\alpha
- 1) N_0(S)` for α ≥ 1 (α < 1 is the reversed pair at 1/α, and x, x' change roles). The best set is :math:`S
= \{t : A e^{\langle x'-x, t\rangle} + B e^{-\langle x, t\rangle} < 1\}` with A, B ≥ 0. A direction v with
:math:`\langle x'-x, v\rangle \le 0 \le \langle x, v\rangle` maps S into itself, so N(μ)(S) grows as μ moves
along v: F does not fall when x moves along v, or x' against it. (1) For x' ≠ 0 take :math:`v = x - x'\langle
x, x'\rangle/|x'|^2`: then :math:`\langle x'-x, v\rangle = -\langle x, v\rangle = -(|x|^2 - \langle x,
x'\rangle^2/|x'|^2) \le 0`, so F, which is Lipschitz, has no negative derivative while x' rotates away from
x, until x' points against x. (2) Then v = x and v = −x' are allowed: both move outwards, to C and −C. The
tests also attack this pair by brute force.

**Dominance is kept by sampling.** If (P, Q) dominates (P', Q'), a kernel makes P' of P and Q' of Q
(Blackwell), and so :math:`(1-q) Q' + q P'` of :math:`(1-q) Q + q P`, and Q' of Q. So the sample of what is
μ-GDP has the pair of the sampled Gaussian with σ = 1/μ, which is such a mechanism. Several mechanisms on one
sample: :mod:`pldverify.mechanisms.one_sample`.

**ρ-zCDP** has no pair, sampled or not: Rényi divergences bound it from above
(:mod:`pldverify.reference.laws.sampled_zcdp`), the sampled Gaussian with σ² = 1/2ρ from below.

**Ordered** in q: for q' < q keep the outcome with probability q'/q, else draw one from N, the common part of
both laws (Q, or N(0) under replace-one). That leaves N what it is, and turns :math:`(1-q) N + q P` into
:math:`(1-q') N + q' P`. Ordered in the base's parameters, as what post-processes P and Q post-processes the
mixtures.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.binomial import Binomial
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.one_sample import OneSample, on_one_sample
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import ONE_RECORD_LESS, RELATIONS, Relation
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import Number, brief, probability, real

Base = (
    Gaussian
    | Laplace
    | RandomizedResponse
    | DiscreteGaussian
    | DiscreteLaplace
    | Binomial
    | FinitePair
    | DensityPair
    | PureDP
    | ApproximateDP
    | GDP
    | ZCDP
    | OneSample
)
NAMES = ", ".join(kind.__name__ for kind in Base.__args__ if kind is not OneSample)


@dataclass(frozen=True)
class PoissonSubsampled(Mechanism, expression="poisson", rises=("q",)):
    """``base`` run on a Poisson sample with sampling probability ``q``.

    ``q=0.01`` is the double next to 1/100, ``q="0.01"`` is 1/100, and δ differs in the 17th digit or before.

    Raises InvalidInput unless 0 < q ≤ 1 and ``base`` is one of the mechanisms of ``Base``, or, with q < 1, a
    composition on one sample: of Gaussians and promises of GDP and zCDP; of Gaussians, promises of GDP and
    one Laplace mechanism; or of mechanisms with finitely many outcomes.

    Pure ε becomes log(1 + q(e^ε − 1)): here log(1 + (3 − 1)/2) = log 2.

    >>> sampled = pv.PoissonSubsampled(pv.RandomizedResponse(p="0.75"), q="0.5")
    >>> float(pv.epsilon(sampled, delta=0))
    0.69314718055994...

    Four Gaussian steps on one sample are one of half the noise:

    >>> print(pv.PoissonSubsampled(4 * pv.Gaussian(sigma=2), q="0.5"))
    poisson(gaussian(sigma=1), q=0.5)
    """

    base: Base
    q: Fraction

    def __init__(self, base: Base | Composition, q: Number) -> None:
        one = on_one_sample(base) if isinstance(base, Composition) else base
        if not isinstance(one, Base):
            raise InvalidInput(f"base must be a Gaussian mechanism or another of {NAMES}, got {brief(base)}")
        vars(self).update(base=one, q=probability(q, "q", real, zero=False))
        if isinstance(one, OneSample | ZCDP) and self.q == 1:
            raise InvalidInput(f"q must be < 1 for a composition on one sample, got q=1 for {one}")

    @property
    def relations(self) -> tuple[Relation, ...]:
        return RELATIONS if isinstance(self.base, Gaussian) else ONE_RECORD_LESS

    @property
    def tight_steps(self) -> int | None:
        """Those of the base: what only bounds it bounds the sampled one."""
        return self.base.tight_steps

    @property
    def tight_rates(self) -> bool:
        """As of the base: (1 − q) α + q TPR(α) is attained where TPR(α) is."""
        return self.base.tight_rates


def noise_and_q(mechanism: Mechanism) -> tuple[Fraction, Fraction] | None:
    """(σ per unit of sensitivity, q) of a Gaussian, q = 1, or a Poisson-subsampled one; None for others."""
    if isinstance(mechanism, Gaussian):
        return mechanism.noise_multiplier, Fraction(1)
    if isinstance(mechanism, PoissonSubsampled) and isinstance(mechanism.base, Gaussian):
        return mechanism.base.noise_multiplier, mechanism.q
    return None
