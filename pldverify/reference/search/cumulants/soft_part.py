"""Moments of the two parts of a step, and cumulants of the steps of which some jump, with numpy."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.search.cumulants.law import Cumulant
from pldverify.reference.search.mixture import log_normal
from pldverify.reference.search.pair_table import log_sum

Floats = NDArray[np.float64]
_REACH = 8.0
"""Noises beyond the modes that nodes reach."""
_FAINT = 40.0
"""Widths below the cut from which on jumps are as good as impossible."""
_MOST_NODES = 20_000
"""Cap on the nodes of a moment."""
_SMALL = 1000
"""Nodes of the part without jumps, up to a given outcome."""
_FAR = 40.0
"""|t| at which the table of log Φ(t) ends."""
_TABLE = 8001
"""Entries of this table: linear interpolation between them gives some six digits."""
_LEAST = 1e-290
"""r below which floats are no good."""


def steps_with_jumps(parts: Sequence[tuple[SoftPart, int]], theta: float) -> Cumulant:
    """K, K', K'' of G at θ ≥ 0, from those of N and of r = Σ k log(1 + F/N)."""
    base, rise = np.zeros(3), np.zeros(3)
    for part, k in parts:
        (log_n, n1, n2), (log_f, f1, f2) = _moments(part.rest(), theta), _moments(part, theta)
        share = 1 / (1 + math.exp(min(700.0, log_n - log_f)))  # F/M
        first = share * (f1 - n1)
        second = share * (f2 - n2) - first * (2 * n1 + first)
        base += k * np.array([log_n, n1, n2 - n1 * n1])
        rise += k * np.array([np.logaddexp(0.0, log_f - log_n), first, second])
    r, r1, r2 = rise
    if not r > _LEAST:
        raise NoConvergence(f"jumps: none counts at a tilt of {theta:.3g}")
    log_size = math.log(math.expm1(r)) if r < 30 else r + math.log1p(-math.exp(-r))
    scale = -1 / math.expm1(-r)  # of r' in (log(e^r − 1))'
    first = scale * r1
    curvature = base[2] + scale * r2 - first * first * (1 - 1 / scale)
    return float(base[0] + log_size), float(base[1] + first), float(max(curvature, 0.0))


def log_moment(part: SoftPart, theta: float) -> float:
    """log of N(θ) or F(θ)."""
    return _log_sum(*_table(part, _wider(theta)), theta)


def log_small(part: SoftPart, end: float, theta: float) -> float:
    """log of N(θ) up to the outcome ``end``."""
    return _log_sum(*_small(part, end), theta)


def _log_sum(base: Floats, losses: Floats, theta: float) -> float:
    logs = base + theta * losses
    peak = logs.max()
    return float(peak + math.log(np.exp(logs - peak).sum()))


def _moments(part: SoftPart, theta: float) -> tuple[float, float, float]:
    """log F(θ), F'/F and F''/F, or of N."""
    base, losses = _table(part, _wider(theta))
    logs = base + theta * losses
    peak = logs.max()
    shares = np.exp(logs - peak)
    total = shares.sum()
    first = (shares * losses).sum() / total
    return float(peak + math.log(total)), float(first), float((shares * losses**2).sum() / total)


def _wider(theta: float) -> float:
    """A tilt whose nodes serve ``theta`` too, one for many."""
    return 2.0 ** math.ceil(math.log2(max(1.0, theta)))


@lru_cache(maxsize=64)
def _table(part: SoftPart, tilt: float) -> tuple[Floats, Floats]:
    """At nodes that serve tilts up to ``tilt``: log of the part's mass, and the loss."""
    c, cut, tau = 1 / float(part.law.noise_multiplier), float(part.cut), float(part.width)
    step, mode = min(0.5, 0.8 / c, 0.6 * tau), (tilt + 1) * c
    if part.jumps:
        start, end = max(min(0.0, cut) - _REACH, cut - _FAINT * tau), max(cut, mode) + _REACH
    else:  # the mode is that of a normal density of precision 1 + 1/τ² at most
        mode = (mode * tau**2 + cut) / (1 + tau**2)
        start, end = min(0.0, cut) - _REACH, max(0.0, min(cut, tilt * c), mode) + _REACH
    if end - start > _MOST_NODES * step:
        raise NoConvergence(f"jumps: a tilt of {tilt:.3g} needs too many nodes")
    x = np.arange(start, end, step)
    t = (x - cut) / tau if part.jumps else (cut - x) / tau
    base, losses = _nodes(part.law, x)
    return base + math.log(step) + _log_normal(t), losses


@lru_cache(maxsize=64)
def _small(part: SoftPart, end: float) -> tuple[Floats, Floats]:
    """The same of N up to ``end``."""
    x = np.linspace(min(0.0, end) - _REACH, end, _SMALL)
    base, losses = _nodes(part.law, x)
    return base + math.log(x[1] - x[0]) + _log_normal((float(part.cut) - x) / float(part.width)), losses


def _nodes(law: GaussianMixtureLaw, x: Floats) -> tuple[Floats, Floats]:
    """log of P's density, and the loss."""
    q = float(law.q)
    losses = log_sum(1 / float(law.noise_multiplier), ((0, 1 - q), (1, q)), x)
    return losses - x * x / 2 - math.log(2 * math.pi) / 2, losses


@lru_cache(maxsize=1)
def _normal_table() -> tuple[Floats, Floats]:
    """t, and log Φ(t) + t²/2 for t < 0."""
    t = np.linspace(-_FAR, _FAR, _TABLE)
    return t, np.array([log_normal(float(x)) + min(0.0, float(x)) ** 2 / 2 for x in t])


def _log_normal(t: Floats) -> Floats:
    """log Φ(t), to some six digits."""
    points, values = _normal_table()
    rest: Floats = np.interp(t, points, values) - np.minimum(0.0, t) ** 2 / 2
    return np.where(t < -_FAR, rest - np.log(np.maximum(1.0, -t / _FAR)), rest)
