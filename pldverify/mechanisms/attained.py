r"""What some neighbours have in every step, where the dominating pair is attained by none: a lower end.

**Batches of a fixed size.** All other records contribute −C, the record C, and −C in its place: up to a shift
the outputs are (1 − q) N(0) + q N(2C) against N(0), at every step, so a composition of these is attained: the
pair of Poisson sampling with twice the sensitivity; of other noise too. With m draws from n records the
record is drawn ℓ ~ Bin(m, 1/n) times: the mixture of N(2Cℓ) against N(0). Where m is large, ℓ is cut at a
level L, and the probability of each ℓ ≥ 1 rounded down, to the gain of ℓ = 0: every sensitivity is then at
most what it was, so the mixture is dominated by the true one (Kahane's inequality,
:mod:`pldverify.mechanisms.mixture_of_gaussians`).

**Other bases.** A base that is promised to be ε- or (ε, δ)-DP may see whether the record is in the batch, by
the pair of the promise. Of Laplace noise the best tests of b_0 Lap(0) + (1 − b_0) Lap(2C) against Lap(0) are
thresholds, which Lap(2Cℓ) exceeds at least as often: the mixture of Lap(2Cℓ) dominates that pair, which is
Poisson sampling's with q = 1 − b_0.

**Truncated Poisson batches.** Where all others contribute 0: see
:mod:`pldverify.mechanisms.truncated_poisson`; the record in its place contributes 0, too.

**Together.** Each mechanism asks a query of its own, so the same two data sets serve all; the record may
contribute what suits it in each, and either data set may be the first one. Under replace-one noise sees the
query move by twice the sensitivity, and of a Poisson-sampled record the one in its place contributes 0: the
pair of add-or-remove. A mechanism of which nothing is known here is left out: whoever does not look at its
output knows no more.
"""

from dataclasses import replace
from fractions import Fraction
from math import comb

from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.fixed_batch import Base, draws
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.numbers.powers import power

_EXACT = 30
"""Draws of a batch with replacement whose numbers of the record are all kept, with exact probabilities."""
_BITS = 320
"""To which others are rounded down."""

Noise = Gaussian | Laplace | DiscreteGaussian | DiscreteLaplace


def attained(composition: Composition, adjacency: Adjacency) -> tuple[Composition, Adjacency] | None:
    """A composition and the adjacency under which some neighbours of ``composition`` have its pairs; None
    where nothing is known, or gained.

    >>> from pldverify.mechanisms.attained import attained
    >>> found, under = attained(5 * pv.SampledWithoutReplacement(pv.Gaussian(1), q="0.1"), "replace-one")
    >>> print(found, under)
    5 * poisson(gaussian(sigma=1, sensitivity=2), q=0.1) add-or-remove
    """
    if composition.attained or not composition.is_exact:
        return None
    replaced = relation(adjacency) == "replace-one"
    known = [(found, k) for m, k in composition.parts if (found := _attained(m, replaced)) is not None]
    return (Composition.of(*known), "add-or-remove" if replaced else adjacency) if known else None


def _attained(mechanism: Mechanism, replaced: bool) -> Mechanism | None:
    match mechanism:
        case SampledWithoutReplacement():
            base = _attained(mechanism.base, True)
            return base if mechanism.q == 1 or base is None else PoissonSubsampled(base, mechanism.q)  # type: ignore[arg-type]
        case SampledWithReplacement():
            return _drawn(mechanism.base, mechanism.m, mechanism.n)
        case TruncatedPoisson() if mechanism.tight_steps is not None:
            least = mechanism.least_q
            return PoissonSubsampled(mechanism.base, least) if least else None
    if mechanism.tight_steps is not None or not mechanism.dominates or isinstance(mechanism, HiddenBatch):
        return None
    return _moved(mechanism) if replaced and isinstance(mechanism, Noise) else mechanism


def _moved(base: Noise) -> Mechanism:
    return replace(base, sensitivity=2 * base.sensitivity)


def _drawn(base: Base, m: int, n: int) -> Mechanism | None:
    if not isinstance(base, Gaussian):
        moved = _attained(base, True)
        return None if moved is None else PoissonSubsampled(moved, draws(m, n).q)  # type: ignore[arg-type]
    if m <= _EXACT:
        chances = [comb(m, k) * Fraction(n - 1) ** (m - k) / Fraction(n) ** m for k in range(m + 1)]
    else:
        rows = [int(power(Fraction(n - 1, n), m, _BITS, "lower") * 2**_BITS)]
        for k in range(_EXACT):
            rows.append(rows[-1] * (m - k) // ((k + 1) * (n - 1)))
        chances = [Fraction(x, 1 << _BITS) for x in rows]
        chances[0] = 1 - sum(chances[1:])
    if not any(chances[1:]):  # of very many draws
        return None
    return MixtureOfGaussians(base.sigma, [2 * k * base.sensitivity for k in range(len(chances))], chances)
