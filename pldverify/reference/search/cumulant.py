"""K(θ) = log M(θ) with its first two derivatives, in floats: it guides searches and proves nothing.

Of most laws by the sums over a table, of some by a formula; of a composed loss by their sum.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, singledispatch
from typing import TYPE_CHECKING

from pldverify.balls.ball import ball, short, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.laws.anchored import Anchored
from pldverify.reference.laws.blunted_laplace import BluntedLaplaceLaw
from pldverify.reference.laws.bounded_range import BoundedRangeBound
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.fixed_choices import FixedChoicesLaw
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import Draws, GaussianPairLaw, Mixture
from pldverify.reference.laws.halting_bound import LaplaceHaltingBound
from pldverify.reference.laws.known_mixture import KnownMixtureLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.sampled_zcdp import SampledZCDPBound
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.thresholded import ThresholdedLaw
from pldverify.reference.search.mixture import odds, serving
from pldverify.reference.search.table import REACH, Cumulant, Table, wider
from pldverify.reference.search.tables import sampled_integers, table_of

if TYPE_CHECKING:
    from pldverify.reference.search.columns import Columns

__all__ = ["cumulant"]
_REMEMBERED = 4096
"""Cumulants that are remembered, each of one composition at one tilt."""
_KEPT = 16
"""Compositions whose tables are remembered."""
_FEW = 100
"""Nodes of a table up to which numpy is not worth loading."""
_MANY = 8
"""Gaussian mixtures whose cumulants are worth loading numpy for."""
_STEP = 1 / 64
"""Step of the differences of a bound by zCDP, relative to λ."""
_NEAR = 2.0**-20
"""Step of the differences of a closed transform, over how far noise is moved."""
_DIFFERENCES = 160
"""Bits that these take."""
_FLAT = 1e-12
"""Least second derivative: of a loss that hardly varies they tell none."""
_LARGEST = 700
"""Largest logarithm of a float."""
_THRESHOLD = 20
"""Parts of what queries move by that the threshold may be moved by."""
_FARTHEST = 1e4
"""Cap on the cut, in standard deviations of the noise: bounds the nodes up to it."""


@singledispatch
def cumulant(loss: object, theta: float) -> Cumulant:
    """K, K', K'' of one law or of a composed loss. Raises NoConvergence."""
    return _sums(table_of(loss, wider(theta)), theta)


def _sums(table: Table, theta: float) -> Cumulant:
    """Over a table."""
    if len(table.logs) <= _FEW:
        return table.cumulant(theta)
    from pldverify.reference.search.columns import columns_of  # loads numpy

    value, slope, curvature = columns_of(table).cumulants(theta)[0].tolist()
    return value, slope, curvature


@cumulant.register
def _gaussian(law: GaussianLaw, theta: float) -> Cumulant:
    v = float(law.variance)
    return v * theta * (theta + 1) / 2, v * (theta + 0.5), v


@cumulant.register
def _anchored(law: Anchored, theta: float) -> Cumulant:
    value, slope, curvature = cumulant(law.law, theta)
    return value - theta * float(law.anchor), slope - float(law.anchor), curvature


@cumulant.register
def _allocation(law: AllocationLaw, theta: float) -> Cumulant:
    from pldverify.reference.search.allocation_moments import moment  # loads numpy

    if law.direction == "remove":
        return _turned(moment(law.mean, -1 - theta))
    return moment(law.mean, theta)


@cumulant.register
def _bounded_range(law: BoundedRangeBound, theta: float) -> Cumulant:
    if not theta > 0:
        raise NoConvergence("bounded range: moments of positive order alone are bounded")
    eta, k = float(law.eta), law.times
    if (theta + 1) * eta < 8:
        v = k * eta * eta / 4
        return v * theta * (theta + 1) / 2, v * (theta + 0.5), v
    return k * theta * eta, k * eta, 1e-9


@cumulant.register
def _sampled_zcdp(law: SampledZCDPBound, theta: float) -> Cumulant:
    if not theta > 0:
        raise NoConvergence("sampled zCDP: moments of positive order alone are bounded")
    with working(64):
        points = (theta * (1 - _STEP), theta, theta * (1 + _STEP))
        left, centre, right = (float(law.log_moment(short(x)).mid()) for x in points)
    width = theta * _STEP
    return centre, (right - left) / (2 * width), max((right - 2 * centre + left) / width**2, 1e-9)


@cumulant.register
def _thresholded(law: ThresholdedLaw, theta: float) -> Cumulant:
    return _closed(law, theta, float(law.move))


@cumulant.register
def _blunted_laplace(law: BluntedLaplaceLaw, theta: float) -> Cumulant:
    return _closed(law, theta, float(law.shift))


def _closed(law: ThresholdedLaw | BluntedLaplaceLaw, theta: float, move: float) -> Cumulant:
    """Of a transform in closed form; derivatives by differences, in balls of more bits than doubles have."""
    step = Fraction(_NEAR / max(1.0, move))
    with working(_DIFFERENCES):
        points = (Fraction(theta) + x for x in (-step, 0, step))
        left, centre, right = (law.on_line(x, Fraction(0), 0)[0].real.log() for x in points)
        slope, curvature = (right - left) / ball(2 * step), (right - 2 * centre + left) / ball(step**2)
    return float(centre.mid()), float(slope.mid()), max(float(curvature.mid()), _FLAT)


