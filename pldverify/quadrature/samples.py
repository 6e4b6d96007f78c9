r"""Where the mass of a tilted density lies, and Gauss–Legendre panels there.

The outcome t is a smooth function of x: :math:`c + w\sinh x` on the real line, :math:`a \pm w\sinh x` on a
half line, linear on a bounded interval. A panel is an interval of x on which the logarithm of the tilted
density :math:`p^{1+\theta} q^{-\theta}` and the loss are nearly linear; what holds less than a fraction
e^{−nats} of the mass is left out.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from itertools import count, pairwise
from typing import Any

from pldverify.errors import NoConvergence
from pldverify.quadrature.arithmetic import Clock, Real
from pldverify.quadrature.pieces import Interval

_BEND = 0.5
"""Largest distance of a panel's middle from its chord, in nats."""
_SLOPE = 16.0
"""Largest change along a panel, in nats."""
_APART = 0.5
"""Distance of the first samples in x on an unbounded interval."""
_THINNEST = 2.0**-400
"""Width, relative to the place, at which a panel that is still bent is taken to hold a singularity."""

Panel = tuple[Real, Real]
Point = tuple[Real, Real, Real]
"""(weight dt, log p, loss)."""


class Diverges(NoConvergence):
    """A tilted density that does not decay: its moment is infinite."""


