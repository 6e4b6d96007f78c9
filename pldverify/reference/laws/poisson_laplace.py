r"""Loss of the Poisson-subsampled Laplace mechanism: :math:`(1-q) Q + q P` against Q, or the reverse.

Let l be the loss of the Laplace pair, c = s/b. Under Q it is c with probability :math:`e^{-c}/2`, −c with
probability 1/2, and has the density :math:`e^{-c/2} e^{-l/2}/4` in between. With :math:`w = 1 - q + q e^l`,
the mixture is wQ, and the loss is log w (``remove``) or −log w (``add``).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, near, working
from pldverify.balls.compare import surely_less
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.anchored import just_beyond
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
        if self.direction == "remove":
            return self._log_w(ball(self.loss))
        return -self._log_w(ball(-self.loss))

    def anchor(self) -> Fraction:
        """Just above the largest loss, an atom of about half the mass."""
        with working(_PREC):
            return just_beyond(self.largest_finite_loss.upper())

    def _log_w(self, x: arb) -> arb:
        return (ball(self.q) * x.expm1()).log1p()

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if self.direction == "remove":
            mixed, base = self._from(ball(s))
            return mixed, base
        mixed, base = self._from(ball(-s))
        return 1 - base, 1 - mixed

    def _from(self, point: arb) -> tuple[arb, arb]:
        """Mixture and Q of {log w ≥ point}; at an atom, of {log w > point} too."""
        c, q = ball(self.loss), ball(self.q)
        bottom, top = self._log_w(-c), self._log_w(c)
        whole, nothing = (arb(1), arb(1)), (arb(0), arb(0))
        if surely_less(point, bottom):
            return whole
        if surely_less(top, point):
            return nothing
        if not (
            surely_less(bottom, point) and surely_less(point, top)
        ):  # too close to an atom for this precision
            # the masses fall as the point rises, so those of a point on each side enclose them
            left, right = point.lower().min(top.lower()), point.upper().max(bottom.upper())
            most = self._above(left, c, q) if surely_less(bottom, left) else whole
            least = self._above(right, c, q) if surely_less(right, top) else nothing
            return most[0].union(least[0]), most[1].union(least[1])
        return self._above(point, c, q)

    def _above(self, point: arb, c: arb, q: arb) -> tuple[arb, arb]:
        """Mixture and Q of {log w ≥ point} for a point between the two atoms."""
        return self._inside((point.expm1() / q).log1p(), c, q)

    @staticmethod
    def _inside(x: arb, c: arb, q: arb) -> tuple[arb, arb]:
        """Mixture and Q of {l ≥ x}, −c < x < c: their limits at the end points leave out the atom at −c
        only."""
        first = 1 - ((x - c) / 2).exp() / 2
        second = (-(x + c) / 2).exp() / 2
        return (1 - q) * second + q * first, second

    def points(self) -> list[tuple[arb, arb]]:
        c = ball(self.loss)
        rows = []
        for x, mass in ((c, (-c).exp() / 2), (-c, arb(1) / 2)):
            log = self._log_w(x)
            rows.append((log, mass * log.exp()) if self.direction == "remove" else (-log, mass))
        return rows

    def densest(self, theta: Fraction) -> list[Piece]:
        return self.pieces(theta)

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
