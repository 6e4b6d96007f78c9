"""Search for the step of the secants between which the mean of a loss lies."""

from fractions import Fraction

from pldverify.balls.ball import short
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.search.cumulant import cumulant


def secant(loss: ComposedLoss, bits: int) -> Fraction:
    """h at which both secants agree with the mean to about ``bits`` bits.

    They differ by about h times the variance.
    """
    _, mean, variance = cumulant(loss, 0.0)
    ratio = abs(mean) / variance if variance > 0 else 1.0
    return short(min(1.0, max(ratio, 1e-150))) / Fraction(2**bits)
