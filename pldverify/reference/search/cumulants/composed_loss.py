"""Cumulants of a composed loss: Σ k_i (K_i, K_i', K_i'')."""

import math
from collections.abc import Iterator
from functools import lru_cache

from pldverify.balls.clock import spend
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

_REMEMBERED = 4096
_MANY = 30
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


def _single(product: ComposedLoss, theta: float) -> Iterator[tuple[int, Cumulant]]:
    """Counts and cumulants of the laws; those of many Gaussian mixtures together."""
    mixtures = [(law, k) for law, k in product.factors if isinstance(law, GaussianMixtureLaw)]
    if len(mixtures) < _MANY:
        yield from ((k, cumulant(law, theta)) for law, k in product.factors)
        return
    from pldverify.reference.search.cumulants.gaussian_mixtures import gaussian_mixtures  # loads numpy

    rows = gaussian_mixtures([law for law, _ in mixtures], theta).tolist()
    yield from ((k, (a, b, c)) for (_, k), (a, b, c) in zip(mixtures, rows, strict=True))
    others = ((law, k) for law, k in product.factors if not isinstance(law, GaussianMixtureLaw))
    yield from ((k, cumulant(law, theta)) for law, k in others)
