"""ComposedLoss: the law of the composed loss in one direction, as a multiset of single-step laws."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_above, surely_from, surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    AboveThreshold,
    ApproximateDP,
    BallsAndBins,
    Binomial,
    Composition,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FinitePair,
    Gaussian,
    GaussianAboveThreshold,
    GNMax,
    GroupDP,
    KJH19Substitute,
    KJH20WithReplacement,
    Laplace,
    MixtureOfGaussians,
    NoisyMax,
    PermuteAndFlip,
    PoissonSubsampled,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    RepeatAndSelect,
    SampledWithoutReplacement,
    SampledWithReplacement,
    ShuffledBatches,
    ShuffleModel,
    ThresholdedHistogram,
    TruncatedPoisson,
)
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.few_draws import FewDraws
from pldverify.mechanisms.halting import Halting
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.one_sample import OneSample, square_of
from pldverify.mechanisms.ranked import Ranked
from pldverify.mechanisms.relations import Direction
from pldverify.mechanisms.sampled_without_replacement import rests_on_zcdp
from pldverify.mechanisms.selection import Noise, Selection
from pldverify.mechanisms.truncated_geometric import TruncatedGeometric
from pldverify.mechanisms.winning import Winning
from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.laws.approximate_dp import ApproximateDPLaw
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.binomial import BinomialLaw
from pldverify.reference.laws.blunted_laplace import BluntedLaplaceLaw
from pldverify.reference.laws.bounded_range import BoundedRangeBound
from pldverify.reference.laws.density_atoms import DensityAtomsLaw, is_atomic
from pldverify.reference.laws.density_pair import DensityPairLaw
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.discrete_laplace import DiscreteLaplaceLaw
from pldverify.reference.laws.finite_pair import FinitePairLaw
from pldverify.reference.laws.fixed_batch import LaplaceBatchLaw, PromiseBatchLaw
from pldverify.reference.laws.fixed_choices import FixedChoicesLaw
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import BASE, Draws, GaussianPairLaw
from pldverify.reference.laws.group_dp import group_dp
from pldverify.reference.laws.halting_bound import GaussianHaltingBound, LaplaceHaltingBound
from pldverify.reference.laws.known_mixture import KnownMixtureLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.law import HasDivergence, HasMasses, Law, Measure
from pldverify.reference.laws.logistic import LogisticLaw
from pldverify.reference.laws.neighbours import halting, winning
from pldverify.reference.laws.poisson_atomic import PoissonAtomicLaw
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.poisson_gaussian_laplace import PoissonGaussianLaplaceLaw
from pldverify.reference.laws.poisson_laplace import PoissonLaplaceLaw
from pldverify.reference.laws.product_atomic import ProductAtomicLaw
from pldverify.reference.laws.ranked import ranked
from pldverify.reference.laws.renyi_bound import RenyiBound
from pldverify.reference.laws.sampled_zcdp import SampledZCDPBound
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.shuffle_model import ShuffleModelLaw
from pldverify.reference.laws.thresholded import ThresholdedGaussianLaw, thresholded_laplace
from pldverify.reference.laws.together import on_lines
from pldverify.reference.laws.truncated_poisson import truncated_poisson

_FEW = 30
"""Steps up to which δ(0) is summed exactly."""
_LONG = 4_000
"""Bits of the largest denominators of all steps together, up to which it is."""
_MOST_OUTCOMES = 500
"""Outcomes of different masses up to which it is."""
_MOST_BITS = 14_000
"""Bits up to which δ_∞ is exact: a target has no more."""
Factors = tuple[tuple[Law, int], ...]
"""Laws and how often each occurs."""


@dataclass(frozen=True)
class ComposedLoss:
    """Independent losses: ``factors`` are (law, count) with distinct laws and finite-mass 1 − δ_∞ > 0
    each."""

    factors: tuple[tuple[Law, int], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if any(k < 1 for _, k in self.factors):
            raise InvalidInput("counts of a composed loss must be ≥ 1")
        object.__setattr__(self, "_hash", hash(self.factors))

    def __hash__(self) -> int:
        """Taken once: caches ask for it often, and a schedule has a thousand laws."""
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Another process hashes texts otherwise."""
        return ComposedLoss, (self.factors,)

    @staticmethod
    def of(factors: Factors) -> "ComposedLoss":
        """Equal laws counted together, in the order in which they come first."""
        counts: dict[Law, int] = {}
        for law, k in factors:
            counts[law] = counts.get(law, 0) + k
        return ComposedLoss(tuple(counts.items()))

    def counts(self) -> dict[Law, int]:
        """How often each law occurs: equal for compositions that differ in order only."""
        return dict(ComposedLoss.of(self.factors).factors)

    @property
    def steps(self) -> int:
        """Number of losses, with multiplicity."""
        return sum(k for _, k in self.factors)

    def finite_mass(self) -> arb:
        """M(0) = Π M_i(0)^{k_i}; 1 − δ_∞ but for measures below that of a loss."""
        mass = arb(1)
        for law, k in self.factors:
            if hasattr(law, "mass"):  # the protocol Measure; isinstance would take ten times as long
                mass *= cast(Measure, law).mass() ** k
            elif law.infinite_mass:
                mass *= ball(1 - law.infinite_mass) ** k
        return mass

    def exact_infinite_mass(self) -> Fraction | None:
        """δ_∞, exactly; None where a loss is only a measure, or δ_∞ not rational, or of too many bits."""
        finite, size = Fraction(1), 0
        for law, k in self.factors:
            lost = law.infinite_mass
            if hasattr(law, "mass") or not isinstance(lost, Fraction):
                return None
            size += k * lost.denominator.bit_length() if lost else 0
            if size > _MOST_BITS:
                return None
            finite *= (1 - lost) ** k
        return 1 - finite

    def exact_distance(self) -> Fraction | None:
        """δ(0) = Σ (p − q)_+, exactly; None unless all masses are rational and few."""
        outcomes = {(Fraction(1), Fraction(1)): 1}
        if self.steps > _FEW or not all(hasattr(law, "masses") for law, _ in self.factors):
            return None
        steps = [cast(HasMasses, law) for law, k in self.factors for _ in range(k)]
        if sum(max(p.denominator.bit_length() for row in law.masses() for p in row) for law in steps) > _LONG:
            return None
        for law in steps:
            more: dict[tuple[Fraction, Fraction], int] = {}
            for (p, q), times in paced(outcomes.items()):
                for first, second in law.masses():
                    more[p * first, q * second] = more.get((p * first, q * second), 0) + times
            outcomes = more
            if len(outcomes) > _MOST_OUTCOMES:
                return None
        return sum((k * max(Fraction(0), p - q) for (p, q), k in outcomes.items()), Fraction(0))

    def infinite_mass(self) -> arb:
        """δ_∞, accurate however small it is; exact where 1 − M(0) is, if it is not small. What a measure
        lacks of a law is not infinite: it scales the others' share."""
        if not any(law.infinite_mass for law, _ in self.factors):
            return arb(0)
        whole, finite, log = arb(1), arb(1), arb(0)
        for law, k in self.factors:
            if hasattr(law, "mass"):
                whole *= cast(Measure, law).mass() ** k
            elif law.infinite_mass:
                finite *= ball(1 - law.infinite_mass) ** k
                log += k * (-ball(law.infinite_mass)).log1p()
        plain = 1 - finite
        return whole * (plain if surely_less(arb("0.01"), plain) else -log.expm1())

    def ends_by(self, epsilon: Fraction) -> bool:
        """Whether no finite loss exceeds ``epsilon``, proved; exact where the supremum is rational."""
        gap = self.gap(epsilon)
        return gap is not None and surely_from(gap, 0)

    def ends_before(self, epsilon: Fraction) -> bool:
        """Whether no finite loss reaches ``epsilon``, proved."""
        gap = self.gap(epsilon)
        return gap is not None and surely_above(gap, 0)

    def gap(self, epsilon: Fraction) -> Fraction | arb | None:
        """``epsilon`` minus the supremum of the finite losses, exact where that is rational; None for −∞."""
        exact, irrational = epsilon, arb(0)
        for law, k in self.factors:
            top = law.largest_finite_loss
            if top is None:
                return None
            if isinstance(top, Fraction):
                exact -= k * top
            else:
                irrational -= k * top
        return exact if irrational.is_zero() else irrational + ball(exact)

    def largest_finite_loss(self) -> arb | None:
        """Ball around the supremum of the finite losses; None for +∞."""
        gap = self.gap(Fraction(0))
        return -ball(gap) if isinstance(gap, Fraction) else None if gap is None else -gap

    def exact_divergence(self, order: Fraction) -> Fraction | None:
        """D_α, exactly; None unless every law knows it."""
        total = Fraction(0)
        for law, k in self.factors:
            if not hasattr(law, "exact_divergence"):
                return None
            one = cast(HasDivergence, law).exact_divergence(order)
            if one is None:
                return None
            total += k * one
        return total

    def log_moment(self, lam: Fraction) -> arb:
        """log M(λ), proved, for real λ."""
        return _log_moment(self, lam, ctx.prec)


