"""Where G = p log w(x) − x²/2, p < 0, is large."""

from dataclasses import dataclass

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope

BITS = 53
"""Precision of choices: any is right."""
_ROUNDS = 60
"""Cap on the steps of Newton's method."""
_BISECTIONS = 12
"""Bisections by which an edge is looked for."""
_LEVEL = arb(2) ** -30
"""Relative size of a step at which Newton's method ends."""


@dataclass(frozen=True)
class Exponent:
    """G for one (c, q, p)."""

    c: arb
    q: arb
    p: arb

    @staticmethod
    def of(c: Real, q: Real, p: Real) -> "Exponent":
        return Exponent(ball(c), ball(q), ball(p))

    def value(self, x: arb) -> arb:
        return self.p * mixture_loss(self.c, self.q, x) - x * x / 2

    def slope(self, x: arb) -> arb:
        return self.p * mixture_slope(self.c, self.q, x) - x

    def mode(self) -> arb:
        """Where G is largest: Newton's method in a bracket."""
        reach = arb(1)
        while surely_less(self.slope(-reach), 0):
            reach *= 2
        low, high = (-reach).mid(), arb(0)
        x = high
        for _ in range(_ROUNDS):
            slope = self.slope(x).mid()
            low, high = (x, high) if surely_less(0, slope) else (low, x)
            step = slope * self.deviation(x) ** 2
            last, x = x, (x + step).mid()
            inside = surely_less(low, x) and surely_less(x, high)
            if not (inside and surely_less(2 * abs(step), high - low)):
                x = ((low + high) / 2).mid()
            if surely_at_most(abs(x - last), _LEVEL * (1 + abs(x))):
                break
        return x

    def deviation(self, x: arb) -> arb:
        """(−G'')^{−1/2}."""
        slope = mixture_slope(self.c, self.q, x)
        return 1 / (1 - self.p * slope * (self.c - slope)).mid().sqrt()

    def edge(self, mode: arb, floor: arb, side: int) -> arb:
        """Where G falls below ``floor`` on one side of the mode."""
        drop = (self.value(mode) - floor).max(arb(1)).mid()
        step = ((2 * drop).sqrt() + 1).mid()
        far = step
        for _ in range(_BISECTIONS):
            step /= 2
            if surely_less(self.value(mode + side * (far - step)), floor):
                far -= step
        return (mode + side * far).mid()
