r"""ε(δ) of sampled Gaussians, δ(ε) and its density, by convolution in floats: quick, and no proof.

Any value of the constants below is right: poor ones cost accuracy of an estimate, or time.

As in ``engines/inversion/truncated.py`` a step is *far* beyond a cut in its outcome, at a loss s_c > ε, and
:math:`\delta = \delta_{near} + P(F) - e^\epsilon Q(F)`, F that some step is far: the other losses are small.
The near steps, tilted by their saddle point θ at ε, go to an equidistant grid, each node in x to four points
such that moments up to the third are kept; powers of discrete Fourier transforms compose them. Errors are of
order (hθ)⁴, h the step.
"""

import math

import numpy as np

from pldverify.reference.laws.composed_loss import Factors
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.columns import Floats
from pldverify.reference.search.halved import TURNS
from pldverify.reference.search.near_step import FEW, LEAST, MOST, near_columns, near_up_to
from pldverify.reference.search.table import Cumulant
from pldverify.reference.search.tilt import saddle_of

_NODES = 6000
"""Nodes in x of a step."""
_POINTS = 2**15
"""Points of the grid of losses."""
_FAR = 1.5
"""Least ratio s_c/ε."""
_DEVIATIONS = 14.0
"""Standard deviations of the tilted sum that the grid holds on either side of ε."""
_ROOM = 2.2
"""Least length of the grid above ε, as a multiple of s_c."""
_SPAN = 0.4
"""Largest distance from ε at which the profile is used, as a part of ε."""
_NATS = 40.0
"""Largest change of log δ from ε over which the profile is used, in nats."""
_BEYOND = 3
"""Factor on the step in log ε while ε lies outside of the profiles computed."""
_CAP = 100.0
"""Largest distance of log δ from its goal that a secant step believes, in nats."""
_FAINT = 20.0
"""Nats by which undoing the tilt may magnify the rounding errors of the transform."""
_WINDOW = 4.0
"""Standard deviations of the noise that must fit into the usable part of the grid."""
_FALL = math.sqrt(0.5)
"""Ratio of one standard deviation of the noise to the one before."""
_CLOSE = 0.02
"""Largest relative distance of ε from the point where the tilt was chosen."""


def float_epsilon(steps: Factors, goal: float, point: float) -> tuple[float, float] | None:
    """ε with log δ(ε) = ``goal``, and −d log δ/dε there; None where floats are not accurate enough.

    The search starts at ``point``; (0, 0) where δ(0) is below the goal.
    """
    low, high = 0.0, math.inf
    with np.errstate(all="ignore"):
        point = _rough(steps, goal, point)
        for _ in range(TURNS):
            if point <= LEAST:
                return 0.0, 0.0
            if not point < MOST or (found := _root(steps, point, goal)) is None:
                return None
            last, (point, rate) = point, found
            if math.isfinite(rate) and abs(point - last) <= _CLOSE * point:
                return point, rate
            if math.isinf(rate):  # an end of what was looked at
                low, high = (low, last) if point < last else (last, high)
                beyond = last * (point / last) ** _BEYOND
                point = beyond if low < beyond < high else point
    return None


def float_size(steps: Factors, epsilon: float) -> float | None:
    """log δ(ε); None where floats are not accurate enough."""
    if not LEAST < epsilon < MOST:
        return None
    with np.errstate(all="ignore"):
        points, logs = _profile(_Near(steps, epsilon, _NODES), epsilon)
        size = float(np.interp(epsilon, points, logs))
    return size if math.isfinite(size) else None


def float_densities(steps: Factors, epsilon: float) -> list[tuple[float, float]]:
    """Pairs (η, log density at ε of the loss plus Gaussian noise of standard deviation η), η falling."""
    found: list[tuple[float, float]] = []
    with np.errstate(all="ignore"):
        near = _Near(steps, epsilon, _NODES)
        u, sums, h = _sums(near, epsilon)
        within = (abs(u) < min(_SPAN * epsilon, _FAINT / near.theta)) & (sums > 0)
        u, logs = u[within], np.log(sums[within]) - near.theta * u[within]
        value = near.cumulant(near.theta)[0] - near.theta * epsilon - math.log(2 * math.pi) / 2
        eta = float(u.max(initial=0.0)) / _WINDOW
        while eta > 2 * h:
            density = value + float(np.logaddexp.reduce(logs - (u / eta) ** 2 / 2)) - math.log(eta)
            if math.isfinite(density):
                found.append((eta, density))
            eta *= _FALL
    return found


class _Near:
    """Near steps of all laws: masses and losses at nodes in x, log P(F), log Q(F), and the saddle point θ."""

    def __init__(self, steps: Factors, epsilon: float, nodes: int, theta: float = 0.0) -> None:
        self.counts = np.array([[float(k)] for _, k in steps])
        self.cut = near_up_to(steps, _FAR * epsilon)
        self.columns, beyond = near_columns(steps, self.cut, nodes)
        self.log_p, self.log_q = _log_some(beyond, self.counts).tolist()
        kernel, start = Kernel("delta", "upper"), theta or 10 / epsilon
        self.theta, self._log_near = saddle_of(self.cumulant, kernel, epsilon, start)

    def cumulant(self, theta: float) -> Cumulant:
        """K, K', K'' of the sum."""
        value, mean, variance = (self.counts * self.columns.cumulants(theta)).sum(axis=0).tolist()
        return value, mean, variance

    def log_size(self, epsilon: float) -> float:
        """Estimate of log δ(ε): the saddle-point value of the near part, and the far part."""
        return float(np.logaddexp(self._log_near, self.log_far(np.array(epsilon))))

    def log_far(self, epsilon: Floats) -> Floats:
        """log of (P(F) − e^ε Q(F))_+."""
        logs: Floats = self.log_p + np.log(np.maximum(0.0, -np.expm1(epsilon + self.log_q - self.log_p)))
        return logs


