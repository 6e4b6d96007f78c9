r"""What is known in closed form of the least ρ (zCDP) and the least μ (GDP) of a mechanism.

For one ordered pair, :math:`h(\alpha) = D_\alpha(P\|Q)/\alpha`; the least ρ is the supremum of h over α > 1.
Divergences of a composition add up, and so do squares of μ (Dong, Roth, Su 2022, Corollary 3.3). So upper
bounds add up; and of the limits of h at 1 and at ∞ the sums are lower bounds of the composition's supremum.

* **Gaussian noise** that moves by x standard deviations: h = x²/2 for every α, μ = x.
* **Discrete Gaussian noise**: h ≤ x²/2 (Canonne, Kamath, Steinke 2020, Proposition 5), with equality at 1 and
  at every integer, as the shifted sum is the sum.
* **ε-DP**: h ≤ ε tanh(ε/2), with equality at 1 for randomised response, which dominates. Proof. Its
  :math:`e^{(\alpha-1)D_\alpha}` is cosh((2α−1)x)/cosh x, x = ε/2. With β = 2α − 1 ≥ 1 the claim is
  f(β) = log cosh βx − (β²/2) x tanh x ≤ f(1), and f' = x tanh βx − βx tanh x ≤ 0, as tanh is concave. ∎
  μ ≤ 2Φ⁻¹(e^ε/(1 + e^ε)): the trade-off of randomised response is linear from (0, 1) to its corner, where
  both errors are 1/(1 + e^ε), as at the corner of G_μ, and G_μ is convex. Losses within ±ε are ε-DP.
* **ε-DP for m records**: losses within ±mε; h at 1 is ε(E|X + m| − E|X|) = mε − ε(1 − e^{−mε})/sinh ε of
  discrete Laplace noise X of scale 1/ε, as E|X + i| − E|X + i − 1| is P(X > −i) − P(X ≤ −i) = 1 −
  2e^{−iε}/(1 + e^{−ε}).
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
* **Choices by noisy scores.** Of the exponential mechanism, which is of bounded range η, h ≤ η²/8; what the
  Laplace pair of loss c dominates is c-DP. At 1 in all steps: the divergence of the answer that some
  neighbours have, rounded as :mod:`pldverify.mechanisms.attained` has it; none of too large a loss.
* **A vote** with Gaussian noise has at most what noise has that moves by √2: nothing is known from below.
* **A thresholded histogram** shows a new key with some probability: h = ∞ in the direction ``remove``.
* **GDP implies zCDP**, ρ = μ²/2, so μ ≥ √(2ρ) for the least ρ.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    ApproximateDP,
    BallsAndBins,
    Composition,
    DiscreteGaussian,
    Exponential,
    FinitePair,
    Gaussian,
    GaussianAboveThreshold,
    GNMax,
    GroupDP,
    Laplace,
    MixtureOfGaussians,
    PoissonSubsampled,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    SampledWithoutReplacement,
    SampledWithReplacement,
    ThresholdedHistogram,
    TruncatedPoisson,
)
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.one_sample import OneSample
from pldverify.mechanisms.relations import Adjacency, Direction, relation
from pldverify.mechanisms.selection import Selection
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.irrational import Irrational
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
        near, far: lower bounds on h(α) as α tends to 1 and to ∞.
    """

    rho: Bound | None = None
    square: Bound | None = None
    near: Bound = Fraction(0)
    far: Bound = Fraction(0)


_AT_EVERY_STEP = (
    ZCDP
    | RenyiDP
    | SampledWithoutReplacement
    | SampledWithReplacement
    | Exponential
    | Selection
    | ThresholdedHistogram
)
"""Whose facts from below are of what some neighbours have at every step, though not the pair."""
_INFINITE = Facts(math.inf, math.inf, math.inf, math.inf)
"""Where the loss is infinite with some probability."""


