r"""Privacy losses by elementary means: pairs of laws, their composition on a grid in doubles, and exactly.

A ``Step`` is an ordered pair (P, Q) with loss S = log(dP/dQ). ``cells(edges)`` are the masses of
:math:`\{e_i \le S < e_{i+1}\}` under both.

**Upper.** A cell [a, a + h] of masses p and q becomes two outcomes at its ends with the same masses
(connect the dots: e^{-S} moves to the ends and keeps its mean, so δ only grows). **Lower.** A cell is
observed by its index: a post-processing, and an event of sums of indices gives P(A) − e^ε Q(A) ≤ δ(ε). Q is
tilted by e^{gh}, so that both convolutions have numbers of one size. **Error**: ``ROUNDING`` for each step,
an absolute error of δ that covers differences of Φ in doubles (below 2^-53 each, telescoping) and the FFT;
and what wraps round, by Chernoff.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
from mpmath import mp
from numpy.typing import NDArray
from scipy.special import ndtr

mp.dps = 60
Array = NDArray[np.float64]
CELLS = 1 << 15
ROUNDING = 2e-13
"""Absolute error of δ for each step of a composition on the grid, and ten of them for the rest."""
MOST_PRODUCTS = 30_000
"""Of an exact composition."""
LARGEST = 700
"""The ε beyond which e^ε is no double."""


class Step(Protocol):
    """An ordered pair, one run."""

    def cells(self, edges: Array) -> tuple[Array, Array]: ...
    def infinite(self) -> float: ...
    def renyi(self, order: float) -> float: ...


@dataclass(frozen=True)
class Mixture:
    """Σ w N(c, 1) for P and for Q, whose ratio increases."""

    p: tuple[tuple[float, float], ...]
    q: tuple[tuple[float, float], ...]

    def infinite(self) -> float:
        return 0.0

    def cells(self, edges: Array) -> tuple[Array, Array]:
        x = self._place(edges)
        return self._masses(self.p, x), self._masses(self.q, x)

    def renyi(self, order: float) -> float:
        """By the trapezoidal rule, which converges faster than any power here."""
        x = np.arange(-40, 40 + order * max(c for _, c in self.p), 0.02)
        a, b = _log_density(self.p, x), _log_density(self.q, x)
        if order == 1:
            return float(np.sum(np.exp(a) * (a - b)) * (x[1] - x[0]))
        values = order * a + (1 - order) * b
        most = values.max()
        return float((most + np.log(np.sum(np.exp(values - most)) * (x[1] - x[0]))) / (order - 1))

    @staticmethod
    def _masses(parts: tuple[tuple[float, float], ...], x: Array) -> Array:
        total = np.zeros(len(x) - 1)
        for weight, centre in parts:
            a = x - centre
            right = a[:-1] + np.where(np.isfinite(a[1:]), a[1:], 1e300) > 0
            total += weight * np.where(right, ndtr(-a[:-1]) - ndtr(-a[1:]), ndtr(a[1:]) - ndtr(a[:-1]))
        return total

    def _place(self, losses: Array) -> Array:
        """Where the loss is that; a poor place moves a cell's ends by a rounding only."""
        if len(self.p) == 2 and self.p[0][1] == 0 and self.q == ((1.0, 0.0),):  # (1 − w) N(0) + w N(c)
            (_, (w, c)) = self.p
            with np.errstate(all="ignore"):
                inside = np.expm1(np.minimum(losses, 600)) + w
                logs = np.where(losses > 600, losses, np.log(np.maximum(inside, 1e-320))) - np.log(w)
                return np.where(inside > 0, logs / c + c / 2, -np.inf)
        far = 200 + max(c for _, c in (*self.p, *self.q))
        low, high = np.full(len(losses), -far), np.full(len(losses), far)
        for _ in range(64):
            middle = (low + high) / 2
            less = _log_density(self.p, middle) - _log_density(self.q, middle) < losses
            low, high = np.where(less, middle, low), np.where(less, high, middle)
        return np.where(high >= far, np.inf, np.where(low <= -far, -np.inf, high))


