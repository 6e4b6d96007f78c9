"""Moments of a single loss for the bounds of a budget, from the reference or from cells."""

from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.bounds.transform_decay import Decay, transform_decay
from pldverify.errors import NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import noise_and_q as sampled
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.composed_loss import product

_CELL_BITS = 128
"""Precision, in bits, of the cells of a decay; any value is right: a poor one costs size."""


def noise_and_q(mechanism: Mechanism) -> tuple[Fraction, Fraction] | None:
    """(σ per unit of sensitivity, q) of a Gaussian, q = 1, a sampled one or KJH19's; None for others."""
    if isinstance(mechanism, KJH19Substitute):
        return mechanism.base.noise_multiplier, mechanism.q
    return sampled(mechanism)


def decay(mechanism: Mechanism, direction: Direction, lam: Fraction) -> Decay | None:
    """How the loss's transform falls on Re z = λ; None where no bound is known."""
    parameters = noise_and_q(mechanism)
    if parameters is None:
        return None
    side = direction if direction == "add" or direction == "remove" else "replace"
    with working(_CELL_BITS):
        return transform_decay(*parameters, side, lam)


def log_moment(mechanism: Mechanism, direction: Direction, lam: Fraction) -> arb:
    """Upper bound of log E[e^{λS}; S < ∞]: the reference's, or the cells' where that proves nothing at this
    precision, as at large λ; +∞ where neither does.
    """
    try:
        found = product(as_composition(mechanism), direction).log_moment(lam).upper()
    except (NoConvergence, ArithmeticError):
        found = arb.pos_inf()
    if found.is_finite():
        return found
    cells = decay(mechanism, direction, lam)
    return arb.pos_inf() if cells is None else cells.at(arb(0)).log().upper()