def least_rho(composition: Composition, adjacency: Adjacency) -> Value:
    """The least ρ with D_α ≤ ρα for all α > 1, as far as closed forms tell.

    Raises InvalidInput for an adjacency under which a mechanism has no pair.

    >>> from pldverify.values.concentrated import least_rho
    >>> [str(end) for end in least_rho(4 * pv.Gaussian(sigma=2), "add-or-remove").ends]
    ['1/2', '1/2']
    """
    tables = _tables(composition, adjacency)
    above = [_total(table, lambda facts: facts.rho) for table in tables]
    below = [_total(table, pick) for table in tables for pick in (lambda f: f.near, lambda f: f.far)]
    return _value(max((x for x in below if x is not None), default=Fraction(0)), above)


def least_mu(composition: Composition, adjacency: Adjacency) -> Value:
    """The least μ whose trade-off G_μ is nowhere above the composition's, as far as closed forms tell.

    Raises InvalidInput for an adjacency under which a mechanism has no pair.

    >>> from pldverify.values.concentrated import least_mu
    >>> [str(end) for end in least_mu(4 * pv.Gaussian(sigma=2), "add-or-remove").ends]
    ['1', '1']
    """
    above = [_total(table, lambda facts: facts.square) for table in _tables(composition, adjacency)]
    rho = least_rho(composition, adjacency).lower
    least = Fraction(0) if rho is None else root(2 * rho.at)[0]
    return _value(least, [None if square is None else root(square)[1] for square in above])


def _tables(composition: Composition, adjacency: Adjacency) -> list[list[tuple[Facts, int]]]:
    """Facts and counts, by direction."""
    found = []
    for direction in composition.directions(adjacency):
        rows = [(_facts(m, direction, adjacency), k) for m, k in composition.parts]
        found.append(
            [
                (f if _attained(m, composition) else Facts(f.rho, f.square), k)
                for (f, k), (m, _) in zip(rows, composition.parts, strict=True)
            ]
        )
    return found


def _attained(mechanism: Mechanism, composition: Composition) -> bool:
    """Whether some mechanism and neighbours have the facts from below: what its pair has, as a rule."""
    limit = mechanism.tight_steps
    return isinstance(mechanism, _AT_EVERY_STEP) or limit is None or composition.steps <= limit


def _total(table: list[tuple[Facts, int]], pick: Callable[[Facts], Bound | None]) -> Bound | None:
    """Over all steps; None where one is unknown. A large fraction plus ∞ would overflow."""
    found = [pick(facts) for facts, _ in table]
    known = [x for x in found if x is not None]
    if len(known) < len(found):
        return None
    if math.inf in known:
        return math.inf
    return sum((k * x for x, (_, k) in zip(known, table, strict=True)), Fraction(0))


def _value(least: Bound, above: list[Bound | None]) -> Value:
    """Of the worst direction. No ρ and no μ is negative, so 0 is a lower end where it is the upper one."""
    known = [x for x in above if x is not None]
    most = max(known) if known and len(known) == len(above) else None
    return Value(
        End(least, _BY) if least > 0 or most == 0 else None,
        End(most, _BY) if most is not None else None,
    )


def _facts(mechanism: Mechanism, direction: Direction, adjacency: Adjacency) -> Facts:
    moved = 2 if relation(adjacency) == "replace-one" else 1
    if isinstance(mechanism, PoissonSubsampled):
        return _sampled(mechanism, direction, _facts(mechanism.base, direction, adjacency))
    if isinstance(mechanism, OneSample):
        table = [(_facts(m, direction, adjacency), k) for m, k in mechanism.composition.parts]
        return Facts(_total(table, lambda facts: facts.rho), _total(table, lambda facts: facts.square))
    if isinstance(mechanism, SampledWithoutReplacement | SampledWithReplacement):
        if not isinstance(mechanism.base, Gaussian):
            base = _facts(mechanism.base, direction, adjacency)
            alone = isinstance(mechanism, SampledWithoutReplacement)
            return Facts(base.rho, base.square) if alone else Facts()
        draws = mechanism.m if isinstance(mechanism, SampledWithReplacement) else 1
        whole = _gaussian(_ratio(mechanism.base.sensitivity, mechanism.base.sigma), 2 * draws)
        return Facts(whole.rho, whole.square, far=whole.far)
    if isinstance(mechanism, TruncatedPoisson):
        whole = _gaussian(_ratio(mechanism.base.sensitivity, mechanism.base.sigma), 2)
        return Facts(whole.rho, whole.square)
    if isinstance(mechanism, BallsAndBins | HiddenBatch):
        base = _facts(mechanism.base, direction, adjacency)
        a, b = (1, 0) if isinstance(mechanism, BallsAndBins) else mechanism.gaps[relation(adjacency)]
        far = _gaussian(_ratio(mechanism.base.sensitivity, mechanism.base.sigma), a - b).far
        return Facts(base.rho, base.square, far=far if direction in _FORWARD else Fraction(0))
    return _unsampled(mechanism, direction, moved)


