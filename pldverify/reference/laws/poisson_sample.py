r"""Poisson samples of any base: :math:`(1-q) Q + q P` against Q (``remove``), or the reverse (``add``).

Let l be the loss of the base in the direction that is asked, that of (F, G) = (P, Q), or (Q, P). With
:math:`w = 1 - q + q e^{\pm l}` the sample has the pair :math:`((1-q) G + q F, G)` and the loss log w, or
:math:`(F, (1-q) F + q G)` and −log w. Both losses rise with l, so from s on lie

.. math:: \{l \ge x\}, \qquad e^{\pm x} = 1 + (e^{\pm s} - 1)/q :

all of them, or none, where the right side is below 0. Where p = 0 direction ``add`` has a finite loss, so an
infinite l counts there.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.anchored import anchor_of_mixture

Masses = tuple[arb, arb]
"""Of both measures of an ordered pair."""


def sampled_tails(
    beyond: Callable[[arb], Masses], q: Fraction, direction: Direction, s: Fraction, finite: arb | int = 1
) -> Masses:
    """Both measures of the sample's losses from ``s`` on, 0 < ``q`` < 1.

    ``beyond`` encloses F and G of the base's losses from a ball on, infinite ones under F for ``add`` alone;
    ``finite`` is the mass of the finite losses of the sample.
    """
    side, rate = 1 if direction == "remove" else -1, ball(q)
    rise = ball(side * s).expm1()
    odds = rise + rate  # q e^{±x}
    end = (arb(finite), arb(1)) if side == 1 else (arb(0), arb(0))

    def mixed(x: arb) -> Masses:
        first, second = beyond(side * x)
        if side == 1:
            return (1 - rate) * second + rate * first, second
        return first, (1 - rate) * first + rate * second

    if surely_less(odds, 0):
        return end
    x = (rise / rate).log1p()
    if surely_less(0, odds) and x.is_finite():
        return mixed(x)
    # s is too close to the end of the losses for this precision: between that and a larger x, or a smaller −x
    first, second = mixed(((odds.upper() + odds.rad()) / rate).log())
    return first.union(end[0]), second.union(end[1])


def largest_sampled_loss(top: Fraction | arb | None, q: Fraction, direction: Direction) -> arb | None:
    """The supremum of the sample's finite losses, from that of l; None for +∞."""
    if direction == "remove":
        return None if top is None else (ball(q) * ball(top).expm1()).log1p()
    if top is not None:
        return -(ball(q) * (-ball(top)).expm1()).log1p()
    return -ball(1 - q).log() if 2 * q > 1 else -(-ball(q)).log1p()


class PoissonLaw(ABC):
    """A sample of a base whose losses have no end, the same in both directions."""

    q: Fraction
    direction: Direction
    infinite_mass = Fraction(0)

    @abstractmethod
    def unsampled(self, x: arb) -> Masses:
        """Both measures of the base's losses from ``x`` on."""

    @property
    def largest_finite_loss(self) -> arb | None:
        return largest_sampled_loss(None, self.q, self.direction)

    def anchor(self) -> Fraction:
        return anchor_of_mixture(self.q, self.direction)

    def tails(self, s: Fraction) -> Masses:
        return sampled_tails(self.unsampled, self.q, self.direction, s)
