"""Cumulants of a pair of densities that a user wrote: atoms, and Gauss–Legendre nodes on each panel."""

import math
from functools import lru_cache

from pldverify.balls import acb
from pldverify.balls.ball import ball, short, working
from pldverify.balls.clock import spend
from pldverify.errors import NotSupported
from pldverify.reference.laws.density_pair import DensityPairLaw, balls_of
from pldverify.reference.laws.hints.density_pair import ends, panels
from pldverify.reference.laws.smooth import rule
from pldverify.reference.search.cumulants.law import Cumulant, cumulant, of_atoms
from pldverify.reference.search.cumulants.smooth import wider

_ORDER = 12
"""Nodes of a Gauss–Legendre panel."""


@cumulant.register
def density_pair(law: DensityPairLaw, theta: float) -> Cumulant:
    if law.pair.is_integer:
        return integers(law, theta)
    return of_atoms([(share + theta * loss, loss) for share, loss in _shares(law, wider(theta))])


def integers(law: DensityPairLaw, theta: float) -> Cumulant:
    """Of infinitely many integers. Raises NotSupported where they are sampled."""
    if law.q < 1:
        raise NotSupported("a Poisson sample of infinitely many integers has no law")
    found: Cumulant = balls_of(law.pair, law.direction).cumulant(theta)
    return found


@lru_cache(maxsize=200)
def _shares(law: DensityPairLaw, theta: float) -> list[tuple[float, float]]:
    """(log of a share of M(0), loss) of the atoms and at nodes that serve ``theta``."""
    with working(53):
        rows = [(float(m.log().mid()), float(s.mid())) for s, m in law.points()]
        curves = law.curves()
        for curve, (low, high) in zip(curves, ends(curves, short(theta), proved=False), strict=True):
            for panel in panels(curve, low, high):
                spend()
                radius = (panel.high - panel.low) / 2
                for node, weight in rule(_ORDER, 53):
                    x = acb(ball(panel.low + radius) + ball(radius) * node)
                    share = math.log(float(radius) * float(weight)) + float(curve.log_weight(x).real.mid())
                    rows.append((share, float(curve.loss(x).real.mid())))
    return rows
