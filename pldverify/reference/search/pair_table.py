"""Losses and masses of Gaussian mixtures at nodes, in floats, with numpy."""

import math
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from pldverify.balls.ball import BOUND_BITS, working
from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_pair import BASE, GaussianPairLaw, Mixture, weights
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.search.columns import Floats
from pldverify.reference.search.table import KEPT, LARGE, REACH, Table
from pldverify.reference.search.tables import MOST_NODES, ORDER

Nodes = tuple[Floats, Floats]
"""log of P's mass, and the loss, at nodes."""
Rows = Sequence[tuple[int, float]]
"""(level, weight)."""
LOW = -REACH
"""Outcome of N(0) where nodes begin."""
_WIDEST = 0.75
"""Length of a panel at most, in standard deviations of the noise."""
_BLOCK = 1_000_000
"""Terms at a time."""


def floats(mixture: Mixture) -> Rows:
    """The levels and weights."""
    with working(BOUND_BITS):
        return [(level, float(weight)) for level, weight in weights(mixture, BOUND_BITS)]


def log_sum(c: float, rows: Rows, y: Floats) -> Floats:
    """log Σ w_j e^{jcy − j²c²/2}, accurate also where it is near 0."""
    rows = [(level, weight) for level, weight in rows if weight > 0]  # one that is next to 1 is 1 as a double
    if [level for level, _ in rows] == [0]:
        return np.zeros_like(y)
    steps = c * np.array([level for level, _ in rows])
    shares = np.array([weight for _, weight in rows])
    found, size = np.empty_like(y), max(1, _BLOCK // len(rows))
    for start in range(0, len(y), size):
        part = slice(start, start + size)
        terms = y[part, None] * steps - steps**2 / 2
        peak = terms.max(axis=1)
        rise = (shares * np.expm1(np.minimum(terms, LARGE))).sum(axis=1)
        found[part] = np.log1p(np.maximum(rise, -0.5))
        if (large := (peak > LARGE) | (rise < -0.5)).any():
            top = peak[large]
            sizes = shares * np.exp(terms[large] - top[:, None])
            found[part][large] = np.log(sizes.sum(axis=1)) + top
    return found


@lru_cache(maxsize=KEPT)
@np.errstate(under="ignore")
def near_table(law: NearLaw) -> Table:
    """A step up to a cut. Raises NoConvergence."""
    cut = float(law.cut)
    if isinstance(law.law, GaussianPairLaw):
        c, turns = float(law.law.shift), law.law.up_to(law.cut)[0].turns
        first, second = floats(law.law.first), floats(law.law.second)
        logs, losses = _stretch(c, first, second, LOW - c * second[-1][0], cut, float(max(turns)))
        return Table(logs.tolist(), losses.tolist())
    c, q = float(law.law.shift), float(law.law.drawn())
    drawn, base = [(0, 1 - q), (1, q)], floats(BASE)
    atom = math.log1p(-q) + math.log(max(1e-300, math.erf(c / math.sqrt(8))))
    up = _stretch(c, drawn, base, c / 2, cut, 1)
    down = _stretch(c, base, drawn, LOW - c / 2, -c / 2, 1)
    return Table([*up[0].tolist(), *down[0].tolist(), atom], [*up[1].tolist(), *down[1].tolist(), 0.0])


def _stretch(c: float, first: Rows, second: Rows, low: float, high: float, turns: float) -> Nodes:
    x, scale = _panels(low, high, c * turns)
    up = log_sum(c, first, x)
    return up + scale, up - log_sum(c, second, -x)


def _panels(low: float, high: float, turn: float) -> Nodes:
    """Nodes between two outcomes, and log of their weights times φ."""
    panels = math.ceil((high - low) / min(_WIDEST, 1 / turn))
    if not 0 < panels * ORDER <= MOST_NODES:
        raise NoConvergence(f"{max(0, panels * ORDER)} nodes up to the cut")
    nodes, shares = _rule()
    radius = (high - low) / panels / 2
    x = ((2 * np.arange(panels)[:, None] + 1 + nodes) * radius + low).ravel()
    return x, np.log(radius * np.tile(shares, panels)) - math.log(2 * math.pi) / 2 - x * x / 2


@cache
def _rule() -> Nodes:
    """Nodes and weights of a panel."""
    return np.polynomial.legendre.leggauss(ORDER)