@cumulant.register
def _halting(law: LaplaceHaltingBound, theta: float) -> Cumulant:
    """That of the pair where it is less, to the last bit."""
    if not theta > 0:
        raise NoConvergence("halting: moments of positive order alone are bounded")
    known = cumulant(law.pair, theta)
    left, centre, right = (_of_ends(law, theta * (1 + x)) for x in (-_STEP, 0, _STEP))
    if not centre < known[0]:
        return known
    width = theta * _STEP
    return centre, (right - left) / (2 * width), max((right - 2 * centre + left) / width**2, 1e-9)


def _of_ends(law: LaplaceHaltingBound, lam: float) -> float:
    """Next to the bound of log M(λ)."""
    if not law.one_way:
        return _least(law, lam, lambda x: (1 - x, 1 + x))
    return max(_least(law, lam, lambda x: (1 - x, x)), _least(law, lam, lambda x: (x, 1 - x)))


def _least(law: LaplaceHaltingBound, lam: float, moves: Callable[[float], tuple[float, float]]) -> float:
    """Over all parts x of the move that the threshold takes, of how far queries rise and fall at most."""
    least = math.inf
    for share in (x / _THRESHOLD for x in range(_THRESHOLD + 1)):
        by = share * float(law.threshold)
        moved = lam * by + math.log((lam + 1 + lam * math.exp(-(2 * lam + 1) * by)) / (2 * lam + 1))
        up, down = (x * float(law.answer) for x in moves(share))
        least = min(least, moved + _sum_of_ends(up, down, lam))
    return least


def _sum_of_ends(up: float, down: float, lam: float) -> float:
    """log R at two corners; infinite where nothing is known."""
    found = 1.0
    for move, rising in ((down, False), (up, True)):
        q = math.exp(-move / 2)
        for power in (1, 2):
            h, other = 1 - q**power / (1 + q), q ** (3 - power) / (1 + q)
            h, other = (other, h) if rising else (h, other)
            stays = math.log(1 - h) + lam * math.log((1 - h) / (1 - other))
            ends = math.log(h) + lam * math.log(h / other)
            if not stays < 0 or ends > _LARGEST:
                return math.inf
            found = max(found, math.exp(ends) / -math.expm1(stays))
    return math.log(found)


@cumulant.register
def _fixed_choices(law: FixedChoicesLaw, theta: float) -> Cumulant:
    """Next to it: k responses of loss ±η/2."""
    loss = float(law.range) / 2
    likely = -math.log1p(math.exp(-loss))
    value, slope, curvature = Table([likely, likely - loss], [loss, -loss]).cumulant(theta)
    return law.times * value, law.times * slope, law.times * curvature


@cumulant.register
def _known_mixture(law: KnownMixtureLaw, theta: float) -> Cumulant:
    rows = [(math.log(share), cumulant(part, theta)) for share, part in law.parts]
    whole = Table([log + value for log, (value, _, _) in rows], [slope for _, (_, slope, _) in rows])
    (value, mean, spread), (_, weights) = whole.cumulant(0.0), whole.tilted(0.0)
    inside = math.fsum(w * bend for w, (_, (_, _, bend)) in zip(weights, rows, strict=True))
    return value, mean, spread + inside / math.fsum(weights)


@cumulant.register
def _laplace(law: LaplaceLaw, theta: float) -> Cumulant:
    """Derivatives by differences."""
    c = float(law.loss)
    step = 1e-3 / max(1.0, c)
    left, centre, right = (_log_moment(theta + d, c) for d in (-step, 0.0, step))
    curvature = (left - 2 * centre + right) / step**2
    return centre, (right - left) / (2 * step), max(curvature, 1e-3 * c * c * math.exp(-c))


def _log_moment(theta: float, c: float) -> float:
    y = abs((2 * theta + 1) * c / 2)
    sinhc = math.log(-math.expm1(-2 * y) / (2 * y)) + y if y > 1e-8 else 0.0
    half = math.log(0.5)
    return Table([half, half - c, math.log(c / 2) - c / 2 + sinhc], [c, -c, 0.0]).cumulant(theta)[0]


@cumulant.register
def _discrete_gaussian(law: DiscreteGaussianLaw, theta: float) -> Cumulant:
    s, v = law.sensitivity, float(law.variance)
    total, mean, variance = _bell(s * (theta + 1), v)
    base = _bell(0.0, v)[0]
    value = s * s * theta * (theta + 1) / (2 * v) + total - base
    return value, (2 * s * mean - s * s) / (2 * v), (s / v) ** 2 * variance


def _bell(centre: float, v: float) -> Cumulant:
    """log of the sum, mean and variance of exp(−(x − centre)²/2v) over the integers."""
    if v > 9:
        return math.log(2 * math.pi * v) / 2, centre, v
    reach = math.ceil(9 * math.sqrt(v)) + 1
    points = [float(x) for x in range(round(centre) - reach, round(centre) + reach + 1)]
    return Table([-((x - centre) ** 2) / (2 * v) for x in points], points).cumulant(0.0)


