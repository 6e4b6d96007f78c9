r"""Loss of the Poisson-subsampled Laplace mechanism: :math:`(1-q) Q + q P` against Q, or the reverse.

Let l be the loss of the Laplace pair, c = s/b. Under Q it is c with probability :math:`e^{-c}/2`, −c with
probability 1/2, and has the density :math:`e^{-c/2} e^{-l/2}/4` in between. With :math:`w = 1 - q + q e^l`,
the mixture is wQ, and the loss is log w (``remove``) or −log w (``add``).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, near, working
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.anchored import just_beyond
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.poisson_sample import largest_sampled_loss, sampled_tails
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.piece import Piece

_PREC = 160
"""Working precision, in bits, of the largest loss, as in ``anchored.py``."""
_WIDTH = Fraction(1, 2)
"""Half-width of a panel, in nats of the loss without sampling; any value is right."""


@dataclass(frozen=True)
class PoissonLaplaceLaw(SmoothLaw):
    """``loss`` = c = sensitivity/b and 0 < ``q`` < 1, exact."""

    loss: Fraction
    q: Fraction
    direction: Direction

    @property
    def largest_finite_loss(self) -> arb:
        return cast(arb, largest_sampled_loss(self.loss, self.q, self.direction))

    def anchor(self) -> Fraction:
        """Just above the largest loss, an atom of about half the mass."""
        with working(_PREC):
            return just_beyond(self.largest_finite_loss.upper())

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        return sampled_tails(LaplaceLaw(self.loss).beyond, self.q, self.direction, s)

    def points(self) -> list[tuple[arb, arb]]:
        c = ball(self.loss)
        rows = []
        for x, mass in ((c, (-c).exp() / 2), (-c, arb(1) / 2)):
            log = (ball(self.q) * x.expm1()).log1p()
            rows.append((log, mass * log.exp()) if self.direction == "remove" else (-log, mass))
        return rows

    def pieces(self, theta: Fraction) -> list[Piece]:
        c, q = ball(self.loss), ball(self.q)

        def log_w(x: acb) -> acb:
            return (q * x.expm1()).log1p()

        def base(x: acb) -> acb:
            return -c / 2 - x / 2 - arb(4).log()

        def slope(x: arb) -> arb:
            y = q * x.exp()
            return y / (1 - q + y)

        size = self.loss
        rate = near(slope(c + ball(_WIDTH)))  # about as large as around any panel
        if self.direction == "remove":
            return [Piece(-size, size, lambda x: base(x) + log_w(x), log_w, slope, _WIDTH, rate)]
        return [Piece(-size, size, base, lambda x: -log_w(x), slope, _WIDTH, rate)]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return arb(0)
