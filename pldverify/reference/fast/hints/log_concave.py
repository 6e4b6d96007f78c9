"""Where G = −(x + s)²/2 + p log w(x), p < 0, is large, and a rule for its integral."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import Real, ball, near, nearest, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.fast.concave_trapezoid import ConcaveRule
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope

BITS = 53
"""Precision of choices: any is right."""
_STRIPS = (95, 70, 50, 35, 25, 15, 8, 4, 2, 1)
"""Percents of the widest strip that are tried."""
_ROUNDS = 60
"""Cap on the steps of Newton's method."""
_BISECTIONS = 12
"""Bisections by which an edge is looked for."""
_LEVEL = arb(2) ** -30
"""Relative size of a step at which Newton's method ends."""


@dataclass(frozen=True)
class Exponent:
    """G for one (c, q, p, s)."""

    c: arb
    q: arb
    p: arb
    s: arb

    @staticmethod
    def of(c: Real, q: Real, p: Real, s: Real = 0) -> "Exponent":
        return Exponent(ball(c), ball(q), ball(p), ball(s))

    def value(self, x: arb) -> arb:
        return self.p * mixture_loss(self.c, self.q, x) - (x + self.s) * (x + self.s) / 2

    def slope(self, x: arb) -> arb:
        return self.p * mixture_slope(self.c, self.q, x) - (x + self.s)

    def mode(self) -> arb:
        """Where G is largest: Newton's method in a bracket."""
        reach = arb(1)
        while surely_less(self.slope(-self.s - reach), 0):
            reach *= 2
        low, high = (-self.s - reach).mid(), (-self.s).mid()
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


def peak_near(c: Real, q: Real, p: Real, s: Real) -> Fraction:
    """A point near the maximum of G."""
    with working(BITS):
        return near(Exponent.of(c, q, p, s).mode())


def concave_rule(c: Real, q: Real, p: Real, height: Real, bits: int) -> ConcaveRule:
    """Nodes that should give ``bits`` bits for |v| ≤ ``height``."""
    with working(BITS):
        goal = (bits + 8) * arb(2).log()
        here, v = Exponent.of(c, q, p), ball(height)
        mode = here.mode()
        log_mass = here.value(mode) + here.deviation(mode).log()
        widest = acb(v, -here.p).arg() / here.c

        def turned(a: arb) -> tuple[arb, arb]:
            """τ and s at half-width a."""
            return v * (here.c * a).tan(), -(here.c * a).cos().log() / here.c

        found: tuple[arb, arb] | None = None
        for percent in _STRIPS:
            a = (widest * percent / 100).mid()
            tau, shift = turned(a)
            moved = Exponent(here.c, here.q, here.p + tau, shift)
            growth = a * a / 2 - tau * (-here.q).log1p() + moved.value(moved.mode()) - log_mass
            step = (2 * arb.pi() * a / (goal + growth.max(arb(0)) + 2)).mid()
            if found is None or surely_less(found[0], step):
                found = step, a
        assert found is not None
        eta, strip = near(found[0], 20), near(found[1], 20)
        if not eta > 0:
            raise NoConvergence("contour: no step of a rule for a log-concave integrand")
        low, high = (nearest(here.edge(mode, log_mass - goal - 2, side) / ball(eta)) for side in (-1, 1))
        tau, shift = turned(found[1])
        peaks = (
            peak_near(here.c, here.q, here.p, shift),
            peak_near(here.c, here.q, here.p + tau, shift),
        )
    return ConcaveRule(eta, low - 2, high + 2, strip, peaks)
