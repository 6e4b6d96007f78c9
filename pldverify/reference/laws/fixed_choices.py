r"""Loss of k choices by the exponential mechanism whose scores are fixed before the first of them.

The pair with the profile of :mod:`pldverify.mechanisms.exponential`, there proved:

.. math:: \delta(s) = \max_l g_l, \qquad g_l = \Pr[I_p \le l] - e^s \Pr[I_q \le l], \quad |s| < k\eta,

over the l of 0 … k − 1 with :math:`t = (s + (l + 1)\eta)/(k + 1)` in (0, η); I_p and I_q are binomial, with
the probabilities 1 − p and 1 − q of the lower loss, :math:`q = (e^{\eta-t} - 1)/(e^\eta - 1)`, p = e^t q.

**Tails.** δ is convex in e^s, P(S ≥ s) − e^s Q(S ≥ s) = δ(s), and Q(S ≥ s) is −e^{−s} times the left
derivative of δ. Each g_l is stationary in t, so that is the greatest :math:`\Pr[I_q \le l]` of the largest
g_l, and the tails are the two probabilities there; where several g_l may be the largest, they are united. At
s = 0 those of l and k − 1 − l are equal, by t ↦ η − t: (A, B) = :math:`(\Pr[I_p \le l], \Pr[I_q \le l])`
becomes (1 − B, 1 − A), and of the two the one with the greater second counts. Both directions coincide.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_less

Event = tuple[int, Fraction]
"""(l, t)"""
_COARSE = 64
"""Bits at which most events are seen not to be the best; any number is right."""


@dataclass(frozen=True)
class FixedChoicesLaw:
    """``range`` is η and ``times`` is k > 1, exact."""

    range: Fraction
    times: int
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> Fraction:
        return self.times * self.range

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if s <= -self.largest_finite_loss:
            return arb(1), arb(1)
        if s >= self.largest_finite_loss:
            return arb(0), arb(0)
        events = self._events(s)
        with working(_COARSE):
            events = [event for event, _ in self._largest(s, events)]
        (_, (first, second)), *others = self._largest(s, events)
        for _, (p, q) in others:
            first, second = first.union(p), second.union(q)
        return first, second

    def _largest(self, s: Fraction, events: list[Event]) -> list[tuple[Event, tuple[arb, arb]]]:
        """The events that may have the largest g_l, with their probabilities, at the working precision."""
        rows = [self._tails(low, t) for low, t in paced(events)]
        if s == 0:
            rows = [_greater(*row) for row in rows]
        gains = [p - ball(s).exp() * q for p, q in rows]
        best = gains[0]
        for gain in gains[1:]:
            best = gain if surely_less(best, gain) else best
        found = zip(events, rows, gains, strict=True)
        return [(event, row) for event, row, gain in found if not surely_less(gain, best)]

    def _events(self, s: Fraction) -> list[Event]:
        """(l, t) with t inside of (0, η); at s = 0 one of every two that are alike."""
        k = self.times
        rows = [(low, (s + (low + 1) * self.range) / (k + 1)) for low in range(k)]
        return [(low, t) for low, t in rows if 0 < t < self.range and (s != 0 or 2 * low >= k - 1)]

    def _tails(self, low: int, t: Fraction) -> tuple[arb, arb]:
        """Pr[I ≤ ``low``] under P and Q: the distribution functions of binomial laws are beta functions."""
        q = ball(self.range - t).expm1() / ball(self.range).expm1()
        above, below = self.times - low, low + 1
        return (
            (ball(t).exp() * q).beta_lower(above, below, regularized=True),
            q.beta_lower(above, below, regularized=True),
        )


def _greater(first: arb, second: arb) -> tuple[arb, arb]:
    """(A, B) or (1 − B, 1 − A), whose second is greater; a ball around both where that is open."""
    if surely_less(second, 1 - first):
        return 1 - second, 1 - first
    if surely_less(1 - first, second):
        return first, second
    return first.union(1 - second), second.union(1 - first)
