r"""Loss of the (ε, δ)-DP pair: +∞ with probability δ, else ε with odds :math:`e^\epsilon` against −ε."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class ApproximateDPLaw(AtomicLaw):
    """``epsilon`` > 0, or = 0 with δ > 0; ``delta`` = δ_∞ < 1 in both directions."""

    epsilon: Fraction
    delta: Fraction

    @property
    def infinite_mass(self) -> Fraction:
        return self.delta

    def _outcomes(self) -> list[Outcome]:
        rest, odds, loss = ball(1 - self.delta), ball(self.epsilon).exp(), self.epsilon
        if loss == 0:
            finite = [Outcome(rest, rest, loss)]
        else:
            high, low = rest * odds / (1 + odds), rest / (1 + odds)
            finite = [Outcome(high, low, loss), Outcome(low, high, -loss)]
        lost = ball(self.delta)
        return [*finite, Outcome(lost, arb(0)), Outcome(arb(0), lost)]
