"""Whether all losses lie on one lattice, found by Euclid's algorithm on mpmath numbers."""

from __future__ import annotations

from typing import Any

from pldverify.quadrature.arithmetic import Real
from pldverify.quadrature.inversion import Lattice, Parts

_FINEST = 10**6
"""Cap on the ratio of the largest difference of two losses to the spacing of the lattice."""


def lattice(mp: Any, parts: Parts) -> Lattice | None:
    """The lattice of the sums of losses, to a third of the digits; None if none was found."""
    if not all(law.atomic for law, _ in parts):
        return None
    size, offset, widest = mp.mpf(0), mp.mpf(0), mp.mpf(0)
    for law, k in parts:
        losses = sorted(loss for _, loss in law.rows(mp.mpf(0)))
        offset += k * losses[0]
        widest = max(widest, losses[-1] - losses[0])
        same = mp.mpf(10) ** (-mp.dps // 3) * (losses[-1] - losses[0])
        for gap in (loss - losses[0] for loss in losses):
            if gap <= same:
                continue
            size = _common(mp, size, gap)
            if size * _FINEST < widest:
                return None
    return Lattice(size, offset) if size else None


def _common(mp: Any, a: Real, b: Real) -> Real:
    """The greatest common divisor of two numbers ≥ 0, up to rounding."""
    least = mp.mpf(10) ** (-mp.dps // 3) * max(a, b)
    while b > least:
        a, b = b, a - mp.nint(a / b) * b
        b = abs(b)
    return a
