"""A search in floats for the μ that one run may exclude. It proves nothing: ``gaussian.py`` does."""

from collections.abc import Iterator

_HALVINGS = 44
"""Bisections of the interval that μ is searched in."""
_LARGEST = 64.0
"""Where the search begins; any value is right."""
_SHRINK = (1e-9, 1e-6, 1e-3, 0.1)
"""Moves to the safe side of the float that was searched for."""


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
