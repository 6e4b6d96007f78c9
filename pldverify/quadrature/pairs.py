r"""The pair (P, Q) of every mechanism, written out from its definition in ``pldverify/mechanisms``.

Under replace-one the query moves by twice its sensitivity, but for mechanisms that are given by their pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import (
    GDP,
    AboveThreshold,
    ApproximateDP,
    Binomial,
    DensityPair,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FinitePair,
    Gaussian,
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
    SampledWithoutReplacement,
    SampledWithReplacement,
)
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.mechanisms.selection import Selection
from pldverify.mechanisms.truncated_geometric import TruncatedGeometric
from pldverify.quadrature.arithmetic import Real, real
from pldverify.quadrature.pieces import Atom, Integers, Interval, Pair, reversed_pair, swapped
from pldverify.quadrature.user_densities import user_pair

Rows = list[tuple[Real, Real]]
"""(weight, mean) of each normal law of a mixture."""
_MOST_DRAWS = 100
"""Cap on how often a record can be drawn with replacement, where it still counts."""


def pair(mp: Any, mechanism: Mechanism, direction: Direction) -> Pair:
    """The ordered pair of one step. Raises NotSupported for a mechanism without densities or masses."""
    if type(mechanism) not in _PAIRS:
        raise NotSupported(f"the quadrature has no density for {mechanism}")
    moves = 2 if direction in ("replace", "replace-back") else 1
    found = _PAIRS[type(mechanism)](mp, mechanism, moves)
    return found if direction in ("remove", "replace") else reversed_pair(found)


def symmetric(mechanism: Mechanism) -> bool:
    """Whether (P, Q) and (Q, P) have one profile by the mechanism's definition."""
    return not isinstance(
        mechanism, PoissonSubsampled | MixtureOfGaussians | Binomial | FinitePair | DensityPair
    )


def _gaussian(mp: Any, mechanism: Gaussian, moves: int) -> Pair:
    """N(s, σ²) against N(0, σ²)."""
    sigma, shift = real(mp, mechanism.sigma), real(mp, moves * mechanism.sensitivity)
    return _normals(mp, sigma, [(1, shift)], [(1, 0)])


def _gdp(mp: Any, mechanism: GDP, moves: int) -> Pair:
    """N(μ, 1) against N(0, 1), under either relation."""
    return _normals(mp, mp.mpf(1), [(1, real(mp, mechanism.mu))], [(1, 0)])


def _laplace(mp: Any, mechanism: Laplace, moves: int) -> Pair:
    """Lap(s/b, 1) against Lap(0, 1): nothing is blunted."""
    return _blunted(mp, real(mp, moves * mechanism.sensitivity) / real(mp, mechanism.b), mp.mpf(0), [])


def _selection(mp: Any, mechanism: Selection, moves: int) -> Pair:
    """Blunted Laplace noise, moved by c against its place."""
    flat, bends = mechanism.noise(moves)
    known = [(real(mp, slope), real(mp, length)) for slope, length in bends]
    return _blunted(mp, real(mp, mechanism.loss(moves)), real(mp, flat), known)


def _blunted(mp: Any, shift: Real, corner: Real, bends: list[tuple[Real, Real]]) -> Pair:
    """Noise moved by ``shift`` against its place: flat to ``corner``, it falls by (slope, length), then 1."""
    height = mp.mpf(0)
    rows, mass = [(corner, height, mp.mpf(0))], corner
    for slope, length in bends:
        mass += mp.exp(height) * (1 - mp.exp(-slope * length)) / slope
        rows[-1] = (*rows[-1][:2], slope)
        corner, height = corner + length, height - slope * length
        rows.append((corner, height, mp.mpf(0)))
    rows[-1] = (corner, height, mp.mpf(1))
    norm = mp.log(2 * (mass + mp.exp(height)))

    def log(t: Real) -> Real:
        known = [(x, y, slope) for x, y, slope in rows if x < abs(t)]
        if not known:
            return -norm
        x, y, slope = known[-1]
        return y - slope * (abs(t) - x) - norm

    corners = sorted({sign * x + y for x, _, _ in rows for sign in (-1, 1) for y in (0, shift)})
    ends = [mp.ninf, *corners, mp.inf]
    one = mp.mpf(1)
    return tuple(
        Interval(a, b, lambda t: (log(t - shift), log(t)), min(max(a, corners[0]), corners[-1]), one)
        for a, b in pairwise(ends)
    )