def _log_density(parts: tuple[tuple[float, float], ...], x: Array) -> Array:
    found = np.full(len(x), -np.inf)
    for weight, centre in parts:
        if weight > 0:
            found = np.logaddexp(found, np.log(weight) - (x - centre) ** 2 / 2)
    return np.asarray(found) - 0.5 * np.log(2 * np.pi)


@dataclass(frozen=True)
class Laplace:
    """Lap(0, 1) against Lap(θ, 1)."""

    theta: float

    def infinite(self) -> float:
        return 0.0

    def cells(self, edges: Array) -> tuple[Array, Array]:
        t, theta = edges, self.theta
        p = np.where(
            t <= -theta, 0.0, np.where(t > theta, 1.0, np.exp((np.minimum(t, theta) - theta) / 2) / 2)
        )
        # Q(S < t) = P(S > −t) = 1 − P(S ≤ −t)
        at = -t
        most = np.where(at < -theta, 0.0, np.exp((np.minimum(at, theta) - theta) / 2) / 2)
        q = 1 - np.where(at >= theta, 1.0, most)
        return np.diff(p), np.diff(q)

    def renyi(self, order: float) -> float:
        a, t = mp.mpf(order), mp.mpf(self.theta)
        if a == 1:
            return float(t + mp.exp(-t) - 1)
        if a == mp.mpf(1) / 2:
            return float(-2 * mp.log((1 + t / 2) * mp.exp(-t / 2)))
        return float(
            mp.log(a / (2 * a - 1) * mp.exp((a - 1) * t) + (a - 1) / (2 * a - 1) * mp.exp(-a * t)) / (a - 1)
        )


@dataclass(frozen=True)
class Atoms:
    """Finitely many outcomes (p, q), in 60 digits; losses are of them."""

    outcomes: tuple[tuple[mp.mpf, mp.mpf], ...]

    @cached_property
    def losses(self) -> list[tuple[mp.mpf, mp.mpf, mp.mpf]]:
        return sorted((mp.log(p / q), p, q) for p, q in self.outcomes if p > 0 and q > 0)

    def infinite(self) -> float:
        return float(sum((p for p, q in self.outcomes if q == 0), mp.mpf(0)))

    def back(self) -> "Atoms":
        return Atoms(tuple((q, p) for p, q in self.outcomes))

    def sampled(self, q: mp.mpf) -> "Atoms":
        return Atoms(tuple((q * a + (1 - q) * b, b) for a, b in self.outcomes))

    def cells(self, edges: Array) -> tuple[Array, Array]:
        loss, p, q = (np.array([float(each[i]) for each in self.losses]) for i in range(3))
        at = np.searchsorted(edges, loss, side="right") - 1
        size = len(edges) - 1
        return np.bincount(at, p, size)[:size], np.bincount(at, q, size)[:size]

    def renyi(self, order: float) -> mp.mpf:
        a = mp.mpf(order)
        if a >= 1 and self.infinite() > 0:
            return mp.inf
        if mp.isinf(a):
            return self.losses[-1][0]
        if a == 1:
            return mp.fsum(p * loss for loss, p, _ in self.losses)
        if not self.losses:
            return mp.inf
        most = max((a - 1) * loss for loss, _, _ in self.losses)
        return (most + mp.log(mp.fsum(p * mp.exp((a - 1) * loss - most) for loss, p, _ in self.losses))) / (
            a - 1
        )


@dataclass(frozen=True)
class Reverse:
    """Q against P, where none is infinite."""

    step: Step

    def infinite(self) -> float:
        return 0.0

    def cells(self, edges: Array) -> tuple[Array, Array]:
        p, q = self.step.cells(-edges[::-1])
        return q[::-1], p[::-1]

    def renyi(self, order: float) -> float:
        """Of Mixture and Laplace; D_α(Q‖P) = α/(1−α) D_{1−α}(P‖Q) is not used."""
        assert isinstance(self.step, Mixture)
        return Mixture(self.step.q, self.step.p).renyi(order)


