r"""What some neighbours of Gaussian AboveThreshold have: where it halts, after n queries that rise.

The first n queries, n = k − 1 or 1,024, have one value v above the threshold under P, and v + d under Q; the
next has w under P and w − e under Q; all others are so low that nothing is above. d and e are the largest
moves: Δ where a record is added or removed, of several monotone queries e = 0; 2Δ each where one is replaced,
of monotone ones Δ each. Seen are three outcomes: it halts among the first n, at the next, or not at all. As
all is moved by one noise on the threshold, who survived the first n stands at a high threshold, so the second
outcome is rare, and rarer under Q. With F the normal distribution function and z the threshold's noise in
units of σ,

.. math:: \Pr[\text{at the next}] = \int \varphi(z)\, F\Big(\frac{\sigma z - v}{\sigma_q}\Big)^n
          F\Big(\frac{w - \sigma z}{\sigma_q}\Big) dz,

and that of the first n is one minus the same integral without the last factor
(:mod:`pldverify.reference.laws.gaussian_halting`).

**Which v and w** is a choice: any prove. :math:`w = -\sigma_q`, and v is by the ``share`` s, 1/2 to 1, above
the value at which n answers stay below as likely as not, by some :math:`8(s - 1/2)\sqrt{\sigma^2 +
\sigma_q^2}`. Of one query w is so far below. In four settings at δ = 1e-5 and 1e-6 that has 94 % or more of
the ε of the best of a scan over n, v and w, and the upper end is a factor of 1.6 to 1.9 above it.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.mechanism import Mechanism

_MOST = 1024
"""Cap on the queries that rise; any is right."""
_HALF = tuple(Fraction(x, 100) for x in (0, 54, 99, 138, 172, 202, 230, 255, 278, 300, 320))
"""About how many deviations 2^j normal answers all stay below, as likely as not; any is right."""
_WIDTH = 8
"""How far v rises with the share, in deviations of both noises; any is right."""
Values = tuple[Fraction, Fraction]
"""The value of the first n, and of the next."""


@dataclass(frozen=True)
class GaussianHalting(Mechanism):
    """The outcomes of ``asked`` for neighbours that differ in ``moves`` presences of a record, by ``share``.

    >>> from pldverify.mechanisms.gaussian_halting import GaussianHalting
    >>> seen = GaussianHalting(pv.GaussianAboveThreshold(10, 20, queries=1000), 1, Fraction(11, 16))
    >>> float(pv.epsilon(seen, delta="1e-6"))
    0.33...
    """

    asked: GaussianAboveThreshold
    moves: int
    share: Fraction

    @property
    def first(self) -> int:
        """n."""
        return min(self.asked.queries - 1, _MOST)

    @property
    def values(self) -> tuple[Values, Values]:
        """Under P and under Q.

        >>> from pldverify.mechanisms.gaussian_halting import GaussianHalting
        >>> p, q = GaussianHalting(pv.GaussianAboveThreshold(3, 4, queries=9), 1, Fraction(3, 4)).values
        >>> print(*p, *q)
        112/25 -4 137/25 -5
        """
        asked, n = self.asked, self.first
        half = _HALF[n.bit_length() - 1] if n else Fraction(0)
        both = (
            max(asked.sigma, asked.query_sigma) + min(asked.sigma, asked.query_sigma) / 3
        )  # next to the root
        far, one = _WIDTH * (self.share - Fraction(1, 2)) * both, asked.sensitivity
        v, w = far - asked.query_sigma * half, -asked.query_sigma if n else -far
        rise = one if asked.monotone else self.moves * one
        fall = 0 * one if asked.monotone and self.moves == 1 and n else rise
        return (v, w), (v + rise, w - fall)

    def __str__(self) -> str:
        return f"where {self.asked} halts, share={self.share}"
