"""Searches in floats for the rate that counts, or the μ that one run, may exclude. They prove nothing:
``binomial.py`` and ``gaussian.py`` do.
"""

from collections.abc import Iterator
from fractions import Fraction

_HALVINGS = 44
"""Bisections of the interval that μ is searched in."""
_LARGEST = 64.0
"""Where the search begins; any value is right."""
_SHRINK = (1e-9, 1e-6, 1e-3, 0.1)
"""Moves to the safe side of the float that was searched for."""
_NEARER = (0.0, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 0.5)
"""The same of a rate, as parts of its distance to 0 or 1."""


def likely_rates(n: int, k: int, alpha: Fraction) -> Iterator[Fraction]:
    """p next to the largest one with P[Bin(n, p) ≥ k] ≤ ``alpha``, and smaller ones."""
    from scipy.stats import beta

    found = float(beta.ppf(float(alpha), k, n - k + 1))
    near = Fraction(found) if 0 <= found <= 1 else Fraction(0)  # a NaN is no hint
    yield from (near - Fraction(part) * min(near, 1 - near) for part in _NEARER)


def likely(v: int, r: int, m: int, beta: float) -> Iterator[float]:
    """μ next to the largest one that P[V ≥ v] ≥ β excludes, and smaller ones; none where it excludes none."""
    low, high = 0.0, _LARGEST
    if not _exceeds(low, v, r, m, beta):
        return
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _exceeds(middle, v, r, m, beta) else (low, middle)
    yield from (low * (1 - part) for part in _SHRINK)


def _exceeds(mu: float, v: int, r: int, m: int, beta: float) -> bool:
    """Whether an N_c exceeds 1."""
    from scipy.special import ndtr, ndtri

    reached, rights = beta, v * beta
    for c in range(v - 1, -1, -1):
        goal = rights + m * float(ndtr(ndtri(rights / m) - mu))
        if goal <= r * reached:
            return False
        more = (goal - c * reached) / (r - c)
        rights, reached = rights + c * (more - reached), more
        if reached > 1:
            return True
    return False
