r"""What some neighbours have in every step, where the dominating pair is attained by none: a lower end.

**Batches of a fixed size.** All other records contribute −C, the record C, and −C in its place: up to a shift
the outputs are (1 − q) N(0) + q N(2C) against N(0), at every step, so a composition of these is attained: the
pair of Poisson sampling with twice the sensitivity; of other noise too. With m draws from n records the
record is drawn ℓ ~ Bin(m, 1/n) times: the mixture of N(2Cℓ) against N(0). Where m is large, or more draws are
rare, ℓ is cut at a level L, and the probability of each ℓ ≥ 1 rounded down, to the gain of ℓ = 0: every
sensitivity is then at most what it was, so the mixture is dominated by the true one (Kahane's inequality,
:mod:`pldverify.mechanisms.mixture_of_gaussians`).

**Other bases.** A base that is promised to be ε- or (ε, δ)-DP may see whether the record is in the batch, by
the pair of the promise. Of Laplace noise the best tests of b_0 Lap(0) + (1 − b_0) Lap(2C) against Lap(0) are
thresholds, which Lap(2Cℓ) exceeds at least as often: the mixture of Lap(2Cℓ) dominates that pair, which is
Poisson sampling's with q = 1 − b_0.

**ρ-zCDP** is had by Gaussian noise with σ² = 1/2ρ, μ = √2ρ, on a sample too, so the pair of any smaller μ is
dominated by one that is attained. Rényi DP is had by it for ρ = min τ/α, as its divergences are ρα.

**Truncated Poisson batches.** Where all others contribute 0: see
:mod:`pldverify.mechanisms.truncated_poisson`; the record in its place contributes 0, too.

**Choices by noisy scores.** At every step the scores of two candidates lead by what a share s in (0, 1)
says, as each mechanism's file proves: the answer is a binary response, p against q. For the exponential
mechanism t = sη; it chooses so many times. For permute-and-flip the lead is −sc against (1 − s)c: p = F((1 −
s)c), q = F(−sc), F the distribution function of the difference of two noises. Rounded, p down and q up, it is
dominated: (q, p) stays under the trade-off function. Of noisy max some candidates win against others, and
AboveThreshold halts among some queries: see :mod:`pldverify.mechanisms.winning`,
:mod:`pldverify.mechanisms.halting`.

**Thresholded histograms.** The record's key is an old one with a large count, which is always shown: the
base, in the limit. Or its key is new in every histogram: (ρ, 1 − ρ) against (0, 1), with ρ rounded down. Of
Gaussian noise by the convergents of Mills' ratio: :math:`\Phi(-x) \ge \varphi(x) (x^3
+ 5x)/(x^4 + 6x^2 + 3)`.

**Votes.** One class leads by some votes: see :mod:`pldverify.mechanisms.gnmax`.

**The best of several runs.** Outputs are ranked as :mod:`pldverify.mechanisms.ranked` says; or all are
as good, and at least one run's is shown: the base.

**The shuffle model.** Where all other users have one value: see :mod:`pldverify.mechanisms.shuffle_model`.

**Which of them** is a choice (:mod:`pldverify.reference.search.neighbours`), and any prove.

**Together.** Each mechanism asks a query of its own, so the same two data sets serve all; the record may
contribute what suits it in each, and either data set may be the first one. Under replace-one noise sees the
query move by twice the sensitivity, and of a Poisson-sampled record the one in its place contributes 0: the
pair of add-or-remove. A mechanism of which nothing is known here is left out: whoever does not look at its
output knows no more.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Literal, TypeVar

from pldverify.errors import InvalidInput
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.exponential import Exponential
from pldverify.mechanisms.few_draws import lost_each, most_draws
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.fixed_batch import draws
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.gnmax import GNMax, response
from pldverify.mechanisms.halting import Halting
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians
from pldverify.mechanisms.noisy_max import NoisyMax
from pldverify.mechanisms.permute_and_flip import PermuteAndFlip
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.ranked import Ranked
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.shuffle_model import ShuffleModel
from pldverify.mechanisms.thresholded_histogram import ThresholdedHistogram
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.mechanisms.winning import Winning
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import real, show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.powers import power

_EXACT = 30
"""Draws of a batch with replacement whose numbers of the record are all kept, with exact probabilities."""
_BITS = 320
"""To which others are rounded down."""

_SHORT = 320
"""Those to which a response is."""
_FAR = 100
"""Deviations of noise beyond which a new key is not counted."""
Choice = Fraction | int | Halting | Winning | Ranked
"""What tells the neighbours of one mechanism: of the exponential mechanism and permute-and-flip the share s,
of votes the lead, of sparse vectors, noisy max and the best of several runs what is seen; of a histogram any
means a new key.
"""
Chosen = tuple[tuple[Mechanism, Choice], ...]
"""The mechanisms for which something was chosen. Others who choose by noisy scores are not looked at; of
histograms the key is an old one, and several runs are one.
"""

Kind = TypeVar("Kind", bound=Mechanism)


def attained(
    composition: Composition, adjacency: Adjacency, chosen: Chosen = (), lost: Fraction = Fraction(0)
) -> tuple[Composition, Adjacency] | None:
    """A composition and the adjacency under which some neighbours of ``composition`` have its pairs; None
    where nothing is known, or gained. ``chosen`` says which neighbours, of mechanisms that leave a choice; of
    draws with replacement some of the probability ``lost`` are not looked at. What tells of no
    neighbours is not looked at.

    >>> from pldverify.mechanisms.attained import attained
    >>> found, under = attained(5 * pv.SampledWithoutReplacement(pv.Gaussian(1), q="0.1"), "replace-one")
    >>> print(found, under)
    5 * poisson(gaussian(sigma=1, sensitivity=2), q=0.1) add-or-remove
    """
    if composition.attained or not composition.is_exact:
        return None
    replaced = relation(adjacency) == "replace-one"
    each, how = lost_each(composition, lost), dict(chosen)
    known = _together((m, k, _attained(m, replaced, how, each / k)) for m, k in composition.parts)
    return None if known is None else (known, "add-or-remove" if replaced else adjacency)


def _together(
    rows: Iterable[tuple[Mechanism, int, Mechanism | Composition | None]],
) -> Composition | None:
    """What is attained of mechanisms with counts; None where nothing is, or steps are beyond the cap."""
    known = [
        (part, k * times * (m.times if isinstance(m, Exponential) else 1))
        for m, k, found in rows
        if found is not None
        for part, times in composed(found).parts
    ]
    try:
        return Composition.of(*known) if known else None
    except InvalidInput:
        return None


def _attained(
    mechanism: Mechanism, replaced: bool, chosen: Mapping[Mechanism, Choice], lost: Fraction
) -> Mechanism | Composition | None:
    moves, choice = 2 if replaced else 1, chosen.get(mechanism)
    match mechanism, choice:
        case ThresholdedHistogram(), _:
            return mechanism.base if choice is None else _revealed(mechanism)
        case RepeatAndSelect(), _:
            run = one_run(mechanism, replaced, chosen)
            if isinstance(choice, Ranked) and (choice.asked, choice.base) == (mechanism, run):
                return choice
            return None if mechanism.poisson else run  # there may be none
        case ((AboveThreshold() | GaussianAboveThreshold() | NoisyMax()), (Halting() | Winning())):
            return choice if (choice.asked, choice.moves) == (mechanism, moves) else None
        case GNMax(), int():
            return response(mechanism, choice)
        case ((Exponential() | PermuteAndFlip()), Fraction()):
            return _response(mechanism, choice)
    match mechanism:
        case ZCDP():
            return _noise(mechanism)
        case RenyiDP():
            return _noise(ZCDP(mechanism.rho)) if mechanism.rho else None
        case PoissonSubsampled(ZCDP() as promise, q):
            return PoissonSubsampled(_noise(promise), q)
        case ShuffleModel(alike=False):
            return replace(mechanism, alike=True)
        case SampledWithoutReplacement():
            base = _noise(mechanism.base) if isinstance(mechanism.base, ZCDP) else _moved(mechanism.base)
            return base if mechanism.q == 1 else PoissonSubsampled(base, mechanism.q)
        case SampledWithReplacement():
            return _drawn(mechanism, lost)
        case TruncatedPoisson() if mechanism.tight_steps is not None:
            least = mechanism.least_q
            return PoissonSubsampled(mechanism.base, least) if least else None
    if mechanism.tight_steps is not None or not mechanism.dominates or isinstance(mechanism, HiddenBatch):
        return None
    return _moved(mechanism) if replaced else mechanism


def one_run(
    mechanism: RepeatAndSelect, replaced: bool, chosen: Mapping[Mechanism, Choice]
) -> Composition | None:
    """What is attained of the base; None where nothing is."""
    return _together((m, k, _attained(m, replaced, chosen, Fraction(0))) for m, k in mechanism.base.parts)


def _response(mechanism: Exponential | PermuteAndFlip, share: Fraction) -> FinitePair | None:
    """The answer's pair, rounded; None where nothing is left of it, and for shares that are not in (0, 1)."""
    if not 0 < share < 1:
        return None
    whole = mechanism.range if isinstance(mechanism, Exponential) else mechanism.loss(1)
    x, y = share * whole, (1 - share) * whole
    if isinstance(mechanism, Exponential):
        q, p = (f"(exp(-({a})) - exp(-({b})))/(1 - exp(-({whole})))" for a, b in ((x, whole), (0, y)))
    else:
        q, p = f"exp(-({x}))/2", f"1 - exp(-({y}))/2"
    high, low = _end(p, "lower"), _end(q, "upper")
    return FinitePair([high, 1 - high], [low, 1 - low]) if high > low else None


