r"""Loss of Poisson batches with a largest size: the mixture of :mod:`pldverify.mechanisms.truncated_poisson`.

Its numbers, τ and :math:`\hat q`, are irrational as a rule: the parts get lower bounds of 1 − τ and τ, and an
upper bound of :math:`\hat q`, in which both pairs are ordered. What the parts lack has the pair of N(0) and
N(2C), as if it were known that the record is in the batch: it dominates both. So the law is of a pair that
dominates, 2^−200 above, and no loss is infinite.

**Tail.** :math:`\Pr[\mathrm{Bin}(n, q) \ge k] = I_q(k, n - k + 1)`, the regularised incomplete beta function.
"""

from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.mechanisms.relations import Direction
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.numbers.witness import Bound
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.known_mixture import KnownMixtureLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw

_BITS = 320
"""Working precision, in bits, of the binomial tails: what the parts lack is then below 2^−200 as a rule."""


def binomial_tail(n: int, q: Fraction, k: int) -> arb:
    """Pr[Bin(n, q) ≥ k] for k > 0."""
    return ball(q).beta_lower(k, n - k + 1, regularized=True) if k <= n else arb(0)


def _within(end: Bound, most: Fraction | int) -> Fraction:
    return Fraction(max(0, min(end, most)))


def truncated_poisson(mechanism: TruncatedPoisson, direction: Direction) -> Law:
    """Of a mechanism that may cut."""
    noise, q = mechanism.base.noise_multiplier, mechanism.q
    n, most = mechanism.dataset_size, mechanism.max_batch
    low, high, chance = Fraction(1), Fraction(1), Fraction(most, n)  # for q = 1
    if q < 1:
        with working(_BITS):
            many = binomial_tail(n - 1, q, most)
            low, high = _within(lower(many), 1), _within(upper(many), 1)
            chance = _within(upper(ball(chance) * binomial_tail(n, q, most + 1) / many), q)
    plain: Law
    if direction in ("remove", "add"):
        plain = GaussianMixtureLaw(noise, q, direction)
        cut: Law = GaussianMixtureLaw(noise / 2, chance, direction)
    else:
        drawn = ((0, 1 - q), (1, q))
        plain, cut = GaussianPairLaw(1 / noise, drawn, drawn), ShiftedGaussianLaw(2 / noise, chance)
    parts = ((1 - high, plain), (low, cut), (high - low, GaussianLaw(4 / noise**2)))
    return KnownMixtureLaw(tuple((share, law) for share, law in parts if share > 0))
