"""Cuts of the largest batch sum, in floats: one where one look is all, else cells of about equal harm."""

import math
from fractions import Fraction
from itertools import pairwise

from pldverify.balls.ball import short
from pldverify.mechanisms.hidden_batch import Drawn

Cuts = tuple[Fraction, ...]

_POINTS = 1500
"""Number of cuts in one scan."""
_COARSE = 10
"""One in so many of them is looked at where one cut is wanted: what a cut is worth has few hills."""
_BULK = 40.0
"""−log of the chance that all sums are below the first cut."""
FAR = 1e-300
"""A chance that is as good as 0."""
_SMALL = 1e-10
"""Chance up to which 1 − (1 − a)(1 − b) is a + b for a search."""
_SPARE = 2.0
"""Standard deviations beyond the rarest event that counts."""


class Sums:
    """The largest of T sums, some of mean a or b, in units of the sensitivity."""

    def __init__(self, drawn: Drawn) -> None:
        self.drawn, self.means, self.batches = drawn, (drawn.first, drawn.second), drawn.batches
        self.sigma = math.sqrt(drawn.variance)

    def scan(self, rare: float) -> list[float]:
        """Points from where almost all is above to where less than ``rare`` is."""
        left = min(*self.means, 0) - self.sigma * math.sqrt(2 * _BULK)
        left = max(left, self.sigma * quantile(min(0.5, _BULK / self.batches))) if self.batches > 1 else left
        right = max(*self.means, 0) + self.sigma * (quantile(max(rare, FAR) / self.batches) + _SPARE)
        return [left + (right - left) * i / _POINTS for i in range(_POINTS + 1)]

    def log_below(self, which: int, cut: float) -> float:
        """log Pr[largest ≤ cut]."""
        k, rho, none = self.drawn.participations, float(self.drawn.kept), _log_normal(cut / self.sigma)
        one = k * _log_normal((cut - self.means[which]) / self.sigma) + (self.batches - k) * none
        return one if rho == 1 else math.log(rho * math.exp(one) + (1 - rho) * math.exp(self.batches * none))

    def log_above(self, which: int, cut: float, below: float) -> float:
        """log Pr[largest > cut], from that of the contrary; by the sum of all chances where that is the same
        in floats.
        """
        if below < -_SMALL:
            return math.log(-math.expm1(below))
        k, rho = self.drawn.participations, float(self.drawn.kept)
        rows = ((rho * k, self.means[which]), (self.batches - rho * k, 0))
        logs = [math.log(n) + _log_normal((mean - cut) / self.sigma) for n, mean in rows if n > 0]
        return max(logs) + math.log(math.fsum(math.exp(log - max(logs)) for log in logs))

    def best(self, quantity: str, at: float) -> Cuts:
        """The one cut that tells most about ε at δ = ``at``, or about δ at ε = ``at``."""
        points = self.scan(at if quantity == "epsilon" else rare(at))[::_COARSE]
        step = points[1] - points[0]
        for _ in range(3):
            middle = max(points, key=lambda c: self._worth(c, quantity, at))
            points = [middle + step * (i - 20) / 20 for i in range(41)]
            step /= 20
        return (short(middle, 40),)

    def _worth(self, cut: float, quantity: str, at: float) -> float:
        below = [self.log_below(which, cut) for which in (0, 1)]
        above = [self.log_above(which, cut, log) for which, log in enumerate(below)]
        return max(worth(quantity, math.exp(p), q, at) for p, q in (below, above))

    def cells(self, number: int, rare: float) -> Cuts:
        """Cuts whose cells have about equal shares of :math:`\\int (p l'^2)^{1/3}`, l the loss.

        The best cuts of a rare and of a usual epoch, too: at little noise floats see no chance elsewhere.
        """
        points = self.scan(rare)
        rows = [[self.log_below(which, c) for c in points] for which in (0, 1)]
        p, q = ([_difference(a, b) for a, b in pairwise(row)] for row in rows)
        loss = [math.log(max(x, FAR) / max(y, FAR)) for x, y in zip(p, q, strict=True)]
        shares, total = [0.0], 0.0
        for i in range(1, len(p)):
            mass = (p[i] + q[i]) if min(p[i], q[i]) > 10 * FAR else 0.0
            total += (mass * (loss[i] - loss[i - 1]) ** 2) ** (1 / 3)
            shares.append(total)
        cuts: list[Fraction] = []
        for i in range(1, len(shares)):
            if total and shares[i] * number / total >= len(cuts) + 0.5:
                cuts.append(short(points[i], 30))
        return tuple(sorted({*cuts, *self.best("epsilon", rare), *self.best("epsilon", 0.5)}))


def rare(epsilon: float) -> float:
    """A chance below that of what counts at ε, if δ is not tiny."""
    return math.exp(-min(600.0, 20 + 2 * epsilon))


def worth(quantity: str, p: float, log_q: float, at: float) -> float:
    """ε at δ = ``at``, or δ at ε = ``at``, that an event proves of chances p and q under P and Q."""
    return (_epsilon if quantity == "epsilon" else _delta)(p, log_q, at)


def _epsilon(p: float, log_q: float, delta: float) -> float:
    return math.log(p - delta) - log_q if p > delta and log_q > -math.inf else -math.inf


def _delta(p: float, log_q: float, epsilon: float) -> float:
    log = epsilon + log_q
    return p - math.exp(log) if log < 1 else -math.inf


def _difference(low: float, high: float) -> float:
    """e^high − e^low."""
    return math.exp(high) * -math.expm1(low - high) if high > low else 0.0


def _log_normal(x: float) -> float:
    """log Φ(x)."""
    if x > 0:
        return math.log1p(-math.erfc(x / math.sqrt(2)) / 2)
    if x > -30:
        return math.log(math.erfc(-x / math.sqrt(2)) / 2)
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi))


def quantile(tail: float) -> float:
    """x with Φ(−x) = tail."""
    low, high = -40.0, 40.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if _log_normal(-middle) > math.log(tail) else (low, middle)
    return low
