r"""Loss of logistic noise, of scale 1 and moved by c: what the exponential mechanism is dominated by.

The loss lies in (−c, c). With a = e^{(s − c)/2},

.. math:: P(S \ge s) = \frac{1 - a}{1 - e^{-c}}, \qquad Q(S \ge s) = \frac{1 - a}{a(e^c - 1)},

so its density is :math:`e^{s/2}/(4 \sinh(c/2))`. Both directions coincide.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.piece import Piece

_WIDTH = Fraction(1)
"""Half-width of a panel, in nats of the loss; any value is right."""


@dataclass(frozen=True)
class LogisticLaw(SmoothLaw):
    """``shift`` is c > 0, exact."""

    shift: Fraction

    @property
    def largest_finite_loss(self) -> Fraction:
        return self.shift

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        c = self.shift
        if s <= -c:
            return arb(1), arb(1)
        if s >= c:
            return arb(0), arb(0)
        rest = -ball((s - c) / 2).expm1()
        return rest / -ball(-c).expm1(), rest * ball((c - s) / 2).exp() / ball(c).expm1()

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def pieces(self, theta: Fraction) -> list[Piece]:
        c = self.shift
        log = (4 * (ball(c) / 2).sinh()).log()
        return [Piece(-c, c, lambda x: x / 2 - log, lambda x: x, lambda x: arb(1), _WIDTH, rate=Fraction(1))]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return arb(0)