@dataclass(frozen=True)
class Sampled:
    """(1 − q) Q + q P against Q, for a base with a density part; Atoms and Mixture have their own."""

    base: Step
    q: float

    def infinite(self) -> float:
        return self.q * self.base.infinite()

    def cells(self, edges: Array) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            inside = np.expm1(np.minimum(edges, 600)) + self.q
            at = np.where(inside > 0, np.log(np.maximum(inside, 1e-320) / self.q), -np.inf)
        at = np.where(edges > 600, np.inf, at)
        p, q = self.base.cells(at)
        return self.q * p + (1 - self.q) * q, q

    def renyi(self, order: float) -> float:
        raise NotImplementedError


@dataclass(frozen=True)
class TwoSided:
    """The symmetric pair whose profile for α ≥ 1 is that of ``steps``, M against N, by known weights."""

    steps: tuple[tuple[float, Step], ...]

    def infinite(self) -> float:
        return 0.0

    def cells(self, edges: Array) -> tuple[Array, Array]:
        cut = np.maximum(edges, 1e-300)
        p, q = self._sum(cut)
        back = np.maximum(-edges[::-1], 1e-300)
        low_q, low_p = (side[::-1] for side in self._sum(back))
        p, q = p + low_p, q + low_q
        middle = np.searchsorted(edges, 0.0, side="right") - 1
        p[middle] += 1 - p.sum()
        q[middle] += 1 - q.sum()
        return p, q

    def _sum(self, edges: Array) -> tuple[Array, Array]:
        found = [(w, step.cells(edges)) for w, step in self.steps]
        return sum((w * p for w, (p, _) in found), np.zeros(1)), sum(
            (w * q for w, (_, q) in found), np.zeros(1)
        )

    def renyi(self, order: float) -> float:
        raise NotImplementedError


