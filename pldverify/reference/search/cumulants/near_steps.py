"""Losses and masses of a step at nodes, and cumulants of a step up to a cut, with numpy.

The cut bounds the nodes of every tilt.
"""

import math
from functools import cache, lru_cache, singledispatch

import numpy as np
from numpy.typing import NDArray

from pldverify.errors import NoConvergence
from pldverify.reference.laws.near_batch import NearBatchLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.laws.near_substitute import NearSubstituteLaw
from pldverify.reference.search.cumulants.law import Cumulant

Floats = NDArray[np.float64]
Table = tuple[Floats, Floats]
_LOW, _ORDER, _WIDEST, _MOST_NODES = -9.5, 12, 0.75, 20_000
"""Where nodes begin, nodes of a Gauss–Legendre panel, its length at most, and nodes at most."""
_LINEAR = 30.0
"""cx − c²/2 from which on w is qe^{cx − c²/2}."""


def near_steps(law: NearMixtureLaw | NearSubstituteLaw | NearBatchLaw, theta: float) -> Cumulant:
    return of_nodes(*_table(law), theta)


def of_nodes(logs: Floats, losses: Floats, theta: float) -> Cumulant:
    """The same, from log of the mass, and the loss, at many nodes."""
    tilted = logs + theta * losses
    peak = float(tilted.max())
    masses = np.exp(tilted - peak)
    total = float(masses.sum())
    mean = float((masses * losses).sum()) / total  # no @: its threads take longer than the sum
    return peak + math.log(total), mean, float((masses * (losses - mean) ** 2).sum()) / total


@lru_cache(maxsize=100)
def _table(law: NearMixtureLaw | NearSubstituteLaw | NearBatchLaw) -> Table:
    """log of P's mass, and the loss, at nodes up to the cut."""
    with np.errstate(under="ignore"):
        return table(law)


@singledispatch
def table(law: object) -> Table:
    """The same, made anew."""
    raise TypeError(f"no table of {type(law).__name__}")


@table.register
def _mixture(law: NearMixtureLaw) -> Table:
    c, q = 1 / float(law.law.noise_multiplier), float(law.law.q)
    x, scale = _panels(_LOW, float(law.cut), c)
    losses = mixture_losses(c, q, x)
    return losses + scale, losses


@table.register
def _substitute(law: NearSubstituteLaw) -> Table:
    c, q = float(law.law.shift), float(law.law.q)
    x, scale = _panels(_LOW - c, float(law.cut), c)
    up = mixture_losses(c, q, x)
    return up + scale, up - mixture_losses(-c, q, x)


@table.register
def _batch(law: NearBatchLaw) -> Table:
    c, q = float(law.law.shift), float(law.law.drawn())
    x, scale = _panels(c / 2, float(law.cut), c)
    up = mixture_losses(c, q, x)
    x, below = _panels(c / 2, c / 2 - _LOW, c)
    atom = math.log1p(-q) + math.log(max(1e-300, math.erf(c / math.sqrt(8))))
    return np.concatenate([up + scale, below, [atom]]), np.concatenate([up, -mixture_losses(c, q, x), [0.0]])


def _panels(low: float, high: float, c: float) -> Table:
    """Nodes between two outcomes, and log of their weights times φ."""
    panels = math.ceil((high - low) / min(_WIDEST, 1 / c))
    if not 0 < panels * _ORDER <= _MOST_NODES:
        raise NoConvergence(f"{max(0, panels * _ORDER)} nodes up to the cut")
    nodes, weights = _rule()
    radius = (high - low) / panels / 2
    x = ((2 * np.arange(panels)[:, None] + 1 + nodes) * radius + low).ravel()
    return x, np.log(radius * np.tile(weights, panels)) - math.log(2 * math.pi) / 2 - x * x / 2


@cache
def _rule() -> Table:
    """Nodes and weights of a panel."""
    return np.polynomial.legendre.leggauss(_ORDER)


def mixture_losses(c: float, q: float, x: Floats) -> Floats:
    """log w(x). A q next to 1 is 1 as a double."""
    exponent = c * x - c * c / 2
    if q == 1:
        return exponent
    rise = np.log1p(q * np.expm1(np.minimum(exponent, _LINEAR)))
    losses: Floats = np.where(exponent > _LINEAR, exponent + math.log(q), rise)
    return losses
