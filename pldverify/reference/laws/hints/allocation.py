"""Rays for the moments of a mean of lognormal variables, in floats: poor ones cost width, never truth."""

import cmath
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pldverify.balls.ball import short
from pldverify.errors import NoConvergence
from pldverify.reference.lemmas.mean_of_lognormals import MAX_ORDER, Mean, Ray, raw_moment

_LOSS = 60.0
"""Nats that may cancel along a ray; tuned on random allocations, a factor of 2 changes only time."""
_MOST_RAYS = 200
"""Rays of one line at most."""
_LEAST = 1.0
"""Lower bound on θ + n, the power of s as which integrands vanish at 0: with less, their range is longer."""
_MORE = 0.3
"""Lower bound on (θ + n)/(−θ) for θ < 0, for the same reason."""
_SPARE = 6.0
"""Nats that every error is smaller than asked for."""
_WIDEST = 1.5
"""Half-width, in radians, of the widest strip around a ray that is tried."""
_QUARTER = math.pi / 2 - 1e-9
"""Bound on the angles of paths, in radians: just below π/2, as the proof needs."""


def order(theta: float) -> int:
    """n for a line Re w = θ."""
    return max(0, math.ceil(max(_LEAST - theta, -(1 + _MORE) * theta))) if theta < _LEAST else 0


@dataclass(frozen=True)
class Rays:
    """The order, the rays of a line, the bits that are lost along them, and points times bits."""

    order: int
    rays: tuple[Ray, ...]
    lost: int
    price: float


@lru_cache(maxsize=256)
def rays(mean: Mean, theta: Fraction, step: Fraction, count: int, bits: int) -> Rays:
    """Rays for w = θ + i j step, j = 0 … count, to about ``bits`` bits of F(θ). Raises NoConvergence."""
    n = order(float(theta))
    if n > MAX_ORDER:
        raise NoConvergence(
            f"allocation: a moment of order {float(-theta):.4g} of the ratio (cap {MAX_ORDER})"
        )
    raw = float(raw_moment(mean, n).log().mid()) if n else 0.0
    place = _Place(
        float(mean.noise_multiplier), float(mean.count), theta, n, bits * math.log(2) + _SPARE, raw
    )
    reach, found, first, lost = float(step) * count, list[Ray](), 0, 0.0
    while first <= count:
        if len(found) == _MOST_RAYS:
            raise NoConvergence(f"allocation: more than {_MOST_RAYS} rays for one line")
        start = first * float(step)
        psi, stop = place.window(start, reach)
        nodes = min(count - first, int((stop - start) / float(step)) if step else 0) + 1
        ray, nats = place.ray(psi, start, min(reach, start + (nodes - 1) * float(step)), nodes)
        found.append(ray)
        lost = max(lost, nats)
        first += nodes
    lost_bits = math.ceil(lost / math.log(2))
    points = sum((r.last - r.first) * r.every + 2 * r.half * r.across for r in found)
    return Rays(n, tuple(found), lost_bits, float(points) * (n + 1) * (bits + lost_bits))


