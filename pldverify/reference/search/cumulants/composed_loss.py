"""Cumulants of a composed loss: Σ k_i (K_i, K_i', K_i'')."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pldverify.balls.clock import spend
from pldverify.reference.laws.anchored import Anchored
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

if TYPE_CHECKING:
    from pldverify.reference.search.cumulants.gaussian_mixtures import Mixtures

_REMEMBERED = 4096
"""Cumulants that are remembered, each of one composition at one tilt."""
_KEPT = 16
"""Compositions whose tables are remembered."""
_MANY = 8
"""Gaussian mixtures whose cumulants are worth loading numpy for."""


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
    rows = [(k * a, k * b, k * c) for k, (a, b, c) in _single(same, theta)]
    value, slope, curvature = (math.fsum(row[i] for row in rows) for i in range(3))
    return value, slope, curvature


def _single(same: _Same, theta: float) -> Iterator[tuple[int, Cumulant]]:
    """Counts and cumulants of the laws; those of many Gaussian mixtures together."""
    table = _table(same)
    if table is None:
        yield from ((k, cumulant(law, theta)) for law, k in same.product.factors)
        return
    from pldverify.reference.search.cumulants.gaussian_mixtures import gaussian_mixtures  # loads numpy

    rows = gaussian_mixtures(table.mixtures, theta).tolist()
    yield from ((k, (a, b, c)) for k, (a, b, c) in zip(table.counts, rows, strict=True))
    yield from ((k, cumulant(law, theta)) for law, k in table.others)
    yield 1, (-table.anchor * theta, -table.anchor, 0.0)


def _seen_plainly(law: Law) -> tuple[Law, Fraction]:
    """A law without its anchor, and the anchor."""
    return (law.law, law.anchor) if isinstance(law, Anchored) else (law, Fraction(0))


@dataclass(frozen=True)
class _Table:
    """The mixtures with their counts, the other laws, and the sum of all anchors: all are seen plainly."""

    mixtures: "Mixtures"
    counts: list[int]
    others: list[tuple[Law, int]]
    anchor: float


@lru_cache(maxsize=_KEPT)
def _table(same: _Same) -> _Table | None:
    """None where there are few mixtures."""
    plain = [(*_seen_plainly(law), k) for law, k in same.product.factors]
    mixtures = [(law, k) for law, _, k in plain if isinstance(law, GaussianMixtureLaw)]
    if len(mixtures) < _MANY:
        return None
    from pldverify.reference.search.cumulants.gaussian_mixtures import Mixtures  # loads numpy

    others = [(law, k) for law, _, k in plain if not isinstance(law, GaussianMixtureLaw)]
    anchor = math.fsum(k * float(anchor) for _, anchor, k in plain)
    return _Table(Mixtures.of([law for law, _ in mixtures]), [k for _, k in mixtures], others, anchor)