class Grid:
    """A composition on a grid: both ends of δ(ε)."""

    def __init__(self, parts: Sequence[tuple[Step, int]]) -> None:
        self.parts, steps = parts, sum(k for _, k in parts)
        bottom, top = _window(parts)
        self.h = (top - bottom) / (CELLS - 2)
        self.first = int(np.floor(bottom / self.h))
        self.index = self.first + np.arange(CELLS)
        loss = self.index * self.h
        edges = np.concatenate([[-np.inf], loss, [np.inf]])
        up = down = tilted = np.ones(CELLS // 2 + 1, complex)
        kept, logs_up, logs_down = 1.0, np.zeros(len(_POWERS)), np.zeros(len(_POWERS))
        for step, k in parts:
            p, q = step.cells(edges)
            inside, tilt = p[1:-1], np.minimum(q[1:-1] * np.exp(loss[:-1]), p[1:-1])
            v = np.clip((inside - tilt) / -np.expm1(-self.h), 0, inside)
            upper, lower, other = np.zeros(CELLS), np.zeros(CELLS), np.zeros(CELLS)
            upper[:-1] += inside - v
            upper[1:] += v
            upper[0] += p[0]
            lower[:-1], other[:-1] = inside, tilt
            kept *= max(0.0, 1 - p[-1] - step.infinite()) ** k
            up, down = up * self._transform(upper) ** k, down * self._transform(lower) ** k
            tilted = tilted * self._transform(other) ** k
            logs_up += k * self._cumulants(upper)
            logs_down += k * self._cumulants(lower)
        self.loss = loss
        self.tails = self._tails(*(self._back(each) for each in (up, down, tilted)))
        rounding = ROUNDING * (10 + steps)
        positive = np.array(_POWERS) > 0
        high = np.exp(np.min((logs_up - np.array(_POWERS) * loss[-1])[positive]))
        low = np.exp(np.min((logs_down - np.array(_POWERS) * loss[0])[~positive]))
        self.infinite = 1 - kept
        self.error_up, self.error_down = rounding + min(1.0, high), rounding + min(1.0, low)
        ordinary = [step for step, _ in parts if step.infinite() > 0]
        self.certain = 1 - float(np.prod([(1 - s.infinite()) ** k for s, k in parts])) if ordinary else 0.0

    def _transform(self, masses: Array) -> NDArray[np.complex128]:
        return np.asarray(np.fft.rfft(np.roll(masses, self.first)))

    def _back(self, transform: NDArray[np.complex128]) -> Array:
        return np.asarray(np.roll(np.fft.irfft(transform, CELLS), -self.first))

    def _cumulants(self, masses: Array) -> Array:
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(masses, 0))
        at = np.array(_POWERS)[:, None] * (self.index * self.h)[None, :] + logs[None, :]
        most = at.max(axis=1)
        return np.asarray(most + np.log(np.exp(at - most[:, None]).sum(axis=1)))

    def upper_end(self, epsilon: float) -> float:
        """For ε ≥ 0, as the ends of all δ here."""
        i = int(np.searchsorted(self.loss, epsilon, side="right"))
        factor = np.exp(epsilon) if epsilon < LARGEST else 0.0
        finite = 0.0 if i == CELLS else float(self.tails[0][i] - factor * self.tails[1][i])
        return min(1.0, max(0.0, finite) * (1 + 1e-9) + self.infinite + self.error_up)

    def lower_end(self, epsilon: float) -> float:
        """The best of the events "the sum of indices is at least so much", near ε."""
        if epsilon >= LARGEST:
            return 0.0
        first, last = np.searchsorted(self.loss, [epsilon - 1, epsilon + 4 * self.h])
        gain = self.tails[2][first:last] - np.exp(epsilon) * self.tails[3][first:last]
        best = float(np.max(gain)) if len(gain) else 0.0
        return max(0.0, best * (1 - 1e-9) - self.error_down + self.certain * (1 - 1e-9))

    def _tails(self, upper: Array, lower: Array, tilted: Array) -> tuple[Array, ...]:
        """Sums from above, of losses ≥ −2 (below, rounding is blown up): P, and P or Q̃ times e^{−loss}."""
        near = self.loss >= -2
        weight = np.where(near, np.exp(-np.maximum(self.loss, -2)), 0)
        masses = (upper, upper * weight, lower, tilted * weight)
        return tuple(np.cumsum((each * near)[::-1])[::-1] for each in masses)


_POWERS = tuple(
    sign * power for sign in (1, -1) for power in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16, 32, 64)
)


def _window(parts: Sequence[tuple[Step, int]]) -> tuple[float, float]:
    """Losses outside of which sums are improbable; what is left out is bounded later.

    Raises OverflowError where many are beyond 300.
    """
    half = np.geomspace(1e-7, 300, 8_000)
    edges = np.concatenate([[-np.inf], -half[::-1], [0.0], half, [np.inf]])
    centres = np.concatenate([[edges[1]], (edges[1:-2] + edges[2:-1]) / 2, [edges[-2]]])
    powers = np.array(_POWERS)
    total = np.zeros(len(powers))
    for step, k in parts:
        p, _ = step.cells(edges)
        if not p[-1] < 1e-3:
            raise OverflowError("losses are beyond the grid")
        p[-1] = min(p[-1], 1e-30)
        with np.errstate(divide="ignore"):
            at = powers[:, None] * centres[None, :] + np.log(np.maximum(p, 0))[None, :]
        most = at.max(axis=1)
        total += k * (most + np.log(np.exp(at - most[:, None]).sum(axis=1)))
    up, down = powers > 0, powers < 0
    top = np.min((total[up] + 32) / powers[up])
    bottom = np.max((total[down] + 32) / powers[down])
    return float(min(bottom, -0.1)) - 0.1, float(max(top, 0.1)) + 0.1