@remembered(64)
def _log_moment(loss: ComposedLoss, lam: Fraction, prec: int) -> arb:
    """Remembered at a precision: a search and the proof ask the same."""
    total = arb(0)
    lines = on_lines([law for law, _ in loss.factors], lam, Fraction(0), 0)
    for line, (_, k) in zip(lines, loss.factors, strict=True):
        total += k * line[0].real.log()
    return total


def with_gaussians(composition: Composition, direction: Direction) -> ComposedLoss:
    r"""The laws, with bounds of M(λ), λ > 0, in the place of what is known by its divergences, of choices by
    the exponential mechanism and of sparse vectors. Raises as :func:`product`.
    """
    return _of_laws(composition, direction, lambda m, way: _bound(m, way) or _law(m, way))


def _bound(mechanism: Mechanism, direction: Direction) -> Law | None:
    r"""An upper bound of M(λ), λ > 0; None where there is a law. For ρ-zCDP that of a Gaussian of variance
    2ρ: both have :math:`\log M(\lambda) \le \rho\lambda(\lambda + 1)` (Bun and Steinke 2016, Definition 1.1
    with α = λ + 1).
    """
    if isinstance(mechanism, ZCDP):
        return GaussianLaw(2 * mechanism.rho)
    if isinstance(mechanism, PoissonSubsampled | SampledWithoutReplacement):
        base = mechanism.base
        return SampledZCDPBound(base.rho, mechanism.q, direction) if isinstance(base, ZCDP) else None
    if isinstance(mechanism, RenyiDP):
        return RenyiBound(mechanism)
    if isinstance(mechanism, Exponential):
        return BoundedRangeBound(mechanism.range, mechanism.times)
    if isinstance(mechanism, GaussianAboveThreshold):
        moves = _moves(direction)
        return GaussianHaltingBound(*mechanism.parts(moves), mechanism.queries, mechanism.plain_rho(moves))
    if isinstance(mechanism, AboveThreshold):
        return LaplaceHaltingBound(*mechanism.parts(_moves(direction)), _selection(mechanism, direction))
    return None