def _log_some(logs: Floats, counts: Floats) -> Floats:
    """log of 1 − Π (1 − p_i)^{k_i} for both columns of log p."""
    none = (counts * np.log1p(-np.exp(logs))).sum(axis=0)
    few = np.logaddexp.reduce(np.log(counts) + logs, axis=0)
    some: Floats = np.where(none < -1e-9, np.log(-np.expm1(none)), few)
    return some


def _rough(steps: Factors, goal: float, point: float) -> float:
    """ε by saddle-point values, starting at ``point``: a secant method in log ε that keeps a bracket."""
    theta = 0.0

    def gap(log_epsilon: float) -> float:
        nonlocal theta
        near = _Near(steps, math.exp(log_epsilon), FEW, theta)
        theta = near.theta
        return max(-_CAP, min(_CAP, near.log_size(math.exp(log_epsilon)) - goal))

    low = high = math.log(min(MOST, max(LEAST, point)))
    below = above = gap(low)
    while below < 0 and low > math.log(LEAST):
        high, above, low = low, below, max(low - 1.5, math.log(LEAST))
        below = gap(low)
    if below < 0:
        return 0.0
    while above > 0 and high < math.log(MOST):
        low, below, high = high, above, min(high + 1.5, math.log(MOST))
        above = gap(high)
    for _ in range(TURNS):
        if high - low < _CLOSE or not below > 0 >= above:
            break
        share = min(0.8, max(0.2, below / (below - above)))
        middle = low + (high - low) * share
        value = gap(middle)
        low, below, high, above = (middle, value, high, above) if value > 0 else (low, below, middle, value)
    return math.exp((low + high) / 2)


def _root(steps: Factors, point: float, goal: float) -> tuple[float, float] | None:
    """ε with log δ(ε) = ``goal`` on the profile around ``point``, and −d log δ/dε there.

    An end of the profile with the slope ∞ if ε lies outside of it; None without a usable profile.
    """
    points, logs = _profile(_Near(steps, point, _NODES), point)
    known = np.isfinite(logs) & (points > 0)
    points, logs = points[known], logs[known]
    if len(points) < 3:
        return None
    i = int(np.searchsorted(-logs, -goal))
    if i in (0, len(points)):
        return float(points[min(i, len(points) - 1)]), math.inf
    rate = (logs[i - 1] - logs[i]) / (points[i] - points[i - 1])
    return float(points[i] + (logs[i] - goal) / rate), float(rate)


def _profile(near: _Near, epsilon: float) -> tuple[Floats, Floats]:
    """The points of the profile around ε, and log δ at each."""
    theta, (u, sums, h) = near.theta, _sums(near, epsilon)
    window = abs(u) < min(_SPAN * epsilon, _NATS / theta)
    after = u > -min(_SPAN * epsilon, _NATS / theta)
    a, b = (sums[after] * np.exp(-t * u[after]) for t in (theta, theta + 1))
    above = np.cumsum(a[::-1])[::-1] - np.exp(u[after]) * np.cumsum(b[::-1])[::-1] + a / 12 * h
    near_logs = np.log(above[: window.sum()]) + near.cumulant(theta)[0] - theta * epsilon
    points = np.asarray(epsilon + u[window], dtype=np.float64)
    return points, np.logaddexp(near_logs, near.log_far(points))


def _sums(near: _Near, epsilon: float) -> tuple[Floats, Floats, float]:
    """A grid of sums of near losses minus ε, their tilted masses, and the step of the grid."""
    _, mean, variance = near.cumulant(near.theta)
    means = near.columns.cumulants(near.theta)[:, 1]
    _, masses = near.columns.tilted(near.theta)
    masses /= masses.sum(axis=1, keepdims=True)
    spread = _DEVIATIONS * math.sqrt(variance)
    lowest = float((near.counts * near.columns.losses.min(axis=1, keepdims=True)).sum())
    down, up = min(epsilon - lowest, spread) + 0.1 * epsilon, max(spread, _ROOM * near.cut)
    h = (down + up) / _POINTS
    transform = np.ones(_POINTS // 2 + 1, dtype=complex)
    for row, losses, middle, (k,) in zip(masses, near.columns.losses, means, near.counts, strict=True):
        transform *= np.fft.rfft(_gridded(row, (losses - middle) / h)) ** k
    first = -int((down + mean - epsilon) / h)
    sums = np.roll(np.fft.irfft(transform, _POINTS), -first)
    u = np.asarray(mean - epsilon + h * np.arange(first, first + _POINTS), dtype=np.float64)
    return u, sums, h


def _gridded(masses: Floats, places: Floats) -> Floats:
    """Masses moved to integers, modulo the length of the grid, such that moments up to the third are kept."""
    floor = np.floor(places)
    f, index = places - floor, floor.astype(np.int64)
    shares = (
        -f * (f - 1) * (f - 2) / 6,
        (f + 1) * (f - 1) * (f - 2) / 2,
        -(f + 1) * f * (f - 2) / 2,
        (f + 1) * f * (f - 1) / 6,
    )
    parts = (
        np.bincount((index + j) % _POINTS, masses * share, _POINTS) for j, share in enumerate(shares, -1)
    )
    return np.asarray(sum(parts))
