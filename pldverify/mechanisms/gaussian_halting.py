r"""What some neighbours of Gaussian AboveThreshold have: whether it halts at a query that falls.

Queries come in levels. At each level n that rise come before one that falls, and so on in turn, t times;
their values are v and w under P, v + d and w − e under Q; all others are so low that nothing is above. d and
e are the largest moves: Δ where a record is added or removed, of several monotone queries e = 0; 2Δ each
where one is replaced, of monotone ones Δ each. Seen is where it halts: at one that falls, at one that rises,
or nowhere. With F the normal distribution function, z the threshold's noise in units of σ, a = F((σz −
v)/σ_q) and b = F((σz − w)/σ_q), a level is passed with the probability :math:`(a^n b)^t`, and it halts there
at one that falls with

.. math:: a^n (1 - b) \sum_{i < t} (a^n b)^i.

So the probabilities of the outcomes are integrals of φ(z) times sums of products of these
(:mod:`pldverify.reference.laws.gaussian_halting`).

**Which levels** is a choice: any prove. It was made on graphs of ε(δ), by the ``share`` s.

At s = 1/2 one rises, one falls, and so on, as often as there are queries for at up to 8 levels. They rise
from below the threshold to above it as far as its noise goes: whatever that is, it halts at one answer of
many, and there the rates move most. Many steps lose most so. Only whether one that falls ends it is told.

Above, n = k − 1 or 1,024 rise and one falls, once. Who survived the first stands at a high threshold, so that
end is rare, and rarer under Q, which one step with a small δ loses most by. :math:`w = -\sigma_q`, and v is
by s above the value at which n answers stay below as likely as not. Of one query w is so far below.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.mechanism import Mechanism

HALF = Fraction(1, 2)
"""The share at which queries rise and fall in turn."""
_MOST = 1024
"""Cap on the queries that rise before one that falls; any is right."""
_HALF = tuple(Fraction(x, 100) for x in (0, 54, 99, 138, 172, 202, 230, 255, 278, 300, 320))
"""About how many deviations 2^j normal answers all stay below, as likely as not; any is right."""
_RARE = Fraction(9, 16)
"""The share beyond 1/2 from which v rises; any is right."""
_WIDTH = 8
"""How far v rises with the share, in deviations of both noises; any is right."""
_LEVELS = 4
"""Cap on the levels, twice that where σ is above 2 σ_q; any is right, and more cost time."""
_TIMES = 256
"""Cap on how often queries of a level come in turn, a power of two; any is right."""


class Level(NamedTuple):
    """``rising`` queries of the value ``high`` and one of ``low``, which falls, so many ``times``: a power of
    two. Values are above the threshold.
    """

    high: Fraction
    rising: int
    low: Fraction
    times: int


@dataclass(frozen=True)
class GaussianHalting(Mechanism):
    """The outcomes of ``asked`` for neighbours that differ in ``moves`` presences of a record, by ``share``,
    1/2 to 1.

    >>> from pldverify.mechanisms.gaussian_halting import GaussianHalting
    >>> asked = pv.GaussianAboveThreshold(10, 20, queries=1000)
    >>> float(pv.epsilon(GaussianHalting(asked, 1, Fraction(11, 16)), delta="1e-6"))
    0.45...
    >>> float(pv.epsilon(10 * GaussianHalting(asked, 1, Fraction(1, 2)), delta="1e-3"))
    1.0...
    """

    asked: GaussianAboveThreshold
    moves: int
    share: Fraction

    @property
    def in_turn(self) -> bool:
        """Whether queries rise and fall in turn.

        >>> from pldverify.mechanisms.gaussian_halting import GaussianHalting
        >>> GaussianHalting(pv.GaussianAboveThreshold(3, 4, queries=1), 1, Fraction(1, 2)).in_turn
        False
        """
        return self.share == HALF and self.asked.queries > 1

    @property
    def levels(self) -> tuple[list[Level], list[Level]]:
        """Under P and under Q, in the order in which they are asked.

        >>> from pldverify.mechanisms.gaussian_halting import GaussianHalting
        >>> p, q = GaussianHalting(pv.GaussianAboveThreshold(3, 4, queries=9), 1, Fraction(3, 4)).levels
        >>> print(*p[0], "and", *q[0])
        37/25 8 -7/2 1 and 62/25 8 -9/2 1
        """
        asked, one = self.asked, self.asked.sensitivity
        rise = one if asked.monotone else self.moves * one
        fall = 0 * one if asked.monotone and self.moves == 1 and asked.queries > 1 else rise
        between = self._turns() if self.in_turn else [self._rare()]
        return (
            [Level(v - rise / 2, n, w + fall / 2, times) for v, n, w, times in between],
            [Level(v + rise / 2, n, w - fall / 2, times) for v, n, w, times in between],
        )

    def _turns(self) -> list[Level]:
        """Between P and Q."""
        asked = self.asked
        most = _LEVELS if asked.sigma <= 2 * asked.query_sigma else 2 * _LEVELS
        count = 1 << min(asked.queries // 2, most).bit_length() - 1
        doublings = min(asked.queries // (2 * count), _TIMES).bit_length() - 1
        down = (1 + Fraction(doublings, 6)) * asked.query_sigma
        far = [Fraction(2 * j + 1 - count, max(count - 1, 1)) for j in range(count)]
        return [Level(x * asked.sigma - down, 1, x * asked.sigma - down, 1 << doublings) for x in far]

    def _rare(self) -> Level:
        asked, n = self.asked, min(self.asked.queries - 1, _MOST)
        half = _HALF[n.bit_length() - 1] if n else Fraction(0)
        wide, narrow = max(asked.sigma, asked.query_sigma), min(asked.sigma, asked.query_sigma)
        far = _WIDTH * max(self.share - _RARE, Fraction(0)) * (wide + narrow / 3)  # next to the root
        return Level(far - asked.query_sigma * half, n, -asked.query_sigma if n else -far, 1)

    def __str__(self) -> str:
        return f"where {self.asked} halts, share={self.share}"
