"""What the bounds share: exact arguments, upper ends, and hypotheses."""

from fractions import Fraction

from pldverify.balls import arb, fmpq

Real = arb | Fraction | int
"""An exact rational or a ball."""


def ball(value: Real) -> arb:
    """A ball around the value, at the working precision."""
    if isinstance(value, arb):
        return value
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def upper(value: arb, *hypotheses: bool) -> arb:
    """Upper end of the ball as an exact ball; +∞ unless all hypotheses hold and the ball is finite."""
    if not all(hypotheses) or not value.is_finite():
        return arb.pos_inf()
    return value.upper()
