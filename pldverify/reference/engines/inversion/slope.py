r"""The slope engines: a tail from δ alone, where an engine has δ and no tail.

In :math:`x = e^\epsilon` the finite part g of δ is convex, as a supremum of P(A) − xQ(A) over events A, and
its slope on the left is −Q(S ≥ ε). So over finite S, :math:`P(S \ge \epsilon) = g(\epsilon) + xQ(S \ge
\epsilon)` lies between what the secants to ε + h and from ε − h say:

.. math:: g(\epsilon) + \frac{g(\epsilon) - g(\epsilon+h)}{e^h - 1} \le P(S \ge \epsilon) \le
   g(\epsilon) + \frac{g(\epsilon-h) - g(\epsilon)}{1 - e^{-h}}

for every h > 0; the best of several counts. Half of the digits of δ are left; where ε is an atom, the lower
bound stays below by its mass.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, ball, clamped, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.convolution.grid import offer_grid
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.search.contour import offer_contour
from pldverify.reference.search.offer import Offer, Profile

MAX_SECONDS = 10
"""Cap on the predicted price of δ: two directions must fit into the budget of one call."""


class Slope:
    """The tail of one composed loss, from its δ."""

    def __init__(self, delta: Profile, digits: int) -> None:
        self.delta, self.digits = delta, digits
        self.engine = f"{delta.engine} slope"
        self.limit = delta.limit if math.isinf(delta.limit) else 0  # a δ of few digits promises nothing
        self._found: dict[Fraction, tuple[arb, Fraction]] = {}

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of P(S ≥ ε)."""
        if epsilon not in self._found:
            self._found[epsilon] = self._narrowest(epsilon)
        return self._found[epsilon][0]

    def _narrowest(self, epsilon: Fraction) -> tuple[arb, Fraction]:
        """The narrowest bounds, and the h that gives them."""
        here = self.delta.truth(epsilon)
        with working(int(2 * self.digits * LOG2_10) + 128):
            best, best_h = arb(0).union(arb(1)), Fraction(1)
            for i in range(1, 2 * self.digits + 20):
                spend()
                h = Fraction(1, 4**i)
                low, high = self.bounds(epsilon, h, here)
                found = clamped(low.lower().union(high.upper()))
                if found.rad() < best.rad():
                    best, best_h = found, h
                elif best_h < 1:
                    break
            return best, best_h

    def bounds(self, epsilon: Fraction, h: Fraction, here: arb) -> tuple[arb, arb]:
        """Lower and upper bound with one h; ``here`` is g(ε)."""
        after, before = self.delta.truth(epsilon + h), self.delta.truth(epsilon - h)
        step = ball(h)
        return here + (here - after) / step.expm1(), here - (before - here) / (-step).expm1()

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """h, the half-width that the secants leave, and what δ rests on."""
        value = self.truth(epsilon)
        h = self._found[epsilon][1]
        return {"h": str(h), "secants": value.rad().str(3, radius=False), **self.delta.witness(epsilon)}


def offer_contour_slope(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """A tail from the contour's δ of twice as many digits. Raises NotSupported, NoConvergence."""
    return _offer(offer_contour, product, quantity, epsilon, 2 * digits + 4, digits)


def offer_grid_slope(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """A tail from a grid's δ: some 3 digits. Raises NotSupported, NoConvergence."""
    return _offer(offer_grid, product, quantity, epsilon, 6, digits)


def _offer(
    engine: Callable[..., Offer], product: Product, quantity: str, epsilon: Fraction, twice: int, digits: int
) -> Offer:
    if quantity == "delta":
        raise NotSupported("it has tails and no δ")
    delta = engine(product, "delta", epsilon, digits=twice)
    if delta.seconds > MAX_SECONDS:
        raise NoConvergence(f"{delta.seconds:.0f} s predicted for δ (cap {MAX_SECONDS})")
    return Offer(0.01 + 2 * delta.seconds, lambda: Slope(delta.build(), digits))
