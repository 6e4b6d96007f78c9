r"""What a pair (P, Q) consists of: intervals and integers with densities, and atoms.

Densities are given by their logarithms, −∞ where they vanish; the loss is :math:`\log p - \log q`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pldverify.quadrature.arithmetic import Real

Logs = Callable[[Real], tuple[Real, Real]]
"""(log p, log q) at an outcome."""


@dataclass(frozen=True)
class Interval:
    """Real outcomes on which both densities are smooth; near ``centre``, within some ``width``, is mass."""

    lower: Real
    upper: Real
    logs: Logs
    centre: Real
    width: Real


@dataclass(frozen=True)
class Integers:
    """Integer outcomes from ``lower`` to ``upper``, None for no end; ``start`` is among the likely ones."""

    lower: int | None
    upper: int | None
    logs: Logs
    start: int


@dataclass(frozen=True)
class Atom:
    """One outcome with both its probabilities."""

    p: Real
    q: Real


Piece = Interval | Integers | Atom
Pair = tuple[Piece, ...]


def reversed_pair(pair: Pair) -> Pair:
    """(Q, P)."""
    return tuple(
        Atom(piece.q, piece.p) if isinstance(piece, Atom) else replace(piece, logs=swapped(piece.logs))
        for piece in pair
    )


def swapped(logs: Logs) -> Logs:
    """(log q, log p)."""
    return lambda t: logs(t)[::-1]
