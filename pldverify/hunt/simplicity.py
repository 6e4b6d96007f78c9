"""Simplicity: how far a question is from the simplest one, in floats."""

import math
from fractions import Fraction

from pldverify.hunt.knobs import knobs
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.numbers.exact import show

_PART = 100.0
"""Cost of one more part: more than all numbers of a mechanism cost."""


def cost(query: Query) -> float:
    """How far the question is from the simplest one.

    >>> import pldverify as pv
    >>> simple, other = (pv.Query(pv.Gaussian(sigma), delta="0.1") for sigma in (1, "0.77"))
    >>> cost(simple) < cost(other)
    True
    """
    parts = query.composition.parts
    wrapped = sum(isinstance(mechanism, PoissonSubsampled) for mechanism, _ in parts)
    strange = query.adjacency != query.composition.adjacency
    return _PART * len(parts) + 3 * wrapped + strange + sum(_number(knob.value) for knob in knobs(query))


def _number(value: Fraction) -> float:
    """0 for 1, more for more digits and for what is far from it."""
    if value == 1:
        return 0.0
    if value == 0:
        return 1.0
    size = math.log10(value.numerator) - math.log10(value.denominator) if value > 0 else 10.0
    digits = len(show(value).partition("e")[0].replace(".", "").strip("0"))
    return min(1.0 + digits + abs(size) / 4, 60.0)