def _exponential(mp: Any, mechanism: Exponential, moves: int) -> Pair:
    """Logistic(η) against Logistic(0), of one choice. Raises NotSupported for several at once."""
    if mechanism.times > 1:
        raise NotSupported(f"the quadrature has no density for {mechanism}")
    shift = real(mp, mechanism.range)

    def logistic(t: Real, centre: Real) -> Real:
        away = abs(t - centre)
        return -away - 2 * mp.log1p(mp.exp(-away))

    zero = mp.mpf(0)
    return (Interval(mp.ninf, mp.inf, lambda t: (logistic(t, shift), logistic(t, zero)), zero, mp.mpf(1)),)


def _discrete_gaussian(mp: Any, mechanism: DiscreteGaussian, moves: int) -> Pair:
    """exp(−(x − s)²/2σ²) against exp(−x²/2σ²) on the integers, both normalised."""
    variance, shift = real(mp, mechanism.sigma) ** 2, moves * mechanism.sensitivity
    direct = variance < 10
    norm = mp.log(mp.jtheta(3, 0, mp.exp(-1 / (2 * variance)))) if direct else _poisson_sum(mp, variance)

    def logs(x: Real) -> tuple[Real, Real]:
        return -((x - shift) ** 2) / (2 * variance) - norm, -x * x / (2 * variance) - norm

    return (Integers(None, None, logs, 0),)


def _poisson_sum(mp: Any, variance: Real) -> Real:
    """log Σ exp(−x²/2σ²) by Poisson summation, for large σ."""
    return mp.log(mp.sqrt(2 * mp.pi * variance) * mp.jtheta(3, 0, mp.exp(-2 * mp.pi**2 * variance)))


def _discrete_laplace(mp: Any, mechanism: DiscreteLaplace, moves: int) -> Pair:
    """(1 − r)/(1 + r) r^|x − s| against the same at s = 0, r = e^{−1/b}."""
    b, shift = real(mp, mechanism.b), moves * mechanism.sensitivity
    r = mp.exp(-1 / b)
    norm = mp.log((1 - r) / (1 + r))

    def logs(x: Real) -> tuple[Real, Real]:
        return norm - abs(x - shift) / b, norm - abs(x) / b

    inner = Integers(1, shift - 1, logs, 1)
    ends = (Integers(None, 0, logs, 0), Integers(shift, None, logs, shift))
    return (*ends, inner) if shift > 1 else ends


def _binomial(mp: Any, mechanism: Binomial, moves: int) -> Pair:
    """s + Bin(n, p) against Bin(n, p)."""
    n, shift = mechanism.n, moves * mechanism.sensitivity
    odds = mp.log(real(mp, mechanism.p)), mp.log(real(mp, 1 - mechanism.p))

    def mass(x: int) -> Real:
        if not 0 <= x <= n:
            return mp.ninf
        return mp.log(mp.mpf(_choose(mp, n, x))) + x * odds[0] + (n - x) * odds[1]

    def logs(x: Real) -> tuple[Real, Real]:
        return mass(int(x) - shift), mass(int(x))

    mode = int(n * mechanism.p)
    bounds = [(0, min(shift, n + 1) - 1), (shift, n), (max(n + 1, shift), n + shift)]
    return tuple(Integers(low, high, logs, min(max(low, mode), high)) for low, high in bounds if low <= high)


def _choose(mp: Any, n: int, x: int) -> Real:
    """The binomial coefficient."""
    return mp.exp(mp.loggamma(n + 1) - mp.loggamma(x + 1) - mp.loggamma(n - x + 1))


def _randomized_response(mp: Any, mechanism: RandomizedResponse, moves: int) -> Pair:
    """(p, r, …) against (r, p, …); the other categories are alike."""
    p, r = real(mp, mechanism.p), real(mp, mechanism.other)
    rest = real(mp, 1 - mechanism.p - mechanism.other)
    return (Atom(p, r), Atom(r, p), Atom(rest, rest))


def _finite_pair(mp: Any, mechanism: FinitePair, moves: int) -> Pair:
    """The two vectors."""
    return tuple(Atom(real(mp, a), real(mp, b)) for a, b in zip(mechanism.p, mechanism.q, strict=True))


def _approximate_dp(mp: Any, mechanism: ApproximateDP, moves: int) -> Pair:
    """(δ, (1−δ)e^ε/(1+e^ε), (1−δ)/(1+e^ε), 0) against its reverse."""
    odds, delta = mp.exp(real(mp, mechanism.epsilon)), real(mp, mechanism.delta)
    high, low, zero = (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds), mp.mpf(0)
    return (Atom(delta, zero), Atom(high, low), Atom(low, high), Atom(zero, delta))


