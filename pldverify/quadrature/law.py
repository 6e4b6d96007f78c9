r"""The privacy loss of one step: its tilted masses as finitely many (mass, loss).

:math:`M(\theta + iu) = \sum_j m_j e^{iu L_j}` with :math:`m_j = w_j p_j^{1+\theta} q_j^{-\theta}`: quadrature
nodes where there are densities, outcomes where there are masses.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from pldverify.errors import NoConvergence
from pldverify.quadrature.arithmetic import Clock, Real
from pldverify.quadrature.pieces import Atom, Integers, Interval, Pair
from pldverify.quadrature.samples import Panel, Point, Samples, heavy, rule

Row = tuple[Real, Real]
"""(mass, loss)."""
_MOST = 100_000
"""Cap on the integer outcomes, and on the quadrature nodes, of one law."""
_SHORT = 16
"""Largest distance of the first from the last of the integers that are looked at together."""
_HEAVY = 0.1
"""Share of the largest mass from which on a mass is a good part."""
_PHASE = 1.0
"""Largest turn of e^{iuL} from node to node of a panel, in radians."""


class Law:
    """One step, in one direction, at one working precision.

    Attributes:
        infinite_mass: P(q = 0), the probability of an infinite loss.
        atomic: whether there are finitely or countably many losses.
    """

    def __init__(self, mp: Any, pair: Pair, nats: float, clock: Clock) -> None:
        self.mp, self._nats, self._clock = mp, nats, clock
        self.infinite_mass = mp.mpf(0)
        self._atoms: list[Row] = []
        self._smooth: list[Samples] = []
        self._integers: list[Masses] = []
        for piece in pair:
            if isinstance(piece, Atom):
                self._add_atom(piece)
            elif isinstance(piece, Integers):
                self._add_integers(piece)
            else:
                self._add_interval(piece)

    @property
    def atomic(self) -> bool:
        return not self._smooth

    @property
    def finite(self) -> bool:
        """Whether there are finitely many losses, all listed."""
        return not self._smooth and not self._integers

    def _add_atom(self, atom: Atom) -> None:
        if atom.p > 0 and atom.q > 0:
            self._atoms.append((atom.p, self.mp.log(atom.p / atom.q)))
        elif atom.p > 0:
            self.infinite_mass += atom.p

    def _add_integers(self, piece: Integers) -> None:
        masses = Masses(self.mp, piece, self._nats, self._clock)
        if masses.infinite:
            self.infinite_mass += self.mp.fsum(mass for mass, _ in masses.rows(0.0, alone=True))
        else:
            self._integers.append(masses)

    def _add_interval(self, piece: Interval) -> None:
        samples = Samples(self.mp, piece, self._nats, self._clock)
        panels = samples.panels(0.0, alone=True)
        if not panels:
            return
        losses = [samples.at((a + b) / 2)[1] for a, b in panels]
        spread = max(losses) - min(losses)
        if not self.mp.isfinite(spread):
            self.infinite_mass += self.mp.fsum(self._alone(samples, panels))
        elif spread <= self.mp.mpf(10) ** (-self.mp.dps // 2) * max(map(abs, losses)):
            self._atoms.append((self.mp.fsum(self._alone(samples, panels)), losses[len(losses) // 2]))
        else:
            self._smooth.append(samples)

    def _alone(self, samples: Samples, panels: list[Panel]) -> list[Real]:
        """Masses of the first density."""
        return [weight * self.mp.exp(first) for weight, first, _ in self._points(samples, panels, 5, 1, 0)]

    def rows(self, theta: Real, *, order: int = 4, splits: int = 1, fastest: float = 0.0) -> list[Row]:
        """(mass, loss) tilted by e^{θ·loss}: ``splits`` parts of every panel, 3·2^(order−1) nodes each.

        ``fastest``: e^{iuL} is integrated well up to that u.
        """
        mp = self.mp
        found = [(mass * mp.exp(theta * loss), loss) for mass, loss in self._atoms]
        for masses in self._integers:
            found += masses.rows(theta)
        for samples in self._smooth:
            panels = samples.panels(float(theta))
            for weight, first, loss in self._points(samples, panels, order, splits, fastest):
                found.append((weight * mp.exp(first + theta * loss), loss))
        return found

    def whole_mass(self, order: int, splits: int) -> Real:
        """The mass that was found, 1 if none was missed."""
        found = self.rows(self.mp.mpf(0), order=order, splits=splits)
        return self.infinite_mass + self.mp.fsum(mass for mass, _ in found)

    def spacing(self, theta: Real) -> float:
        """The median distance of losses that have a good part of the tilted mass; 0 for fewer than two."""
        rows = [(mass * self.mp.exp(theta * loss), loss) for mass, loss in self._atoms]
        rows += [row for masses in self._integers for row in masses.rows(theta)]
        top = max((mass for mass, _ in rows), default=self.mp.mpf(0))
        heavy = sorted(float(loss) for mass, loss in rows if mass > _HEAVY * top)
        gaps = sorted(b - a for a, b in pairwise(heavy) if b - a > 1e-9 * (heavy[-1] - heavy[0]))
        return gaps[len(gaps) // 2] if gaps else 0.0

    def jumps(self) -> list[Row]:
        """(mass, loss) of the losses that have a probability of their own beside densities."""
        return self._atoms

    def above(self, epsilon: Real, *, order: int, splits: int) -> list[Row]:
        """(mass, loss) of P where the loss is ≥ ε: the defining integral of one step."""
        tie = self.mp.mpf(10) ** (-self.mp.dps // 2) * max(1, abs(epsilon))
        counted = [row for masses in self._integers for row in masses.rows(0.0, least=epsilon)]
        discrete = [*self._atoms, *counted]
        found = [(mass, loss) for mass, loss in discrete if loss >= epsilon - tie]
        for samples in self._smooth:
            for low, high in self._reaching(samples, epsilon):
                panels = samples.panels(0.0, low=low, high=high)
                for weight, first, loss in self._points(samples, panels, order, splits, 0.0):
                    found.append((weight * self.mp.exp(first), loss))
        return found

    def _reaching(self, samples: Samples, epsilon: Real) -> list[tuple[Real, Real]]:
        """Intervals of x on which the loss exceeds ε, their inner ends to the working precision."""
        points = [(x, loss - epsilon) for x, loss in samples.seen()]
        found: list[tuple[Real, Real]] = []
        start = points[0][0] if points[0][1] > 0 else None
        for (a, before), (b, after) in pairwise(points):
            if (before > 0) == (after > 0):
                continue
            root = self._crossing(samples, epsilon, a, b, before > 0)
            if before > 0:
                found.append((start, root))
                start = None
            else:
                start = root
        if start is not None:
            found.append((start, points[-1][0]))
        return found

    def _crossing(self, samples: Samples, epsilon: Real, a: Real, b: Real, falling: bool) -> Real:
        low, high = self.mp.mpf(a), self.mp.mpf(b)
        for _ in range(self.mp.prec + 8):
            middle = (low + high) / 2
            t, _slope = samples.outcome(middle)
            first, second = samples.interval.logs(t)
            low, high = (middle, high) if (first - second > epsilon) == falling else (low, middle)
        return (low + high) / 2

    def _points(
        self, samples: Samples, panels: list[Panel], order: int, splits: int, fastest: float
    ) -> list[Point]:
        """(weight dt, log p, loss) at every node."""
        count = len(rule(self.mp, order))
        found: list[Point] = []
        for a, b in panels:
            parts = splits
            if fastest:
                turn = fastest * abs(float(samples.at(b)[1] - samples.at(a)[1])) / (_PHASE * count)
                parts *= 2 ** max(0, math.ceil(math.log2(turn))) if turn > 0 else 1
            if len(found) + parts * count > _MOST:
                raise NoConvergence(f"quadrature: more than {_MOST} nodes for one step")
            found += samples.points(a, b, order, parts)
        return found

    def largest_loss(self) -> Real:
        """The supremum of the finite losses, +∞ where they have none."""
        found = [loss for _, loss in self._atoms]
        for masses in self._integers:
            found += masses.ends()
        for samples in self._smooth:
            found += _ends(self.mp, samples)
        return max(found, default=self.mp.ninf)


def _ends(mp: Any, samples: Samples) -> list[Real]:
    """The largest loss seen, or +∞ where it still grows towards an end at which it has no value."""
    points = samples.seen()
    top = max(loss for _, loss in points)
    outer, inner = (points[0], points[-1]), (points[1], points[-2])
    for end, (_, loss), (_, near) in zip(samples.ends(), outer, inner, strict=True):
        has_value = end is not None and mp.isfinite(samples.at(end)[1])
        if end is not None and not has_value:  # a finite end where a density is 0 or infinite
            inside = [samples.at(abs(end - 2.0**-j))[1] for j in (40, 30)]
            loss, near = inside
        if not has_value and loss - near > mp.mpf(10) ** -10 * max(1, abs(top)):
            return [mp.inf]
    return [top]


class Masses:
    """Integer outcomes with both their masses."""

    def __init__(self, mp: Any, piece: Integers, nats: float, clock: Clock) -> None:
        self.mp, self._piece, self._nats, self._clock = mp, piece, nats, clock
        self._found: dict[int, tuple[Real, Real]] = {}
        self.infinite = self.at(piece.start)[1] == mp.ninf

    def at(self, n: int) -> tuple[Real, Real]:
        """(log p, log q)."""
        if n not in self._found:
            self._found[n] = self._piece.logs(self.mp.mpf(n))
        return self._found[n]

    def ends(self) -> list[Real]:
        """Losses at both ends, ±∞ where there is none: built-in losses are monotone."""
        found = []
        for end, far in ((self._piece.lower, -(2**60)), (self._piece.upper, 2**60)):
            if end is not None:
                found.append(self._loss(end))
                continue
            near, later = self._loss(far), self._loss(2 * far)
            grows = later - near > abs(near) * self.mp.mpf(10) ** -10
            found.append(self.mp.inf if grows else later)
        return found

    def _loss(self, n: int) -> Real:
        first, second = self.at(n)
        return first - second

    def size(self, n: int, theta: Real, alone: bool) -> float:
        """log of the tilted mass."""
        first, second = self.at(n)
        if alone:
            return float(first)
        if first == self.mp.ninf or second == self.mp.ninf:
            return -math.inf
        return float(first + theta * (first - second))

    def rows(self, theta: Real, *, alone: bool = False, least: Real | None = None) -> list[Row]:
        """(mass, loss), tilted by e^{θ·loss}, of all integers that count; of losses from ``least`` on."""
        mp, found = self.mp, []
        for n in self._likely(theta, alone, least):
            first, second = self.at(n)
            loss = mp.inf if alone else first - second
            size = first if alone else first + theta * loss
            if size != mp.ninf:
                found.append((mp.exp(size), loss))
        return found

    def _likely(self, theta: Real, alone: bool, least: Real | None) -> list[int]:
        """Integers that hold all but e^{−nats} of the tilted mass."""
        low = -(2**62) if self._piece.lower is None else self._piece.lower
        high = 2**62 if self._piece.upper is None else self._piece.upper
        start = self._piece.start
        steps = sorted({int(1.5**j) for j in range(110)})
        around = {n for s in steps for n in (start - s, start, start + s)}
        grid = sorted({n for n in around if low <= n <= high} | {low, high})

        def size(n: int) -> float:
            found = self.size(n, theta, alone)
            if least is not None and math.isfinite(found) and self._loss(n) < least - abs(least) / 10**15:
                return -math.inf
            return found

        chosen: set[int] = set()
        for a, b in heavy(
            [*pairwise(grid)] or [(low, low)],
            lambda a, b: max(size(a), size((a + b) // 2), size(b)),
            lambda a, b: b - a <= _SHORT,
            lambda a, b: (a + b) // 2,
            self._nats,
            lambda: self._clock.check("finding the outcomes that count"),
        ):
            if len(chosen) + b - a > _MOST:
                raise NoConvergence(f"quadrature: more than {_MOST} outcomes of one step")
            chosen.update(range(a, b + 1))
        return sorted(chosen)