def _unsampled(mechanism: Mechanism, direction: Direction, moved: int) -> Facts:
    match mechanism:
        case Gaussian():
            return _gaussian(_ratio(mechanism.sensitivity, mechanism.sigma), moved)
        case DiscreteGaussian():
            exact = _gaussian(_ratio(mechanism.sensitivity, mechanism.sigma), moved)
            return Facts(rho=exact.rho, near=exact.near, far=exact.far)
        case GDP():
            return _gaussian(ends(mechanism.mu), 1)
        case MixtureOfGaussians():
            whole = _gaussian(_ratio(mechanism.unit, mechanism.sigma), mechanism.levels[-1][0])
            return Facts(whole.rho, whole.square, far=whole.far if direction == "remove" else Fraction(0))
        case ZCDP():
            least, most = ends(mechanism.rho)
            return Facts(rho=most, near=least, far=least)
        case GNMax():
            least = ends(mechanism.sigma)[0]
            return Facts(rho=1 / least**2, square=2 / least**2)
        case GaussianAboveThreshold():
            plain = mechanism.plain_rho(moved)
            return Facts(rho=plain, square=2 * plain)
        case RenyiDP():
            return Facts(near=mechanism.rho, far=mechanism.rho)
        case ThresholdedHistogram():
            return _INFINITE if direction in _FORWARD else Facts()
        case ApproximateDP() | GroupDP() if mechanism.delta > 0:
            return _INFINITE
        case GroupDP():
            (low, high), m = ends(mechanism.epsilon), mechanism.m
            near = _below(low, lambda x: m * x + x * (-m * x).expm1() / x.sinh()) if low else Fraction(0)
            return _bounded(m * high, near=near)
        case PureDP() | ApproximateDP():
            low, high = ends(mechanism.epsilon)
            return _bounded(high, near=_below(low, lambda x: x * (x / 2).tanh()))
        case Laplace():
            low, high = _ratio(mechanism.sensitivity, mechanism.b)
            return _bounded(moved * high, near=_below(moved * low, lambda x: x + (-x).expm1()))
        case Exponential():
            return _bounded_range(mechanism, moved)
        case Selection():
            loss = Fraction(mechanism.ends()[1].loss(moved))
            return _bounded(loss, near=_answered(mechanism, moved))
        case RandomizedResponse():
            return _response(mechanism)
        case FinitePair():
            return _finite(
                *((mechanism.p, mechanism.q) if direction in _FORWARD else (mechanism.q, mechanism.p))
            )
    return Facts()


def _sampled(mechanism: PoissonSubsampled, direction: Direction, base: Facts) -> Facts:
    if mechanism.q == 1:
        return base
    if not isinstance(mechanism.base, Gaussian) or direction == "add" or base.rho is None:
        return Facts(base.rho, base.square)
    if direction == "remove":
        return Facts(base.rho, base.square, far=base.far)
    with working(_BITS):  # the base of a replaced record moves by 2C
        away = -(1 - ball(ends(mechanism.q)[1])).log()
        more = upper(away) if away.is_finite() else base.rho  # q may be next to 1
    most = Fraction(base.rho) / 4 + Fraction(more)
    return Facts(min(base.rho, most), base.square, far=base.far / 4)


