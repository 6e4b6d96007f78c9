r"""Loss of Gaussian and Laplace noise on one Poisson sample: :math:`(1-q) Q + q P` against Q, or the reverse.

Let l be the loss of both together, v the variance of the Gaussian's, ±c the ends of the other one's. Under Q
it is N(−v/2, v) and, independently, −c with probability 1/2, c with probability :math:`e^{-c}/2`, and of the
density :math:`e^{-c/2} e^{-y/2}/4` in between. With :math:`\bar\Phi_s(x) = \Pr[N(0, v) \ge x]`, as
:math:`e^{-y/2}` times the normal density of x − y is again one, of another mean,

.. math:: Q(l \ge x) = \bar\Phi_s(x + c + v/2) + \tfrac12 e^{-(x + c)/2 - v/8} D(x), \qquad
          P(l \ge x) = \bar\Phi_s(x - c - v/2) - \tfrac12 e^{(x - c)/2 - v/8} D(x),

:math:`D(x) = \bar\Phi_s(x - c) - \bar\Phi_s(x + c)`: the first by integration by parts, in which the atom at
c is cancelled and that at −c doubled; the second as P(l ≥ x) = Q(l ≤ −x). With :math:`w = 1 - q + q e^l` the
mixture is wQ, and the loss is log w (``remove``) or −log w (``add``).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.poisson_sample import PoissonLaw


@dataclass(frozen=True)
class PoissonGaussianLaplaceLaw(PoissonLaw):
    """``variance`` = v > 0, ``loss`` = c > 0 and 0 < ``q`` < 1, exact."""

    variance: Fraction
    loss: Fraction
    q: Fraction
    direction: Direction

    def unsampled(self, x: arb) -> tuple[arb, arb]:
        """P and Q of {l ≥ x}."""
        c, v = ball(self.loss), ball(self.variance)

        def beyond(y: arb) -> arb:
            return normal_tail(y / v.sqrt())

        between = (beyond(x - c) - beyond(x + c)) / 2 * (-c / 2 - v / 8).exp()
        first = beyond(x - c - v / 2) - (x / 2).exp() * between
        return first, beyond(x + c + v / 2) + (-x / 2).exp() * between
