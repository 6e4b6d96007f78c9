r"""The Fourier accountant for heterogeneous compositions of discrete losses (KH21), with its strict bounds.

Discrete losses go to the next grid point on the right (upper) or left (lower); a continuous density becomes
:math:`\omega_{\max}` (6.1) or its mirror image with the minimum. Algorithm 1 composes them, Theorem 1
(Theorem 7 of the proofs) and D.4 bound what truncation and periodisation can have done, and the bound is
added or taken off. Floating-point rounding is not in the paper's analysis and not in these numbers.

Notation: :math:`\alpha^\pm(\lambda) = \log E[e^{\pm\lambda\omega}]`, :math:`\Delta x = 2L/n`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import gammaln, log_ndtr, logsumexp

from pldverify.accountants import fft_grid
from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.fourier import Density, subsampled_density
from pldverify.accountants.losses import outcome, sigma_and_q
from pldverify.accountants.printed import Printed, Said, greatest
from pldverify.accountants.refusals import beyond_grid, other_relation
from pldverify.errors import InvalidInput
from pldverify.mechanisms.binomial import Binomial
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.claim import Direction as ClaimDirection

Side = Literal["right", "left"]

LAMBDAS = (2.0, 4.0, 8.0, 16.0, 32.0)
"""λ at which the bounds are evaluated; they hold for every λ > 0, and the least is taken."""


@dataclass(frozen=True)
class GridLoss:
    """A loss on the grid.

    Attributes:
        masses: shape (n,).
        infinity: mass of the loss +∞, δ(∞) of KH21 (3.3).
        beyond: log of a bound on E[e^{λω}] outside the grid, as a function of λ of either sign; −∞ if none
        is.
    """

    masses: Vector
    infinity: float = 0.0
    beyond: Callable[[float], float] = lambda lam: -math.inf


def place(losses: Vector, probabilities: Vector, *, n: int, L: float, side: Side) -> Vector:
    r"""Right or left grid approximation (4.4) of a discrete loss, shape (n,).

    Raises InvalidInput for a bad grid and unless every loss lies in [−L, L − Δx], as section 4.2 assumes.
    """
    n, L = fft_grid.check_grid(n, L)
    step = 2 * L / n
    if len(losses) and (losses.min() < -L or losses.max() > L - step):
        raise InvalidInput(
            f"losses must lie in [-L, L - 2L/n] = [{-L:g}, {L - step:g}], "
            f"got losses from {losses.min():g} to {losses.max():g}"
        )
    position = (losses + L) / step
    index = (np.ceil(position) if side == "right" else np.floor(position)).astype(np.int64)
    return np.bincount(index, weights=probabilities, minlength=n).astype(np.float64)


def from_probabilities(p: Vector, q: Vector, *, n: int, L: float, side: Side) -> GridLoss:
    """The loss log(p/q) of two discrete distributions (3.2), outcomes with q = 0 going to δ(∞) (3.3).

    Raises InvalidInput as :func:`place`.
    """
    both = (p > 0) & (q > 0)
    losses = np.log(p[both]) - np.log(q[both])
    return GridLoss(place(losses, p[both], n=n, L=L, side=side), float(np.sum(p[(p > 0) & (q == 0)])))


def from_density(density: Density, mode: float, *, n: int, L: float, side: Side) -> Vector:
    r""":math:`\omega_{\max}` (6.1) for ``right``: :math:`c_i = \Delta x \max_{[s_{i-1}, s_i]} \omega`; for
    ``left`` :math:`c_i = \Delta x \min_{[s_i, s_{i+1}]} \omega`. ω rises up to ``mode`` and falls after it.
    """
    n, L = fft_grid.check_grid(n, L)
    step = 2 * L / n
    values = density(-L + step * np.arange(-1, n + 1, dtype=np.float64))
    if side == "left":
        return np.minimum(values[1:-1], values[2:]) * step
    result = np.maximum(values[:-2], values[1:-1])
    cell = math.ceil((mode + L) / step)
    if 0 <= cell < n:
        result[cell] = density(np.array([mode]))[0]
    return np.asarray(result * step)


def infinite_mass(parts: Sequence[tuple[GridLoss, int]]) -> float:
    r""":math:`1 - \prod_\ell (1-\delta_\ell(\infty))^{k_\ell}`."""
    if any(part.infinity >= 1 for part, _ in parts):
        return 1.0
    return -math.expm1(sum(k * math.log1p(-part.infinity) for part, k in parts))


def log_mgf(part: GridLoss, lam: float, L: float) -> float:
    r"""α⁺(λ) for λ > 0, α⁻(|λ|) for λ < 0: log of :math:`E[e^{\lambda\omega}]`, on the grid and beyond it
    (E.2).
    """
    n = len(part.masses)
    used = np.flatnonzero(part.masses > 0)
    if len(used) == 0:
        return part.beyond(lam)
    exponents = lam * (-L + (2 * L / n) * used) + np.log(part.masses[used])
    return float(np.logaddexp(logsumexp(exponents), part.beyond(lam)))


@dataclass(frozen=True)
class Moments:
    """α⁺(λ) and α⁻(λ) of each part at one λ, with the parts' counts."""

    lam: float
    ups: tuple[float, ...]
    downs: tuple[float, ...]
    counts: tuple[int, ...]