@dataclass(frozen=True)
class _Place:
    """σ, T, θ, n, the nats to be had and log E[R^n]."""

    sigma: float
    count: float
    exact: Fraction
    n: int
    goal: float
    raw: float

    @property
    def theta(self) -> float:
        return float(self.exact)

    @property
    def p(self) -> float:
        return self.theta + self.n

    def excess(self, psi: float, u: float) -> float:
        """log of |e^{iψw}|/|Γ(w + n)| Γ(p) cos^{−p} ψ: what cancels at height u."""
        size = math.lgamma(self.p) - log_gamma(complex(self.p, u))
        return size - self.p * math.log(math.cos(psi)) - u * psi

    def window(self, start: float, reach: float) -> tuple[float, float]:
        """An angle that serves from ``start`` on, and up to where."""
        low, high = math.atan2(start, self.p), math.atan2(reach, self.p)
        for _ in range(40):  # the angle that loses as much at both ends, if it loses little
            middle = (low + high) / 2
            low, high = (
                (middle, high)
                if self.excess(middle, start) < min(_LOSS, self.excess(middle, reach))
                else (low, middle)
            )
        if self.excess(low, reach) <= _LOSS:
            return low, reach
        near, far = start, reach
        for _ in range(40):
            middle = (near + far) / 2
            near, far = (middle, far) if self.excess(low, middle) <= _LOSS else (near, middle)
        return low, near

    def ray(self, psi: float, start: float, stop: float, nodes: int) -> tuple[Ray, float]:
        """The ray, and nats lost along it."""
        c = 1 / self.sigma
        lost = max(0.0, self.excess(psi, start), self.excess(psi, stop))
        eta, strip, bend = max(self._strips(psi, start, stop))
        (low, below), (high, above) = self._left(psi, lost), self._right(psi, lost)
        floor = self.goal + lost + math.log(self.count) + 3 * math.log(self.n + 1)
        floor += self._small(high)
        width, base, across_strip = self._across(psi, floor)
        tilt = (base - psi) / c
        floor += tilt * tilt / 2
        if c * width >= eta:
            every, across, unit = 1, max(1, int(c * width / eta)), eta
        else:
            every, across, unit = max(1, int(eta / (c * width))), 1, c * width
        if not unit > 0:
            raise NoConvergence("allocation: no step along a ray")
        scale, h = unit * every, unit * across / c
        first, last = (
            math.floor((low - math.log(self.count)) / scale),
            math.ceil((high - math.log(self.count)) / scale),
        )
        half = math.ceil((math.sqrt(2 * floor) + self.n * c) / h)
        fractions = (short(max(0.0, x)) for x in (psi, base, unit, strip, bend, across_strip, below, above))
        angle, turn, d, a, beta, ay, less, more = fractions
        less, more = min(less, self.exact + self.n), max(more, -self.exact)
        ray = Ray(
            nodes, angle, turn, d, every, across, first, max(last, first + 1), half, a, beta, ay, less, more
        )
        return ray, floor - self.goal

    def _strips(self, psi: float, start: float, stop: float) -> Iterator[tuple[float, float, float]]:
        """(η, a, β) of some strips along the ray."""
        p, stiff = self.p, self.count * self.sigma**2
        for j in range(60):
            a = _WIDEST * 2 ** (-j / 4)
            if not abs(psi - a) < _QUARTER:
                continue
            bend = _bend(psi + a, stiff, p)
            up = (psi + a - bend) ** 2 * stiff / 2 - p * math.log(math.cos(bend))
            above = math.lgamma(p) - log_gamma(complex(p, start)) - start * (psi + a) + up
            below = self.excess(psi - a, stop)
            yield 2 * math.pi * a / (self.goal + max(0.0, above, below)), a, bend

    def _across(self, psi: float, floor: float) -> tuple[float, float, float]:
        """Step in y, angle of the path, and strip."""
        c, found = 1 / self.sigma, list[tuple[float, float, float]]()
        for j in range(5):
            base = max(0.0, psi - j * c)
            tilt = (psi - base) / c
            limit = (math.pi / 2 - base) * 0.999 / c
            for part in (1.0, 0.7, 0.5, 0.35, 0.25, 0.17, 0.12, 0.08):
                a = part * min(limit, math.sqrt(2 * floor))
                nats = floor + (tilt + a) ** 2 / 2 - self.n * math.log(math.cos(base + c * a))
                found.append((2 * math.pi * a / nats, base, a))
        return max(found)

    def _level(self, psi: float, lost: float) -> float:
        """log of what s^κ times the rest may be on each side."""
        return -self.goal - lost + math.lgamma(self.p) - self.p * math.log(math.cos(psi))

    def _left(self, psi: float, lost: float) -> tuple[float, float]:
        """log s of the first node, and κ."""
        rho, level, found = math.cos(psi), self._level(psi, lost), list[tuple[float, float]]()
        for j in range(40):
            kappa = self.p * 2 ** (-j / 4)
            rest = _peak(self.p - kappa, rho)
            if kappa > self.theta:
                rest += (kappa - self.theta) / self.n * self.raw
            found.append(((level - rest + math.log(min(1.0, kappa))) / kappa, kappa))
        return max(found)

    def _right(self, psi: float, lost: float) -> tuple[float, float]:
        """log s of the last node, and κ."""
        rho, level, found = math.cos(psi), self._level(psi, lost), list[tuple[float, float]]()
        for j in range(-24, 60):
            kappa = max(0.0, -self.theta) + max(self.p, 1.0) * 2 ** (j / 4)
            m = self.theta + kappa
            rest = _peak(self.p + kappa, rho) + (m * m / self.count + m) / (2 * self.sigma**2)
            found.append(((rest - level - math.log(min(1.0, kappa))) / kappa, kappa))
        return min(found)

    def _small(self, high: float) -> float:
        """Nats for E e^{−zW} being below 1, as errors in y are absolute: as many as s^θ grows by beyond the
        bulk of the integral, or as that is below 1 at the last node: z at most, and no more than W is likely
        to be 1/z.
        """
        grown = max(0.0, self.theta * high - self.p * (math.log(self.p) - 1))
        log = high - math.log(self.count)
        near = math.exp(min(log, 300.0))
        likely = (max(0.0, log) * self.sigma + 1 / (2 * self.sigma)) ** 2 / 2 + _SPARE
        return min(grown, near, likely)


def _bend(top: float, stiff: float, p: float) -> float:
    """β that makes (top − β)² stiff/2 − p log cos β small."""
    low, high = 0.0, min(top, _QUARTER)
    if stiff * (top - high) > p * math.tan(high):
        return high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if stiff * (top - middle) > p * math.tan(middle) else (low, middle)
    return low


def _peak(power: float, rho: float) -> float:
    return power * (math.log(power / rho) - 1) if power > 0 else 0.0


def log_gamma(z: complex) -> float:
    """log |Γ(z)| for Re z > 0."""
    shifted = 0.0
    while z.real < 8:
        shifted += math.log(abs(z))
        z += 1
    value: complex = (z - 0.5) * cmath.log(z) - z + 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5)
    return value.real + math.log(2 * math.pi) / 2 - shifted