def rests_on_divergences(mechanism: Mechanism) -> bool:
    """Whether only Rényi divergences are known of it, or of what runs on its sample."""
    return rests_on_zcdp(mechanism) or isinstance(mechanism, RenyiDP | GaussianAboveThreshold)


@remembered(16)
def product(composition: Composition, direction: Direction) -> ComposedLoss:
    """The laws behind a composition, Gaussian parts merged into one. Raises NotSupported, and InvalidInput
    for irrational parameters: a law has exact ones, so whoever may ask at both ends does.
    """
    return _of_laws(composition, direction, _law)


def _of_laws(
    composition: Composition, direction: Direction, law_of: Callable[[Mechanism, Direction], Law | None]
) -> ComposedLoss:
    """Equal laws counted together, Gaussian ones merged into one; None is a loss of 0."""
    if not composition.is_exact:
        raise InvalidInput(f"parameters must be rational for this question, got {composition}")
    variance = Fraction(0)
    counts: dict[Law, int] = {}
    for mechanism, k in composition.parts:
        law = law_of(mechanism, direction)
        if isinstance(law, GaussianLaw):
            variance += k * law.variance
        elif law is not None:
            counts[law] = counts.get(law, 0) + k
    if variance:
        counts[GaussianLaw(variance)] = 1
    return ComposedLoss(tuple(counts.items()))


def _moved(mechanism: Gaussian | Laplace, direction: Direction) -> Fraction:
    """How far neighbours move the query, in units of the noise: a replaced record moves it twice."""
    return _moves(direction) / mechanism.noise_multiplier