def _gaussian(ratio: tuple[Bound, Bound], moved: int) -> Facts:
    low, high = ((moved * x) ** 2 for x in ratio)
    return Facts(high / 2, high, low / 2, low / 2)


def _bounded(loss: Bound, near: Bound) -> Facts:
    """Of a loss within ±``loss``."""
    if loss > _LARGEST:
        return Facts(near=near)
    with working(_BITS):
        x = ball(Fraction(loss))
        corner = (2 / (x.exp() + 1)).erfcinv()  # 1 − tanh(x/2) = 2/(e^x + 1), and Φ⁻¹ is √2 erf⁻¹
        return Facts(upper(x * (x / 2).tanh()), upper(8 * corner**2), near=near)


def _bounded_range(mechanism: Exponential, moved: int) -> Facts:
    eta, times = Fraction(mechanism.ends()[1].range), mechanism.times
    square = _bounded(eta, near=Fraction(0)).square
    return Facts(
        times * eta**2 / 8, None if square is None else times * square, near=_answered(mechanism, moved)
    )


def _answered(mechanism: Exponential | Selection, moved: int) -> Bound:
    """The divergence at 1 of the answer that some neighbours have, in all steps."""
    known = attained(
        Composition.of((mechanism.ends()[0], 1)), "add-or-remove" if moved == 1 else "replace-one"
    )
    parts = known[0].parts if known else ()
    return sum((k * _finite(m.p, m.q).near for m, k in parts if isinstance(m, FinitePair)), Fraction(0))


def _response(mechanism: RandomizedResponse) -> Facts:
    """(p, r, …) against (r, p, …): the divergence at 1 is (p − r) log(p/r)."""
    (least, most), k = ends(mechanism.p), mechanism.categories
    if most == 1 or least == 0:
        return _INFINITE if least == most else Facts()
    with working(_BITS):
        p = ball(least).union(ball(most))
        r = (1 - p) / (k - 1)
        loss = (p / r).log()
        return _bounded(upper(abs(loss)), near=_least(loss * (p - r)))


def _finite(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Facts:
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if x or y]
    if any(x and not y for x, y in pairs):
        return _INFINITE
    with working(_BITS):
        near = sum((ball(x) * ball(x / y).log() for x, y in pairs if x), arb(0))
        if any(y and not x for x, y in pairs):
            return Facts(near=_least(near))
        largest = max(max(x / y, y / x) for x, y in pairs)
        return _bounded(upper(ball(largest).log()), near=_least(near))


def _below(x: Bound, function: Callable[[arb], arb]) -> Bound:
    """A lower bound on the function at x ≥ 0; 0 where it is not evaluated."""
    if x > _LARGEST:
        return Fraction(0)
    with working(_BITS):
        return _least(function(ball(Fraction(x))))


def _least(x: arb) -> Bound:
    """The lower end of what is not negative."""
    return max(Fraction(0), lower(x))


def _ratio(top: Fraction | Irrational | int, bottom: Fraction | Irrational) -> tuple[Bound, Bound]:
    """top / bottom of positive numbers, enclosed where they are."""
    (least, most), (low, high) = ends(top), ends(bottom)
    return Fraction(least) / Fraction(high), Fraction(most) / Fraction(low)


def root(square: Bound) -> tuple[Bound, Bound]:
    """√square between two fractions, equal where it is rational."""
    if square == math.inf:
        return math.inf, math.inf
    p, q = Fraction(square).numerator, Fraction(square).denominator
    if math.isqrt(p) ** 2 == p and math.isqrt(q) ** 2 == q:
        return Fraction(math.isqrt(p), math.isqrt(q)), Fraction(math.isqrt(p), math.isqrt(q))
    shift = 256 + max(0, q.bit_length() - p.bit_length())
    floor = math.isqrt((p << 2 * shift) // q)
    return Fraction(floor, 1 << shift), Fraction(floor + 1, 1 << shift)