def _pure_dp(mp: Any, mechanism: PureDP, moves: int) -> Pair:
    """(e^ε, 1)/(1 + e^ε) against its reverse."""
    return _approximate_dp(mp, ApproximateDP(mechanism.epsilon, 0), moves)


def _group_dp(mp: Any, mechanism: GroupDP, moves: int) -> Pair:
    """Between neighbouring places where g∘…∘g bends: its increase, and their distance."""
    odds, delta, one = mp.exp(real(mp, mechanism.epsilon)), real(mp, mechanism.delta), mp.mpf(1)
    bends, places, times = [(1 - delta) / (1 + odds), 1 - delta], {0 * one, one}, range(mechanism.m)
    for _ in times:
        places |= {x for x in bends if 0 < x < 1}
        bends = [max((y - delta) / odds, 1 - delta - odds * (1 - y)) for y in bends]
    before = sorted(places)
    after = before
    for _ in times:
        after = [min(delta + odds * x, 1 - (1 - delta - x) / odds, one) for x in after]
    steps = zip(pairwise(after), pairwise(before), strict=True)
    return (Atom(after[0], 0 * one), *(Atom(b - a, y - x) for (a, b), (x, y) in steps))


def _poisson(mp: Any, mechanism: PoissonSubsampled, moves: int) -> Pair:
    """(1 − q)Q + qP against Q; under replace-one (1 − q)N(0) + qN(C) against (1 − q)N(0) + qN(−C)."""
    if mechanism.q == 1:
        return pair(mp, mechanism.base, "remove" if moves == 1 else "replace")
    if moves == 2:
        return _substitute(mp, mechanism, moves)
    weights = real(mp, mechanism.q), real(mp, 1 - mechanism.q)
    return tuple(_diluted(mp, piece, *weights) for piece in pair(mp, mechanism.base, "remove"))


def _diluted(mp: Any, piece: Any, q: Real, rest: Real) -> Any:
    """The piece with (1 − q)·(second) + q·(first) for its first density."""
    if isinstance(piece, Atom):
        return Atom(rest * piece.q + q * piece.p, piece.q)

    def logs(t: Real) -> tuple[Real, Real]:
        first, second = piece.logs(t)
        return _log_sum(mp, [mp.log(rest) + second, mp.log(q) + first]), second

    return replace(piece, logs=logs)


def _substitute(mp: Any, mechanism: PoissonSubsampled | KJH19Substitute, moves: int) -> Pair:
    """(1 − q)N(0, σ²) + qN(C, σ²) against (1 − q)N(0, σ²) + qN(−C, σ²)."""
    assert isinstance(mechanism.base, Gaussian)
    sigma, shift = real(mp, mechanism.base.sigma), real(mp, mechanism.base.sensitivity)
    q, rest = real(mp, mechanism.q), real(mp, 1 - mechanism.q)
    return _normals(mp, sigma, *([(q, centre), (rest, 0)] for centre in (shift, -shift)))


def _noise(mechanism: SampledWithoutReplacement | SampledWithReplacement) -> Gaussian:
    if not isinstance(mechanism.base, Gaussian):
        raise NotSupported(f"the quadrature has no density for {mechanism}")
    return mechanism.base


def _without_replacement(mp: Any, mechanism: SampledWithoutReplacement, moves: int) -> Pair:
    """The profile of (1 − q)N(0) + qN(2C) against N(0) for α ≥ 1, of the reverse for α ≤ 1."""
    shift = moves * real(mp, _noise(mechanism).sensitivity)
    q, rest = real(mp, mechanism.q), real(mp, 1 - mechanism.q)
    return _two_sided(mp, real(mp, _noise(mechanism).sigma), shift, q, rest, mp.mpf(1))


def _with_replacement(mp: Any, mechanism: SampledWithReplacement, moves: int) -> Pair:
    """Σ_{ℓ ≥ 1} b_ℓ/(1 − b_0) · ((1 − q)N(0) + qN(2Cℓ) against N(0), both ways), q = 1 − b_0, ℓ known."""
    weights = _draws(mp, mechanism.m, mechanism.n)
    rest = weights[0]
    q = -mp.expm1(mechanism.m * mp.log1p(-mp.mpf(1) / mechanism.n))
    noise = _noise(mechanism)
    step, sigma = moves * real(mp, noise.sensitivity), real(mp, noise.sigma)
    return tuple(
        piece
        for draws, weight in list(enumerate(weights))[1:]
        for piece in _two_sided(mp, sigma, draws * step, q, rest, weight / q)
    )