def _moves(direction: Direction) -> int:
    return 2 if direction in ("replace", "replace-back") else 1


def _forward(direction: Direction) -> bool:
    """Whether the ordered pair is (P, Q)."""
    return direction in ("remove", "replace")


def _gaussian(mechanism: Gaussian, direction: Direction) -> Law:
    return GaussianLaw(_moved(mechanism, direction) ** 2)


def _balls_and_bins(mechanism: BallsAndBins, direction: Direction) -> Law:
    noise = mechanism.base.noise_multiplier
    return (
        AllocationLaw(noise, mechanism.batches, direction)
        if mechanism.batches > 1
        else GaussianLaw(1 / noise**2)
    )


def _laplace(mechanism: Laplace, direction: Direction) -> Law:
    return LaplaceLaw(_moved(mechanism, direction))


def _selection(mechanism: Selection, direction: Direction) -> LaplaceLaw | BluntedLaplaceLaw:
    moves = _moves(direction)
    loss, noise = mechanism.loss(moves), mechanism.noise(moves)
    return LaplaceLaw(loss) if noise == Noise() else BluntedLaplaceLaw(loss, *noise)


def _exponential(mechanism: Exponential, direction: Direction) -> Law:
    span, times = mechanism.range, mechanism.times
    return FixedChoicesLaw(span, times) if times > 1 else LogisticLaw(span)


def _discrete_gaussian(mechanism: DiscreteGaussian, direction: Direction) -> Law:
    return DiscreteGaussianLaw(mechanism.sigma**2, _moves(direction) * mechanism.sensitivity)


def _discrete_laplace(mechanism: DiscreteLaplace, direction: Direction) -> Law:
    return DiscreteLaplaceLaw(mechanism.b, _moves(direction) * mechanism.sensitivity)


def _binomial(mechanism: Binomial, direction: Direction) -> Law:
    shift = _moves(direction) * mechanism.sensitivity
    return BinomialLaw(mechanism.n, mechanism.p, shift, "first" if _forward(direction) else "second")


def _randomized_response(mechanism: RandomizedResponse, direction: Direction) -> Law | None:
    """One pair, whichever direction and bit is meant; the categories that do not differ count as one."""
    high, low = max(mechanism.p, mechanism.other), min(mechanism.p, mechanism.other)
    rest = (1 - high - low,) if mechanism.categories > 2 else ()
    return None if high == low else FinitePairLaw((high, low, *rest), (low, high, *rest))


def _pure_dp(mechanism: PureDP, direction: Direction) -> Law | None:
    return ApproximateDPLaw(mechanism.epsilon, Fraction(0)) if mechanism.epsilon else None


def _approximate_dp(mechanism: ApproximateDP, direction: Direction) -> Law | None:
    loses = mechanism.epsilon or mechanism.delta
    return ApproximateDPLaw(mechanism.epsilon, mechanism.delta) if loses else None


def _shuffle_model(mechanism: ShuffleModel, direction: Direction) -> Law | None:
    one_way = mechanism.is_symmetric or _forward(direction)
    return None if mechanism.tells_nothing else ShuffleModelLaw(mechanism, one_way)


def _finite_pair(mechanism: FinitePair, direction: Direction) -> Law | None:
    if mechanism.p == mechanism.q:
        return None
    pair = (mechanism.p, mechanism.q) if _forward(direction) else (mechanism.q, mechanism.p)
    return FinitePairLaw(*pair)


def _group_dp(mechanism: GroupDP, direction: Direction) -> Law | None:
    return group_dp(mechanism.epsilon, mechanism.delta, mechanism.m)


def _gdp(mechanism: GDP, direction: Direction) -> Law:
    return GaussianLaw(mechanism.mu**2)


def of_one(composition: Composition) -> Law:
    """The law of a composition of one loss, or of Gaussian noise. Raises NotSupported for all others."""
    factors = product(composition, "remove").factors
    if [k for _, k in factors] != [1]:
        raise NotSupported(f"no single loss has the tails of {composition}")
    return factors[0][0]


