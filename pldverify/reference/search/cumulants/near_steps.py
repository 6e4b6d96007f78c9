"""Losses and masses of a step at nodes, and cumulants of a step up to a cut, with numpy.

The cut bounds the nodes of every tilt.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pldverify.errors import NoConvergence
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.search.cumulants.law import Cumulant

Floats = NDArray[np.float64]
_LOW, _ORDER, _WIDEST, _MOST_NODES = -9.5, 12, 0.75, 20_000
"""Where nodes begin, nodes of a Gauss–Legendre panel, its length at most, and nodes at most."""
_LINEAR = 30.0
"""cx − c²/2 from which on w is qe^{cx − c²/2}."""


def near_steps(law: NearMixtureLaw, theta: float) -> Cumulant:
    logs, losses = _table(law)
    tilted = logs + theta * losses
    peak = float(tilted.max())
    masses = np.exp(tilted - peak)
    total = float(masses.sum())
    mean = float(masses @ losses) / total
    return peak + math.log(total), mean, float(masses @ (losses - mean) ** 2) / total


@lru_cache(maxsize=100)
def _table(law: NearMixtureLaw) -> tuple[Floats, Floats]:
    """log of P's mass, and the loss, at nodes up to the cut."""
    c, q, cut = 1 / float(law.law.noise_multiplier), float(law.law.q), float(law.cut)
    panels = math.ceil((cut - _LOW) / min(_WIDEST, 1 / c))
    if not 0 < panels * _ORDER <= _MOST_NODES:
        raise NoConvergence(f"{max(0, panels * _ORDER)} nodes up to the cut")
    nodes, weights = np.polynomial.legendre.leggauss(_ORDER)
    radius = (cut - _LOW) / panels / 2
    x = ((2 * np.arange(panels)[:, None] + 1 + nodes) * radius + _LOW).ravel()
    losses = mixture_losses(c, q, x)
    scale = np.log(radius * np.tile(weights, panels)) - math.log(2 * math.pi) / 2
    return losses - x * x / 2 + scale, losses


def mixture_losses(c: float, q: float, x: Floats) -> Floats:
    """log w(x)."""
    exponent = c * x - c * c / 2
    rise = np.log1p(q * np.expm1(np.minimum(exponent, _LINEAR)))
    losses: Floats = np.where(exponent > _LINEAR, exponent + math.log(q), rise)
    return losses