def _revealed(mechanism: ThresholdedHistogram) -> FinitePair | None:
    """A key that one record alone has; None where it is shown too rarely to be worth its digits."""
    x = mechanism.margin
    if x > _FAR:
        return None
    shown = f"exp(-({x}))/2"
    if isinstance(mechanism.base, Gaussian):
        shown = f"exp(-({x})^2/2)/sqrt(2*pi) * (({x})^3 + 5*({x}))/(({x})^4 + 6*({x})^2 + 3)"
    rho = _end(shown, "lower")
    return FinitePair([rho, 1 - rho], [0, 1]) if rho else None


def _end(text: str, end: Literal["lower", "upper"]) -> Fraction:
    number = real(text, "probability")
    exact: Fraction = getattr(number, end) if isinstance(number, Irrational) else number
    scaled = exact * 2**_SHORT
    return Fraction(math.floor(scaled) if end == "lower" else math.ceil(scaled), 2**_SHORT)


def _noise(promise: ZCDP) -> GDP:
    mu = real(f"sqrt(2*({show(promise.rho)}))", "mu")
    return GDP(mu.lower if isinstance(mu, Irrational) else mu)


def _moved(mechanism: Kind) -> Kind:
    """Of a replaced record: noise sees twice the sensitivity."""
    if not isinstance(mechanism, Gaussian | Laplace | DiscreteGaussian | DiscreteLaplace):
        return mechanism
    return replace(mechanism, sensitivity=2 * mechanism.sensitivity)  # type: ignore[arg-type]  # of its kind


def _drawn(mechanism: SampledWithReplacement, lost: Fraction) -> Mechanism | None:
    base, m, n = mechanism.base, mechanism.m, mechanism.n
    if not isinstance(base, Gaussian):
        return PoissonSubsampled(_moved(base), draws(m, n).q)
    most, _ = most_draws(mechanism, lost)
    if m == most <= _EXACT:
        chances = [comb(m, k) * Fraction(n - 1) ** (m - k) / Fraction(n) ** m for k in range(m + 1)]
    else:
        rows = [int(power(Fraction(n - 1, n), m, _BITS, "lower") * 2**_BITS)]
        for k in range(min(most, _EXACT)):
            rows.append(rows[-1] * (m - k) // ((k + 1) * (n - 1)))
        chances = [Fraction(x, 1 << _BITS) for x in rows]
        chances[0] = 1 - sum(chances[1:], Fraction(0))
    if not any(chances[1:]):  # of very many draws
        return None
    return MixtureOfGaussians(base.sigma, [2 * k * base.sensitivity for k in range(len(chances))], chances)
