"""Steps of a schedule that differ little, counted together: few laws in the place of many, in floats."""

import math
from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from pldverify.balls.ball import short
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Law

Side = Literal["upper", "lower", "between"]
"""A loss that dominates, one that is dominated, or one next to the truth."""
Groups = tuple[ComposedLoss, tuple[int, ...]]
_TURNS = 12
_WIDEST = 8.0
"""Turns of a bisection, and logarithm of the ratio of parameters that it begins with."""


@lru_cache(maxsize=16)
def grouped(loss: ComposedLoss, most: int, side: Side) -> Groups:
    """A loss of about ``most`` laws at most, and for each law of ``loss`` the place of its group there."""
    low, high = 0.0, _WIDEST
    if len(loss.factors) <= most:
        return loss, tuple(range(len(loss.factors)))
    for _ in range(_TURNS):
        width = (low + high) / 2
        low, high = (width, high) if len(set(_cells(loss, width))) > most else (low, width)
    members: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, cell in enumerate(_cells(loss, high)):
        members[cell].append(i)
    factors, places = list[tuple[Law, int]](), [0] * len(loss.factors)
    for group in members.values():
        for i in group:
            places[i] = len(factors)
        laws = [loss.factors[i][0] for i in group]
        factors.append((_instead(laws, side), sum(loss.factors[i][1] for i in group)))
    return ComposedLoss(tuple(factors)), tuple(places)


def _cells(loss: ComposedLoss, width: float) -> list[tuple[object, ...]]:
    """Which group each law is in: σ and q of a group differ by a factor of e^{``width``} at most."""
    return [
        (law.direction, _cell(law.noise_multiplier, width), _cell(law.q, width))
        if isinstance(law, GaussianMixtureLaw)
        else (law,)
        for law, _ in loss.factors
    ]


def _cell(value: Fraction, width: float) -> int:
    return math.floor(math.log(value) / width)


def _instead(laws: list[Law], side: Side) -> Law:
    """One law in the place of all of a group."""
    mixtures = [law for law in laws if isinstance(law, GaussianMixtureLaw)]
    if not mixtures:
        return laws[0]
    sigmas, rates = [law.noise_multiplier for law in mixtures], [law.q for law in mixtures]
    if side == "between":
        sigma, q = (short(math.exp(math.fsum(map(math.log, row)) / len(row))) for row in (sigmas, rates))
    else:
        sigma, q = (min(sigmas), max(rates)) if side == "upper" else (max(sigmas), min(rates))
    return GaussianMixtureLaw(sigma, q, mixtures[0].direction)