def log_moments(parts: Sequence[tuple[GridLoss, int]], *, L: float) -> list[Moments]:
    """Moments at every λ of LAMBDAS."""

    def at(lam: float) -> tuple[float, ...]:
        return tuple(log_mgf(part, lam, L) for part, _ in parts)

    return [Moments(lam, at(lam), at(-lam), tuple(k for _, k in parts)) for lam in LAMBDAS]


def periodisation_bound(moments: Sequence[Moments], *, L: float) -> float:
    r"""Theorem 1: :math:`(e^{\alpha^+} + e^{\alpha^-})\, e^{-L\lambda}/(1 - e^{-2L\lambda})`, the least."""

    def at(m: Moments) -> float:
        up, down = (sum(k * a for k, a in zip(m.counts, alphas, strict=True)) for alphas in (m.ups, m.downs))
        return _exp(float(np.logaddexp(up, down)) - L * m.lam) / -math.expm1(-2 * L * m.lam)

    return min(at(m) for m in moments)


def truncation_bound(moments: Sequence[Moments], *, L: float) -> float:
    r"""Theorem 3 of appendix D.4 plus the tail (D.2), for losses that leave [−L, L); least over λ.

    :math:`\sum_\pm \sum_{\ell=1}^{k-1} e^{\ell\max_i\alpha_i^\pm}\,e^{-L\lambda} + e^{\alpha^+ - L\lambda}`.
    """

    def geometric(a: float, k: int) -> float:
        """log of Σ_{0<ℓ<k} e^{ℓa}, a > 0."""
        if k == 1:
            return -math.inf
        return k * a + math.log(-math.expm1(-(k - 1) * a)) - a - math.log(-math.expm1(-a))

    def at(m: Moments) -> float:
        k = sum(m.counts)
        worst = [geometric(max(*alphas, 1e-300), k) for alphas in (m.ups, m.downs)]
        tail = sum(count * a for count, a in zip(m.counts, m.ups, strict=True))
        return _exp(float(logsumexp([*worst, tail])) - L * m.lam)

    return min(at(m) for m in moments)