class Samples:
    """Logarithms of both densities of one interval at x, remembered."""

    def __init__(self, mp: Any, interval: Interval, nats: float, clock: Clock) -> None:
        self.mp, self.interval, self.nats, self._clock = mp, interval, nats, clock
        self._found: dict[Real, tuple[float, Real]] = {}
        self._points: dict[tuple[Real, Real, int, int], list[Point]] = {}
        self._grid = self._first_grid()
        for x in self._grid:
            self.at(x)

    def _first_grid(self) -> list[float]:
        low, high = self.interval.lower, self.interval.upper
        if low != self.mp.ninf and high != self.mp.inf:
            return [0.0, 0.25, 0.5, 0.75, 1.0]
        right = [_APART * i for i in range(math.ceil((1.5 * self.nats + 10) / _APART))]
        return right if low != self.mp.ninf or high != self.mp.inf else sorted({*right, *(-x for x in right)})

    def outcome(self, x: Real) -> tuple[Real, Real]:
        """(t, dt/dx)."""
        mp, piece = self.mp, self.interval
        x = mp.mpf(x)
        if piece.lower != mp.ninf and piece.upper != mp.inf:
            width = piece.upper - piece.lower
            return piece.lower + width * x, width
        up = mp.exp(x)
        sinh, cosh = (up - 1 / up) / 2, (up + 1 / up) / 2
        if piece.lower != mp.ninf:
            return piece.lower + piece.width * sinh, piece.width * cosh
        if piece.upper != mp.inf:
            return piece.upper - piece.width * sinh, piece.width * cosh
        return piece.centre + piece.width * sinh, piece.width * cosh

    def at(self, x: Real) -> tuple[float, Real]:
        """(log of the first density with respect to x, loss); the loss is NaN where it is not finite."""
        if x not in self._found:
            t, slope = self.outcome(x)
            first, second = self.interval.logs(t)
            finite = self.mp.isfinite(first) and self.mp.isfinite(second)
            loss = first - second if finite else self.mp.nan
            size = first if self.mp.isfinite(first) else self.mp.ninf
            self._found[x] = float(size + self.mp.log(slope)), loss
        return self._found[x]

    def points(self, a: Real, b: Real, order: int, parts: int) -> list[Point]:
        """The nodes of a panel in ``parts`` parts, 3·2^(order−1) each; remembered, for any tilt."""
        key = a, b, order, parts
        if key not in self._points:
            radius, found = (self.mp.mpf(b) - a) / (2 * parts), []
            for j in range(parts):
                self._clock.check("a step's quadrature")
                for x, weight in rule(self.mp, order):
                    t, slope = self.outcome(a + radius * (2 * j + 1 + x))
                    first, second = self.interval.logs(t)
                    found.append((radius * weight * slope, first, first - second))
            self._points[key] = found
        return self._points[key]

    def ends(self) -> tuple[float | None, float | None]:
        """The first and the last x, None where it stands for an infinite outcome."""
        low, high = self.interval.lower != self.mp.ninf, self.interval.upper != self.mp.inf
        return (0.0 if low or high else None), (1.0 if low and high else None)

    def seen(self) -> list[tuple[Real, Real]]:
        """(x, loss) at every x so far, in order, where the loss is known to half of the digits."""
        largest = 10.0 ** (self.mp.dps // 2)
        found = self._found.items()
        return sorted((x, s) for x, (log_p, s) in found if self.mp.isfinite(s) and abs(log_p) < largest)

    def size(self, x: Real, theta: float) -> float:
        """log of the tilted density with respect to x, −∞ where it can't be."""
        log_p, loss = self.at(x)
        if math.isinf(log_p) or not self.mp.isfinite(loss):
            return -math.inf
        return log_p + theta * float(loss) if theta else log_p

    def panels(
        self, theta: float, *, low: Real | None = None, high: Real | None = None, alone: bool = False
    ) -> list[Panel]:
        """Panels that hold all but e^{−nats} of the tilted mass between ``low`` and ``high``.

        ``alone``: of the first density itself. Raises NoConvergence where the tilted density does not decay.
        """
        inner = [x for x in self._grid if (low is None or x > low) and (high is None or x < high)]
        grid: list[Real] = [*([] if low is None else [low]), *inner, *([] if high is None else [high])]

        def size(x: Real) -> float:
            return self.at(x)[0] if alone else self.size(x, theta)

        def weight(a: Real, b: Real) -> float:
            return max(size(a), size((a + b) / 2), size(b)) + math.log(float(b - a))

        def straight(a: Real, b: Real) -> bool:
            return self._straight(size, a, (a + b) / 2, b, alone)

        found = heavy(
            [(a, b) for a, b in pairwise(grid) if b > a],
            weight,
            straight,
            lambda a, b: (a + b) / 2,
            self.nats,
            lambda: self._clock.check("finding the mass of a density"),
        )
        self._refuse_what_does_not_end(found)
        return found

    def _straight(self, size: Any, a: Real, middle: Real, b: Real, alone: bool) -> bool:
        """Whether the panel is short enough. Raises NoConvergence where it is so thin that none will be."""
        values = [size(x) for x in (a, middle, b)]
        curves = [values] if alone else [values, [float(self.at(x)[1]) for x in (a, middle, b)]]
        found = not any(map(math.isinf, values)) and all(
            abs(half - (first + last) / 2) <= _BEND and abs(last - first) <= _SLOPE
            for first, half, last in curves
        )
        if not found and b - a < _THINNEST * max(1.0, abs(float(b))):
            raise NoConvergence(f"quadrature: a density is singular near {float(self.outcome(a)[0]):.6g}")
        return found

    def _refuse_what_does_not_end(self, found: list[Panel]) -> None:
        bounded = self.interval.lower != self.mp.ninf and self.interval.upper != self.mp.inf
        if found and not bounded:
            whole = self.interval.lower == self.mp.ninf and self.interval.upper == self.mp.inf
            if found[-1][1] == self._grid[-1] or (whole and found[0][0] == self._grid[0]):
                raise Diverges("quadrature: a tilted density does not decay")


def heavy(
    cells: list[tuple[Any, Any]],
    weight: Callable[[Any, Any], float],
    enough: Callable[[Any, Any], bool],
    middle: Callable[[Any, Any], Any],
    nats: float,
    look: Callable[[], None],
) -> list[tuple[Any, Any]]:
    """Cells that hold all but e^{−nats} of the mass, in order; ``weight`` is the log of one's, the heaviest
    is halved at its ``middle`` until it is small ``enough``.
    """
    waiting = [(-weight(*cell), i, cell) for i, cell in enumerate(cells)]
    heapq.heapify(waiting)
    kept: list[tuple[float, tuple[Any, Any]]] = []
    top, names = -math.inf, count(len(cells))
    while waiting:
        look()
        lightness, _, (a, b) = heapq.heappop(waiting)
        top = max(top, -lightness)
        if -lightness < top - nats or math.isinf(lightness):
            break
        if enough(a, b):
            kept.append((-lightness, (a, b)))
            continue
        half = middle(a, b)
        for cell in ((a, half), (half, b)):
            heapq.heappush(waiting, (-weight(*cell), next(names), cell))
    return sorted(cell for size, cell in kept if size >= top - nats)


def rule(mp: Any, order: int) -> list[tuple[Real, Real]]:
    """(x, weight) of Gauss and Legendre on [−1, 1]: 3·2^(order−1) nodes."""
    found: dict[tuple[int, int], list[tuple[Real, Real]]] = mp.__dict__.setdefault("_rules", {})
    key = order, mp.prec
    if key not in found:
        from mpmath.calculus.quadrature import GaussLegendre

        found[key] = GaussLegendre(mp).calc_nodes(order, mp.prec)
    return found[key]
