r"""Loss of Poisson batches with a largest size: the mixture of :mod:`pldverify.mechanisms.truncated_poisson`.

Its numbers, τ and :math:`\hat q`, are irrational as a rule: the parts get lower bounds of 1 − τ and τ, what
they lack counts as lost, and an upper bound of :math:`\hat q`, in which both pairs are ordered. So the law is
of a pair that dominates, 2^−200 above.

**Tail.** :math:`\Pr[\mathrm{Bin}(n, q) \ge k] = \sum_{i \ge k} t_i` with :math:`t_{i+1}/t_i = \frac{n-i}{i+1}
\frac{q}{1-q}`, which falls: from an i on where it is r < 1 the rest is at most :math:`t_i r/(1 - r)`.
"""

from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.known_mixture import KnownMixtureLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw

_BITS = 320
_MOST_TERMS = 10**6


def binomial_tail(n: int, q: Fraction, k: int) -> arb:
    """Pr[Bin(n, q) ≥ k] for 0 < k, 0 < q < 1. Raises NoConvergence beyond a million terms."""
    if k > n:
        return arb(0)
    odds, goal = ball(q) / ball(1 - q), arb(2) ** -_BITS
    choose = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    term = (choose + k * ball(q).log() + (n - k) * (-ball(q)).log1p()).exp()
    total = arb(0)
    for i in range(k, min(n, k + _MOST_TERMS) + 1):
        total += term
        ratio = odds * (n - i) / (i + 1)
        if i == n:
            return total
        if surely_less(ratio, arb(1)) and surely_less(term * ratio, goal * total * (1 - ratio)):
            return total + arb(0).union(term * ratio / (1 - ratio))
        term *= ratio
        if i % 100 == 0:
            spend()
    raise NoConvergence(f"truncated batches: a binomial tail needs more than {_MOST_TERMS} terms")


def truncated_poisson(mechanism: TruncatedPoisson, direction: Direction) -> Law:
    """Of a mechanism that may cut. Raises NoConvergence."""
    noise, q, n, most = (
        mechanism.base.noise_multiplier,
        mechanism.q,
        mechanism.dataset_size,
        mechanism.max_batch,
    )
    low, high, chance = Fraction(1), Fraction(1), Fraction(most, n)  # for q = 1
    if q < 1:
        with working(_BITS):
            many = binomial_tail(n - 1, q, most)
            ends = lower(many), upper(many), upper(ball(chance) * binomial_tail(n, q, most + 1) / many)
        if not all(isinstance(end, Fraction) for end in ends):
            raise NoConvergence("truncated batches: no bound of how often a sample is too large")
        low, high, chance = (min(Fraction(end), Fraction(1)) for end in ends)
    plain: Law
    if direction in ("remove", "add"):
        plain = GaussianMixtureLaw(noise, q, direction)
        cut: Law = GaussianMixtureLaw(noise / 2, chance, direction)
    else:
        plain, cut = SubstituteGaussianLaw(1 / noise, q), ShiftedGaussianLaw(2 / noise, chance)
    parts = ((1 - high, plain), (low, cut))
    return KnownMixtureLaw(tuple((share, law) for share, law in parts if share > 0))
