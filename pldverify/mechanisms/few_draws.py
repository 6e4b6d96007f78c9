r"""Draws with replacement of which the rarest count as lost: an upper bound, with far less to compute.

Notation as in :mod:`pldverify.mechanisms.sampled_with_replacement`; λ is at least the probability that the
record is drawn more than L times, and (0, λ)-DP the pair (λ, 1 − λ, 0) against (0, 1 − λ, λ). The pair of the
draws, given that the record is drawn at most L times if at all, together with (0, λ)-DP dominates.

**Proof.** For α ≥ 1 let :math:`h_\ell(\alpha)` be the profile of :math:`b_0 N(0) + (1 - b_0) N(2C\ell)`
against N(0), which is at most :math:`q = 1 - b_0`, and :math:`v_\ell = b_\ell/q`. Let V be the sum of
:math:`v_\ell`, and h that of :math:`v_\ell h_\ell(\alpha)/(1 - V)`, over ℓ > L and over ℓ ≤ L. The profile of
the draws is at most :math:`(1 - V) h + qV`, that of both pairs together, for λ = qV, is
:math:`(1 - \lambda) h + \lambda`: as large or larger, since λ ≤ V. For a larger λ it is larger still, and for
α < 1 both follow from 1/α, as all pairs are symmetric. ∎

λ by the union bound over the sets of L + 1 draws, :math:`\binom{m}{L+1} n^{-(L+1)}`.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.fixed_batch import FixedBatch
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement

_CAP = 100
"""Greatest L; where it is too small, nothing counts as lost."""


@dataclass(frozen=True)
class FewDraws(FixedBatch):
    """``draws``, given that the record is drawn at most ``most`` times."""

    draws: SampledWithReplacement
    most: int

    dominates = False  # by itself

    @property
    def components(self) -> tuple[tuple[Fraction, SampledWithoutReplacement], ...]:
        """As those of ``draws``."""
        rows = self.draws.components[: self.most]
        whole = sum((share for share, _ in rows), Fraction(0))
        return tuple((share / whole, batch) for share, batch in rows)

    def __str__(self) -> str:
        return f"at most {self.most} draws of a record in {self.draws}"


def few_draws(composition: Composition, lost: Fraction) -> Composition:
    """What dominates ``composition``, where draws count as lost that have the probability ``lost`` or less
    together.

    >>> from pldverify.mechanisms.few_draws import few_draws
    >>> run = 100 * pv.SampledWithReplacement(pv.Gaussian(1), m=10, n=1000)
    >>> for mechanism, times in few_draws(run, Fraction("1e-9")).parts:
    ...     print(times, mechanism)
    100 approximate_dp(epsilon=0, delta=2.52e-13)
    100 at most 4 draws of a record in sampled_with_replacement(gaussian(sigma=1), m=10, n=1000)
    """
    each = lost_each(composition, lost)
    parts: list[tuple[Mechanism, int]] = []
    for mechanism, times in composition.parts:
        if isinstance(mechanism, SampledWithReplacement):
            most, more = most_draws(mechanism, each / times)
            if most < mechanism.m:
                mechanism = FewDraws(mechanism, most)
                parts.append((ApproximateDP(0, more), times))
        parts.append((mechanism, times))
    return Composition.of(*parts)


def lost_each(composition: Composition, lost: Fraction) -> Fraction:
    """What is lost in the steps of each mechanism that draws with replacement, alike."""
    kinds = sum(isinstance(mechanism, SampledWithReplacement) for mechanism, _ in composition.parts)
    return lost / max(kinds, 1)


def most_draws(draws: SampledWithReplacement, lost: Fraction) -> tuple[int, Fraction]:
    """The least L of which λ is at most ``lost``, and λ; all draws, and 0, where it is too large."""
    more = Fraction(draws.m, draws.n)
    for most in range(min(draws.m, _CAP)):
        if most and more <= lost:
            return most, more
        more = more * (draws.m - most - 1) / ((most + 2) * draws.n)
    return draws.m, Fraction(0)