def _two_sided(mp: Any, sigma: Real, shift: Real, q: Real, rest: Real, share: Real) -> Pair:
    """``share`` times the pair whose profile is that of M = (1−q)N(0) + qN(shift) against N(0) for α ≥ 1.

    M and N agree at shift/2. Right of it M/N > 1: with p = M, q = N these are the losses above 0, with p = N,
    q = M those below; the rest of the mass has loss 0.
    """
    (whole,) = _normals(mp, sigma, [(share * rest, 0), (share * q, shift)], [(share, 0)])
    half = shift / 2
    beyond = mp.erfc(half / sigma / mp.sqrt(2)) / 2  # N(0) right of shift/2; left of it N(shift) has as much
    at_zero = share * rest * (1 - 2 * beyond)
    sides = [Interval(half, mp.inf, logs, half, sigma) for logs in (whole.logs, swapped(whole.logs))]
    return (*sides, Atom(at_zero, at_zero))


def _kjh20(mp: Any, mechanism: KJH20WithReplacement, moves: int) -> Pair:
    """Σ b_ℓ N(Cℓ, σ²) against Σ b_ℓ N(−Cℓ, σ²)."""
    sigma, shift = real(mp, mechanism.base.sigma), real(mp, mechanism.base.sensitivity)
    weights = list(enumerate(_draws(mp, mechanism.m, mechanism.n)))
    return _normals(mp, sigma, *([(w, sign * draws * shift) for draws, w in weights] for sign in (1, -1)))


def _mixture_of_gaussians(mp: Any, mechanism: MixtureOfGaussians, moves: int) -> Pair:
    """Σ w_i N(c_i, σ²) against N(0, σ²)."""
    rows = zip(mechanism.probabilities, mechanism.sensitivities, strict=True)
    first = [(real(mp, w), real(mp, c)) for w, c in rows]
    return _normals(mp, real(mp, mechanism.sigma), first, [(1, 0)])


def _draws(mp: Any, m: int, n: int) -> list[Real]:
    """Probabilities of 0, 1, … draws among m with probability 1/n each, as long as they count."""
    least = mp.mpf(10) ** (-3 * mp.dps)
    mass = mp.exp(m * mp.log1p(-mp.mpf(1) / n))
    found = [mass]
    for draws in range(1, m + 1):
        mass *= mp.mpf(m - draws + 1) / draws / (n - 1)
        if mass < least and draws * n > m:
            break
        found.append(mass)
        if draws > _MOST_DRAWS:
            raise NoConvergence(f"quadrature: more than {_MOST_DRAWS} draws of one record count")
    return found


def _normals(mp: Any, sigma: Real, first: Rows, second: Rows) -> tuple[Interval]:
    """Mixtures of N(c, σ²) against each other, by their weights and c."""
    p, q = _mixture(mp, sigma, first), _mixture(mp, sigma, second)
    return (Interval(mp.ninf, mp.inf, lambda t: (p(t), q(t)), mp.mpf(0), sigma),)


def _mixture(mp: Any, sigma: Real, rows: Rows) -> Callable[[Real], Real]:
    """log of Σ w times the density of N(c, σ²)."""
    norm, twice = mp.log(sigma) + mp.log(2 * mp.pi) / 2, 2 * sigma**2
    parts = [(mp.log(weight) - norm, centre) for weight, centre in rows if weight]
    return lambda t: _log_sum(mp, [log - (t - centre) ** 2 / twice for log, centre in parts])


def _log_sum(mp: Any, terms: list[Real]) -> Real:
    """log Σ e^term."""
    top = max(terms)
    if top == mp.ninf or len(terms) == 1:
        return top
    return top + mp.log(mp.fsum(mp.exp(term - top) for term in terms))


_PAIRS: dict[type[Mechanism], Callable[..., Pair]] = {
    AboveThreshold: _selection,
    ApproximateDP: _approximate_dp,
    TruncatedGeometric: _approximate_dp,
    Binomial: _binomial,
    DensityPair: user_pair,
    DiscreteGaussian: _discrete_gaussian,
    DiscreteLaplace: _discrete_laplace,
    Exponential: _exponential,
    FinitePair: _finite_pair,
    GDP: _gdp,
    Gaussian: _gaussian,
    GroupDP: _group_dp,
    KJH19Substitute: _substitute,
    KJH20WithReplacement: _kjh20,
    Laplace: _laplace,
    MixtureOfGaussians: _mixture_of_gaussians,
    NoisyMax: _selection,
    PermuteAndFlip: _selection,
    PoissonSubsampled: _poisson,
    PureDP: _pure_dp,
    RandomizedResponse: _randomized_response,
    SampledWithReplacement: _with_replacement,
    SampledWithoutReplacement: _without_replacement,
}
"""ρ-zCDP and Rényi DP fix no pair, and have none here."""
