"""The odds w of a Poisson-subsampled Gaussian under N(0), in floats; notation as in its law."""

import math
from functools import lru_cache

from pldverify.balls.ball import working
from pldverify.reference.fast.hints.gaussian_mixture import moment_nodes
from pldverify.reference.fast.hints.log_concave import BITS, Exponent
from pldverify.reference.search.table import KEPT, LARGE, REACH, Table, wider

MOST = 2000
"""Cap on the nodes of a table that serves many powers."""


def log_w(c: float, q: float, x: float) -> float:
    """log w(x)."""
    exponent = c * x - c * c / 2
    if exponent > LARGE:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))


def log_normal(t: float) -> float:
    """log Φ(t)."""
    if t > -30:
        return math.log(math.erfc(-t / math.sqrt(2)) / 2)
    return -t * t / 2 - math.log(-t * math.sqrt(2 * math.pi))


def odds(c: float, q: float, p: float) -> Table:
    """log w at nodes for E[w^p]: those that serve many p if they are few. Raises NoConvergence."""
    return _shared(c, q, serving(p)) or _alone(c, q, p)


def serving(p: float) -> float:
    """A power whose nodes serve ``p`` too, one for many."""
    return math.copysign(wider(abs(p)), p)


def bulk(c: float, q: float, p: float) -> tuple[float, float, int]:
    """The first node, their distance and their number, over the bulk of φw and φw^p for every c and q up to
    these and every power up to p.

    For p < 0 the share y/w of w, which grows with x, is at most q at the mode pc·y/w of φw^p, as that is
    negative: that bounds the mode from below, and the curvature there.
    """
    low, high, step = min(0.0, p * c * q) - REACH, c * max(1.0, p) + REACH, min(0.9, 1.2 / c)
    if p < 0:
        step = min(step, 0.4 / math.sqrt(1 - p * c * c * min(q, 0.25)))
    return low, step, math.ceil((high - low) / step) + 1


@lru_cache(maxsize=KEPT)
def _shared(c: float, q: float, p: float) -> Table | None:
    low, step, count = bulk(c, q, p)
    return _table(c, q, low, step, count, whole=True) if count <= MOST else None


def _alone(c: float, q: float, p: float) -> Table:
    with working(BITS):
        found = moment_nodes(Exponent.of(c, q, p))
    step = float(found.eta)
    return _table(c, q, found.first * step, step, found.last + 1 - found.first, found.whole)


def _table(c: float, q: float, low: float, step: float, count: int, whole: bool) -> Table:
    """φ and log w at equidistant nodes: sums of so smooth functions are integrals."""
    scale, nodes = math.log(step / math.sqrt(2 * math.pi)), [low + step * i for i in range(count)]
    return Table([scale - x * x / 2 for x in nodes], [log_w(c, q, x) for x in nodes], whole)