@cumulant.register
def _poisson_discrete_gaussian(law: PoissonDiscreteGaussianLaw, theta: float) -> Cumulant:
    if law.direction == "remove":
        return sampled_integers(law, theta + 1)
    return _turned(sampled_integers(law, -theta))


@cumulant.register
def _mixture(law: GaussianMixtureLaw, theta: float) -> Cumulant:
    c, q = 1 / float(law.noise_multiplier), float(law.q)
    if law.direction == "remove":
        return _sums(odds(c, q, theta + 1), theta + 1)
    return _turned(_sums(odds(c, q, -theta), -theta))


@cumulant.register
def _near(law: NearLaw, theta: float) -> Cumulant:
    from pldverify.reference.search.pair_table import near_table  # loads numpy

    return _sums(near_table(law), theta)


@cumulant.register
def _pair(law: GaussianPairLaw, theta: float) -> Cumulant:
    """Up to a cut beyond which nothing counts."""
    if theta < -0.5:  # x → −x turns θ into −1 − θ, and losses into their negatives
        return _turned(_pair(GaussianPairLaw(law.shift, law.second, law.first), -1 - theta))
    return _near(NearLaw(law, _cut(float(law.shift) * _top(law.first), theta)), theta)


@cumulant.register
def _batch(law: ShiftedGaussianLaw, theta: float) -> Cumulant:
    if not isinstance(law.draws, Fraction):
        return _sums(table_of(law, wider(theta)), theta)
    if theta < -0.5:
        return _turned(_batch(law, -1 - theta))
    return _near(NearLaw(law, _cut(float(law.shift), theta)), theta)


def _turned(of_other: Cumulant) -> Cumulant:
    value, slope, curvature = of_other
    return value, -slope, curvature


def _top(mixture: Mixture) -> int:
    return mixture.m if isinstance(mixture, Draws) else mixture[-1][0]


def _cut(top: float, theta: float) -> Fraction:
    """A power of √2 beyond all that counts, so that its nodes serve many tilts."""
    least = top * (theta + 1) + top + REACH
    if least > _FARTHEST:
        raise NoConvergence(f"tilt {theta:.3g} is too large for this law")
    return Fraction(2.0 ** (math.ceil(2 * math.log2(least)) / 2))


@cumulant.register
def _composed(product: ComposedLoss, theta: float) -> Cumulant:
    spend()
    return _sum(_Same(product), theta)


class _Same:
    """A composed loss that equals itself only: to hash a thousand laws takes longer than to look them up."""

    def __init__(self, product: ComposedLoss) -> None:
        self.product = product

    def __hash__(self) -> int:
        return id(self.product)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.product is self.product


@lru_cache(maxsize=_REMEMBERED)
def _sum(same: _Same, theta: float) -> Cumulant:
    rows = [(k * a, k * b, k * c) for k, (a, b, c) in _single(same, theta)]
    value, slope, curvature = (math.fsum(row[i] for row in rows) for i in range(3))
    return value, slope, curvature


def _single(same: _Same, theta: float) -> Iterator[tuple[int, Cumulant]]:
    """Counts and cumulants of the laws; those of many Gaussian mixtures together."""
    mixtures, others, anchor = _split(same)
    remove = mixtures[0][0].direction == "remove" if mixtures else True
    p = theta + 1 if remove else -theta
    columns = _columns(same, serving(p)) if len(mixtures) >= _MANY else None
    if columns is None:
        yield from ((k, cumulant(law, theta)) for law, k in same.product.factors)
        return
    rows = (columns.cumulants(p) * (1.0, 1.0 if remove else -1.0, 1.0)).tolist()
    yield from ((k, (a, b, c)) for (_, k), (a, b, c) in zip(mixtures, rows, strict=True))
    yield from ((k, cumulant(law, theta)) for law, k in others)
    yield 1, (-anchor * theta, -anchor, 0.0)


@lru_cache(maxsize=_KEPT)
def _split(same: _Same) -> tuple[list[tuple[GaussianMixtureLaw, int]], list[tuple[Law, int]], float]:
    """The mixtures, all of one direction, the other laws, and the sum of the anchors of both."""
    plain = [
        (law.law, law.anchor, k) if isinstance(law, Anchored) else (law, Fraction(0), k)
        for law, k in same.product.factors
    ]
    return (
        [(law, k) for law, _, k in plain if isinstance(law, GaussianMixtureLaw)],
        [(law, k) for law, _, k in plain if not isinstance(law, GaussianMixtureLaw)],
        math.fsum(k * float(anchor) for _, anchor, k in plain),
    )


@lru_cache(maxsize=_KEPT)
def _columns(same: _Same, p: float) -> "Columns | None":
    from pldverify.reference.search.columns import odds_of_all  # loads numpy

    laws = [law for law, _ in _split(same)[0]]
    return odds_of_all([1 / float(law.noise_multiplier) for law in laws], [float(law.q) for law in laws], p)
