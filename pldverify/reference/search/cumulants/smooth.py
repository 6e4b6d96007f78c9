"""Cumulants of laws with a density: atoms, and Gauss–Legendre nodes on each piece."""

import math
from functools import lru_cache
from typing import Any

from pldverify.balls import acb
from pldverify.balls.ball import short, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.laws.smooth import SmoothLaw, rule
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.search.cumulants.law import Cumulant, cumulant, of_atoms

_WIDEST = 1000.0
"""Tilt up to which the nodes of one tilt serve others."""
_MANY = 100
"""Nodes that are worth loading numpy for."""
_ORDER = 8
"""Nodes of a Gauss–Legendre panel."""
_FEWEST = 8
"""Panels of a piece at least."""
_MOST_NODES = 20_000
"""Cap on the nodes of a piece."""


@cumulant.register
def smooth(law: SmoothLaw, theta: float) -> Cumulant:
    return with_nodes_of(law, wider(theta), theta)


def with_nodes_of(law: SmoothLaw, served: float, theta: float) -> Cumulant:
    """With the nodes that serve the tilt ``served``."""
    rows = _shares(law, served)
    if len(rows) > _MANY:
        from pldverify.reference.search.pair_table import of_table  # loads numpy

        logs, losses = _columns(law, served)
        return of_table(logs, losses, theta)
    return of_atoms([(share + theta * loss, loss) for share, loss in rows])


def wider(theta: float) -> float:
    """A tilt whose nodes serve ``theta`` too, one for many: a power of 2 beyond it."""
    if -1 < theta < 0 or abs(theta) > _WIDEST:
        return theta
    return math.copysign(2.0 ** max(0, math.ceil(math.log2(max(1.0, abs(theta))))), theta)


@lru_cache(maxsize=100)
def _shares(law: SmoothLaw, theta: float) -> list[tuple[float, float]]:
    """(log of a share of M(0), loss) of the atoms and at nodes that serve ``theta``."""
    try:
        with working(53):
            rows = [(float(m.log().mid()), float(s.mid())) for s, m in law.points()]
            for piece in law.pieces(short(theta)):
                spend()
                rows += _nodes(piece, theta)
    except OverflowError as error:
        raise NoConvergence(f"tilt {theta:.3g} is too large for this law") from error
    return rows


@lru_cache(maxsize=100)
def _columns(law: SmoothLaw, theta: float) -> Any:
    """The same, as two arrays."""
    import numpy as np

    return np.ascontiguousarray(np.array(_shares(law, theta)).T)


def _nodes(piece: Piece, theta: float) -> list[tuple[float, float]]:
    """The same of one piece, at Gauss–Legendre nodes: 10⁹ steps magnify errors of K(θ)."""
    low, high = float(piece.low), float(piece.high)
    count = max(_FEWEST, math.ceil((high - low) / min(0.25, float(piece.width)) / _ORDER))
    if count * _ORDER > _MOST_NODES:
        raise NoConvergence(f"tilt {theta:.3g} needs {count * _ORDER} nodes")
    radius = (high - low) / (2 * count)
    rows = []
    for j in range(count):
        for node, weight in rule(_ORDER, 53):
            x = acb(low + (2 * j + 1 + float(node)) * radius)
            share = math.log(radius * float(weight)) + float(piece.log_weight(x).real.mid())
            rows.append((share, float(piece.loss(x).real.mid())))
    return rows
