"""Rays for the moments of a mean of lognormal variables: poor ones cost width, never truth."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, near, nearest, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.reference.lemmas.mean_of_lognormals import MAX_ORDER, Mean, Ray, raw_moment

BITS = 53
"""Precision of choices: any is right."""
_LOSS = 60
"""Nats that may cancel along a ray; tuned on random allocations, a factor of 2 changes only time."""
_MOST_RAYS = 200
"""Rays of one line at most."""
_LEAST = 1
"""Lower bound on θ + n, the power of s as which integrands vanish at 0: with less, their range is longer."""
_MORE = Fraction(3, 10)
"""Lower bound on (θ + n)/(−θ) for θ < 0, for the same reason."""
_SPARE = 6
"""Nats that every error is smaller than asked for."""
_WIDEST = Fraction(3, 2)
"""Half-width, in radians, of the widest strip around a ray that is tried."""
_QUARTER = Fraction(157079632, 10**8)
"""Bound on the angles of paths, in radians: just below π/2, as the proof needs."""
_BISECTIONS = 12
"""Bisections by which an angle or a height is looked for."""
_PARTS = (999, 700, 500, 350, 250, 170, 120, 80)
"""Thousandths of the widest strip in y that are tried."""


def order(theta: Fraction) -> int:
    """n for a line Re w = θ."""
    return max(0, math.ceil(max(_LEAST - theta, -(1 + _MORE) * theta))) if theta < _LEAST else 0


@dataclass(frozen=True)
class Rays:
    """The order, the rays of a line, the bits that are lost along them, and points times bits."""

    order: int
    rays: tuple[Ray, ...]
    lost: int
    price: int


@remembered(256)
def rays(mean: Mean, theta: Fraction, step: Fraction, count: int, bits: int) -> Rays:
    """Rays for w = θ + i j step, j = 0 … count, to about ``bits`` bits of F(θ). Raises NoConvergence."""
    n = order(theta)
    if n > MAX_ORDER:
        raise NoConvergence(
            f"allocation: a moment of order {float(-theta):.4g} of the ratio (cap {MAX_ORDER})"
        )
    with working(BITS):
        place = _Place(mean, theta, n, bits * arb(2).log() + _SPARE)
        reach, found, first, lost = step * count, list[Ray](), 0, arb(0)
        while first <= count:
            if len(found) == _MOST_RAYS:
                raise NoConvergence(f"allocation: more than {_MOST_RAYS} rays for one line")
            start = step * first
            psi, stop = place.window(start, reach)
            nodes = min(count - first, math.floor((stop - start) / step) if step else 0) + 1
            ray, nats = place.ray(psi, ball(start), ball(min(reach, start + (nodes - 1) * step)), nodes)
            found.append(ray)
            lost = lost.max(nats)
            first += nodes
        lost_bits = nearest(lost / arb(2).log()) + 1
    points = sum((r.last - r.first) * r.every + 2 * r.half * r.across for r in found)
    return Rays(n, tuple(found), lost_bits, points * (n + 1) * (bits + lost_bits))


class _Place:
    """A mean, a line Re w = θ, the order n and the nats to be had."""

    def __init__(self, mean: Mean, theta: Fraction, n: int, goal: arb) -> None:
        self.sigma, self.count = ball(mean.noise_multiplier), arb(mean.count)
        self.exact, self.n, self.goal = theta, n, goal
        self.theta, self.p = ball(theta), ball(theta + n)
        self.size = self.p.lgamma()
        self.raw = raw_moment(mean, n).log().mid() if n else arb(0)

    def lost(self, u: arb) -> arb:
        """log of Γ(p)/|Γ(p + iu)|."""
        return self.size - acb(self.p, u).lgamma().real

    def excess(self, psi: arb, u: arb) -> arb:
        """log of |e^{iψw}|/|Γ(w + n)| Γ(p) cos^{−p} ψ: what cancels at height u."""
        return self.lost(u) - self.p * psi.cos().log() - u * psi

    def window(self, start: Fraction, reach: Fraction) -> tuple[arb, Fraction]:
        """An angle that serves from ``start`` on, and up to where."""
        first, last, most = ball(start), ball(reach), arb(_LOSS)
        low, high = (acb(self.p, u).arg().mid() for u in (first, last))
        for _ in range(_BISECTIONS):  # the angle that loses as much at both ends, if it loses little
            middle = ((low + high) / 2).mid()
            less = surely_less(self.excess(middle, first), most.min(self.excess(middle, last)))
            low, high = (middle, high) if less else (low, middle)
        if surely_at_most(self.excess(low, last), most):
            return low, reach
        inside, beyond = start, reach
        for _ in range(_BISECTIONS):
            height = (inside + beyond) / 2
            fits = surely_at_most(self.excess(low, ball(height)), most)
            inside, beyond = (height, beyond) if fits else (inside, height)
        return low, inside

    def ray(self, psi: arb, start: arb, stop: arb, nodes: int) -> tuple[Ray, arb]:
        """The ray, and nats lost along it."""
        c, log_count = 1 / self.sigma, self.count.log()
        lost = self.excess(psi, start).max(self.excess(psi, stop)).max(arb(0))
        eta, strip, bend = _largest(self._strips(psi, start, stop))
        (low, below), (high, above) = self._left(psi, lost), self._right(psi, lost)
        floor = self.goal + lost + log_count + 3 * arb(self.n + 1).log() + self._small(high)
        width, base, across_strip = _largest(self._across(psi, floor))
        tilt = (base - psi) / c
        floor += tilt * tilt / 2
        ratio = near(c * width / eta, BITS)
        every, across = (1, int(ratio)) if ratio >= 1 else (int(1 / ratio), 1)
        unit = near(eta if ratio >= 1 else c * width)
        scale, h = ball(unit * every), ball(unit * across) / c
        first, last = nearest((low - log_count) / scale) - 1, nearest((high - log_count) / scale) + 1
        last = max(last, first + 1)
        half = nearest(((2 * floor).sqrt() + self.n * c) / h) + 1
        angle, turn, a, beta, ay, less, more = (
            near(x.max(arb(0))) for x in (psi, base, strip, bend, across_strip, below, above)
        )
        less, more = min(less, self.exact + self.n), max(more, -self.exact)
        ray = Ray(
            nodes,
            angle,
            turn,
            unit,
            every,
            across,
            first,
            max(last, first + 1),
            half,
            a,
            beta,
            ay,
            less,
            more,
        )
        return ray, floor - self.goal

    def _strips(self, psi: arb, start: arb, stop: arb) -> Iterator[tuple[arb, arb, arb]]:
        """(η, a, β) of some strips along the ray."""
        p, stiff = self.p, self.count * self.sigma * self.sigma
        here, there = self.lost(start), self.lost(stop)
        for j in range(40):
            a = (ball(_WIDEST) / arb(2) ** (arb(j) / 4)).mid()
            if not surely_less(abs(psi - a), ball(_QUARTER)):
                continue
            bend = _bend(psi + a, stiff, p)
            turned = psi + a - bend
            up = turned * turned * stiff / 2 - p * bend.cos().log()
            above = here - start * (psi + a) + up
            below = there - p * (psi - a).cos().log() - stop * (psi - a)
            yield 2 * arb.pi() * a / (self.goal + above.max(below).max(arb(0))), a, bend

    def _across(self, psi: arb, floor: arb) -> Iterator[tuple[arb, arb, arb]]:
        """Steps in y, angles of the path, and strips."""
        c = 1 / self.sigma
        for j in range(5):
            base = (psi - j * c).max(arb(0))
            tilt = (psi - base) / c
            limit = (ball(_QUARTER) - base) / c
            for part in _PARTS:
                a = limit.min((2 * floor).sqrt()) * part / 1000
                nats = floor + (tilt + a) * (tilt + a) / 2 - self.n * (base + c * a).cos().log()
                yield 2 * arb.pi() * a / nats, base, a

    def _level(self, psi: arb, lost: arb) -> arb:
        """log of what s^κ times the rest may be on each side."""
        return -self.goal - lost + self.size - self.p * psi.cos().log()

    def _left(self, psi: arb, lost: arb) -> tuple[arb, ...]:
        """log s of the first node, and κ."""
        rho, level, found = psi.cos(), self._level(psi, lost), list[tuple[arb, arb]]()
        for j in range(40):
            kappa = (self.p / arb(2) ** (arb(j) / 4)).mid()
            rest = _peak(self.p - kappa, rho)
            if surely_less(self.theta, kappa):
                rest += (kappa - self.theta) / max(self.n, 1) * self.raw
            found.append(((level - rest + kappa.min(arb(1)).log()) / kappa, kappa))
        return _largest(found)

    def _right(self, psi: arb, lost: arb) -> tuple[arb, arb]:
        """log s of the last node, and κ."""
        rho, level, found = psi.cos(), self._level(psi, lost), list[tuple[arb, arb]]()
        for j in range(-24, 60):
            kappa = ((-self.theta).max(arb(0)) + self.p.max(arb(1)) * arb(2) ** (arb(j) / 4)).mid()
            m = self.theta + kappa
            rest = _peak(self.p + kappa, rho) + (m * m / self.count + m) / (2 * self.sigma * self.sigma)
            found.append(((level - rest + kappa.min(arb(1)).log()) / kappa, kappa))
        least, kappa = _largest(found)
        return -least, kappa

    def _small(self, high: arb) -> arb:
        """Nats for E e^{−zW} being below 1, as errors in y are absolute: as many as s^θ grows by beyond the
        bulk of the integral, or as that is below 1 at the last node: z at most, and no more than W is likely
        to be 1/z.
        """
        grown = (self.theta * high - self.p * (self.p.log() - 1)).max(arb(0))
        log = high - self.count.log()
        likely = (log.max(arb(0)) * self.sigma + 1 / (2 * self.sigma)) ** 2 / 2 + _SPARE
        return grown.min(log.exp()).min(likely)


def _largest(found: Iterable[tuple[arb, ...]]) -> tuple[arb, ...]:
    """The row that begins with the largest number. Raises NoConvergence without any."""
    best: tuple[arb, ...] | None = None
    for row in found:
        if row[0].is_finite() and (best is None or surely_less(best[0], row[0])):
            best = row
    if best is None:
        raise NoConvergence("allocation: no step along a ray")
    return best


def _bend(top: arb, stiff: arb, p: arb) -> arb:
    """β that makes (top − β)² stiff/2 − p log cos β small."""

    def short_of(angle: arb) -> bool:
        return surely_less(p * angle.tan(), stiff * (top - angle))

    low, high = arb(0), top.min(ball(_QUARTER)).mid()
    if short_of(high):
        return high
    for _ in range(_BISECTIONS):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if short_of(middle) else (low, middle)
    return low


def _peak(power: arb, rho: arb) -> arb:
    return power * ((power / rho).log() - 1) if surely_less(0, power) else arb(0)
