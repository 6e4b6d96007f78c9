"""Cumulants of a composed loss: Σ k_i (K_i, K_i', K_i'')."""

import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pldverify.balls.clock import spend
from pldverify.reference.laws.anchored import Anchored
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.schedule import runs
from pldverify.reference.laws.law import Law
from pldverify.reference.search.cumulants.law import Cumulant, cumulant
from pldverify.reference.search.cumulants.pieces import Piece, Weighted, instead

if TYPE_CHECKING:
    from pldverify.reference.search.cumulants.gaussian_mixtures import Mixtures

_REMEMBERED = 4096
"""Cumulants that are remembered, each of one composition at one tilt."""
_KEPT = 16
"""Compositions whose tables are remembered."""
_MANY = 8
"""Gaussian mixtures whose cumulants are worth loading numpy for."""
_MISLED = 1e-4
"""Relative error at an end of a piece that tells that nodes are too few."""


@cumulant.register
def composed_loss(product: ComposedLoss, theta: float) -> Cumulant:
    spend()
    return _sum(_Same(product), theta)


class _Same:
    """A composed loss that equals itself only: to hash a thousand laws takes longer than to look them up."""

    def __init__(self, product: ComposedLoss) -> None:
        self.product = product

    def __hash__(self) -> int:
        return id(self.product)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.product is self.product


@lru_cache(maxsize=_REMEMBERED)
def _sum(same: _Same, theta: float) -> Cumulant:
    rows = [(k * a, k * b, k * c) for k, (a, b, c) in _single(same.product, theta)]
    value, slope, curvature = (math.fsum(column) for column in zip(*rows, strict=True))
    return value, slope, curvature


def _single(product: ComposedLoss, theta: float) -> Iterator[tuple[float, Cumulant]]:
    """Counts and cumulants of the laws; those of many Gaussian mixtures together."""
    known = _few(_Same(product))
    if known.mixtures:
        from pldverify.reference.search.cumulants.gaussian_mixtures import gaussian_mixtures  # loads numpy

        few, every = _tables(_Same(product))
        chosen = known.chosen
        rows = gaussian_mixtures(few, theta).tolist()
        sizes = [value for value, _, _ in rows]
        if _misled(known.pieces, sizes, sizes[len(chosen) :]):
            chosen = known.mixtures
            rows = gaussian_mixtures(every, theta).tolist()
        rows = rows[: len(chosen)]
        yield from ((k, (a, b, c)) for (_, k), (a, b, c) in zip(chosen, rows, strict=True))
        yield 1.0, (-known.anchor * theta, -known.anchor, 0.0)
    yield from ((k, cumulant(law, theta)) for law, k in known.others)


@lru_cache(maxsize=_KEPT)
def _tables(same: _Same) -> "tuple[Mixtures, Mixtures]":
    """The laws that are chosen, with those at the ends of pieces, and all mixtures."""
    from pldverify.reference.search.cumulants.gaussian_mixtures import Mixtures

    known = _few(same)
    ends = [end for piece, _ in known.pieces for end in piece.ends]
    return Mixtures.of([*(law for law, _ in known.chosen), *ends]), Mixtures.of(
        [m for m, _ in known.mixtures]
    )


def _misled(pieces: list[tuple[Piece, int]], sizes: list[float], ends: list[float]) -> bool:
    """Whether so few nodes can't follow log M, from its values at them and at the ends of the pieces: from
    some order on it is that of rare events.
    """
    for i, (piece, first) in enumerate(pieces):
        for shares, end in zip(piece.shares, ends[2 * i : 2 * i + 2], strict=True):
            found = math.fsum(map(operator.mul, shares, sizes[first : first + len(shares)]))
            if not abs(found - end) <= _MISLED * max(abs(end), abs(found)):
                return True
    return False


def _seen_plainly(law: Law) -> tuple[Law, Fraction]:
    """A law without its anchor, and the anchor."""
    return (law.law, law.anchor) if isinstance(law, Anchored) else (law, Fraction(0))


@dataclass(frozen=True)
class _Few:
    """All mixtures, and few ``chosen`` ones whose cumulants, times their weights, are those of all where they
    are smooth on each of ``pieces``, which begin at a place among the chosen; the other laws; the sum of all
    anchors of mixtures.
    """

    mixtures: Weighted
    chosen: Weighted
    pieces: list[tuple[Piece, int]]
    others: list[tuple[Law, int]]
    anchor: float


@lru_cache(maxsize=_KEPT)
def _few(same: _Same) -> _Few:
    if sum(isinstance(_seen_plainly(law)[0], GaussianMixtureLaw) for law, _ in same.product.factors) < _MANY:
        return _Few([], [], [], list(same.product.factors), 0.0)
    plain = [(*_seen_plainly(law), k) for law, k in same.product.factors]
    mixtures = [(law, float(k)) for law, _, k in plain if isinstance(law, GaussianMixtureLaw)]
    others = [(law, k) for law, _, k in plain if not isinstance(law, GaussianMixtureLaw)]
    chosen, pieces, left = Weighted(), list[tuple[Piece, int]](), set(range(len(mixtures)))
    for moves, members in runs([law for law, _ in mixtures]):
        stay, parts = instead([mixtures[i] for i in members], moves)
        for part in parts:
            pieces.append((part, len(chosen)))
            chosen += part.nodes
        chosen += stay
        left.difference_update(members)
    chosen += (mixtures[i] for i in sorted(left))
    return _Few(mixtures, chosen, pieces, others, math.fsum(k * float(anchor) for _, anchor, k in plain))
