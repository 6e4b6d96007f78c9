"""KJH20s Lemma C.6 at q = 0.7, σ = 10, k = 360, L = 7, ε = 0: more wraps than the printed bound.

As k < 4σ² the printed series converges: α(λ) ≤ λ(λ + 1)/2σ², so its term n > 8 is at most
2 exp(1.8 λ(λ + 1) − 2λ²), λ = nL, less than half of the one before.
"""

from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache

from pldverify import reference
from pldverify.balls import arb
from pldverify.balls.ball import ball, dyadic
from pldverify.bounds.kjh20_periodisation import kjh20_periodisation, printed_kjh20_periodisation
from pldverify.mechanisms import Gaussian, PoissonSubsampled
from pldverify.theorems.evidence import Case, enclosed

SIGMA = F(10)
"""Noise multiplier."""
Q = F(7, 10)
"""Sampling rate."""
K = 360
"""Steps: below 4σ² = 400, so that the printed series converges."""
L = F(7)
"""Half a period."""
LABEL = "q = 0.7, σ = 10, k = 360, L = 7, ε = 0"
"""The place of every case here."""


def _alpha(lam: arb) -> arb:
    mechanism = PoissonSubsampled(Gaussian(SIGMA), Q)
    found = reference.rdp(mechanism, order=dyadic(lam.mid()) + 1, adjacency="remove", digits=20)
    return enclosed(found) * lam


def _tail(k: int, s: F) -> arb:
    what = k * PoissonSubsampled(Gaussian(SIGMA), Q)
    found = reference.tail(what, epsilon=s, adjacency="remove", digits=14 if k > 1 else 30)
    return enclosed(found)


@cache
def _least() -> arb:
    """Lower bound of the left side: −2L ≤ S < −L comes to [0, L); single losses outside are not there."""
    outside = 1 - _tail(1, -L) + _tail(1, L)
    return _tail(K, -2 * L) - _tail(K, -L) - K * outside


def printed_lemma_c6() -> Iterator[Case]:
    """The printed bound, its series to the end."""
    later = 4 * (arb("1.8") * 63 * 64 - 2 * arb(63) ** 2).exp()
    yield Case(LABEL, _least(), printed_kjh20_periodisation(_alpha, K, L, terms=8) + later)


def proved_lemma_c6() -> Iterator[Case]:
    """The corrected bound."""
    yield Case(LABEL, _least(), kjh20_periodisation(_alpha, K, L, terms=8))


def printed_c21() -> Iterator[Case]:
    """KJH20s (C.21): ∫_ε^L C₁ is at least the left side of C.6 minus ∫_ε^L C₂ ≤ Pr[one loss ≥ L]."""
    later = 4 * (arb("1.8") * 63 * 64 - 2 * arb(63) ** 2).exp()
    first = (_alpha(ball(L / 2)) - ball(L * L / 2)).exp()
    bound = printed_kjh20_periodisation(_alpha, K, L, terms=8) + later - first
    yield Case(LABEL, _least() - _tail(1, L), bound)