class Exact:
    """A composition of finite pairs in 60 digits."""

    def __init__(self, parts: Sequence[tuple[Atoms, int]]) -> None:
        masses: dict[str, tuple[mp.mpf, mp.mpf, mp.mpf]] = {"0": (mp.mpf(0), mp.mpf(1), mp.mpf(1))}
        finite = mp.mpf(1)
        products = 0
        for step, k in parts:
            finite *= (1 - sum((p for p, q in step.outcomes if q == 0), mp.mpf(0))) ** k
            for _ in range(k):
                products += len(masses) * len(step.losses)
                if products > MOST_PRODUCTS:
                    raise OverflowError
                masses = _convolved(masses, step)
        self.infinite = 1 - finite
        ordered = sorted(masses.values())
        self.losses = [loss for loss, _, _ in ordered]
        self.p, self.q = (
            _sums_from_above([p for _, p, _ in ordered]),
            _sums_from_above([q for _, _, q in ordered]),
        )

    def delta(self, epsilon: mp.mpf) -> mp.mpf:
        i = bisect_right(self.losses, epsilon)
        return self.infinite + self.p[i] - mp.exp(epsilon) * self.q[i]

    def vertices(self) -> list[tuple[mp.mpf, mp.mpf]]:
        """Of the trade-off function: (type I error, power)."""
        return [(q, self.infinite + p) for p, q in zip(self.p, self.q, strict=True)]


def _convolved(
    masses: dict[str, tuple[mp.mpf, mp.mpf, mp.mpf]], step: Atoms
) -> dict[str, tuple[mp.mpf, mp.mpf, mp.mpf]]:
    found: dict[str, tuple[mp.mpf, mp.mpf, mp.mpf]] = {}
    for loss, p, q in masses.values():
        for more, a, b in step.losses:
            key = mp.nstr(loss + more + 1000, 40)
            old = found.get(key)
            both = (p * a, q * b) if old is None else (old[1] + p * a, old[2] + q * b)
            found[key] = (loss + more if old is None else old[0], *both)
    return found


def _sums_from_above(values: list[mp.mpf]) -> list[mp.mpf]:
    found = [mp.mpf(0)]
    for value in reversed(values):
        found.append(found[-1] + value)
    return found[::-1]


def gaussian_delta(square: mp.mpf, epsilon: mp.mpf) -> mp.mpf:
    """δ of N(μ, 1) against N(0, 1) (Balle and Wang 2018, Theorem 8)."""
    mu = mp.sqrt(square)
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


Composed = tuple[Callable[[mp.mpf], mp.mpf], Callable[[mp.mpf], mp.mpf], Exact | None]


def composed(parts: Sequence[tuple[Step, int]]) -> Composed:
    """(lower end, upper end) of δ as functions of ε; the exact composition where it is small."""
    return _composed(tuple(parts))


@lru_cache(maxsize=256)
def _composed(parts: tuple[tuple[Step, int], ...]) -> Composed:
    if not parts:
        return (lambda _: mp.mpf(0)), (lambda _: mp.mpf(0)), None
    if all(isinstance(step, Atoms) for step, _ in parts) and sum(k for _, k in parts) <= 60:
        try:
            exact = Exact([(step, k) for step, k in parts if isinstance(step, Atoms)])
        except OverflowError:
            pass
        else:
            slack = mp.mpf(10) ** -35
            return (
                lambda e: exact.delta(e) * (1 - slack) - slack * mp.mpf(10) ** -10,
                lambda e: exact.delta(e) * (1 + slack) + slack * mp.mpf(10) ** -10,
                exact,
            )
    try:
        grid = Grid(parts)
    except OverflowError:
        return (lambda _: mp.mpf(0)), (lambda _: mp.mpf(1)), None
    return (lambda e: mp.mpf(grid.lower_end(float(e)))), (lambda e: mp.mpf(grid.upper_end(float(e)))), None
