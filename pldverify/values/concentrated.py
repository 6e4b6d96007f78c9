r"""What is known in closed form of the least ρ (zCDP) and the least μ (GDP) of a mechanism.

For one ordered pair, :math:`h(\alpha) = D_\alpha(P\|Q)/\alpha`; the least ρ is the supremum of h over α > 1.
Divergences of a composition add up, and so do squares of μ (Dong, Roth, Su 2022, Corollary 3.3). So upper
bounds add up; and the sum of limits of h at ∞ is a lower bound of the composition's supremum. That of a
bounded loss is 0: lower bounds of it, and better upper ones, are found at points (``least.py``).

* **Gaussian noise** that moves by x standard deviations: h = x²/2 for every α, μ = x.
* **Discrete Gaussian noise**: h ≤ x²/2 (Canonne, Kamath, Steinke 2020, Proposition 5), with equality at
  every integer, as the shifted sum is the sum.
* **ε-DP**: h ≤ ε tanh(ε/2). Proof. Randomised response dominates, and its :math:`e^{(\alpha-1)D_\alpha}` is
  cosh((2α−1)x)/cosh x, x = ε/2. With β = 2α − 1 ≥ 1 the claim is f(β) = log cosh βx − (β²/2) x tanh x ≤
  f(1), and f' = x tanh βx − βx tanh x ≤ 0, as tanh is concave. ∎ μ ≤ 2Φ⁻¹(e^ε/(1 + e^ε)): the trade-off of
  randomised response is linear from (0, 1) to its corner, where both errors are 1/(1 + e^ε), as at the
  corner of G_μ, and G_μ is convex. Losses within ±ε are ε-DP, so this is said of all that are bounded.
* **What is only guaranteed** to be ρ-zCDP or μ-GDP: Gaussian noise has the guarantee, and no less. Of Rényi
  DP that of ρ = min τ/α has it, and nothing is known at orders beyond.
* **Truncated Poisson batches** have no mean further than 2C from another.
* **A sampled step or a hidden batch** has at most the divergence of the base, by quasi-convexity (van Erven
  and Harremoës 2014, Theorem 13), and is dominated by it. Where P ≥ c·N(a, σ²) for a c > 0, h(α) is at least
  log(c)/(α−1) more than that of N(a, σ²) against Q: in the limit of α → ∞ nothing is lost. So Gaussian
  noise under Poisson sampling has the base's ρ in the direction ``remove``, and a mixture of Gaussians has
  that of its largest sensitivity. Batches of a fixed size: some neighbours have (1 − q) N(0) + q N(2C)
  against N(0) at every step, or, with replacement, P with m draws of the changed record (see their files):
  the base's ρ for m draws. Of hidden batches, P ≥ ρN(a e_1)/T, ρ the share of the records that are in any,
  and Q ≤ N(b e_1) where x_1 is the largest coordinate, and at least b/2, for b ≥ 0; under
  :math:`N((\alpha a - (\alpha-1) b) e_1)` that has a probability that tends to 1, for a > b.
* **A replaced record under Poisson sampling** of Gaussian noise: P = (1 − q) N(0) + q N(C), Q = (1 − q) N(0)
  + q N(−C). Q ≤ N(0) above 0, so h tends to at least C²/2; and Q ≥ (1 − q) N(0), so D_α(P‖Q) is at most
  −log(1 − q) more than that of P against N(0): h ≤ C²/2 − log(1 − q).
* **The exponential mechanism** is of bounded range η: h ≤ η²/8 (see its file).
* **A vote** with Gaussian noise has at most what noise has that moves by √2: nothing is known from below.
* **A thresholded histogram** shows a new key with some probability: h = ∞ in the direction ``remove``; so it
  is where a promise allows a δ > 0.
* **GDP implies zCDP**, ρ = μ²/2, so μ ≥ √(2ρ) for the least ρ.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import ball, upper, working
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    ApproximateDP,
    BallsAndBins,
    Composition,
    DiscreteGaussian,
    Exponential,
    Gaussian,
    GaussianAboveThreshold,
    GNMax,
    GroupDP,
    MixtureOfGaussians,
    PoissonSubsampled,
    RenyiDP,
    SampledWithoutReplacement,
    SampledWithReplacement,
    ThresholdedHistogram,
    TruncatedPoisson,
)
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.one_sample import OneSample
from pldverify.mechanisms.relations import Adjacency, Direction, Relation, relation
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.interval_functions import log
from pldverify.numbers.irrational import Irrational
from pldverify.values.points import largest_loss
from pldverify.values.value import End, Value
from pldverify.values.verdict import ends

_BITS = 128
"""Precision of closed forms: a factor of 2 changes only digits that nobody claims."""
_LARGEST = 10**4
"""Largest loss whose closed forms are evaluated: e^loss must have an exponent."""
_BY = "closed forms of zCDP and GDP"
_FORWARD = ("remove", "replace")
"""The directions of P‖Q."""


@dataclass(frozen=True)
class Facts:
    """What is proved of one mechanism and one direction; None where nothing is.

    Attributes:
        rho, square: upper bounds on the least ρ and on the square of the least μ.
        far: a lower bound on the limit of h at ∞, of what some neighbours have at every step.
    """

    rho: Bound | None = None
    square: Bound | None = None
    far: Bound = Fraction(0)

    @property
    def above(self) -> "Facts":
        """What remains for what these only bound: of ∞ nothing."""
        rho, square = (None if x == math.inf else x for x in (self.rho, self.square))
        return Facts(rho, square)


_Pick = Callable[[Facts], Bound | None]
_INFINITE = Facts(math.inf, math.inf, math.inf)
"""Where the loss is infinite with some probability."""


def least_rho(composition: Composition, adjacency: Adjacency) -> Value:
    """The least ρ with D_α ≤ ρα for all α > 1, as far as closed forms tell.

    Raises InvalidInput for an adjacency under which a mechanism has no pair.

    >>> from pldverify.values.concentrated import least_rho
    >>> [str(end) for end in least_rho(4 * pv.Gaussian(sigma=2), "add-or-remove").ends]
    ['1/2', '1/2']
    """
    below = max(far or Fraction(0) for far in _totals(composition, adjacency, lambda facts: facts.far))
    most = _most(_totals(composition, adjacency, lambda facts: facts.rho))
    known = below > 0 or (most is not None and most.at == 0)  # no ρ is negative
    return Value(End(below, _BY) if known else None, most)


def least_mu(composition: Composition, adjacency: Adjacency) -> Value:
    """An upper end of the least μ whose trade-off G_μ is nowhere above the composition's, by closed forms.

    Raises InvalidInput for an adjacency under which a mechanism has no pair.

    >>> from pldverify.values.concentrated import least_mu
    >>> str(least_mu(4 * pv.Gaussian(sigma=2), "add-or-remove").upper.at)
    '1'
    """
    squares = _totals(composition, adjacency, lambda facts: facts.square)
    return Value(upper=_most([None if square is None else root(square)[1] for square in squares]))


def _totals(composition: Composition, adjacency: Adjacency, pick: _Pick) -> list[Bound | None]:
    """Sums over all steps, by direction."""
    return [_total(composition, way, relation(adjacency), pick) for way in composition.directions(adjacency)]


def _total(composition: Composition, direction: Direction, between: Relation, pick: _Pick) -> Bound | None:
    """None where one is unknown. A large fraction plus ∞ would overflow."""
    total: Bound = Fraction(0)
    for mechanism, k in composition.parts:
        x = pick(_facts(mechanism, direction, between))
        if x is None:
            return None
        total = math.inf if math.inf in (x, total) else total + k * x
    return total


def _most(above: list[Bound | None]) -> End | None:
    """Of the worst direction."""
    known = [x for x in above if x is not None]
    return End(max(known), _BY) if len(known) == len(above) else None


def _facts(mechanism: Mechanism, direction: Direction, between: Relation) -> Facts:
    moved = 2 if between == "replace-one" else 1
    match mechanism:
        case Gaussian():
            return _gaussian(mechanism, moved)
        case DiscreteGaussian():
            whole = _gaussian(mechanism, moved)
            return Facts(rho=whole.rho, far=whole.far)
        case GDP():
            return _noise(ends(mechanism.mu))
        case ZCDP():
            least, most = ends(mechanism.rho)
            return Facts(rho=most, far=least)
        case RenyiDP():
            return Facts(far=mechanism.rho)
        case Exponential():
            eta = Fraction(mechanism.ends()[1].range)
            square = _bounded(eta).square
            return Facts(mechanism.times * eta**2 / 8, None if square is None else mechanism.times * square)
        case GNMax():
            return _noise(_ratio(1, mechanism.sigma), 2).above
        case GaussianAboveThreshold():
            return Facts(mechanism.plain_rho(moved), 2 * mechanism.plain_rho(moved))
        case MixtureOfGaussians():
            far = Fraction(mechanism.levels[-1][0]) ** 2
            whole = _noise(_ratio(mechanism.unit, mechanism.sigma), far)
            return whole if direction == "remove" else whole.above
        case PoissonSubsampled():
            return _sampled(mechanism, direction, _facts(mechanism.base, direction, between))
        case SampledWithoutReplacement():
            base = _facts(mechanism.base, direction, between)
            return base if isinstance(mechanism.base, Gaussian) else base.above
        case SampledWithReplacement() if isinstance(mechanism.base, Gaussian):
            return _gaussian(mechanism.base, moved * mechanism.m)
        case TruncatedPoisson():
            return _gaussian(mechanism.base, 2).above
        case BallsAndBins() | HiddenBatch():
            base = _facts(mechanism.base, direction, between)
            a, b = (1, 0) if isinstance(mechanism, BallsAndBins) else mechanism.gaps[between]
            known = direction in _FORWARD and mechanism.tight_steps is None
            return Facts(
                base.rho, base.square, _gaussian(mechanism.base, a - b).far if known else Fraction(0)
            )
        case ThresholdedHistogram() if direction in _FORWARD:
            return _INFINITE
        case ApproximateDP() | GroupDP() if mechanism.delta > 0:
            return _INFINITE
        case OneSample():
            asked = mechanism.composition, direction, between
            return Facts(_total(*asked, lambda facts: facts.rho), _total(*asked, lambda facts: facts.square))
    return _bounded(largest_loss(Composition.of((mechanism, 1)), between))


def _sampled(mechanism: PoissonSubsampled, direction: Direction, base: Facts) -> Facts:
    kept = (
        isinstance(mechanism.base, Gaussian) or base.far == math.inf
    )  # what Q lacks, a sample's Q lacks too
    if mechanism.q == 1 or (kept and direction == "remove"):
        return base
    if not isinstance(mechanism.base, Gaussian) or direction == "add" or base.rho is None:
        return base.above
    away = 1 - ends(mechanism.q)[1]  # the base of a replaced record moves by 2C
    most = base.rho if away <= 0 else min(base.rho, base.rho / 4 - log((away, away))[0])
    return Facts(most, base.square, far=base.far / 4)


def _bounded(loss: Bound) -> Facts:
    """Of a loss within ±``loss``."""
    if loss > _LARGEST:
        return Facts()
    with working(_BITS):
        x = ball(Fraction(loss))
        tanh = (x / 2).tanh()  # 1 − tanh(x/2) = 2/(e^x + 1), and Φ⁻¹ is √2 erf⁻¹
        corner = tanh.erfinv() if loss < 1 else (2 / (x.exp() + 1)).erfcinv()
        return Facts(upper(x * tanh), upper(8 * corner**2))


def _gaussian(noise: Gaussian | DiscreteGaussian, moved: int) -> Facts:
    return _noise(_ratio(noise.sensitivity, noise.sigma), Fraction(moved) ** 2)


def _noise(deviations: tuple[Bound, Bound], times: Fraction | int = 1) -> Facts:
    """Of Gaussian noise that moves by so many deviations; the square, so many ``times``."""
    low, high = (times * x**2 for x in deviations)
    return Facts(high / 2, high, low / 2)


def _ratio(top: Fraction | Irrational | int, bottom: Fraction | Irrational) -> tuple[Bound, Bound]:
    """top / bottom of positive numbers, enclosed where they are."""
    (least, most), (low, high) = ends(top), ends(bottom)
    return Fraction(least) / Fraction(high), Fraction(most) / Fraction(low)


def root(square: Bound) -> tuple[Bound, Bound]:
    """√square between two fractions, equal where it is rational."""
    if square == math.inf:
        return math.inf, math.inf
    p, q = Fraction(square).numerator, Fraction(square).denominator
    near = Fraction(math.isqrt(p), math.isqrt(q))
    if near**2 == square:
        return near, near
    shift = 256 + max(0, q.bit_length() - p.bit_length())
    floor = math.isqrt((p << 2 * shift) // q)
    return Fraction(floor, 1 << shift), Fraction(floor + 1, 1 << shift)
