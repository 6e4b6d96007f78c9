"""Cumulants of the losses of fixed-size batches of which at least three are not 0: those of all losses."""

from pldverify.errors import NoConvergence
from pldverify.reference.laws.nonzero_losses import NonzeroLosses
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

_MOST = 150.0
"""Largest log M(θ): beyond it the sum loses so many digits that a smaller tilt is cheaper."""


@cumulant.register
def nonzero_losses(law: NonzeroLosses, theta: float) -> Cumulant:
    """Raises NoConvergence where rare outcomes make up nearly all of M(θ)."""
    value, slope, curvature = cumulant(law.law, theta)
    if law.steps * value > _MOST:
        raise NoConvergence(f"zeros: a tilt of {theta:.3g} would lose {law.steps * value:.3g} nats")
    return law.steps * value, law.steps * slope, law.steps * curvature