def _neighbours(mechanism: Halting | Winning | Ranked, direction: Direction) -> Law | None:
    match mechanism:
        case Halting():
            law = halting(mechanism)
        case Winning():
            law = winning(mechanism)
        case Ranked():
            law = ranked(mechanism, of_one(mechanism.base))
    return law if law is None or _forward(direction) else FinitePairLaw(law.second, law.first)


def _gnmax(mechanism: GNMax, direction: Direction) -> Law:
    return GaussianLaw(2 / mechanism.sigma**2)


def _bracket_alone(mechanism: Mechanism, direction: Direction) -> Law:
    raise NotSupported(f"only two ends are known of {mechanism}: ask for a bracket (pldverify.bracket)")


def _zcdp(mechanism: Mechanism, direction: Direction) -> Law:
    raise NotSupported(
        f"{mechanism} bounds δ(ε) but does not fix it: use the conversions for upper bounds, or "
        "gaussian(sigma) with sigma**2 = 1/(2 rho) for the Gaussian mechanism"
    )


def _poisson(mechanism: PoissonSubsampled, direction: Direction) -> Law | None:
    base, q = mechanism.base, mechanism.q
    if q == 1:
        return _law(base, direction)
    if isinstance(base, Gaussian) and _moves(direction) == 1:
        return GaussianMixtureLaw(base.noise_multiplier, q, direction)
    if isinstance(base, Gaussian):
        drawn = ((0, 1 - q), (1, q))
        return GaussianPairLaw(1 / base.noise_multiplier, drawn, drawn)
    if isinstance(base, GDP):
        return GaussianMixtureLaw(1 / base.mu, q, direction)
    if isinstance(base, ZCDP):
        return _zcdp(mechanism, direction)
    if isinstance(base, OneSample) and (noises := _gaussian_laplace(base)) is not None:
        return PoissonGaussianLaplaceLaw(*noises, q, direction)
    if isinstance(base, OneSample):
        laws = [(_finite(part), k) for part, k in base.composition.parts]
        factors = tuple((law, k) for law, k in laws if law is not None)
        return PoissonAtomicLaw(ProductAtomicLaw(factors), q, direction) if factors else None
    if isinstance(base, Laplace):
        return PoissonLaplaceLaw(1 / base.noise_multiplier, q, direction)
    if isinstance(base, DiscreteGaussian):
        return PoissonDiscreteGaussianLaw(base.sigma**2, base.sensitivity, q, direction)
    if isinstance(base, DensityPair) and not is_atomic(base):
        return DensityPairLaw(base, "remove" if _forward(direction) else "add", q)
    law = _finite(base)
    return law and PoissonAtomicLaw(law, q, direction)


def _gaussian_laplace(sample: OneSample) -> tuple[Fraction, Fraction] | None:
    """v and c of Gaussian and Laplace noise on one sample."""
    for mechanism, _ in sample.composition.parts:
        if isinstance(mechanism, Laplace):
            others = Composition(tuple(row for row in sample.composition.parts if row[0] != mechanism))
            return square_of(others), 1 / mechanism.noise_multiplier
    return None


def _finite(base: Mechanism) -> AtomicLaw | None:
    """The law of finitely many losses in direction ``remove``; None where the loss is 0."""
    law = _law(base, "remove")
    if law is None or isinstance(law, AtomicLaw):
        return law
    raise NotSupported(f"the reference has no law for {base} on a sample")


def _without_replacement(mechanism: SampledWithoutReplacement, direction: Direction) -> Law | None:
    base, q = mechanism.base, mechanism.q
    if q == 1:
        return _law(base, direction)
    if isinstance(base, Gaussian):
        return ShiftedGaussianLaw(_moved(base, direction), q)
    if isinstance(base, Laplace):
        return LaplaceBatchLaw(_moved(base, direction), q)
    if isinstance(base, ZCDP):
        return _zcdp(mechanism, direction)
    law = _law(base, direction)
    return PromiseBatchLaw(law, q) if isinstance(law, ApproximateDPLaw) else None


def _with_replacement(mechanism: SampledWithReplacement | FewDraws, direction: Direction) -> Law | None:
    draws, most = (mechanism.draws, mechanism.most) if isinstance(mechanism, FewDraws) else (mechanism, None)
    if isinstance(draws.base, Gaussian):
        return ShiftedGaussianLaw(_moved(draws.base, direction), (draws.m, draws.n), most)
    parts = [(share, _law(batch, direction)) for share, batch in mechanism.components]
    known = tuple((share, law) for share, law in parts if law is not None)
    return KnownMixtureLaw(known) if len(known) > 1 else known[0][1] if known else None


