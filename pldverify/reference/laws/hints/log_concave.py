"""Where G = −(x + s)²/2 + p log w(x), p < 0, is large, and a rule for its integral."""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import short
from pldverify.reference.lemmas.concave_trapezoid import ConcaveRule

_STRIPS = (0.95, 0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01)
"""Parts of the widest strip that are tried."""


@dataclass(frozen=True)
class Exponent:
    """G for one (c, q, p, s)."""

    c: float
    q: float
    p: float
    s: float = 0.0

    def value(self, x: float) -> float:
        return -((x + self.s) ** 2) / 2 + self.p * log_w(self.c, self.q, x)

    def slope(self, x: float) -> float:
        return -(x + self.s) + self.p * self.c * _share(self.c, self.q, x)

    def mode(self) -> float:
        """Where G is largest: Newton's method in a bracket."""
        reach = 1.0
        while self.slope(-self.s - reach) < 0:
            reach *= 2
        low, high = -self.s - reach, -self.s
        x = high
        for _ in range(60):
            slope = self.slope(x)
            low, high = (x, high) if slope > 0 else (low, x)
            last, step = x, slope * self.deviation(x) ** 2
            x = x + step if low < x + step < high and abs(step) < (high - low) / 2 else (low + high) / 2
            if abs(x - last) <= 1e-12 * (1 + abs(x)):
                break
        return x

    def deviation(self, x: float) -> float:
        """(−G'')^{−1/2}."""
        share = _share(self.c, self.q, x)
        return 1 / math.sqrt(1 - self.p * self.c**2 * share * (1 - share))

    def edge(self, mode: float, floor: float, side: int) -> float:
        """Where G falls below ``floor`` on one side of the mode."""
        near, far = 0.0, math.sqrt(2 * max(1.0, self.value(mode) - floor)) + 1
        for _ in range(40):
            middle = (near + far) / 2
            near, far = (middle, far) if self.value(mode + side * middle) > floor else (near, middle)
        return mode + side * far


def peak_near(c: float, q: float, p: float, s: float) -> Fraction:
    """A point near the maximum of G."""
    return short(Exponent(c, q, p, s).mode())


def concave_rule(c: float, q: float, p: float, height: float, bits: int) -> ConcaveRule:
    """Nodes that should give ``bits`` bits for |v| ≤ ``height``."""
    goal = (bits + 8) * math.log(2)
    here = Exponent(c, q, p)
    mode = here.mode()
    log_mass = here.value(mode) + math.log(here.deviation(mode))
    widest = min(math.atan2(-p, height), math.pi / 2) / c
    longest, strip = 0.0, 0.0
    for a in (widest * part for part in _STRIPS):
        t = c * a
        tau, shift = height * math.tan(t), -math.log(math.cos(t)) / c
        moved = Exponent(c, q, p + tau, shift)
        growth = a * a / 2 - tau * math.log1p(-q) + moved.value(moved.mode()) - log_mass
        longest, strip = max((longest, strip), (2 * math.pi * a / (goal + max(0.0, growth) + 2), a))
    eta = short(longest, 20)
    floor = log_mass - goal - 2
    low, high = here.edge(mode, floor, -1), here.edge(mode, floor, 1)
    first, last = math.floor(low / float(eta)) - 1, math.ceil(high / float(eta)) + 1
    tau, shift = height * math.tan(c * strip), -math.log(math.cos(c * strip)) / c
    peaks = peak_near(c, q, p, shift), peak_near(c, q, p + tau, shift)
    return ConcaveRule(eta, first, last, short(strip, 20), peaks)


def log_w(c: float, q: float, x: float) -> float:
    """log w(x)."""
    exponent = c * x - c * c / 2
    if exponent > 30:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))


def slope(c: float, q: float, x: float) -> float:
    """(log w)'(x)."""
    return c * _share(c, q, x)


def _share(c: float, q: float, x: float) -> float:
    """y/w."""
    exponent = c * x - c * c / 2
    if exponent > 700:
        return 1.0
    y = q * math.exp(exponent)
    return y / (1 - q + y)