def _exp(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700 else math.inf


@dataclass(frozen=True)
class HeterogeneousFourierUpper(Printed):
    """KH21: strict upper bound, from right grids, ω_max and the bounds on truncation and periodisation.

    Attributes:
        n: number of grid points, even; 10**6 in figure 1(b).
        L: the loss is kept on [−L, L); 10 in figure 1(b).
    """

    n: int = 10**6
    L: float = 10.0

    name: ClassVar[str] = "heterogeneous-fourier/upper"
    direction: ClassVar[ClaimDirection] = "upper"
    side: ClassVar[Side] = "right"

    def __post_init__(self) -> None:
        fft_grid.check_grid(self.n, self.L)

    def supports(self, query: Query) -> str | None:
        """None, or one line: another mechanism, a loss beyond the grid, or epsilon outside [0, L)."""
        relation = other_relation(query)
        if relation is not None:
            return relation
        for mechanism, _ in query.composition.parts:
            if isinstance(mechanism, RandomizedResponse | Binomial):
                if _reach(mechanism) > self.L - 2 * self.L / self.n:
                    return f"the loss must lie on the grid [-{self.L:g}, {self.L:g}), got {mechanism}"
            elif sigma_and_q(mechanism) is None:
                return f"KH21 gives no loss distribution for {mechanism}"
        return beyond_grid(query, self.L)

    def answer(self, query: Query) -> Said:
        """Maximum over the directions of the query. Raises InvalidInput."""
        values = [
            self._one_direction(query, direction)
            for direction in query.composition.directions(query.adjacency)
        ]
        settings = {"n": str(self.n), "L": f"{self.L:g}", "lambdas": ", ".join(f"{lam:g}" for lam in LAMBDAS)}
        return greatest(values), settings, None

    def _one_direction(self, query: Query, direction: Direction) -> float:
        parts = [(self.on_grid(mechanism, direction), k) for mechanism, k in query.composition.parts]
        masses = fft_grid.compose([(part.masses, k) for part, k in parts])
        moments = log_moments(parts, L=self.L)
        error = periodisation_bound(moments, L=self.L)
        if any(part.beyond(1.0) > -math.inf for part, _ in parts):
            error += truncation_bound(moments, L=self.L)
        infinite = infinite_mass(parts)

        def delta(epsilon: float) -> float:
            value = infinite + fft_grid.hockey_stick(masses, self.L, epsilon)
            return self._bounded(value, error)

        if query.epsilon is not None:
            return delta(float(query.epsilon))
        return _invert(delta, float(query.delta if query.delta is not None else 0), self.L, self.direction)

    def _bounded(self, value: float, error: float) -> float:
        return 1.0 if math.isnan(value) else min(1.0, max(0.0, value) + error)

    def on_grid(self, mechanism: Mechanism, direction: Direction) -> GridLoss:
        """The mechanism's loss on this accountant's grid and side."""
        if isinstance(mechanism, RandomizedResponse | Binomial):
            with_record, without = _probabilities(mechanism)
            pair = (with_record, without) if direction == "remove" else (without, with_record)
            return from_probabilities(*pair, n=self.n, L=self.L, side=self.side)
        parameters = sigma_and_q(mechanism)
        if parameters is None:
            raise InvalidInput(f"KH21 gives no loss distribution for {mechanism}")
        sigma, q = parameters
        density = subsampled_density(sigma, q, direction)
        masses = from_density(
            density, _mode(density, sigma, q, direction), n=self.n, L=self.L, side=self.side
        )
        return GridLoss(
            masses, beyond=lambda lam: _beyond(lam, sigma, q, direction, self.L - 2 * self.L / self.n)
        )


@dataclass(frozen=True)
class HeterogeneousFourierLower(HeterogeneousFourierUpper):
    """KH21: strict lower bound, from left grids, the minimum of ω and the same bounds taken off."""

    name: ClassVar[str] = "heterogeneous-fourier/lower"
    direction: ClassVar[ClaimDirection] = "lower"
    side: ClassVar[Side] = "left"

    def _bounded(self, value: float, error: float) -> float:
        return 0.0 if math.isnan(value) else max(0.0, value - error)


def _invert(delta: Callable[[float], float], target: float, L: float, direction: ClaimDirection) -> float:
    """ε where the bound on δ(ε) crosses ``target``, by bisection; the end on the safe side for the
    direction.
    """
    low, high = 0.0, L * (1 - 1e-12)
    if delta(low) <= target:
        return 0.0
    if delta(high) > target:
        return math.inf if direction == "upper" else high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if delta(middle) <= target else (middle, high)
    return high if direction == "upper" else low


def _reach(mechanism: RandomizedResponse | Binomial) -> float:
    """Greatest |finite loss|; +∞ where the loss is never finite."""
    p, q = _probabilities(mechanism)
    both = (p > 0) & (q > 0)
    return float(np.max(np.abs(np.log(p[both]) - np.log(q[both])), initial=0.0)) if both.any() else math.inf


def _probabilities(mechanism: RandomizedResponse | Binomial) -> tuple[Vector, Vector]:
    """P and Q on their common outcomes; the binomial's below 1e-300 count as 0."""
    if isinstance(mechanism, RandomizedResponse):
        p, r = float(mechanism.p), float(mechanism.other)
        rest = float(1 - mechanism.p - mechanism.other)
        return np.array([p, r, rest]), np.array([r, p, rest])
    n, s = mechanism.n, mechanism.sensitivity
    j = np.arange(n + 1)
    logs = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1)
    logs = logs + j * math.log(mechanism.p) + (n - j) * math.log(1 - mechanism.p)
    noise, nothing = np.where(logs > -690, np.exp(logs), 0.0), np.zeros(s)
    return np.concatenate([nothing, noise]), np.concatenate([noise, nothing])


