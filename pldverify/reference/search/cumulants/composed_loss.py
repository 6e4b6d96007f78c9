"""Cumulants of a composed loss: Σ k_i (K_i, K_i', K_i'')."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from pldverify.balls.clock import spend
from pldverify.reference.laws.anchored import Anchored
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.schedule import instead, runs
from pldverify.reference.laws.law import Law
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

_REMEMBERED = 4096
_KEPT = 16
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
    rows = [(k * a, k * b, k * c) for k, (a, b, c) in _single(same.product, theta)]
    value, slope, curvature = (math.fsum(column) for column in zip(*rows, strict=True))
    return value, slope, curvature


def _single(product: ComposedLoss, theta: float) -> Iterator[tuple[float, Cumulant]]:
    """Counts and cumulants of the laws; those of many Gaussian mixtures together."""
    mixtures, others, anchor = _instead(_Same(product))
    if mixtures:
        from pldverify.reference.search.cumulants.gaussian_mixtures import gaussian_mixtures  # loads numpy

        rows = gaussian_mixtures([law for law, _ in mixtures], theta).tolist()
        yield from ((k, (a, b, c)) for (_, k), (a, b, c) in zip(mixtures, rows, strict=True))
        yield 1.0, (-anchor * theta, -anchor, 0.0)
    yield from ((k, cumulant(law, theta)) for law, k in others)


def _seen_plainly(law: Law) -> tuple[Law, Fraction]:
    """A law without its anchor, and the anchor."""
    return (law.law, law.anchor) if isinstance(law, Anchored) else (law, Fraction(0))


@lru_cache(maxsize=_KEPT)
def _instead(
    same: _Same,
) -> tuple[list[tuple[GaussianMixtureLaw, float]], list[tuple[Law, int]], float]:
    """Few mixtures whose cumulants, times these weights, are those of many; the other laws; all anchors."""
    if sum(isinstance(_seen_plainly(law)[0], GaussianMixtureLaw) for law, _ in same.product.factors) < _MANY:
        return [], list(same.product.factors), 0.0
    plain = [(*_seen_plainly(law), k) for law, k in same.product.factors]
    mixtures = [(law, float(k)) for law, _, k in plain if isinstance(law, GaussianMixtureLaw)]
    others = [(law, k) for law, _, k in plain if not isinstance(law, GaussianMixtureLaw)]
    weighted: list[tuple[GaussianMixtureLaw, float]] = []
    left = set(range(len(mixtures)))
    for moves, members in runs([law for law, _ in mixtures]):
        weighted += instead([mixtures[i] for i in members], moves)
        left.difference_update(members)
    return (
        [*weighted, *(mixtures[i] for i in sorted(left))],
        others,
        math.fsum(k * float(anchor) for _, anchor, k in plain),
    )
