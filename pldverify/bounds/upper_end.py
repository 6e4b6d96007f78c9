"""What every bound returns: an upper end, if its hypotheses hold."""

from pldverify.balls import arb


def upper(value: arb, *hypotheses: bool) -> arb:
    """Upper end of the ball as an exact ball; +∞ unless all hypotheses hold and the ball is finite."""
    if not all(hypotheses) or not value.is_finite():
        return arb.pos_inf()
    return value.upper()