def _thresholded_histogram(mechanism: ThresholdedHistogram, direction: Direction) -> Law:
    of_noise = thresholded_laplace if isinstance(mechanism.base, Laplace) else ThresholdedGaussianLaw
    return of_noise(1 / mechanism.base.noise_multiplier, mechanism.margin, direction)


def _truncated_poisson(mechanism: TruncatedPoisson, direction: Direction) -> Law | None:
    if mechanism.tight_steps is None:
        return _law(PoissonSubsampled(mechanism.base, mechanism.q), direction)
    return truncated_poisson(mechanism, direction)


def _kjh19(mechanism: KJH19Substitute, direction: Direction) -> Law:
    """The printed pair is that of Poisson sampling."""
    return _law(PoissonSubsampled(mechanism.base, mechanism.q), direction)  # type: ignore[return-value]


def _kjh20(mechanism: KJH20WithReplacement, direction: Direction) -> Law:
    m, rate = mechanism.m, Fraction(1, mechanism.n)
    drawn = Draws(m, mechanism.n) if m > 1 else ((0, 1 - rate), (1, rate))
    return GaussianPairLaw(1 / mechanism.base.noise_multiplier, drawn, drawn)


def _mixture_of_gaussians(mechanism: MixtureOfGaussians, direction: Direction) -> Law:
    unit, levels = mechanism.unit / mechanism.sigma, mechanism.levels
    if len(levels) == 1:
        return GaussianLaw((unit * levels[0][0]) ** 2)
    if len(levels) == 2 and levels[0][0] == 0:
        return GaussianMixtureLaw(1 / (unit * levels[1][0]), levels[1][1], direction)
    return GaussianPairLaw(unit, *((levels, BASE) if direction == "remove" else (BASE, levels)))


def _density_pair(mechanism: DensityPair, direction: Direction) -> Law:
    way: Direction = "remove" if _forward(direction) else "add"
    if is_atomic(mechanism):
        return DensityAtomsLaw(mechanism, way)
    law = DensityPairLaw(mechanism, way)
    variance = law.normal()
    return law if variance is None else GaussianLaw(variance)


_LAWS: dict[type[Mechanism], Callable[..., Law | None]] = {
    AboveThreshold: _selection,
    ApproximateDP: _approximate_dp,
    BallsAndBins: _balls_and_bins,
    Binomial: _binomial,
    DiscreteGaussian: _discrete_gaussian,
    DiscreteLaplace: _discrete_laplace,
    Exponential: _exponential,
    FewDraws: _with_replacement,
    FinitePair: _finite_pair,
    GDP: _gdp,
    DensityPair: _density_pair,
    Gaussian: _gaussian,
    GaussianAboveThreshold: _bracket_alone,
    Halting: _neighbours,
    GNMax: _gnmax,
    GroupDP: _group_dp,
    KJH19Substitute: _kjh19,
    KJH20WithReplacement: _kjh20,
    Laplace: _laplace,
    MixtureOfGaussians: _mixture_of_gaussians,
    NoisyMax: _selection,
    PermuteAndFlip: _selection,
    PoissonSubsampled: _poisson,
    PureDP: _pure_dp,
    RandomizedResponse: _randomized_response,
    RenyiDP: _bracket_alone,
    RepeatAndSelect: _bracket_alone,
    SampledWithReplacement: _with_replacement,
    SampledWithoutReplacement: _without_replacement,
    ShuffledBatches: _bracket_alone,
    ThresholdedHistogram: _thresholded_histogram,
    ShuffleModel: _shuffle_model,
    TruncatedGeometric: _approximate_dp,
    TruncatedPoisson: _truncated_poisson,
    Ranked: _neighbours,
    Winning: _neighbours,
    ZCDP: _zcdp,
}


def _law(mechanism: Mechanism, direction: Direction) -> Law | None:
    """The law of one mechanism; None where the loss is 0 and drops out of every product."""
    if type(mechanism) not in _LAWS:
        raise NotSupported(f"the reference has no law for {mechanism}")
    return _LAWS[type(mechanism)](mechanism, direction)