def _mode(density: Density, sigma: float, q: float, direction: Direction) -> float:
    """Where ω is greatest: 1/2σ² for the Gaussian, else by a bounded search around its bulk."""
    if q == 1:
        return 1 / (2 * sigma**2)
    ends = np.logaddexp(
        math.log1p(-q), math.log(q) + (2 * np.array([-8 * sigma, 8 * sigma + 1]) - 1) / (2 * sigma**2)
    )
    low, high = (ends[0], ends[1]) if direction == "remove" else (-ends[1], -ends[0])
    s = np.linspace(low, high, 2001)
    peak = int(np.argmax(density(s)))
    bounds = (float(s[max(0, peak - 1)]), float(s[min(2000, peak + 1)]))
    found = minimize_scalar(
        lambda x: -density(np.array([x]))[0], bounds=bounds, method="bounded", options={"xatol": 1e-14}
    )
    return float(found.x)


def _beyond(lam: float, sigma: float, q: float, direction: Direction, L: float) -> float:
    r"""log of a bound on :math:`E[e^{\lambda S}; |S| > L]`, in the place of err(λ, L, σ) (E.3).

    For |S| > L > −log(1 − q) the loss of ``remove`` is positive and below (2t − 1)/2σ², so
    :math:`E_{N(m,\sigma^2)}[e^{\lambda(2t-1)/2\sigma^2}; t > g(L)]` bounds it for m = 0 and 1; ``add``
    mirrors it. A term that e^{λS} makes small is bounded by e^{−|λ|L} times the probability. (E.3) is the
    case q = 1; its factor e^{3λ/2σ²} is the exact e^{λ(λ+1)/2σ²} at λ = 2 only, and this uses the exact
    one.
    """
    edge = float(outcome(np.array([L]), sigma, q)[0])

    def tail(m: float, tilt: float) -> float:
        factor = tilt * (2 * m + tilt - 1) / (2 * sigma**2)
        return factor + float(log_ndtr((m + tilt - edge) / sigma))

    def mixture(tilt: float, means: Sequence[tuple[float, float]]) -> float:
        return float(logsumexp([math.log(weight) + tail(m, tilt) for m, weight in means if weight > 0]))

    with_record = [(1.0, q), (0.0, 1 - q)]
    without = [(0.0, 1.0)]
    above, below = (with_record, None) if direction == "remove" else (None, without)
    if q == 1:
        above, below = with_record, without
    log_above = -math.inf if above is None else mixture(max(lam, 0.0), above) + min(lam, 0.0) * L
    log_below = -math.inf if below is None else mixture(max(-lam, 0.0), below) + min(-lam, 0.0) * L
    return float(np.logaddexp(log_above, log_below))
