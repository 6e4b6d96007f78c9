"""Losses and masses of a step at nodes, and cumulants of a step up to a cut, with numpy.

The cut bounds the nodes of every tilt.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pldverify.errors import NoConvergence
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant

Floats = NDArray[np.float64]
_LOW, _ORDER, _WIDEST, _MOST_NODES = -9.5, 12, 0.75, 20_000
"""Where nodes begin, nodes of a Gauss–Legendre panel, its length at most, and nodes at most."""
_LINEAR = 30.0
"""cx − c²/2 from which on w is qe^{cx − c²/2}."""


def near_steps(law: NearMixtureLaw, theta: float) -> Cumulant:
    """K, K', K''."""
    return of_nodes(*_table(law), theta)


def of_nodes(logs: Floats, losses: Floats, theta: float) -> Cumulant:
    """The same, from log of the mass, and the loss, at many nodes."""
    tilted = logs + theta * losses
    peak = float(tilted.max())
    masses = np.exp(tilted - peak)
    total = float(masses.sum())
    mean = float(masses @ losses) / total
    return peak + math.log(total), mean, float(masses @ (losses - mean) ** 2) / total


def batches(law: ShiftedGaussianLaw, theta: float) -> Cumulant:
    """The same of a batch that holds a record at most once."""
    return of_nodes(
        *_table_of_batch(law, math.copysign(2.0 ** math.ceil(math.log2(1 + abs(theta))), theta)), theta
    )


@lru_cache(maxsize=100)
def _table(law: NearMixtureLaw) -> tuple[Floats, Floats]:
    """log of P's mass, and the loss, at nodes up to the cut."""
    return _nodes(1 / float(law.law.noise_multiplier), float(law.law.q), _LOW, float(law.cut))


@lru_cache(maxsize=100)
def _table_of_batch(law: ShiftedGaussianLaw, theta: float) -> tuple[Floats, Floats]:
    """The same at nodes that serve tilts between 0 and θ: losses above 0, their opposites, and 0."""
    assert isinstance(law.draws, Fraction)
    c, q = float(law.shift), float(law.draws)
    logs, losses = _nodes(c, q, c / 2, max(c / 2, (theta + 1) * c) - _LOW)
    first, second = _nodes(c, q, c / 2, max(c / 2, -theta * c) - _LOW)
    atom = math.log1p(-q) + math.log(math.erf(c / 2 / math.sqrt(2)))
    return np.concatenate([logs, first - second, [atom]]), np.concatenate([losses, -second, [0.0]])


def _nodes(c: float, q: float, low: float, cut: float) -> tuple[Floats, Floats]:
    """log of the mass of φw, and log w, at nodes."""
    panels = math.ceil((cut - low) / min(_WIDEST, 1 / c))
    if not 0 < panels * _ORDER <= _MOST_NODES:
        raise NoConvergence(f"{max(0, panels * _ORDER)} nodes up to the cut")
    nodes, weights = np.polynomial.legendre.leggauss(_ORDER)
    radius = (cut - low) / panels / 2
    x = ((2 * np.arange(panels)[:, None] + 1 + nodes) * radius + low).ravel()
    losses = mixture_losses(c, q, x)
    scale = np.log(radius * np.tile(weights, panels)) - math.log(2 * math.pi) / 2
    return losses - x * x / 2 + scale, losses


def mixture_losses(c: float, q: float, x: Floats) -> Floats:
    """log w(x)."""
    exponent = c * x - c * c / 2
    rise = np.log1p(q * np.expm1(np.minimum(exponent, _LINEAR)))
    losses: Floats = np.where(exponent > _LINEAR, exponent + math.log(q), rise)
    return losses
